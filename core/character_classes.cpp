#include "character_classes.hpp"

#include "threads.hpp"
#include "unicode.hpp"
#include "words.hpp"

namespace likewise {

std::vector<std::uint8_t> classes_of(std::span<const std::string_view> texts,
                                     std::span<const std::uint8_t, kCodePoints> classes,
                                     unsigned threads) {
    std::vector<std::uint8_t> made(texts.size());
    parallel_ranges(
        texts.size(), grain_of(texts.size(), threads), threads, [] { return 0; },
        [&](int, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                if (is_ascii(texts[i].data(), texts[i].size())) continue;
                const char* at = texts[i].data();
                const char* const behind = at + texts[i].size();
                std::uint8_t held = 0;
                while (at < behind) {
                    if (const auto byte = static_cast<std::uint8_t>(*at); byte < 0x80) {
                        held |= classes[byte];
                        ++at;
                        continue;
                    }
                    const Decoded next = decode(at, behind);
                    held |= classes[next.character];
                    at += next.length;
                }
                made[i] = held;
            }
        });
    return made;
}

}  // namespace likewise
