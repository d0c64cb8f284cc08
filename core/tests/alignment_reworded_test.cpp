// Reworded stretches: nothing on unrelated texts of any lengths, and what was planted is found.
#include <algorithm>
#include <set>

#include "alignment/reworded.hpp"
#include "check.hpp"
#include "word_texts.hpp"

namespace {

using check::below;
using check::Random;
using likewise::AlignmentSettings;
using likewise::Reworded;
using likewise::Texts2;
using word_texts::kVocabulary;
using word_texts::Pair;
using word_texts::text_of;
using word_texts::Words;

// Rates such as text_of draws by: what a reader would expect of words of this length.
std::vector<double> rates_of_texts() {
    std::vector<double> rates(kVocabulary);
    double above = 0;  // 1/n for all limits n above the word
    for (std::uint32_t word = kVocabulary; word-- > 0;) {
        above += 1.0 / (word + 1);
        rates[word] = above / kVocabulary;
    }
    return rates;
}

std::optional<Reworded> found_in(const Pair& pair, const AlignmentSettings& settings = {}) {
    const Texts2 texts(pair.a.view(), pair.b.view(), pair.rates);
    return find_reworded(texts.a, texts.b, texts.rates, {}, {}, settings);
}

// The first of each two is all of a stretch where it is short, so that nothing of its text remains
// to show which words are common.
TEST(unrelated_texts_are_not_reworded_whatever_their_lengths) {
    Random random(1);
    const std::vector<std::size_t> sizes = {50, 60, 100, 250, 800, 3000, 3001, 12'000};
    for (const std::size_t size_x : sizes) {
        for (const std::size_t size_y : sizes) {
            for (int round = 0; round < 8; ++round) {
                Pair pair(text_of(random, size_x), text_of(random, size_y));
                if (round % 2 == 0) pair.rates = rates_of_texts();
                CHECK(!found_in(pair), "%zu and %zu words", size_x, size_y);
            }
        }
    }
}

// The same where the words in common are all that x has of some kind: every word of x is in y, as
// in a short text and a very long one of the same language.
TEST(a_short_text_of_words_that_a_long_one_has_is_not_reworded) {
    Random random(2);
    for (int round = 0; round < 20; ++round) {
        const Words y = text_of(random, 40'000);
        Words x(60 + below(random, 300));
        for (auto& word : x) word = y[below(random, y.size())];
        Pair pair(x, y);
        pair.rates = rates_of_texts();
        CHECK(!found_in(pair), "round %d", round);
    }
}

TEST(a_stretch_of_telling_words_from_all_over_the_other_is_found) {
    Random random(3);
    for (int round = 0; round < 20; ++round) {
        Words y(1000), x(1000);
        for (auto& word : y) word = static_cast<std::uint32_t>(below(random, kVocabulary));
        for (auto& word : x) word = static_cast<std::uint32_t>(below(random, kVocabulary));
        Words taken(120);
        for (std::size_t i = 0; i < taken.size(); ++i) taken[i] = y[8 * i + below(random, 8)];
        std::shuffle(taken.begin(), taken.end(), random);
        std::copy(taken.begin(), taken.end(), x.begin() + 400);
        const Pair pair(x, y);
        const auto found = found_in(pair);
        CHECK(found.has_value(), "round %d", round);
        if (!found) continue;
        CHECK(found->stretch.begin >= 390 && found->stretch.begin <= 410);
        CHECK(found->stretch.end >= 510 && found->stretch.end <= 530);
        CHECK(found->evidence >= AlignmentSettings{}.reworded_evidence);
        std::set<std::uint32_t> places;
        for (const auto& match : found->matches) {
            CHECK(match.words == 1 && x[match.a] == y[match.b]);
            CHECK(match.a >= found->stretch.begin && match.a < found->stretch.end);
            CHECK(match.b >= found->source.begin && match.b < found->source.end);
            CHECK(places.insert(match.b).second, "round %d: word %u twice", round, match.b);
        }
    }
}

TEST(texts_that_are_too_short_and_empty_ones_have_none) {
    Random random(4);
    for (const std::size_t size_x : {0, 1, 49}) {
        for (const std::size_t size_y : {0, 1, 174, 5000}) {
            CHECK(!found_in(Pair(text_of(random, size_x), text_of(random, size_y))));
        }
    }
    const Words one(5000, 3), other(300, 3);
    CHECK(!found_in(Pair(other, one)) && !found_in(Pair(one, other)));
}

}  // namespace

int main() { return check::run_all(); }
