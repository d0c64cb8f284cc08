#include "kept_across.hpp"

#include <cstddef>

#include "interruption.hpp"

namespace likewise {
namespace {

// In place of the group of the kept copies that a text has or is similar to.
constexpr std::uint32_t kNone = 0xFFFFFFFF, kSeveral = 0xFFFFFFFE;

}  // namespace

std::vector<std::uint8_t> kept_across(std::span<const std::uint64_t> offsets,
                                      std::span<const std::uint32_t> neighbours,
                                      std::span<const std::uint32_t> texts,
                                      std::span<const std::uint32_t> groups) {
    std::vector<std::uint8_t> kept(texts.size(), 0);
    std::vector<std::uint32_t> around;
    fill(around, offsets.size() - 1, kNone);
    Poll poll;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        poll();
        const std::uint32_t text = texts[i], group = groups[i];
        if (around[text] != kNone && around[text] != group) continue;
        kept[i] = 1;
        // Once for each text: from here on its copies in other groups are not kept.
        const auto note = [&](std::uint32_t near) {
            around[near] = around[near] == kNone || around[near] == group ? group : kSeveral;
        };
        note(text);
        for (auto at = offsets[text]; at < offsets[text + 1]; ++at) {
            poll();
            note(neighbours[at]);
        }
    }
    return kept;
}

}  // namespace likewise
