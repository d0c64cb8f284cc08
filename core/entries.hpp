// Entries of a persistent index: (key, document) as one number of 64 bits, the key above the
// document, in sorted runs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace likewise {

// Several sorted runs as one, without the entries of documents whose flag is 0. `present` has a
// flag for each document number; empty, where all are there.
std::vector<std::uint64_t> merge_entries(std::span<const std::span<const std::uint64_t>> runs,
                                         std::span<const std::uint8_t> present);

// A bit for each value of the leading `bits` bits of a key, set where an entry has it.
// 3 <= bits <= 32; entries are sorted.
std::vector<std::uint8_t> key_filter(std::span<const std::uint64_t> entries, unsigned bits);

// How many different documents the entries are of.
std::uint64_t count_documents(std::span<const std::uint64_t> entries);

}  // namespace likewise
