// Which classes of characters a text contains, to rule out texts quickly.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace likewise {

inline constexpr std::size_t kCodePoints = 0x110000;

// Of each text the classes of all its characters, or-ed; classes[c] are those of code point c. A
// text of ASCII alone has none.
std::vector<std::uint8_t> classes_of(std::span<const std::string_view> texts,
                                     std::span<const std::uint8_t, kCodePoints> classes,
                                     unsigned threads);

}  // namespace likewise
