// Classes of characters in texts.
#include "character_classes.hpp"

#include <random>
#include <string>

#include "check.hpp"
#include "cpu.hpp"
#include "unicode.hpp"

namespace {

TEST(texts_have_the_classes_of_their_characters) {
    std::vector<std::uint8_t> table(likewise::kCodePoints);
    table['a'] = 1;
    table[0xE9] = 2;      // é
    table[0x5929] = 4;    // 天
    table[0x10FFFF] = 8;  // the last
    const std::vector<std::string_view> texts{
        "", "a b", "b é", "aé天", "b天b", "\xF4\x8F\xBF\xBF", "\xC3", "ab\xE5"};
    const auto found =
        likewise::classes_of(texts, std::span<const std::uint8_t, likewise::kCodePoints>(table), 2);
    // A text of ASCII alone has none; bytes that are no characters are none.
    CHECK((found == std::vector<std::uint8_t>{0, 0, 2, 7, 4, 8, 0, 1}));
}

// Letters of few scripts, so that most bytes are passed over soon, and any bytes at all.
TEST(what_is_passed_over_has_nothing_to_add) {
    std::mt19937 random(3);
    std::vector<std::uint8_t> table(likewise::kCodePoints);
    for (std::size_t c = 'a'; c < 0x250; ++c) table[c] = 1;
    for (std::size_t c = 0x400; c < 0x500; ++c) table[c] = 2;
    table[0xFFFD] = 4;
    table[0x200B] = 8;
    const std::string_view pieces[] = {"a few words, ",   "Été à Göttingen ", "что это ",
                                       "天地。",          "\xE2\x80\x8B",     "\xE2\x80\x99",
                                       "\xF0\x9F\x98\x80"};
    for (int i = 0; i < 3000; ++i) {
        std::string text;
        for (auto left = random() % 12; left > 0; --left) {
            text += pieces[random() % std::size(pieces)];
            if (random() % 8 == 0) text += static_cast<char>(random());
        }
        std::uint8_t expected = 0;
        bool ascii = true;
        for (const char* at = text.data(); at < text.data() + text.size();) {
            const auto next = likewise::decode(at, text.data() + text.size());
            expected |= table[next.character];
            ascii = ascii && next.character < 0x80;
            at += next.length;
        }
        likewise::limit_vectors(i % 2 ? likewise::Vectors::none : likewise::best_vectors());
        const std::vector<std::string_view> texts{text};
        const auto found = likewise::classes_of(
            texts, std::span<const std::uint8_t, likewise::kCodePoints>(table), 1);
        CHECK(found[0] == (ascii ? 0 : expected), "%s", text.c_str());
    }
}

}  // namespace

int main() { return check::run_all(); }
