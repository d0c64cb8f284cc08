// Rare words in common against loops over all pairs of parts.
#include "rare_words.hpp"

#include <cmath>
#include <map>
#include <set>
#include <string>

#include "candidates.hpp"
#include "check.hpp"

namespace {

using check::below;
using check::Random;
using Pair = std::pair<std::uint32_t, std::uint32_t>;

struct Collection {
    std::vector<std::vector<std::uint32_t>> documents;  // words
    std::vector<std::uint8_t> sides;

    explicit Collection(Random& random) : documents(below(random, 9)) {
        for (auto& words : documents) {
            words.resize(below(random, 20));
            for (auto& word : words) word = below(random, 40);
            sides.push_back(below(random, 2) ? likewise::kLeft : likewise::kRight);
        }
    }

    likewise::CollectionWords words(unsigned threads) const {
        likewise::CollectionWords made(7);
        for (const auto& words : documents) {  // in two batches or more
            std::string text;
            for (const auto word : words) text += "w" + std::to_string(word) + " ";
            const std::string_view view = text;
            made.add({&view, 1}, threads);
        }
        return made;
    }

    std::size_t holders(std::uint32_t word) const {
        std::size_t held = 0;
        for (const auto& words : documents)
            held += std::count(words.begin(), words.end(), word) > 0;
        return held;
    }

    std::vector<std::set<std::uint32_t>> parts(std::size_t document, std::uint32_t length,
                                               std::uint32_t stride) const {
        const auto& words = documents[document];
        std::vector<std::set<std::uint32_t>> made;
        for (std::size_t begin = 0; begin < words.size(); begin += stride) {
            const std::size_t end = std::min<std::size_t>(begin + length, words.size());
            made.emplace_back(words.begin() + static_cast<std::ptrdiff_t>(begin),
                              words.begin() + static_cast<std::ptrdiff_t>(end));
            if (end == words.size()) break;
        }
        return made;
    }

    std::map<Pair, double> expected(const std::uint8_t* given,
                                    const likewise::RareWordSettings& settings) const {
        std::map<Pair, double> found;
        for (std::uint32_t a = 0; a < documents.size(); ++a) {
            for (std::uint32_t b = a + 1; b < documents.size(); ++b) {
                if (!likewise::sides_meet(given, a, b)) continue;
                for (const auto& own : parts(a, settings.length, settings.stride)) {
                    for (const auto& other : parts(b, settings.length, settings.stride)) {
                        double sum = 0;
                        for (const auto word : own) {
                            const std::size_t held = holders(word);
                            if (other.count(word) && held <= settings.most_documents)
                                sum += likewise::worth_of(documents.size(), held);
                        }
                        if (sum >= settings.least_evidence)
                            found[{a, b}] = std::max(found[{a, b}], sum);
                    }
                }
            }
        }
        return found;
    }
};

std::map<Pair, double> as_map(const likewise::SharedWords& made) {
    std::map<Pair, double> found;
    Pair last{0, 0};
    for (std::size_t i = 0; i < made.a.size(); ++i) {
        const Pair pair{made.a[i], made.b[i]};
        CHECK(pair.first < pair.second && (i == 0 || last < pair));
        found[last = pair] = made.evidence[i];
    }
    return found;
}

TEST(a_word_is_worth_more_the_fewer_documents_contain_it) {
    CHECK(std::abs(likewise::worth_of(1000, 10) - std::log(100.0)) < 1e-6);
    CHECK(likewise::worth_of(7, 7) == 0);
}

TEST(pairs_have_the_evidence_of_their_best_parts) {
    Random random(1);
    for (int turn = 0; turn < 400; ++turn) {
        const Collection collection(random);
        const std::uint32_t length = 1 + below(random, 8), stride = 1 + below(random, length);
        const std::uint32_t most = 2 + below(random, 4);
        const double least = 0.1 + below(random, 3);
        const likewise::RareWordSettings settings{length, stride, most, least, 100};
        const auto words = collection.words(1);
        // The first ones are on both sides, and compared with each other too.
        std::vector<std::uint8_t> archive(collection.sides.size(), likewise::kRight);
        std::fill_n(archive.begin(), below(random, static_cast<std::uint32_t>(archive.size() + 1)),
                    likewise::kLeft | likewise::kRight);
        const std::uint8_t *none = nullptr, *two = collection.sides.data(), *both = archive.data();
        for (const std::uint8_t* given : {none, two, both}) {
            const auto expected = collection.expected(given, settings);
            const auto found = as_map(likewise::share_words(words, given, settings, 2));
            CHECK(found.size() == expected.size());
            for (const auto& [pair, evidence] : expected) {
                CHECK(found.count(pair) && found.at(pair) == evidence);
            }
        }
    }
}

// Each pair is one of the best of at least one of its documents, whichever comes first.
TEST(of_many_pairs_the_best_of_each_document_stay) {
    Random random(2);
    for (int turn = 0; turn < 400; ++turn) {
        const Collection collection(random);
        const likewise::RareWordSettings all{6, 3, 5, 0.1, 100}, few{6, 3, 5, 0.1, 2};
        const auto words = collection.words(2);
        const auto every = as_map(likewise::share_words(words, nullptr, all, 1));
        std::map<Pair, double> expected;
        for (std::uint32_t document = 0; document < collection.documents.size(); ++document) {
            std::vector<std::pair<double, Pair>> own;
            for (const auto& [pair, evidence] : every) {
                if (pair.first == document || pair.second == document)
                    own.push_back({-evidence, pair});
            }
            // Of equal ones those with the document that comes first.
            std::sort(own.begin(), own.end());
            for (std::size_t i = 0; i < std::min<std::size_t>(2, own.size()); ++i) {
                expected[own[i].second] = -own[i].first;
            }
        }
        CHECK(as_map(likewise::share_words(words, nullptr, few, 1)) == expected);
        CHECK(as_map(likewise::share_words(words, nullptr, few, 4)) == expected);
    }
}

}  // namespace

int main() { return check::run_all(); }
