// Classes of characters in texts.
#include "character_classes.hpp"

#include <string>

#include "check.hpp"

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

}  // namespace

int main() { return check::run_all(); }
