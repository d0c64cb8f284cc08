// Which of similar documents to keep where only those of different groups are compared.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace likewise {

// Copies of a text in one group share their fate. Each is given once, as its text and its group,
// from the best to the worst, and kept if no kept one of another group has the same text or a
// similar one.
//
// offsets, neighbours: of each text those that are similar to it, both ways.
// texts, groups: of the copies.
std::vector<std::uint8_t> kept_across(std::span<const std::uint64_t> offsets,
                                      std::span<const std::uint32_t> neighbours,
                                      std::span<const std::uint32_t> texts,
                                      std::span<const std::uint32_t> groups);

}  // namespace likewise
