// Words with their positions: the ASCII path equals the other one, positions lie in the text, and
// gaps are classified.
#include "placed_words.hpp"

#include <stdexcept>
#include <string>

#include "check.hpp"
#include "prepare.hpp"

namespace {

using likewise::Gap;
using likewise::place_words;
using likewise::PlacedWords;

TEST(ascii_and_unicode_paths_agree) {
    check::Random random(1);
    const std::vector<std::string> pieces = {
        "a",    "Word", "12", " ", ".", "\n", "\n\n", "!", ", ", "x.y", "longerthansixteenletters",
        "\r\n", "\t"};
    for (int round = 0; round < 2000; ++round) {
        std::string text;
        for (std::size_t i = check::below(random, 40); i > 0; --i) {
            text += check::one_of(random, pieces);
        }
        const check::ExactText exact(text);
        const PlacedWords fast = place_words(exact.view(), 5);
        // A non-ASCII letter at the end selects the slow path.
        const std::string other = text + "\n\n\xC3\xA9";
        const PlacedWords slow = place_words(check::ExactText(other).view(), 5);
        const std::size_t n = fast.hashes.size();
        CHECK(slow.hashes.size() == n + 1);
        if (slow.hashes.size() != n + 1) return;
        for (std::size_t i = 0; i < n; ++i) {
            CHECK(fast.hashes[i] == slow.hashes[i] && fast.stems[i] == slow.stems[i]);
            CHECK(fast.begins[i] == slow.begins[i] && fast.ends[i] == slow.ends[i]);
            CHECK(fast.letters[i] == slow.letters[i] && fast.gaps[i] == slow.gaps[i]);
        }
        CHECK(fast.gaps.size() == n + 1 && fast.gaps[n] == Gap::edge);
    }
}

TEST(words_are_those_that_prepare_cuts) {
    check::Random random(2);
    const std::vector<std::string> pieces = {"e",
                                             "\xCC\x81",
                                             "\xC3\x89",
                                             "\xE4\xB8\xAD",
                                             "\xE0\xB9\x84",
                                             "\xE0\xB8\xB4",
                                             " ",
                                             "\xE3\x80\x82",
                                             "\xC2\xBD",
                                             "\xEF\xAC\x81",
                                             "\xE2\x80\x8B",
                                             "\xC2\xAD",
                                             "\xC3\x9F",
                                             "\xE1\x84\x80",
                                             "\xE1\x85\xA1",
                                             "\xD9\x8E",
                                             "\xCE\xA3",
                                             "\xFF",
                                             "9",
                                             "-"};
    likewise::Rules rules;
    likewise::Prepared prepared;
    for (int round = 0; round < 4000; ++round) {
        std::string text;
        std::size_t characters = 0;
        for (std::size_t i = check::below(random, 20); i > 0; --i, ++characters) {
            text += check::one_of(random, pieces);
        }
        const check::ExactText exact(text);
        const PlacedWords words = place_words(exact.view(), 3);
        likewise::prepare(exact.view(), rules, prepared);
        std::string_view left(prepared.data(), prepared.size());
        const likewise::HashKey key(0);
        std::size_t found = 0;
        while (!left.empty()) {
            const std::size_t size = std::min(left.find(' '), left.size());
            CHECK(found < words.hashes.size() &&
                  words.hashes[found] == likewise::hash_bytes(left.data(), size, key));
            ++found;
            left.remove_prefix(std::min(left.size(), size + 1));
        }
        CHECK(found == words.hashes.size(), "%zu words, %zu expected", words.hashes.size(), found);
        for (std::size_t i = 0; i < words.begins.size(); ++i) {
            CHECK(words.begins[i] < words.ends[i] && words.ends[i] <= characters);
            CHECK(i == 0 || words.begins[i - 1] <= words.begins[i]);
        }
    }
}

TEST(gaps_are_told_apart) {
    const auto between = [](const std::string& gap) {
        return place_words("one" + gap + "two", 7).gaps[1];
    };
    CHECK(between(" ") == Gap::none && between(", ") == Gap::none && between("-") == Gap::none);
    CHECK(between("\n") == Gap::line && between(",\r\n") == Gap::line);
    CHECK(between(". ") == Gap::sentence && between("?\" ") == Gap::sentence);
    CHECK(between("!\n") == Gap::sentence && between(".") == Gap::none);
    CHECK(between("\xE3\x80\x82") == Gap::sentence);    // ideographic full stop
    CHECK(between(" \xE0\xA5\xA4 ") == Gap::sentence);  // danda
    CHECK(between("\xD8\x9F ") == Gap::sentence);       // Arabic question mark
    CHECK(between("\n\n") == Gap::edge && between(".\r\n \r\n") == Gap::edge);
    CHECK(between("\n-\n") == Gap::line);
    CHECK(between("\xE2\x80\xA9") == Gap::edge);  // paragraph separator
}

TEST(letters_of_scripts_without_spaces_are_told_apart_from_words) {
    const PlacedWords words = place_words("\xE4\xB8\xAD\xE5\x9B\xBD ab 7 \xE5\x9B\xBD", 7);
    const std::vector<std::uint8_t> expected = {likewise::kUnspacedLetter,
                                                likewise::kUnspacedLetter, 2, likewise::kNumeral,
                                                likewise::kUnspacedLetter};
    CHECK(words.letters == expected);
}

TEST(positions_that_need_more_than_32_bits_are_refused) {
    bool thrown = false;
    try {
        // Nothing of it is read.
        place_words(std::string_view("", std::size_t{1} << 32), 7);
    } catch (const std::length_error&) {
        thrown = true;
    }
    CHECK(thrown);
}

}  // namespace

int main() { return check::run_all(); }
