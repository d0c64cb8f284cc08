#include "entries.hpp"

#include <algorithm>
#include <bit>
#include <functional>

#include "interruption.hpp"
#include "slots.hpp"

namespace likewise {
namespace {

std::uint32_t document_of(std::uint64_t entry) { return static_cast<std::uint32_t>(entry); }
std::uint32_t key_of(std::uint64_t entry) { return static_cast<std::uint32_t>(entry >> 32); }

class KeySet {
  public:
    explicit KeySet(std::span<const std::uint32_t> keys)
        : slots_(std::bit_ceil(2 * keys.size() + 16)) {
        for (const std::uint32_t key : keys) {
            if (key == 0) {
                zero_ = true;
            } else {
                slots_[slot_of(key)] = key;
            }
        }
    }

    bool holds(std::uint32_t key) const { return key == 0 ? zero_ : slots_[slot_of(key)] == key; }

  private:
    std::size_t slot_of(std::uint32_t key) const {
        return find_slot(key, slots_.size(), [&](std::size_t slot) {
            return slots_[slot] == 0 || slots_[slot] == key;
        });
    }

    std::vector<std::uint32_t> slots_;  // 0: free
    bool zero_ = false;
};

constexpr std::size_t kBlockBytes = 64;

// The four bits of a key in its block.
struct BloomBits {
    std::uint64_t mixed;
    explicit BloomBits(std::uint32_t key) : mixed(key * std::uint64_t{0x9E3779B97F4A7C15}) {}
    unsigned operator[](unsigned i) const { return mixed >> (28 + 9 * i) & 511; }
};

// Entries whose documents ascend, in the order of their keys: a stable sort by one part of the key
// after the other, three times as quick as one that compares.
void sort_by_key(std::vector<std::uint64_t>& entries) {
    constexpr unsigned kBits = 11, kRounds = 3;
    constexpr std::size_t kPlaces = std::size_t{1} << kBits;
    std::vector<std::uint64_t> other;
    fill(other, entries.size());
    Poll poll;
    for (unsigned round = 0; round < kRounds; ++round) {
        const unsigned shift = 32 + round * kBits;
        const auto place_of = [&](std::uint64_t entry) { return entry >> shift & (kPlaces - 1); };
        std::vector<std::size_t> next(kPlaces + 1);
        for (const std::uint64_t entry : entries) ++next[place_of(entry) + 1];
        for (std::size_t i = 0; i < kPlaces; ++i) next[i + 1] += next[i];
        for (const std::uint64_t entry : entries) {
            poll();
            other[next[place_of(entry)]++] = entry;
        }
        entries.swap(other);
    }
}

std::vector<std::uint64_t> merge_two(std::span<const std::uint64_t> a,
                                     std::span<const std::uint64_t> b) {
    std::vector<std::uint64_t> made;
    fill(made, a.size() + b.size());
    Poll poll;
    std::merge(a.begin(), a.end(), b.begin(), b.end(), made.begin(), polling(poll, std::less()));
    return made;
}

}  // namespace

std::vector<std::uint64_t> entries_of_hashes(std::span<const std::uint64_t> hashes,
                                             std::span<const std::uint64_t> offsets,
                                             std::span<const std::uint32_t> common) {
    const KeySet left_out(common);
    Poll poll;
    std::vector<std::uint64_t> made;
    made.reserve(hashes.size());
    for (std::size_t document = 0; document + 1 < offsets.size(); ++document) {
        for (std::uint64_t i = offsets[document]; i < offsets[document + 1]; ++i) {
            poll();
            const std::uint32_t key = key_of(hashes[i]);
            if (!left_out.holds(key)) made.push_back(std::uint64_t{key} << 32 | document);
        }
    }
    sort_by_key(made);
    made.erase(std::unique(made.begin(), made.end()), made.end());
    return made;
}

Uncommon without_common(std::span<const std::uint64_t> entries,
                        std::span<const std::uint32_t> common, std::uint64_t most) {
    Uncommon made;
    made.entries.reserve(entries.size());
    auto known = common.begin();
    Poll poll;
    for (std::size_t begin = 0; begin < entries.size();) {
        poll();
        const std::uint32_t key = key_of(entries[begin]);
        std::size_t end = begin + 1;
        while (end < entries.size() && key_of(entries[end]) == key) ++end;
        known =
            std::find_if(known, common.end(), [&](std::uint32_t other) { return other >= key; });
        if (known == common.end() || *known != key) {
            if (end - begin > most) {
                made.set_aside.push_back(key);
                made.documents.push_back(static_cast<std::uint32_t>(end - begin));
            } else {
                made.entries.insert(made.entries.end(),
                                    entries.begin() + static_cast<std::ptrdiff_t>(begin),
                                    entries.begin() + static_cast<std::ptrdiff_t>(end));
            }
        }
        begin = end;
    }
    return made;
}

Held entries_of_keys(std::span<const std::uint64_t> buckets, std::span<const std::uint32_t> keys) {
    Held made{{}, std::vector<std::uint32_t>(keys.size())};
    struct Found {
        std::uint32_t place;
        std::uint64_t entry;
    };
    std::vector<Found> found;
    std::size_t place = 0;
    std::uint32_t last = 0;
    Poll poll;
    for (const std::uint64_t entry : buckets) {
        poll();
        const std::uint32_t key = key_of(entry);
        if (key < last) {  // the next bucket
            place = static_cast<std::size_t>(std::lower_bound(keys.begin(), keys.end(), key) -
                                             keys.begin());
        }
        last = key;
        while (place < keys.size() && keys[place] < key) ++place;
        if (place < keys.size() && keys[place] == key) {
            found.push_back({static_cast<std::uint32_t>(place), entry});
            ++made.counts[place];
        }
    }
    std::vector<std::size_t> next(keys.size());
    for (std::size_t i = 1; i < keys.size(); ++i) next[i] = next[i - 1] + made.counts[i - 1];
    made.entries.resize(found.size());
    for (const Found& one : found) {
        poll();
        made.entries[next[one.place]++] = one.entry;
    }
    return made;
}

std::uint64_t count_keys(std::span<const std::uint64_t> entries) {
    std::uint64_t count = entries.empty() ? 0 : 1;
    Poll poll;
    for (std::size_t i = 1; i < entries.size(); ++i) {
        poll();
        count += key_of(entries[i]) != key_of(entries[i - 1]);
    }
    return count;
}

std::vector<std::uint64_t> merge_entries(std::span<const std::span<const std::uint64_t>> runs,
                                         std::span<const std::uint8_t> present) {
    if (runs.empty()) return {};
    // Neighbours two by two: there are four runs or so, of about the same length.
    std::vector<std::vector<std::uint64_t>> level;
    for (std::size_t i = 0; i + 1 < runs.size(); i += 2) {
        level.push_back(merge_two(runs[i], runs[i + 1]));
    }
    if (runs.size() % 2 == 1) level.emplace_back(runs.back().begin(), runs.back().end());
    while (level.size() > 1) {
        std::vector<std::vector<std::uint64_t>> next;
        for (std::size_t i = 0; i + 1 < level.size(); i += 2) {
            next.push_back(merge_two(level[i], level[i + 1]));
        }
        if (level.size() % 2 == 1) next.push_back(std::move(level.back()));
        level = std::move(next);
    }
    auto& merged = level.front();
    if (!present.empty()) {
        Poll poll;
        std::erase_if(merged, [&](std::uint64_t entry) {
            poll();
            const std::uint32_t document = document_of(entry);
            return document >= present.size() || present[document] == 0;
        });
    }
    return std::move(merged);
}

std::vector<std::uint8_t> key_filter(std::span<const std::uint64_t> entries, unsigned bits) {
    std::vector<std::uint8_t> flags(std::size_t{1} << (bits - 3));
    Poll poll;
    for (const std::uint64_t entry : entries) {
        poll();
        const std::uint64_t place = entry >> (64 - bits);
        flags[place >> 3] |= static_cast<std::uint8_t>(1u << (place & 7));
    }
    return flags;
}

std::vector<std::uint8_t> bloom_filter(std::span<const std::uint64_t> entries, unsigned bits,
                                       unsigned skip) {
    const unsigned own = bits - skip;
    std::vector<std::uint8_t> filter(kBlockBytes << own);
    Poll poll;
    for (const std::uint64_t entry : entries) {
        poll();
        // Twice, since to shift by all bits of a number is not defined.
        std::uint8_t* const block =
            filter.data() + kBlockBytes * (entry << skip >> 1 >> (63 - own));
        const BloomBits places(key_of(entry));
        for (unsigned i = 0; i < 4; ++i) {
            block[places[i] >> 3] |= static_cast<std::uint8_t>(1u << (places[i] & 7));
        }
    }
    return filter;
}

std::vector<std::uint32_t> keys_in_bloom(std::span<const std::uint8_t> filter, unsigned bits,
                                         std::span<const std::uint32_t> keys) {
    std::vector<std::uint32_t> found;
    for (const std::uint32_t key : keys) {
        const std::uint8_t* const block =
            filter.data() + kBlockBytes * (std::uint64_t{key} << bits >> 32);
        const BloomBits places(key);
        bool held = true;
        for (unsigned i = 0; i < 4; ++i) held &= block[places[i] >> 3] >> (places[i] & 7) & 1;
        if (held) found.push_back(key);
    }
    return found;
}

std::uint64_t count_documents(std::span<const std::uint64_t> entries) {
    std::vector<bool> seen;
    std::uint64_t count = 0;
    Poll poll;
    for (const std::uint64_t entry : entries) {
        poll();
        const std::size_t document = document_of(entry);
        if (document >= seen.size()) seen.resize(std::max(document + 1, 2 * seen.size()));
        count += !seen[document];
        seen[document] = true;
    }
    return count;
}

}  // namespace likewise
