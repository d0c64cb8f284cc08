#include "alignment/similar_words.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "interruption.hpp"

namespace likewise {

namespace {

constexpr std::size_t kLongest = 64;  // letters of a word that are compared

struct WordPair {
    std::uint32_t a, b, letters;  // equal ones
};

// Words of both texts that have letters aligned with each other, in order: of each word only the
// pair with most letters.
std::vector<WordPair> word_pairs(const LetterAlignment& alignment, const Spelling& a,
                                 const Spelling& b) {
    std::vector<WordPair> pairs;
    const auto word_at = [](const Spelling& text, std::uint32_t letter) {
        return static_cast<std::uint32_t>(std::ranges::upper_bound(text.begins, letter) -
                                          text.begins.begin() - 1);
    };
    const std::uint32_t first_a = a.begins.front(), first_b = b.begins.front();
    std::uint32_t x = word_at(a, first_a + alignment.equal.front().a);
    std::uint32_t y = word_at(b, first_b + alignment.equal.front().b);
    for (const Run& run : alignment.equal) {
        for (std::uint32_t i = 0; i < run.words; ++i) {
            while (a.begins[x + 1] <= first_a + run.a + i) ++x;
            while (b.begins[y + 1] <= first_b + run.b + i) ++y;
            if (pairs.empty() || pairs.back().a != x || pairs.back().b != y) {
                pairs.push_back({x, y, 0});
            }
            ++pairs.back().letters;
        }
    }
    // The pairs of one word follow each other.
    std::vector<WordPair> kept;
    for (const WordPair& pair : pairs) {
        if (!kept.empty() && (kept.back().a == pair.a || kept.back().b == pair.b)) {
            if (pair.letters > kept.back().letters) kept.back() = pair;
        } else {
            kept.push_back(pair);
        }
    }
    return kept;
}

// Two numbers of other digits are two numbers, and letters of scripts without spaces two words.
bool can_be_misspelled(std::uint8_t letters_a, std::uint8_t letters_b) {
    return letters_a != kUnspacedLetter && letters_b != kUnspacedLetter &&
           (letters_a != kNumeral || letters_b != kNumeral);
}

}  // namespace

bool are_similar(std::span<const std::uint32_t> x, std::span<const std::uint32_t> y) {
    const std::size_t longer = std::max(x.size(), y.size());
    const std::size_t shorter = std::min(x.size(), y.size());
    if (shorter == 0 || 5 * shorter < 3 * longer || longer > kLongest) return false;
    // The longest common subsequence.
    std::array<std::uint8_t, kLongest + 1> row{};
    for (const std::uint32_t letter : x) {
        std::uint8_t diagonal = 0;
        for (std::size_t j = 0; j < y.size(); ++j) {
            const std::uint8_t above = row[j + 1];
            row[j + 1] = letter == y[j] ? diagonal + 1 : std::max(above, row[j]);
            diagonal = above;
        }
    }
    return 5 * std::size_t{row[y.size()]} >= 3 * longer;
}

Respelled respell(const WordSequence& a, const Spelling& in_a, const WordSequence& b,
                  const Spelling& in_b) {
    Respelled made{{a.words.begin(), a.words.end()},
                   {a.forms.begin(), a.forms.end()},
                   {b.words.begin(), b.words.end()},
                   {b.forms.begin(), b.forms.end()},
                   align_letters(in_a, in_b)};
    if (made.alignments.empty()) return made;
    std::unordered_map<std::uint32_t, std::uint32_t> counts;
    for (const std::uint32_t form : a.forms) ++counts[form];
    for (const std::uint32_t form : b.forms) ++counts[form];
    const auto is_misspelled = [&](std::uint32_t i, std::uint32_t j) {
        return can_be_misspelled(a.letters[i], b.letters[j]) &&
               are_similar(in_a.word(i), in_b.word(j));
    };
    std::vector<std::uint8_t> done_a(a.forms.size()), done_b(b.forms.size());
    for (const LetterAlignment& alignment : made.alignments) {
        poll_interruption();
        for (const WordPair& pair : word_pairs(alignment, in_a, in_b)) {
            const auto [i, j, letters] = pair;
            if (done_a[i] && done_b[j]) continue;
            if (a.forms[i] != b.forms[j] && !is_misspelled(i, j)) continue;
            if (done_a[i] || (!done_b[j] && counts[a.forms[i]] >= counts[b.forms[j]])) {
                made.b_words[j] = made.a_words[i], made.b_forms[j] = made.a_forms[i];
            } else {
                made.a_words[i] = made.b_words[j], made.a_forms[i] = made.b_forms[j];
            }
            done_a[i] = done_b[j] = 1;
        }
    }
    return made;
}

void keep_similar(std::vector<Run>& matches, const WordSequence& a, const Spelling& in_a,
                  const WordSequence& b, const Spelling& in_b) {
    enum class Kind { none, equal, similar };
    const auto kind_of = [&](std::uint32_t i, std::uint32_t j) {
        if (a.forms[i] == b.forms[j]) return Kind::equal;
        return can_be_misspelled(a.letters[i], b.letters[j]) &&
                       are_similar(in_a.word(i), in_b.word(j))
                   ? Kind::similar
                   : Kind::none;
    };
    std::vector<Run> kept;
    for (const Run& run : matches) {
        Kind last = Kind::none;
        for (std::uint32_t i = 0; i < run.words; ++i) {
            const Kind kind = kind_of(run.a + i, run.b + i);
            if (kind != Kind::none) {
                if (kind == last) {
                    ++kept.back().words;
                } else {
                    kept.push_back({run.a + i, run.b + i, 1});
                }
            }
            last = kind;
        }
    }
    matches = std::move(kept);
}

}  // namespace likewise
