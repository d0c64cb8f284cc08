// What prepare() does with a character, by its kind: a small machine with five bits of state.
#pragma once

#include <array>
#include <cstdint>

#include "rules.hpp"
#include "unicode.hpp"

namespace likewise {

// What has just been written, as bits. A space is written late, before what follows it, so that
// there is none at the end; the one before the first word goes into the padding before the text.
enum State : std::uint8_t {
    kGap = 1,       // a space is due
    kWord = 2,      // inside a word
    kUnspaced = 4,  // ... that is a letter of an unspaced script, with its marks
    kAlone = 8,     // a symbol that is a word by itself
    kAlways = 16,   // set all the time where each separator is written as a space of its own
};

// What to do with a character of one kind.
struct Action {
    std::uint8_t before;  // states after which a space comes first
    std::uint8_t keep;    // bits of the state that stay
    std::uint8_t set;     // bits of the state that are set
    std::uint8_t length;  // ANDed with the number of bytes: 7 to write the character, 0 to drop it
};
using Actions = std::array<Action, kKindCount>;  // in the order of Kind

inline constexpr Action kNoAction = {0, 0xFF, 0, 0};

inline Actions word_actions(const Rules& rules) {
    constexpr Action gap = {0, 0, kGap, 0};
    constexpr Action word = {kGap | kUnspaced | kAlone, 0, kWord, 7};
    constexpr Action mark = {kGap | kAlone, kUnspaced, kWord, 7};
    constexpr Action unspaced = {kGap | kWord | kAlone, 0, kWord | kUnspaced, 7};
    constexpr Action alone = {kGap | kWord | kAlone, 0, kAlone, 7};
    const Action symbol = rules.keep_punctuation ? alone : gap;
    return {
        gap,                                 // space
        gap,                                 // control
        symbol,                              // symbol
        word,                                // letter
        rules.drop_greek ? gap : word,       // greek
        rules.drop_digits ? gap : word,      // number
        mark,                                // mark
        mark,                                // accent
        unspaced,                            // unspaced
        rules.drop_digits ? gap : unspaced,  // unspaced_number
        kNoAction,                           // ignorable
        kNoAction,                           // nothing
    };
}

inline Actions character_actions(const Rules& rules, Spaces spaces) {
    constexpr Action text = {kGap, kAlways, kWord, 7};
    const Action separator = spaces == Spaces::one    ? Action{0, 0, kGap, 0}
                             : spaces == Spaces::drop ? Action{0, 0, 0, 0}
                                                      : Action{kAlways, kAlways, 0, 0};
    const Action other = rules.keep_punctuation ? text : separator;
    return {
        rules.spaces == Spaces::keep ? text : separator,  // space
        other,                                            // control
        other,                                            // symbol
        text,                                             // letter
        rules.drop_greek ? separator : text,              // greek
        rules.drop_digits ? separator : text,             // number
        text,                                             // mark
        text,                                             // accent
        text,                                             // unspaced
        rules.drop_digits ? separator : text,             // unspaced_number
        kNoAction,                                        // ignorable
        kNoAction,                                        // nothing
    };
}

}  // namespace likewise
