// The distinct elements of one document, to count how many another document shares.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "interruption.hpp"
#include "slots.hpp"
#include "sort_hashes.hpp"

namespace likewise {

// A table, or for a very long document a sorted list: it takes a quarter of the memory, and no more
// time, since each look into such a table would wait for memory.
class ElementTable {
  public:
    static constexpr std::size_t kMaxInTable = std::size_t{1} << 18;

    void build(std::span<const std::uint64_t> elements) {
        fill(sequence_, elements);
        sorted_ = elements.size() > kMaxInTable;
        if (sorted_) {
            sort_distinct(sequence_);
            distinct_ = sequence_.size();
            return;
        }
        places_.resize(elements.size());
        reset(slots_, elements.size());
        stamps_.assign(slots_.size(), 0);
        positions_.resize(slots_.size());
        stamp_ = 0;
        distinct_ = 0;
        for (std::size_t i = 0; i < elements.size(); ++i) {
            const std::uint64_t element = stored(elements[i]);
            const std::size_t slot = find(slots_, element);
            if (slots_[slot] == 0) {
                slots_[slot] = element;
                positions_[slot] = static_cast<std::uint32_t>(i);
                ++distinct_;
            }
            sequence_[i] = element;
            places_[i] = static_cast<std::uint32_t>(slot);
        }
    }

    std::size_t distinct() const { return distinct_; }

    struct Overlap {
        std::uint64_t shared, misses;  // distinct elements of the other: here, and not here
        bool complete;                 // false: given up when misses went over the limit
    };

    // Counts distinct elements. Copies run in step, so the element after the last match is tried
    // before the table is.
    Overlap overlap(std::span<const std::uint64_t> other, std::uint64_t miss_limit) {
        if (sorted_) return overlap_sorted(other, miss_limit);
        ++stamp_;
        Overlap result{0, 0, true};
        reset(misses_, std::min<std::size_t>(other.size(), miss_limit) + 1);
        std::size_t next = 0;
        Poll poll;
        for (const std::uint64_t raw : other) {
            poll();
            const std::uint64_t element = stored(raw);
            std::size_t slot;
            if (next < sequence_.size() && sequence_[next] == element) {
                slot = places_[next++];
            } else {
                slot = find(slots_, element);
                if (slots_[slot] == 0) {
                    ++next;  // a replaced word: go on in step
                    const std::size_t miss = find(misses_, element);
                    if (misses_[miss] == element) continue;
                    misses_[miss] = element;
                    if (++result.misses > miss_limit) {
                        result.complete = false;
                        return result;
                    }
                    continue;
                }
                next = positions_[slot] + 1;
            }
            result.shared += stamps_[slot] != stamp_;
            stamps_[slot] = stamp_;
        }
        return result;
    }

  private:
    static void sort_distinct(std::vector<std::uint64_t>& elements) {
        sort_hashes(elements);
        elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
    }

    Overlap overlap_sorted(std::span<const std::uint64_t> other, std::uint64_t miss_limit) {
        fill(misses_, other);
        sort_distinct(misses_);
        Overlap result{0, 0, true};
        Place own = sequence_.begin();
        Poll poll;
        for (const std::uint64_t element : misses_) {
            poll();
            own = skip_to(own, element);
            const bool shared = own != sequence_.end() && *own == element;
            result.shared += shared;
            result.misses += !shared;
            if (result.misses > miss_limit) {
                result.complete = false;
                return result;
            }
        }
        return result;
    }

    using Place = std::vector<std::uint64_t>::const_iterator;

    // The first element from a place on that is not smaller. By steps that double: the other list
    // may be far shorter than this one.
    Place skip_to(Place from, std::uint64_t element) const {
        const Place end = sequence_.end();
        for (std::ptrdiff_t step = 1; from != end && *from < element; step *= 2) {
            const Place next = end - from > step ? from + step : end;
            if (next == end || *next >= element) return std::lower_bound(from, next, element);
            from = next;
        }
        return from;
    }

    // 0 marks a free slot; an element of value 0 counts as 1, which one text in 2^64 may notice.
    static std::uint64_t stored(std::uint64_t element) { return element + (element == 0); }

    static void reset(std::vector<std::uint64_t>& slots, std::size_t elements) {
        fill(slots, std::bit_ceil(2 * elements + 2));
    }

    static std::size_t find(const std::vector<std::uint64_t>& slots, std::uint64_t element) {
        return find_slot(element, slots.size(), [&](std::size_t slot) {
            return slots[slot] == 0 || slots[slot] == element;
        });
    }

    bool sorted_ = false;
    std::vector<std::uint64_t> sequence_;  // in the order of the text, with repeats; or sorted
    std::vector<std::uint32_t> places_;    // their slots
    std::vector<std::uint64_t> slots_, misses_;
    std::vector<std::uint32_t> positions_;  // first place in the text of the element in a slot
    std::vector<std::uint32_t> stamps_;
    std::uint32_t stamp_ = 0;
    std::size_t distinct_ = 0;
};

}  // namespace likewise
