// The words of a text with their positions in it, and what is between them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace likewise {

// The strongest boundary between two words.
enum class Gap : std::uint8_t {
    none,      // nothing that ends anything: spaces, commas
    line,      // the end of a line
    sentence,  // a sentence terminator of any script
    edge,      // a blank line, or the edge of the text
};

constexpr std::uint8_t kUnspacedLetter = 0;
constexpr std::uint8_t kNumeral = 255;

struct PlacedWords {
    std::vector<std::uint64_t> hashes;        // of the normalised word, with seed 0
    std::vector<std::uint64_t> stems;         // of its first letters
    std::vector<std::uint8_t> letters;        // how many it has, marks not counted; 254: or more;
                                              // kUnspacedLetter: one of a script without spaces;
                                              // kNumeral: digits only
    std::vector<std::uint32_t> begins, ends;  // in code points of the text as it was given
    std::vector<Gap> gaps;                    // before each word, and one after the last
};

// Words as prepare() cuts them by the default rules: NFKC, case folded; a run of letters, marks and
// numbers, but in scripts without spaces each letter with its marks. Where normalisation makes
// several words of one character, each has that character's place. A stem is the first
// `stem_letters` code points of a word: forms of one word mostly share it, in languages that
// inflect.
PlacedWords place_words(std::string_view utf8, std::uint32_t stem_letters);

}  // namespace likewise
