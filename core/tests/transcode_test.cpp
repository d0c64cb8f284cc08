// Strings of 1, 2 and 4 bytes per character against a plain encoder, in memory of the exact size.
#include "transcode.hpp"

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "cpu.hpp"

namespace {

std::string encoded_plainly(const std::vector<std::uint32_t>& characters) {
    std::string text;
    const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
    for (std::uint32_t c : characters) {
        if (c >= 0xD800 && c <= 0xDFFF) c = 0xFFFD;
        if (c < 0x80) {
            put(c);
            continue;
        }
        const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        constexpr std::uint32_t kLead[] = {0xC0, 0xE0, 0xF0};
        put(kLead[more - 1] | c >> (6 * more));
        for (int i = more - 1; i >= 0; --i) put(0x80 | (c >> (6 * i) & 0x3F));
    }
    return text;
}

template <class Unit>
std::string transcoded(const std::vector<std::uint32_t>& characters) {
    const std::vector<Unit> units(characters.begin(), characters.end());
    const likewise::FixedWidth string{units.data(), units.size(), sizeof(Unit)};
    const std::size_t size = likewise::utf8_size(string);
    // On the heap, so that a byte too many is noticed.
    const auto bytes = std::make_unique<char[]>(size);
    likewise::write_utf8(string, bytes.get());
    return {bytes.get(), size};
}

// Runs of characters of one length, of all lengths of runs, so that blocks end everywhere.
std::vector<std::uint32_t> random_characters(std::mt19937& random, std::uint32_t limit) {
    constexpr std::uint32_t kRanges[][2] = {
        {0, 0x7F},    {0x80, 0xFF},   {0x80, 0x7FF},    {0x800, 0xFFFF},   {0xD7FF, 0xE001},
        {0x7F, 0x80}, {0x7FF, 0x800}, {0x7FFF, 0x8001}, {0xFFFF, 0x10000}, {0x10000, 0x10FFFF}};
    std::vector<std::uint32_t> characters;
    for (auto runs = random() % 8; runs > 0; --runs) {
        const auto& range = kRanges[random() % std::size(kRanges)];
        for (auto left = random() % 40; left > 0; --left) {
            characters.push_back((range[0] + random() % (range[1] - range[0] + 1)) % limit);
        }
    }
    return characters;
}

TEST(strings_of_every_width_are_encoded) {
    std::mt19937 random(7);
    for (int i = 0; i < 5000; ++i) {
        likewise::limit_vectors(i % 2 ? likewise::Vectors::none : likewise::best_vectors());
        const auto narrow = random_characters(random, 0x100);
        CHECK(transcoded<std::uint8_t>(narrow) == encoded_plainly(narrow));
        const auto wide = random_characters(random, 0x10000);
        CHECK(transcoded<std::uint16_t>(wide) == encoded_plainly(wide));
        const auto any = random_characters(random, 0x110000);
        CHECK(transcoded<std::uint32_t>(any) == encoded_plainly(any));
    }
}

}  // namespace

int main() { return check::run_all(); }
