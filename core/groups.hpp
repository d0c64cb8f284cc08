// Items with equal 64-bit keys, found by partition instead of a full sort: entries are scattered by
// the top bits of their keys until a part fits a table in the first-level cache.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "buffer.hpp"
#include "interruption.hpp"

namespace likewise {

class GroupFinder {
  public:
    // key_of(i) for i in [0, count) must be well mixed. emit(members, size) is called for each
    // group of two items or more, members in ascending order.
    template <class KeyOf, class Emit>
    void run(std::size_t count, KeyOf&& key_of, Emit&& emit) {
        Entry* entries = entries_.reserve(count);
        Entry* spare = spare_.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            poll_();
            entries[i] = {key_of(i), static_cast<std::uint32_t>(i)};
        }
        split(entries, spare, count, 0, emit);
    }

  private:
    struct Entry {
        std::uint64_t key;
        std::uint32_t item;
    };
    static constexpr std::size_t kSmall = 512;
    static constexpr unsigned kTableBits = 11;

    template <class Emit>
    void split(Entry* entries, Entry* spare, std::size_t count, unsigned used_bits, Emit& emit) {
        if (count < 2) return;
        if (count <= kSmall) return match(entries, count, used_bits, emit);
        if (used_bits >= 64) {  // no bits left to distinguish them
            members_.clear();
            for (std::size_t i = 0; i < count; ++i) members_.push_back(entries[i].item);
            return emit(members_.data(), members_.size());
        }
        const unsigned wanted = static_cast<unsigned>(std::bit_width(count / (kSmall / 2)));
        const unsigned bits = std::min({12u, std::max(1u, wanted), 64 - used_bits});
        const auto part_of = [=](std::uint64_t key) {
            return static_cast<std::size_t>((key << used_bits) >> (64 - bits));
        };
        // Counting sort; it is stable, so the items of a part stay in ascending order.
        std::vector<std::size_t> starts((std::size_t{1} << bits) + 1);
        for (std::size_t i = 0; i < count; ++i) {
            poll_();
            ++starts[part_of(entries[i].key) + 1];
        }
        for (std::size_t part = 1; part < starts.size(); ++part) starts[part] += starts[part - 1];
        std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
        for (std::size_t i = 0; i < count; ++i) {
            poll_();
            spare[next[part_of(entries[i].key)]++] = entries[i];
        }
        for (std::size_t part = 0; part + 1 < starts.size(); ++part) {
            split(spare + starts[part], entries + starts[part], starts[part + 1] - starts[part],
                  used_bits + bits, emit);
        }
    }

    // A part of at most kSmall entries: chains of equal keys through a tiny open table.
    template <class Emit>
    void match(const Entry* entries, std::size_t count, unsigned used_bits, Emit& emit) {
        constexpr std::uint16_t kNone = 0xFFFF;
        table_.fill(kNone);
        std::size_t firsts = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t key = entries[i].key;
            const std::uint64_t fresh = used_bits < 64 ? key << used_bits : 0;
            std::size_t slot = fresh >> (64 - kTableBits);
            while (table_[slot] != kNone && entries[table_[slot]].key != key) {
                slot = (slot + 1) & (table_.size() - 1);
            }
            next_[i] = kNone;
            if (table_[slot] == kNone) {
                table_[slot] = static_cast<std::uint16_t>(i);
                last_[i] = static_cast<std::uint16_t>(i);
                continue;
            }
            const std::uint16_t first = table_[slot];
            if (last_[first] == first) firsts_[firsts++] = first;
            next_[last_[first]] = static_cast<std::uint16_t>(i);
            last_[first] = static_cast<std::uint16_t>(i);
        }
        for (std::size_t f = 0; f < firsts; ++f) {
            members_.clear();
            for (std::uint16_t i = firsts_[f]; i != kNone; i = next_[i]) {
                members_.push_back(entries[i].item);
            }
            emit(members_.data(), members_.size());
        }
    }

    Poll poll_;
    Buffer<Entry> entries_, spare_;
    std::array<std::uint16_t, std::size_t{1} << kTableBits> table_;
    std::array<std::uint16_t, kSmall> next_, last_, firsts_;
    std::vector<std::uint32_t> members_;
};

}  // namespace likewise
