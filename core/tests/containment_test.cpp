// Candidates for containment against all pairs of sets, in batches, on one thread and on four.
#include "containment.hpp"

#include <set>

#include "check.hpp"
#include "pairs.hpp"
#include "shingles.hpp"

namespace {

using check::below;
using check::Random;
using likewise::ContainmentJoin;
using likewise::ContainmentSettings;
using likewise::Rules;

using Numbers = std::vector<std::uint32_t>;
using Pairs = std::set<std::uint64_t>;
using Set = std::set<std::uint64_t>;
using Texts = std::vector<std::string>;

Texts random_texts(Random& random, std::size_t documents) {
    Texts texts;
    const std::size_t vocabulary = 20 + below(random, 300);
    while (texts.size() < documents) {
        if (texts.empty() || below(random, 3) == 0) {
            texts.push_back(check::words_of(random, below(random, 80), vocabulary));
            continue;
        }
        std::string text = check::one_of(random, texts);
        if (below(random, 3) == 0) text += ' ' + check::one_of(random, texts);
        if (!text.empty()) text = text.substr(below(random, text.size() / 2 + 1));
        texts.push_back(text);
    }
    return texts;
}

std::vector<Set> sets_of(const Texts& texts, const Rules& rules) {
    likewise::Shingler shingler(rules);
    std::vector<std::uint64_t> elements;
    std::vector<Set> sets;
    for (const auto& text : texts) {
        shingler.collect(text, elements);
        sets.emplace_back(elements.begin(), elements.end());
    }
    return sets;
}

double contained(const Set& x, const Set& y) {
    const auto shared = std::count_if(x.begin(), x.end(), [&](auto e) { return y.contains(e); });
    return static_cast<double>(shared) / static_cast<double>(x.size());
}

// container << 32 | contained.
Pairs all_pairs(const std::vector<Set>& own, const std::vector<Set>& others, double threshold,
                bool sided) {
    Pairs pairs;
    for (std::uint32_t x = 0; x < own.size(); ++x) {
        for (std::uint32_t y = 0; y < others.size(); ++y) {
            const bool larger =
                own[x].size() != others[y].size() ? others[y].size() > own[x].size() : y < x;
            if (own[x].empty() || !(sided || larger)) continue;
            if (contained(own[x], others[y]) >= threshold) {
                pairs.insert(std::uint64_t{y} << 32 | x);
            }
        }
    }
    return pairs;
}

struct Found {
    Pairs pairs;
    Numbers boilerplate;
    bool operator==(const Found&) const = default;
};

template <class Work>
void in_batches(const Texts& texts, std::size_t size, Work&& work) {
    const auto views = check::views_of(texts);
    for (std::size_t begin = 0; begin < texts.size(); begin += size) {
        const std::size_t end = std::min(texts.size(), begin + size);
        Numbers numbers;
        for (std::size_t i = begin; i < end; ++i) {
            numbers.push_back(static_cast<std::uint32_t>(i));
        }
        work(std::span(views).subspan(begin, end - begin), numbers);
    }
}

Found join(const Texts& own, const Texts* others, const Rules& rules, double threshold,
           std::uint32_t max_documents, unsigned repeat_bits, std::size_t batch, unsigned threads) {
    ContainmentJoin made(rules, {threshold, max_documents, 16, repeat_bits, others != nullptr});
    in_batches(own, batch, [&](auto texts, const Numbers&) { made.count(texts, threads); });
    const Texts& containers = others == nullptr ? own : *others;
    if (others != nullptr) {
        in_batches(*others, batch, [&](auto texts, const Numbers&) { made.count(texts, threads); });
    }
    Found found;
    in_batches(own, 3 * batch, [&](auto texts, const Numbers& numbers) {
        made.add(texts, numbers, threads);
        in_batches(containers, batch, [&](auto probed, const Numbers& their) {
            for (const auto pair : made.probe(probed, their, threads)) found.pairs.insert(pair);
        });
        for (const auto pair : made.finish(found.boilerplate)) found.pairs.insert(pair);
        CHECK(made.bytes() == 0);
    });
    return found;
}

TEST(no_pair_is_missed) {
    Random random(1);
    for (int turn = 0; turn < 12; ++turn) {
        Rules rules;
        rules.k = 1 + static_cast<std::uint32_t>(below(random, 3));
        const Texts own = random_texts(random, 40), others = random_texts(random, 30);
        const auto own_sets = sets_of(own, rules), other_sets = sets_of(others, rules);
        for (const double threshold : {1e-300, 0.1, 0.5, 0.8, 1.0}) {
            for (const bool sided : {false, true}) {
                const auto expected =
                    all_pairs(own_sets, sided ? other_sets : own_sets, threshold, sided);
                const Found found =
                    join(own, sided ? &others : nullptr, rules, threshold, 1000, 16, 100, 1);
                CHECK(std::includes(found.pairs.begin(), found.pairs.end(), expected.begin(),
                                    expected.end()));
                CHECK(found.boilerplate.empty());
            }
        }
    }
}

TEST(neither_batches_nor_threads_nor_the_filter_change_what_is_found) {
    Random random(2);
    for (int turn = 0; turn < 6; ++turn) {
        const Rules rules;
        Texts texts = random_texts(random, 60);
        const std::string shared = check::words_of(random, 40, 1000);
        for (std::size_t i = 0; i < 30; ++i) texts[i] = shared + ' ' + texts[i].substr(0, 30);
        for (const std::uint32_t max_documents : {5u, 1000u}) {
            const Found first = join(texts, nullptr, rules, 0.6, max_documents, 16, 100, 1);
            const Found second = join(texts, nullptr, rules, 0.6, max_documents, 10, 100, 4);
            CHECK(first == second);
            CHECK(first.boilerplate.empty() == (max_documents == 1000));
            CHECK(first == join(texts, nullptr, rules, 0.6, max_documents, 14, 7, 4));
        }
    }
}

TEST(boilerplate_is_compared_with_the_largest_that_have_it) {
    const Rules rules;
    Texts texts;
    Random random(3);
    const std::string shared = check::words_of(random, 60, 100'000);
    for (std::size_t i = 0; i < 50; ++i) {
        texts.push_back(shared + ' ' + check::words_of(random, 1 + i, 100'000));
    }
    const Found found = join(texts, nullptr, rules, 0.5, 10, 16, 100, 1);
    CHECK(found.boilerplate.size() == 50);
    for (std::uint64_t i = 0; i < 42; ++i) {
        for (std::uint64_t largest = 42; largest < 50; ++largest) {
            CHECK(found.pairs.contains(largest << 32 | i));
        }
    }
    CHECK(found.pairs.size() < 50 * 10);
    CHECK(join({}, nullptr, rules, 0.5, 10, 16, 100, 1).pairs.empty());
}

}  // namespace

int main() { return check::run_all(); }
