// Records with equal digests, found without a sort of all.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace likewise {

// Group i is members[offsets[i]] to members[offsets[i + 1]], by ascending place.
struct RecordGroups {
    std::vector<std::uint32_t> members;
    std::vector<std::uint64_t> offsets;
};

// Groups of at least `least` records that agree in low and high. Fewer than 2^32 records.
RecordGroups group_records(std::span<const std::uint64_t> low, std::span<const std::uint64_t> high,
                           std::span<const std::uint64_t> places, std::uint64_t least);

}  // namespace likewise
