// Golden cases of prepare(), in memory that is poisoned before and watched after.
//
//     g++ -std=c++20 -O1 -g -fsanitize=address,undefined -Icore core/tests/prepare_test.cpp
//         core/prepare.cpp core/unicode.cpp -o prepare_test && ./prepare_test
//
// tests/ compares prepare() with the reference in Python; sanitizers run this.
#include "prepare.hpp"

#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "words.hpp"

namespace {

using likewise::Prepared;
using likewise::Rules;
using likewise::Spaces;
using likewise::Unit;

int failures = 0;

#define CHECK(condition, ...)                                           \
    do {                                                                \
        if (!(condition)) {                                             \
            ++failures;                                                 \
            std::printf("%s:%d: %s: ", __FILE__, __LINE__, #condition); \
            std::printf(__VA_ARGS__);                                   \
            std::printf("\n");                                          \
        }                                                               \
    } while (false)

// Prepares a copy of the text that ends where its memory ends, so that reading further is an error.
std::string run(std::string_view text, const Rules& rules, Prepared& prepared) {
    const auto copy = std::make_unique<char[]>(text.size());
    std::memcpy(copy.get(), text.data(), text.size());
    likewise::prepare({copy.get(), text.size()}, rules, prepared);
    const std::string result(prepared.data(), prepared.size());
    bool ascii = true;
    for (const char c : result) ascii = ascii && static_cast<unsigned char>(c) < 0x80;
    CHECK(prepared.ascii == ascii, "%s", result.c_str());
    const std::string padding(prepared.data() + prepared.size(), likewise::kPadding);
    CHECK(padding == std::string(likewise::kPadding, ' '), "behind %s", result.c_str());
    return result;
}

// In fresh memory, after other documents, and inside a longer document: there the loops that read
// many bytes at once are at work.
void expect(std::string_view text, std::string_view wanted, const Rules& rules = {}) {
    Prepared fresh;
    const std::string first = run(text, rules, fresh);
    CHECK(first == wanted, "'%s' gave '%s', not '%s'", std::string(text).c_str(), first.c_str(),
          std::string(wanted).c_str());

    Prepared used;
    std::string poison;
    for (int i = 0; i < 500; ++i) poison += "\xEF\xB7\xBA e\xCC\x81\xCD\x85 \xD0\x90!";
    run(poison, {}, used);
    CHECK(run(text, rules, used) == wanted, "after poison: '%s'", std::string(wanted).c_str());

    // The filler is one word that no rule here changes, and no separator.
    const std::string filler = "zyzzyva";
    const bool spaced = rules.unit == Unit::word || rules.spaces != Spaces::drop;
    for (const std::string_view gap : {" ", " \n"}) {
        if (rules.spaces == Spaces::keep && gap.size() > 1) continue;
        std::string text_long, wanted_long;
        for (int i = 0; i < 6; ++i) {
            text_long.append(filler).append(gap).append(text).append(gap);
            wanted_long.append(filler).append(spaced ? " " : "").append(wanted);
            const bool joins = rules.unit == Unit::word || rules.spaces == Spaces::one;
            if (spaced && !(joins && wanted.empty())) wanted_long += ' ';
        }
        text_long += filler;
        wanted_long += filler;
        const std::string result = run(text_long, rules, used);
        CHECK(result == wanted_long, "'%s', not '%s'", result.c_str(), wanted_long.c_str());
    }
}

Rules characters(Spaces spaces, bool keep_punctuation) {
    Rules rules;
    rules.unit = Unit::character;
    rules.spaces = spaces;
    rules.keep_punctuation = keep_punctuation;
    return rules;
}

void words_are_folded_and_joined() {
    expect("", "");
    expect("  \n\t ", "");
    expect("Hello,   World! 42x", "hello world 42x");
    expect("don't", "don t");
    expect("L\xE2\x80\x99\xC3\x89T\xC3\x89", "l \xC3\xA9t\xC3\xA9");  // L’ÉTÉ
    expect(
        "Stra\xC3\x9F"
        "e STRASSE",
        "strasse strasse");                                                            // Straße
    expect("\xD0\x81\xD0\x96 \xD0\x9F\xD0\xA0", "\xD1\x91\xD0\xB6 \xD0\xBF\xD1\x80");  // ЁЖ ПР
    expect("\xC3\x97\xC3\xB7 \xC3\x9E", "\xC3\xBE");                                   // ×÷ Þ
    expect("\xEF\xAC\x81n \xC2\xBD", "fin 1 2");                                       // ﬁn ½
    expect("\xEF\xB7\xBA",
           "\xD8\xB5\xD9\x84\xD9\x89 \xD8\xA7\xD9\x84\xD9\x84\xD9\x87 "
           "\xD8\xB9\xD9\x84\xD9\x8A\xD9\x87 \xD9\x88\xD8\xB3\xD9\x84\xD9\x85");
    Rules keep;
    keep.fold_case = false;
    expect("\xC3\x89t\xC3\xA9 \xD0\x9F A", "\xC3\x89t\xC3\xA9 \xD0\x9F A", keep);
}

void marks_compose_and_are_ordered() {
    expect("e\xCC\x81t\xC3\xA9", "\xC3\xA9t\xC3\xA9");  // e + U+0301
    expect("a\xCC\xA3\xCC\x82", "\xE1\xBA\xAD");        // a + U+0323 + U+0302: ậ
    expect("a\xCC\x82\xCC\xA3", "\xE1\xBA\xAD");
    expect("\xE1\x84\x80\xE1\x85\xA1\xE1\x86\xA8", "\xEA\xB0\x81");  // jamo: 각
    expect("\xEA\xB0\x80\xE1\x86\xA8", "\xEA\xB0\x81");
    expect("\xD0\xB8\xCC\x86", "\xD0\xB9");                          // и + U+0306
    expect("\xCE\x91\xCD\x85\xCC\x81", "\xCE\xAC\xCE\xB9");          // Α + U+0345 + U+0301
    expect("\xC4\xB0\xCC\x96", "i\xCC\x96\xCC\x87");                 // İ + U+0316
    expect("\xCD\xBA\xCC\x96", "\xCC\x96\xCE\xB9");                  // U+037A + U+0316
    expect("\xD7\x91\xD6\xBC\xD6\xB0", "\xD7\x91\xD6\xB0\xD6\xBC");  // Hebrew points
    Rules strip;
    strip.strip_accents = true;
    expect("\xC3\x89t\xC3\xA9 e\xCC\x81 \xD0\x99", "ete e \xD0\xB8", strip);
    // A mark that was kept apart by an enclosing accent composes when that is gone.
    expect("\xE3\x81\x8B\xE2\x83\x9D\xE3\x82\x99", "\xE3\x81\x8C", strip);
}

void each_letter_of_an_unspaced_script_is_a_word() {
    expect(
        "abc\xE4\xB8\xAD\xE6\x96\x87"
        "def",
        "abc \xE4\xB8\xAD \xE6\x96\x87 def");                                     // abc中文def
    expect("\xE4\xB8\xAD\xEF\xBC\x8C\xE6\x96\x87", "\xE4\xB8\xAD \xE6\x96\x87");  // 中，文
    expect("\xE0\xB8\x81\xE0\xB8\xB4\xE0\xB8\x99", "\xE0\xB8\x81\xE0\xB8\xB4 \xE0\xB8\x99");
    expect("\xE3\x81\x8B\xE3\x82\x99\xE3\x83\xBC", "\xE3\x81\x8C \xE3\x83\xBC");  // がー
    expect("\xEF\xBD\xB6\xEF\xBE\x9E", "\xE3\x82\xAC");                           // half width
    expect(
        "\xE0\xB9\x91"
        "2x",
        "\xE0\xB9\x91"
        "2x");  // Thai digit
}

void invisible_characters_are_removed_and_counted() {
    Prepared prepared;
    const std::string soft =
        "so\xC2\xAD"
        "ft \xE2\x80\x8B"
        "e\xE2\x80\x8D\xCC\x81\xEF\xBB\xBF";
    CHECK(run(soft, {}, prepared) == "soft \xC3\xA9", "soft hyphen");
    CHECK(prepared.invisible == 4, "%zu", prepared.invisible);
    CHECK(run("plain", {}, prepared) == "plain" && prepared.invisible == 0, "reset");
}

void ill_formed_bytes_are_replaced() {
    const Rules text = characters(Spaces::keep, true);
    const std::string bad = "\xEF\xBF\xBD";
    expect(
        "a\xFF"
        "b",
        "a" + bad + "b", text);
    expect("\xED\xA0\x80", bad + bad + bad, text);  // a surrogate
    expect("\xC1\x81", bad + bad, text);            // overlong
    expect("\xE0\x80\x81x", bad + bad + bad + "x", text);
    expect("\xF0\x9F\x98x", bad + "x", text);  // cut short
    expect("\xF4\x90\x80\x80", bad + bad + bad + bad, text);
    expect("\xC3", bad, text);
    expect(
        "a\x80"
        "b",
        "a b");
}

void characters_follow_the_rules_for_spaces() {
    expect(" Ab,  c\n", "ab c", characters(Spaces::one, false));
    expect(" Ab,  c\n", "abc", characters(Spaces::drop, false));
    expect(" Ab,  c\n", " ab   c\n", characters(Spaces::keep, false));
    expect(" Ab,  c\n", "ab, c", characters(Spaces::one, true));
    expect(" Ab,  c\n", "ab,c", characters(Spaces::drop, true));
    expect("\xE4\xB8\xAD\xE6\x96\x87", "\xE4\xB8\xAD\xE6\x96\x87", characters(Spaces::one, false));
    Rules rules = characters(Spaces::one, false);
    rules.drop_digits = rules.drop_greek = true;
    expect("a1b \xCE\xB1 c\xC2\xB2", "a b c", rules);
}

void short_words_and_stop_words_are_left_out() {
    Rules rules;
    rules.min_word_length = 2;
    rules.stop_words = likewise::StopWords({"the", "\xE7\x9A\x84"});
    expect("The a cat \xC3\xA9 \xE7\x9A\x84\xE4\xB8\xAD the", "cat \xE4\xB8\xAD", rules);
    rules.keep_punctuation = true;
    expect("The a, cat!", ", cat !", rules);
    rules.unit = Unit::character;
    // With the marks that cling to them; marks alone are no word, and stay.
    expect("a, x-the-y then -- b!", "x--y then --", rules);
    rules.keep_punctuation = false;
    rules.spaces = Spaces::drop;
    expect("in the end", "inend", rules);
}

// Marks and words across the places where the input is cut into chunks, and the buffer grows.
void long_documents_are_seamless() {
    Prepared prepared;
    for (const std::string_view unit : {"x", "\xD0\xB6", "\xE4\xB8\xAD"}) {
        for (std::size_t bytes = 16300; bytes < 16420; ++bytes) {
            std::string text, wanted;
            while (text.size() + unit.size() <= bytes) {
                text += unit;
                if (unit.size() == 3 && !wanted.empty()) wanted += ' ';
                wanted += unit;
            }
            text += "e\xCC\x81 y";
            wanted += unit.size() == 3 ? " \xC3\xA9 y" : "\xC3\xA9 y";
            CHECK(run(text, {}, prepared) == wanted, "%zu bytes", bytes);
        }
    }
    std::string expanding, marks = "a";
    for (int i = 0; i < 50000; ++i) expanding += "\xEF\xB7\xBA";
    CHECK(run(expanding, {}, prepared).size() == 50000 * 33, "%zu", prepared.size());
    for (int i = 0; i < 1000000; ++i) marks += i % 2 ? "\xCC\x81" : "\xCC\xA3";
    const std::string ordered = run(marks, {}, prepared);
    CHECK(ordered.size() == 3 + 2 * 999999, "%zu", ordered.size());  // ạ takes one of them
}

// The block loop knows some letters by their bytes, the others come from tables.
void blocks_agree_with_single_characters() {
    Prepared prepared;
    const std::string tail(40, 'z');
    for (const bool fold_case : {true, false}) {
        for (const bool strip_accents : {true, false}) {
            for (const Unit unit : {Unit::word, Unit::character}) {
                Rules rules;
                rules.fold_case = fold_case;
                rules.strip_accents = strip_accents;
                rules.unit = unit;
                for (unsigned c = 0; c < 0x800; ++c) {
                    std::string text(1, static_cast<char>(c));
                    if (c >= 0x80) {
                        text = {static_cast<char>(0xC0 | c >> 6),
                                static_cast<char>(0x80 | (c & 63))};
                    }
                    text = "A" + text + "b" + text;
                    const std::string alone = run(text, rules, prepared);
                    const std::string inside = run(text + " " + tail, rules, prepared);
                    CHECK(inside == alone + " " + tail, "U+%04X: '%s'", c, inside.c_str());
                }
            }
        }
    }
}

}  // namespace

int main() {
    blocks_agree_with_single_characters();
    words_are_folded_and_joined();
    marks_compose_and_are_ordered();
    each_letter_of_an_unspaced_script_is_a_word();
    invisible_characters_are_removed_and_counted();
    ill_formed_bytes_are_replaced();
    characters_follow_the_rules_for_spaces();
    short_words_and_stop_words_are_left_out();
    long_documents_are_seamless();
    if (failures == 0) std::puts("prepare_test: ok");
    return failures == 0 ? 0 : 1;
}
