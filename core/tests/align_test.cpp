// Aligning: planted copies are found where they were put, in bounded time, the same every time.
#include "alignment/align.hpp"

#include <algorithm>

#include "alignment/cells.hpp"
#include "alignment/segments.hpp"
#include "check.hpp"
#include "threads.hpp"
#include "word_texts.hpp"

namespace {

using check::below;
using check::Random;
using likewise::AlignedPassage;
using likewise::AlignmentSettings;
using likewise::Gap;
using word_texts::kVocabulary;
using word_texts::Pair;
using word_texts::text_of;
using word_texts::Words;

bool is_near(std::uint32_t x, std::uint32_t y, std::uint32_t by) {
    return std::max(x, y) - std::min(x, y) <= by;
}

std::uint32_t matched(const AlignedPassage& passage) {
    std::uint32_t words = 0;
    for (const auto& run : passage.matches) words += run.words;
    return words;
}

std::uint32_t longest_run(const AlignedPassage& passage) {
    std::uint32_t words = 0;
    for (const auto& run : passage.matches) words = std::max(words, run.words);
    return words;
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
        CHECK(found.size() == 1, "round %d: %zu passages", round, found.size());
        if (found.size() != 1) continue;
        const AlignedPassage& f = found[0];
        const std::uint32_t by = how == 0 ? 3 : 15;
        CHECK(is_near(f.a_begin, at_a, by) && is_near(f.b_begin, at_b, by), "round %d", round);
        CHECK(is_near(f.a_end, at_a + static_cast<std::uint32_t>(size), by), "round %d", round);
        CHECK(is_near(f.b_end, at_b + static_cast<std::uint32_t>(size), by), "round %d", round);
        CHECK(!f.reworded && matched(f) <= std::min(f.a_end - f.a_begin, f.b_end - f.b_begin));
        if (how == 0) CHECK(longest_run(f) >= size, "round %d", round);
        // Occurrences of a common word that are far apart are not paired.
        if (how == 1)
            CHECK(matched(f) > 0.7 * size && longest_run(f) < size / 2, "round %d", round);
        if (how == 2) CHECK(is_near(matched(f), static_cast<std::uint32_t>(size * 3 / 4), 8));
    }
}

// Texts that are not scanned as a whole: copies of every kind among much else.
TEST(planted_copies_are_found_in_long_texts) {
    Random random(7);
    constexpr std::uint32_t kCopies = 30, kSize = 80;
    Words a = text_of(random, 60'000), b = text_of(random, 50'000);
    for (std::uint32_t copy = 0; copy < kCopies; ++copy) {
        const std::uint32_t at_a = 2000 * copy, at_b = 1500 * ((copy * 7) % kCopies);
        std::copy_n(b.begin() + at_b, kSize, a.begin() + at_a);
        if (copy % 3 == 1) std::shuffle(a.begin() + at_a, a.begin() + at_a + kSize, random);
        for (std::uint32_t i = 2; copy % 3 == 2 && i < kSize; i += 4)
            a[at_a + i] = static_cast<std::uint32_t>(below(random, kVocabulary));
    }
    const auto found = Pair(a, b).aligned();
    CHECK(found.size() == kCopies, "%zu passages", found.size());
    for (const AlignedPassage& f : found) {
        const std::uint32_t copy = (f.a_begin + 1000) / 2000, at_b = 1500 * ((copy * 7) % kCopies);
        CHECK(is_near(f.a_begin, 2000 * copy, 15) && is_near(f.b_begin, at_b, 15), "%u", copy);
        CHECK(is_near(f.a_end, 2000 * copy + kSize, 15) && is_near(f.b_end, at_b + kSize, 15));
    }
}

// The promise, against runs found by comparing all places: a reader who looks at either text sees
// all of the run in some passage.
TEST(every_long_run_lies_in_a_passage_on_both_sides) {
    Random random(8);
    AlignmentSettings settings;
    settings.least_run = 6;
    for (int round = 0; round < 200; ++round) {
        const std::uint32_t vocabulary = round % 2 == 0 ? 2 : 500;
        const auto drawn = [&](std::size_t size) {
            Words words(size);
            for (auto& word : words) word = static_cast<std::uint32_t>(below(random, vocabulary));
            return words;
        };
        Words a = drawn(1 + below(random, 150));
        Words b = drawn(1 + below(random, 150));
        for (int copy = 0; copy < 3; ++copy) {
            const std::size_t from = below(random, b.size());
            const std::size_t size = std::min<std::size_t>(below(random, 20), b.size() - from);
            const auto at = static_cast<std::ptrdiff_t>(below(random, a.size() + 1));
            const Words part(b.begin() + static_cast<std::ptrdiff_t>(from),
                             b.begin() + static_cast<std::ptrdiff_t>(from + size));
            a.insert(a.begin() + at, part.begin(), part.end());
        }
        const auto found = Pair(a, b).aligned(settings);
        for (std::uint32_t i = 0; i < a.size(); ++i) {
            for (std::uint32_t j = 0; j < b.size(); ++j) {
                std::uint32_t words = 0;
                while (words < 6 && i + words < a.size() && j + words < b.size() &&
                       a[i + words] == b[j + words])
                    ++words;
                if (words < 6) continue;
                // Of a run that overlaps others, less than half a run may be in no passage.
                std::uint32_t out_a = 0, out_b = 0;
                for (std::uint32_t k = 0; k < words; ++k) {
                    out_a += std::ranges::none_of(found, [&](const AlignedPassage& f) {
                        return !f.reworded && f.a_begin <= i + k && i + k < f.a_end;
                    });
                    out_b += std::ranges::none_of(found, [&](const AlignedPassage& f) {
                        return !f.reworded && f.b_begin <= j + k && j + k < f.b_end;
                    });
                }
                CHECK(2 * out_a < words && 2 * out_b < words, "round %d: %u and %u", round, i, j);
            }
        }
    }
}

// Long runs are taken as they are; text around them is found nevertheless, and so is a run
// of words that another passage has already. A stretch that is edited has one source, and is one.
TEST(a_long_run_hides_nothing_but_an_edited_copy_of_itself) {
    Random random(9);
    const Words b = text_of(random, 3000);
    Words a = text_of(random, 400);
    const auto copied = [&](std::size_t from, std::size_t to, std::uint32_t every) {
        for (std::size_t i = from; i < to; ++i)
            a.push_back(every > 0 && i % every == 0
                            ? static_cast<std::uint32_t>(below(random, kVocabulary))
                            : b[i]);
    };
    copied(500, 1500, 0);  // verbatim, and goes on edited
    copied(1500, 1600, 5);
    const Words between = text_of(random, 400);
    a.insert(a.end(), between.begin(), between.end());
    const Words before = a;
    for (const std::uint32_t every : {0, 4}) {
        a = before;
        copied(900, 1000, every);  // a part of it again
        const auto found = Pair(a, b).aligned();
        CHECK(found.size() == (every == 0 ? 2 : 1), "%zu passages", found.size());
        if (found.empty()) return;
        CHECK(is_near(found[0].a_begin, 400, 3) && is_near(found[0].a_end, 1500, 10));
        CHECK(is_near(found[0].b_begin, 500, 3) && is_near(found[0].b_end, 1600, 10));
        if (found.size() != 2) continue;
        CHECK(is_near(found[1].a_begin, 1900, 10) && is_near(found[1].a_end, 2000, 10));
        CHECK(is_near(found[1].b_begin, 900, 10) && is_near(found[1].b_end, 1000, 10));
    }
}

// One text has a long stretch twice, once edited: the other one's copy is of the exact one.
TEST(a_long_run_is_taken_rather_than_an_edited_one) {
    Random random(12);
    const Words stretch = text_of(random, 520);
    Words a = text_of(random, 300), b = text_of(random, 300);
    for (std::size_t i = 0; i < stretch.size(); ++i) {
        b.push_back(i % 6 == 0 ? static_cast<std::uint32_t>(below(random, kVocabulary))
                               : stretch[i]);
    }
    const Words between = text_of(random, 300);
    b.insert(b.end(), between.begin(), between.end());
    const auto exact = static_cast<std::uint32_t>(b.size());
    b.insert(b.end(), stretch.begin(), stretch.end());
    a.insert(a.end(), stretch.begin(), stretch.end());
    const auto found = Pair(a, b).aligned();
    CHECK(found.size() == 1, "%zu passages", found.size());
    CHECK(!found.empty() && is_near(found[0].b_begin, exact, 3) && found[0].b_end == b.size());
}

TEST(words_from_one_place_are_a_passage_and_words_from_everywhere_are_reworded) {
    Random random(10);
    const auto drawn = [&](std::size_t size) {  // no word is common, each has some evidence
        Words words(size);
        for (auto& word : words) word = static_cast<std::uint32_t>(below(random, kVocabulary));
        return words;
    };
    for (int round = 0; round < 20; ++round) {
        const Words b = drawn(1000);
        Words a = drawn(1000), taken(120);
        for (std::size_t i = 0; i < taken.size(); ++i) {
            taken[i] = round % 2 == 0 ? b[700 + i] : b[8 * i + below(random, 8)];
        }
        std::shuffle(taken.begin(), taken.end(), random);
        std::copy(taken.begin(), taken.end(), a.begin() + 300);
        const auto found = Pair(a, b).aligned();
        CHECK(found.size() == 1, "round %d: %zu passages", round, found.size());
        CHECK(!found.empty() && found[0].reworded == (round % 2 == 1), "round %d", round);
    }
}

// Compared with all stretches: none that overlaps a range is missed, and dropped ones stay dropped.
TEST(cells_know_what_may_meet_a_range) {
    using likewise::Cells;
    using likewise::Range;
    Random random(11);
    for (int round = 0; round < 200; ++round) {
        const auto size = static_cast<std::uint32_t>(1 + below(random, 2000));
        const auto any_range = [&] {
            const auto begin = static_cast<std::uint32_t>(below(random, size));
            return Range{begin,
                         begin + 1 + static_cast<std::uint32_t>(below(random, size - begin))};
        };
        Cells cells(size);
        std::vector<Range> ranges;
        for (std::uint32_t i = 0; i < 30; ++i) {
            ranges.push_back(any_range());
            cells.add(i, ranges[i]);
        }
        for (std::uint32_t i = 0; i < 30; i += 3) {
            const Range grown = hull(ranges[i], any_range());
            cells.add(i, grown, ranges[i]);
            ranges[i] = grown;
        }
        std::vector<bool> dropped(30);
        for (int turn = 0; turn < 20; ++turn) {
            const Range asked = any_range();
            std::vector<bool> met(30);
            cells.each(asked, [&](std::uint32_t i) {
                CHECK(i < 30);
                met[i] = true;
                return Cells::Answer::go_on;
            });
            for (std::uint32_t i = 0; i < 30; ++i) {
                CHECK(dropped[i] ? !met[i] : met[i] || overlap(ranges[i], asked) == 0);
            }
            const auto out = static_cast<std::uint32_t>(below(random, 30));
            cells.each({0, size}, [&](std::uint32_t i) {
                return i == out ? Cells::Answer::drop : Cells::Answer::go_on;
            });
            dropped[out] = true;
            std::size_t visits = 0;
            cells.each({0, size}, [&](std::uint32_t) { return ++visits, Cells::Answer::stop; });
            CHECK(visits <= 1);
        }
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
    Words nearly = long_text;
    nearly.insert(nearly.begin() + 30'000, 7);
    Words few(10'000), either(10'000);
    for (auto& word : few) word = static_cast<std::uint32_t>(below(random, 100));
    for (auto& word : either) word = static_cast<std::uint32_t>(below(random, 2));
    Words in_order = text_of(random, 9'000), in_order_too = text_of(random, 9'000);
    std::sort(in_order.begin(), in_order.end());
    std::sort(in_order_too.begin(), in_order_too.end());
    const std::vector<Words> texts = {{},        {1},    one, two,    page,     pages,
                                      long_text, nearly, few, either, in_order, in_order_too};
    for (const Words& a : texts) {
        for (const Words& b : texts) {
            const auto found = Pair(a, b).aligned();
            if (a == b && a.size() >= 15) {
                CHECK(found.size() == 1 && found[0].a_end == a.size() &&
                      found[0].b_end == b.size());
            }
            for (const AlignedPassage& f : found) {
                CHECK(f.a_begin < f.a_end && f.a_end <= a.size());
                CHECK(f.b_begin < f.b_end && f.b_end <= b.size());
            }
        }
    }
    CHECK(!Pair(pages, page).aligned().empty());
    CHECK(!Pair(page, pages).aligned().empty());
}

TEST(a_text_against_itself_is_a_passage_from_the_least_run_on) {
    AlignmentSettings settings;
    settings.least_run = 12;
    for (std::uint32_t words = 1; words < 40; ++words) {
        Words text(words);
        for (std::uint32_t i = 0; i < words; ++i) text[i] = i;
        CHECK(Pair(text, text).aligned(settings).size() == (words >= 12), "%u words", words);
        const auto letters = Pair(text, text, likewise::kUnspacedLetter).aligned(settings);
        CHECK(letters.size() == (words >= 24), "%u letters", words);
        settings.least_run = 0;
        CHECK(Pair(text, text).aligned(settings).size() == (words >= settings.least_words));
        settings.least_run = 12;
    }
}

TEST(long_copies_hang_together) {
    Random random(4);
    const Words b = text_of(random, 20'000);
    Words a = b;
    for (std::size_t i = 5; i < a.size(); i += 20)
        a[i] = static_cast<std::uint32_t>(below(random, kVocabulary));
    const auto found = Pair(a, b).aligned();
    CHECK(found.size() == 1, "%zu passages", found.size());
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
    const std::vector<std::uint8_t> letters(words.size(), word_texts::kLetters);
    const auto run = [&](unsigned threads) {
        return likewise::align_pairs(words, words, gaps, letters, offsets, pairs, rates, {}, {},
                                     threads);
    };
    const auto one = run(1), four = run(4);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        CHECK(one[i].size() == 1 && four[i].size() == one[i].size());
        if (one[i].empty() || four[i].size() != one[i].size()) continue;
        CHECK(one[i][0].a_begin == four[i][0].a_begin && one[i][0].b_end == four[i][0].b_end);
        CHECK(one[i][0].evidence == four[i][0].evidence);
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
