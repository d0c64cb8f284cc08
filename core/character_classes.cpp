#include "character_classes.hpp"

#include <cstring>

#include "interruption.hpp"
#include "threads.hpp"
#include "unicode.hpp"
#include "words.hpp"

namespace likewise {

namespace {

using Classes = std::span<const std::uint8_t, kCodePoints>;

std::uint8_t classes_in(std::string_view text, Classes classes, std::uint8_t of_ascii) {
    const char* at = text.data();
    const char* const end = at + text.size();
    const auto byte = [&](int i) { return static_cast<std::uint8_t>(at[i]); };
    std::uint8_t seen = 0;
    Poll poll;
    while (at < end) {
        poll();
        if (byte(0) < 0x80) {
            // Once a text has all the classes of ASCII, runs of it have nothing to add.
            std::uint64_t word;
            while ((seen & of_ascii) == of_ascii && end - at >= 8 &&
                   (std::memcpy(&word, at, 8), (word & 0x8080808080808080) == 0)) {
                at += 8;
            }
            for (; at < end && byte(0) < 0x80; ++at) seen |= classes[byte(0)];
        } else if (end - at >= 2 && byte(0) >= 0xC2 && byte(0) < 0xE0 && (byte(1) & 0xC0) == 0x80) {
            seen |= classes[(byte(0) & 0x1F) << 6 | (byte(1) & 0x3F)];
            at += 2;
        } else {
            const Decoded next = decode(at, end);
            seen |= classes[next.character];
            at += next.length;
        }
    }
    return seen;
}

}  // namespace

std::vector<std::uint8_t> classes_of(std::span<const std::string_view> texts, Classes classes,
                                     unsigned threads) {
    std::uint8_t of_ascii = 0;
    for (std::size_t c = 0; c < 0x80; ++c) of_ascii |= classes[c];
    std::vector<std::uint8_t> made(texts.size());
    parallel_ranges(
        texts.size(), grain_of(texts.size(), threads), threads, [] { return 0; },
        [&](int, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                if (is_ascii(texts[i].data(), texts[i].size())) continue;
                made[i] = classes_in(texts[i], classes, of_ascii);
            }
        });
    return made;
}

}  // namespace likewise
