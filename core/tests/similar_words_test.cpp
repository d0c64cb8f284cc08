// Letters that two texts share, and words that are similar where they do.
#include "alignment/similar_words.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "alignment/letters.hpp"
#include "check.hpp"

namespace {

using check::below;
using check::Random;
using likewise::AlignedPassage;
using likewise::Gap;
using likewise::LetterAlignment;
using likewise::Run;
using likewise::Spelling;

using Letters = std::vector<std::uint32_t>;

Letters letters_of(std::string_view text) { return {text.begin(), text.end()}; }

Letters random_letters(Random& random, std::size_t size, std::size_t kinds = 20) {
    Letters letters(size);
    for (auto& letter : letters) letter = static_cast<std::uint32_t>(below(random, kinds));
    return letters;
}

// One letter in `every` replaced, lost or doubled.
Letters misread(Random& random, const Letters& letters, std::size_t every) {
    Letters made;
    for (const std::uint32_t letter : letters) {
        const std::size_t how = below(random, 4 * every);
        if (how == 0) continue;
        made.push_back(how == 1 || how == 2 ? 100 + letter : letter);
        if (how == 3) made.push_back(letter);
    }
    return made;
}

std::vector<LetterAlignment> aligned(const Letters& a, const Letters& b) {
    const check::ExactCopy<std::uint32_t> in_a(a.data(), a.size()), in_b(b.data(), b.size());
    const std::vector<std::uint32_t> all_a{0, static_cast<std::uint32_t>(a.size())},
        all_b{0, static_cast<std::uint32_t>(b.size())};
    return likewise::align_letters({{in_a.data(), in_a.size()}, all_a},
                                   {{in_b.data(), in_b.size()}, all_b});
}

// The best local alignment, by the definition.
std::int32_t best_score(const Letters& a, const Letters& b) {
    std::vector<std::int32_t> row(b.size() + 1);
    std::int32_t best = 0;
    for (const std::uint32_t letter : a) {
        std::int32_t diagonal = 0;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::int32_t above = row[j + 1];
            row[j + 1] = std::max({0, diagonal + (b[j] == letter ? 2 : -3), above - 3, row[j] - 3});
            diagonal = above;
            best = std::max(best, row[j + 1]);
        }
    }
    return best;
}

TEST(copies_with_wrong_letters_are_aligned_nearly_as_well_as_can_be) {
    Random random(1);
    for (int round = 0; round < 40; ++round) {
        Letters a = random_letters(random, 900), b = random_letters(random, 700);
        const std::size_t size = 200 + below(random, 400), at = below(random, 300);
        const Letters copy =
            misread(random, {a.begin() + at, a.begin() + at + size}, 5 + below(random, 20));
        b.insert(b.begin() + static_cast<std::ptrdiff_t>(below(random, b.size())), copy.begin(),
                 copy.end());
        const auto found = aligned(a, b);
        CHECK(found.size() == 1, "round %d: %zu", round, found.size());
        if (found.empty()) continue;
        const std::int32_t best = best_score(a, b);
        CHECK(found[0].score <= best && 10 * found[0].score >= 9 * best, "round %d: %d of %d",
              round, found[0].score, best);
        std::uint32_t end_a = 0, end_b = 0;
        std::int32_t score = 0;
        for (const Run& run : found[0].equal) {
            for (std::uint32_t i = 0; i < run.words; ++i) {
                CHECK(a[run.a + i] == b[run.b + i]);
            }
            CHECK(run.a >= end_a && run.b >= end_b);
            const std::uint32_t other = std::max(run.a - end_a, run.b - end_b);
            if (end_a > 0) score -= 3 * static_cast<std::int32_t>(other);
            score += 2 * static_cast<std::int32_t>(run.words);
            end_a = run.a + run.words, end_b = run.b + run.words;
        }
        CHECK(found[0].score <= score, "round %d: %d, at most %d", round, found[0].score, score);
    }
}

TEST(unrelated_and_short_letters_are_not_aligned) {
    Random random(2);
    for (const std::size_t size : {0, 1, 7, 8, 9, 200, 20'000}) {
        CHECK(aligned(random_letters(random, size), random_letters(random, 5'000)).empty());
    }
}

TEST(letters_that_repeat_are_aligned_where_they_begin) {
    const Letters same(60'000, 7);
    CHECK(aligned(same, same).empty());  // no place is a place to begin
    Random random(3);
    const Letters part = random_letters(random, 300);
    Letters often;
    for (int i = 0; i < 30; ++i) often.insert(often.end(), part.begin(), part.end());
    const auto found = aligned(often, often);
    CHECK(!found.empty() && found[0].score == 2 * static_cast<std::int32_t>(often.size()));
    for (std::size_t i = 1; i < found.size(); ++i) CHECK(found[i - 1].score >= found[i].score);
}

// The longest common subsequence, by the definition.
std::size_t common(const Letters& x, std::size_t i, const Letters& y, std::size_t j) {
    if (i == x.size() || j == y.size()) return 0;
    if (x[i] == y[j]) return 1 + common(x, i + 1, y, j + 1);
    return std::max(common(x, i + 1, y, j), common(x, i, y, j + 1));
}

TEST(similar_words_have_three_fifths_of_their_letters_in_common) {
    const auto similar = [](std::string_view x, std::string_view y) {
        return likewise::are_similar(letters_of(x), letters_of(y));
    };
    CHECK(similar("chrift", "christ") && similar("tbe", "the") && similar("vnto", "unto"));
    CHECK(!similar("of", "on") && !similar("", "") && !similar("a", "") && !similar("god", "dog"));
    Random random(4);
    for (int round = 0; round < 3000; ++round) {
        const Letters x = random_letters(random, 1 + below(random, 8), 3);
        const Letters y = random_letters(random, 1 + below(random, 8), 3);
        const bool expected = 5 * common(x, 0, y, 0) >= 3 * std::max(x.size(), y.size());
        CHECK(likewise::are_similar(x, y) == expected);
        CHECK(likewise::are_similar(y, x) == expected);
    }
    const Letters long_word(65, 1);
    CHECK(!likewise::are_similar(long_word, long_word));
}

// A text with its letters; words are numbered in the order in which they are met.
struct Spelled {
    std::vector<std::uint32_t> words, begins{0};
    Letters letters;
    std::vector<Gap> gaps;
    std::vector<std::uint8_t> sizes;

    Spelled(const std::vector<Letters>& from, std::map<Letters, std::uint32_t>& ids) {
        for (const Letters& word : from) {
            words.push_back(ids.try_emplace(word, ids.size()).first->second);
            letters.insert(letters.end(), word.begin(), word.end());
            begins.push_back(static_cast<std::uint32_t>(letters.size()));
            sizes.push_back(static_cast<std::uint8_t>(word.size()));
        }
        gaps.assign(words.size() + 1, Gap::none);
    }
    likewise::WordSequence view() const { return {words, words, gaps, sizes}; }
    Spelling spelling() const { return {letters, begins}; }
};

TEST(misread_words_are_matched_and_no_others) {
    Random random(5);
    for (int round = 0; round < 20; ++round) {
        std::vector<Letters> vocabulary;
        for (int i = 0; i < 400; ++i) {
            vocabulary.push_back(random_letters(random, 2 + below(random, 7)));
        }
        const auto text = [&](std::size_t size) {
            std::vector<Letters> made;
            while (made.size() < size) made.push_back(check::one_of(random, vocabulary));
            return made;
        };
        std::vector<Letters> a = text(300), b = text(200);
        for (std::size_t i = 0; i < 80; ++i) b[50 + i] = misread(random, a[100 + i], 8);
        std::map<Letters, std::uint32_t> ids;
        const Spelled in_a(a, ids), in_b(b, ids);
        const std::vector<double> rates(ids.size(), 1.0 / static_cast<double>(ids.size()));
        const auto found = likewise::align_similar(in_a.view(), in_a.spelling(), in_b.view(),
                                                   in_b.spelling(), rates, {});
        CHECK(found.size() == 1, "round %d: %zu", round, found.size());
        std::size_t matched = 0;
        for (const AlignedPassage& passage : found) {
            for (const Run& run : passage.matches) {
                const bool equal = in_a.words[run.a] == in_b.words[run.b];
                for (std::uint32_t i = 0; i < run.words; ++i) {
                    matched += 1;
                    CHECK((in_a.words[run.a + i] == in_b.words[run.b + i]) == equal);
                    CHECK(equal || likewise::are_similar(in_a.spelling().word(run.a + i),
                                                         in_b.spelling().word(run.b + i)));
                }
            }
        }
        CHECK(matched >= 60 && matched <= 90, "round %d: %zu", round, matched);
    }
}

}  // namespace

int main() { return check::run_all(); }
