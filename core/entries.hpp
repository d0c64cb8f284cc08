// Entries of a persistent index: (key, document) as one number of 64 bits, the key above the
// document, in sorted runs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace likewise {

// Entries of documents 0, 1, ... by the leading 32 bits of their hashes: sorted, each once.
// Document i has [offsets[i], offsets[i + 1]). Keys that are `common` (ascending) are skipped.
std::vector<std::uint64_t> entries_of_hashes(std::span<const std::uint64_t> hashes,
                                             std::span<const std::uint64_t> offsets,
                                             std::span<const std::uint32_t> common);

// Sorted entries without the keys that are `common` (ascending), and without those that more than
// `most` documents have, which are returned.
struct Uncommon {
    std::vector<std::uint64_t> entries;
    std::vector<std::uint32_t> set_aside, documents;  // keys, ascending, and how many have each
};
Uncommon without_common(std::span<const std::uint64_t> entries,
                        std::span<const std::uint32_t> common, std::uint64_t most);

// The entries of some keys (ascending) from consecutive buckets, in each of which keys
// ascend: by key, those of one key in the order of the buckets. Also how many each key has.
struct Held {
    std::vector<std::uint64_t> entries;
    std::vector<std::uint32_t> counts;
};
Held entries_of_keys(std::span<const std::uint64_t> buckets, std::span<const std::uint32_t> keys);

// How many different keys sorted entries have.
std::uint64_t count_keys(std::span<const std::uint64_t> entries);

// Several sorted runs as one, without the entries of documents whose flag is 0. `present` has a
// flag for each document number; empty, where all are there.
std::vector<std::uint64_t> merge_entries(std::span<const std::span<const std::uint64_t>> runs,
                                         std::span<const std::uint8_t> present);

// A bit for each value of the leading `bits` bits of a key, set where an entry has it.
// 3 <= bits <= 32; entries are sorted.
std::vector<std::uint8_t> key_filter(std::span<const std::uint64_t> entries, unsigned bits);

// A Bloom filter of keys, four bits a key, all in one of 2^bits blocks of 512 bits: that of the
// leading bits. The first `skip` of these are the same for all keys, and the blocks of other values
// are omitted. skip <= bits <= 23.
std::vector<std::uint8_t> bloom_filter(std::span<const std::uint64_t> entries, unsigned bits,
                                       unsigned skip);

// The keys that such a filter (with skip 0) may contain, in the order given.
std::vector<std::uint32_t> keys_in_bloom(std::span<const std::uint8_t> filter, unsigned bits,
                                         std::span<const std::uint32_t> keys);

// How many different documents the entries are of.
std::uint64_t count_documents(std::span<const std::uint64_t> entries);

}  // namespace likewise
