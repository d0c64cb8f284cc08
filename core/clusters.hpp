// Connected components of pairs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace likewise {

// For each of `documents` documents the smallest one that it is connected to, itself if none.
std::vector<std::uint32_t> find_clusters(std::size_t documents, std::span<const std::uint32_t> a,
                                         std::span<const std::uint32_t> b);

}  // namespace likewise
