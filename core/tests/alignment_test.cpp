// Aligning: planted copies are found where they were put, in bounded time, the same every time.
#include "alignment.hpp"

#include <algorithm>

#include "alignment_segments.hpp"
#include "check.hpp"
#include "threads.hpp"

namespace {

using check::below;
using check::Random;
using likewise::align;
using likewise::AlignmentSettings;
using likewise::Fragment;
using likewise::Gap;
using likewise::WordSequence;
using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t kVocabulary = 5000;

// Some words are a thousand times as common as others.
Words text_of(Random& random, std::size_t size) {
    Words words(size);
    for (auto& word : words)
        word = static_cast<std::uint32_t>(below(random, 1 + below(random, kVocabulary)));
    return words;
}

struct Pair {
    Words a, b;
    std::vector<Gap> gaps_a, gaps_b;
    std::vector<double> rates = std::vector<double>(kVocabulary, 1.0 / kVocabulary);

    Pair(Words first, Words second) : a(std::move(first)), b(std::move(second)) {
        gaps_a.assign(a.size() + 1, Gap::none);
        gaps_b.assign(b.size() + 1, Gap::none);
        gaps_a.front() = gaps_a.back() = gaps_b.front() = gaps_b.back() = Gap::edge;
    }
    std::vector<Fragment> aligned(const AlignmentSettings& settings = {}) const {
        const check::ExactCopy<std::uint32_t> of_a(a.data(), a.size()), of_b(b.data(), b.size());
        const std::span<const std::uint32_t> x(of_a.data(), of_a.size()),
            y(of_b.data(), of_b.size());
        return align({x, x, gaps_a}, {y, y, gaps_b}, rates, settings);
    }
};

bool is_near(std::uint32_t x, std::uint32_t y, std::uint32_t by) {
    return std::max(x, y) - std::min(x, y) <= by;
}

TEST(planted_copies_are_found_where_they_are) {
    Random random(1);
    for (int round = 0; round < 60; ++round) {
        Words a = text_of(random, 800), b = text_of(random, 900);
        const std::size_t size = 40 + below(random, 150);
        const auto at_a = static_cast<std::uint32_t>(below(random, a.size() - size));
        const auto at_b = static_cast<std::uint32_t>(below(random, b.size() - size));
        std::copy_n(b.begin() + at_b, size, a.begin() + at_a);
        const int how = round % 3;
        if (how == 1)
            std::shuffle(a.begin() + at_a, a.begin() + at_a + static_cast<std::ptrdiff_t>(size),
                         random);
        if (how == 2) {
            for (std::size_t i = 2; i < size; i += 4)
                a[at_a + i] = static_cast<std::uint32_t>(below(random, kVocabulary));
        }
        const auto found = Pair(a, b).aligned();
        CHECK(found.size() == 1, "round %d: %zu fragments", round, found.size());
        if (found.size() != 1) continue;
        const Fragment& f = found[0];
        const std::uint32_t by = how == 0 ? 3 : 15;
        CHECK(is_near(f.a_begin, at_a, by) && is_near(f.b_begin, at_b, by), "round %d", round);
        CHECK(is_near(f.a_end, at_a + static_cast<std::uint32_t>(size), by), "round %d", round);
        CHECK(is_near(f.b_end, at_b + static_cast<std::uint32_t>(size), by), "round %d", round);
        CHECK(f.shared <= std::min(f.a_end - f.a_begin, f.b_end - f.b_begin));
        CHECK(f.in_order <= f.shared && f.adjacent < f.shared && f.run <= f.adjacent + 1);
        if (how == 0) CHECK(f.in_order == f.shared);
        if (how == 1) CHECK(f.in_order < f.shared / 2 + 10);
    }
}

TEST(unrelated_texts_give_nothing) {
    Random random(2);
    for (int round = 0; round < 100; ++round) {
        const Pair pair(text_of(random, 1 + below(random, 1500)),
                        text_of(random, 1 + below(random, 1500)));
        CHECK(pair.aligned().empty(), "round %d", round);
    }
}

TEST(awkward_texts_end_soon_and_inside) {
    Random random(3);
    const Words one(200'000, 7);
    Words two(200'000);
    for (std::size_t i = 0; i < two.size(); ++i) two[i] = i % 2;
    const Words page = text_of(random, 300);
    Words pages;
    for (int i = 0; i < 200; ++i) pages.insert(pages.end(), page.begin(), page.end());
    const Words long_text = text_of(random, 60'000);
    const std::vector<Words> texts = {{}, {1}, one, two, page, pages, long_text};
    for (const Words& a : texts) {
        for (const Words& b : texts) {
            const auto found = Pair(a, b).aligned();
            if (a == b && a.size() >= 15) {
                CHECK(found.size() == 1 && found[0].a_end == a.size() &&
                      found[0].b_end == b.size());
            }
            for (const Fragment& f : found) {
                CHECK(f.a_begin < f.a_end && f.a_end <= a.size());
                CHECK(f.b_begin < f.b_end && f.b_end <= b.size());
            }
        }
    }
    CHECK(!Pair(pages, page).aligned().empty());
    CHECK(!Pair(page, pages).aligned().empty());
}

TEST(long_copies_hang_together) {
    Random random(4);
    const Words b = text_of(random, 20'000);
    Words a = b;
    for (std::size_t i = 5; i < a.size(); i += 20)
        a[i] = static_cast<std::uint32_t>(below(random, kVocabulary));
    const auto found = Pair(a, b).aligned();
    CHECK(found.size() == 1, "%zu fragments", found.size());
    CHECK(!found.empty() && found[0].a_end - found[0].a_begin > 19'900);
}

TEST(threads_change_nothing) {
    Random random(5);
    Words words;
    std::vector<std::uint64_t> offsets{0};
    std::vector<Gap> gaps;
    const Words common = text_of(random, 120);
    for (int text = 0; text < 20; ++text) {
        Words own = text_of(random, 400);
        std::copy(common.begin(), common.end(), own.begin() + 10 * text);
        words.insert(words.end(), own.begin(), own.end());
        gaps.insert(gaps.end(), own.size() + 1, Gap::none);
        offsets.push_back(words.size());
    }
    std::vector<likewise::PairToAlign> pairs;
    for (std::uint32_t i = 0; i < 20; ++i) pairs.push_back({i, (i * 7 + 3) % 20});
    const std::vector<double> rates(kVocabulary, 1.0 / kVocabulary);
    const auto run = [&](unsigned threads) {
        return likewise::align_pairs(words, words, gaps, offsets, pairs, rates, {}, threads);
    };
    const auto one = run(1), four = run(4);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        CHECK(one[i].size() == 1 && four[i].size() == one[i].size());
        if (one[i].empty() || four[i].size() != one[i].size()) continue;
        CHECK(one[i][0].a_begin == four[i][0].a_begin && one[i][0].b_end == four[i][0].b_end);
        CHECK(one[i][0].a_evidence == four[i][0].a_evidence);
    }
}

// Every stretch against the definition: no longer one and no part of one has a greater sum.
TEST(maximal_segments_are_those_of_the_definition) {
    Random random(6);
    for (int round = 0; round < 500; ++round) {
        std::vector<double> values(1 + below(random, 12));
        for (auto& value : values) value = static_cast<double>(below(random, 21)) - 10;
        likewise::MaximalSegments segments;
        segments.clear();
        for (std::uint32_t i = 0; i < values.size(); ++i) segments.add(i, values[i]);
        double greatest = 0, found_greatest = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            double sum = 0;
            for (std::size_t j = i; j < values.size(); ++j)
                greatest = std::max(greatest, sum += values[j]);
        }
        std::uint32_t behind = 0;
        for (const auto& found : segments.found()) {
            CHECK(found.range.begin >= behind && found.sum > 0);
            behind = found.range.end;
            double sum = 0;
            for (std::uint32_t i = found.range.begin; i < found.range.end; ++i) {
                sum += values[i];
                CHECK(sum > 0);  // no beginning that would better be left out
            }
            CHECK(sum == found.sum);
            found_greatest = std::max(found_greatest, sum);
        }
        CHECK(found_greatest == greatest);
    }
}

}  // namespace

int main() { return check::run_all(); }
