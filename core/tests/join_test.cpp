// The exact join, verify and scan against all pairs of sets, on one thread and on four.
#include <atomic>
#include <set>
#include <stdexcept>

#include "candidates.hpp"
#include "check.hpp"
#include "element_table.hpp"
#include "exact_join.hpp"
#include "scan.hpp"
#include "shingles.hpp"
#include "threads.hpp"
#include "verify.hpp"

namespace {

using check::below;
using check::Random;
using likewise::Digest;
using likewise::ElementTable;
using likewise::Measure;
using likewise::PairColumns;
using likewise::Rules;
using likewise::Unit;

using Documents = std::vector<std::uint32_t>;
using Hashes = std::vector<std::uint64_t>;
using Set = std::set<std::uint64_t>;
using Sides = std::vector<std::uint8_t>;

struct Found {
    std::uint32_t a, b;
    std::uint64_t shared, size_a, size_b;
    auto operator<=>(const Found&) const = default;
};

std::vector<Found> rows_of(const PairColumns& columns) {
    std::vector<Found> rows;
    for (std::size_t i = 0; i < columns.a.size(); ++i) {
        rows.push_back(
            {columns.a[i], columns.b[i], columns.shared[i], columns.size_a[i], columns.size_b[i]});
    }
    return rows;
}

std::vector<Found> sorted(std::vector<Found> rows) {
    std::sort(rows.begin(), rows.end());
    return rows;
}

// Texts of which some are changed copies of others, so that there are pairs at every similarity.
std::vector<std::string> random_texts(Random& random, std::size_t documents) {
    std::vector<std::string> texts;
    const std::size_t vocabulary = 20 + below(random, 300);
    while (texts.size() < documents) {
        if (texts.empty() || below(random, 3) == 0) {
            texts.push_back(check::words_of(random, 1 + below(random, 60), vocabulary));
            continue;
        }
        std::string text = check::one_of(random, texts);
        for (std::size_t changes = below(random, 8); changes > 0; --changes) {
            const std::size_t at = text.rfind(' ', below(random, text.size()));
            const std::string word = " " + check::words_of(random, 1, vocabulary);
            if (at != std::string::npos) text.insert(at, word);
        }
        if (below(random, 4) == 0) text.resize(1 + below(random, text.size()));
        texts.push_back(text);
    }
    return texts;
}

std::uint64_t count_shared(const Set& x, const Set& y) {
    return static_cast<std::uint64_t>(std::count_if(
        x.begin(), x.end(), [&](std::uint64_t element) { return y.contains(element); }));
}

// The sets of all texts and what every two of them share, counted once for all thresholds.
class Sets {
  public:
    Sets(const std::vector<std::string>& texts, const Rules& rules) {
        likewise::Shingler shingler(rules);
        Hashes elements;
        for (const auto& text : texts) {
            shingler.collect(text, elements);
            sets_.emplace_back(elements.begin(), elements.end());
            auto& row = shared_.emplace_back();
            for (const Set& other : sets_) row.push_back(count_shared(sets_.back(), other));
        }
    }

    std::uint64_t size(std::uint32_t a) const { return sets_[a].size(); }
    std::uint64_t shared(std::uint32_t a, std::uint32_t b) const {
        return shared_[std::max(a, b)][std::min(a, b)];
    }
    double similarity(Measure measure, std::uint32_t a, std::uint32_t b) const {
        const std::uint64_t whole = measure == Measure::jaccard ? size(a) + size(b) - shared(a, b)
                                                                : std::min(size(a), size(b));
        return static_cast<double>(shared(a, b)) / static_cast<double>(whole);
    }
    Found found(std::uint32_t a, std::uint32_t b) const {
        return {a, b, shared(a, b), size(a), size(b)};
    }
    Documents not_empty() const {
        Documents documents;
        for (std::uint32_t i = 0; i < sets_.size(); ++i) {
            if (size(i) > 0) documents.push_back(i);
        }
        return documents;
    }

  private:
    std::vector<Set> sets_;
    std::vector<std::vector<std::uint64_t>> shared_;
};

// Tiny and round ones, and fractions that small sets hit exactly.
const std::vector<double> kThresholds{1e-6,    0.05, 0.25, 1.0 / 3, 0.5,  0.6,
                                      2.0 / 3, 0.7,  0.8,  0.9,     0.95, 1.0};

// --- Overlaps

TEST(the_required_overlap_is_the_first_that_reaches) {
    for (const Measure measure : {Measure::jaccard, Measure::containment}) {
        for (const double threshold : kThresholds) {
            for (std::uint64_t a = 1; a <= 45; ++a) {
                for (std::uint64_t b = 1; b <= 45; ++b) {
                    const std::uint64_t most = std::min(a, b);
                    std::uint64_t expected = 1;
                    while (expected <= most &&
                           likewise::similarity(measure, expected, a, b) < threshold) {
                        ++expected;
                    }
                    const auto found = likewise::required_overlap(measure, threshold, a, b);
                    // Where none reaches, any that cannot be had will do.
                    CHECK(expected <= most ? found == expected : found > most,
                          "%g of %zu and %zu: %zu", threshold, std::size_t{a}, std::size_t{b},
                          std::size_t{found});
                }
            }
        }
    }
}

// At every fraction that sets of these sizes can have, rounding in the threshold itself included.
TEST(a_pair_exactly_at_the_threshold_reaches_it) {
    for (std::uint64_t a = 1; a <= 40; ++a) {
        for (std::uint64_t b = a; b <= 40; ++b) {
            for (std::uint64_t shared = 1; shared <= a; ++shared) {
                for (const Measure measure : {Measure::jaccard, Measure::containment}) {
                    const double threshold = likewise::similarity(measure, shared, a, b);
                    CHECK(likewise::required_overlap(measure, threshold, a, b) == shared);
                }
            }
        }
    }
}

TEST(overlaps_count_distinct_elements) {
    Random random(41);
    ElementTable table;
    for (int i = 0; i < 3000; ++i) {
        const std::size_t different = 1 + below(random, 60);
        // Elements 2, 3, ...: 0 counts as 1. Runs in step are common, as in copies of a text.
        const auto draw = [&](std::size_t size) {
            Hashes elements;
            std::uint64_t at = below(random, different);
            for (std::size_t n = 0; n < size; ++n) {
                at = below(random, 4) == 0 ? below(random, different) : (at + 1) % different;
                elements.push_back(2 + at);
            }
            return elements;
        };
        const Hashes here = draw(below(random, 80));
        table.build(here);
        const Set here_set(here.begin(), here.end());
        CHECK(table.distinct() == here_set.size());
        for (int others = 0; others < 4; ++others) {
            const Hashes other = draw(below(random, 80));
            const Set other_set(other.begin(), other.end());
            const std::uint64_t shared = count_shared(other_set, here_set);
            const std::uint64_t misses = other_set.size() - shared;
            const std::uint64_t limit = below(random, 70);
            const auto found = table.overlap(other, limit);
            CHECK(found.complete == (misses <= limit));
            CHECK(!found.complete || (found.shared == shared && found.misses == misses));
        }
    }
}

TEST(overlaps_of_very_long_documents) {
    Random random(43);
    const auto draw = [&](std::size_t size) {
        Hashes elements;
        for (std::size_t n = 0; n < size; ++n) elements.push_back(2 + below(random, 400'000));
        return elements;
    };
    ElementTable table;
    for (const std::size_t size : {ElementTable::kMaxInTable, ElementTable::kMaxInTable + 1}) {
        const Hashes here = draw(size);
        const Set here_set(here.begin(), here.end());
        table.build(here);
        CHECK(table.distinct() == here_set.size());
        for (const std::size_t others : {std::size_t{0}, std::size_t{1000}, 2 * size}) {
            const Hashes other = draw(others);
            const Set other_set(other.begin(), other.end());
            const std::uint64_t shared = count_shared(other_set, here_set);
            const std::uint64_t misses = other_set.size() - shared;
            const auto found = table.overlap(other, misses);
            CHECK(found.complete && found.shared == shared && found.misses == misses);
            CHECK(misses == 0 || !table.overlap(other, misses - 1).complete);
        }
    }
}

// Elements that agree in their low bits, in their high bits, or follow each other.
TEST(no_elements_crowd_in_a_table) {
    constexpr std::size_t kElements = 1 << 14, kSlots = 2 * kElements;
    for (const int shift : {0, 20, 40}) {
        for (const std::uint64_t step : {std::uint64_t{1}, std::uint64_t{0x9e3779b97f4a7c15}}) {
            std::vector<std::uint64_t> slots(kSlots);
            std::size_t steps = 0;
            for (std::uint64_t i = 1; i <= kElements; ++i) {
                const std::uint64_t element = (i * step) << shift;
                slots[likewise::find_slot(element, kSlots, [&](std::size_t slot) {
                    ++steps;
                    return slots[slot] == 0 || slots[slot] == element;
                })] = element;
            }
            CHECK(steps < 4 * kElements);
        }
    }
}

TEST(an_element_of_value_0_is_an_element) {
    ElementTable table;
    table.build(Hashes{0, 5, 0});
    CHECK(table.distinct() == 2);
    const auto found = table.overlap(Hashes{7, 0, 0, 5}, 10);
    CHECK(found.complete && found.shared == 2 && found.misses == 1);
}

// --- The exact join

// Similarity 0 makes no pair, however low the threshold.
std::vector<Found> slow_join(const Sets& sets, const Documents& chosen, const Sides& sides,
                             Measure measure, double threshold) {
    std::vector<Found> rows;
    for (const auto a : chosen) {
        for (const auto b : chosen) {
            const bool meet = sides.empty() || sides[a] != sides[b] || sides[a] == 3;
            if (a >= b || !meet || sets.shared(a, b) == 0) continue;
            if (sets.similarity(measure, a, b) >= threshold) rows.push_back(sets.found(a, b));
        }
    }
    return sorted(rows);
}

Rules random_rules(Random& random) {
    Rules rules;
    rules.k = 1 + static_cast<std::uint32_t>(below(random, 4));
    if (below(random, 3) == 0) {
        rules.unit = Unit::character;
        rules.k += 3;
    }
    rules.bag = below(random, 3) == 0;
    rules.seed = random();
    return rules;
}

void check_join(const std::vector<std::string>& texts, const Rules& rules, const Sets& sets,
                const Documents& chosen, const Sides& sides) {
    const auto views = check::views_of(texts);
    const std::uint8_t* sides_data = sides.empty() ? nullptr : sides.data();
    for (const Measure measure : {Measure::jaccard, Measure::containment}) {
        for (const double threshold : kThresholds) {
            const auto alone = rows_of(
                likewise::exact_join(views, rules, chosen, sides_data, measure, threshold, 1));
            CHECK(sorted(alone) == slow_join(sets, chosen, sides, measure, threshold),
                  "%zu documents, threshold %g, %s", texts.size(), threshold,
                  measure == Measure::jaccard ? "jaccard" : "containment");
            const auto together = rows_of(
                likewise::exact_join(views, rules, chosen, sides_data, measure, threshold, 4));
            CHECK(together == alone, "order depends on threads");
        }
    }
}

TEST(the_exact_join_finds_every_pair) {
    Random random(42);
    for (int i = 0; i < 12; ++i) {
        const auto texts = random_texts(random, 20 + below(random, 180));
        const Rules rules = random_rules(random);
        const Sets sets(texts, rules);
        check_join(texts, rules, sets, sets.not_empty(), {});
    }
}

TEST(the_exact_join_of_two_sides_pairs_across_only) {
    Random random(43);
    for (int i = 0; i < 10; ++i) {
        const auto texts = random_texts(random, 20 + below(random, 150));
        const Rules rules = random_rules(random);
        Sides sides;
        const std::size_t kinds = 2 + below(random, 2);  // 3: some are on both
        for (std::size_t d = 0; d < texts.size(); ++d) {
            sides.push_back(static_cast<std::uint8_t>(1 + below(random, kinds)));
        }
        const Sets sets(texts, rules);
        check_join(texts, rules, sets, sets.not_empty(), sides);
    }
}

TEST(the_exact_join_looks_at_chosen_documents_only) {
    Random random(44);
    for (int i = 0; i < 6; ++i) {
        const auto texts = random_texts(random, 150);
        const Rules rules = random_rules(random);
        const Sets sets(texts, rules);
        Documents chosen = sets.not_empty();
        std::erase_if(chosen, [&](std::uint32_t) { return below(random, 3) == 0; });
        check_join(texts, rules, sets, chosen, {});
    }
    const std::vector<std::vector<std::string>> tiny{
        {}, {"alone"}, {"one", "another"}, {"same", "same"}};
    for (const auto& texts : tiny) {
        const Rules rules;
        const Sets sets(texts, rules);
        check_join(texts, rules, sets, sets.not_empty(), {});
    }
}

// --- Verify

struct Lists {
    std::vector<std::uint64_t> offsets{0};
    Documents others;
};

Lists random_lists(Random& random, std::size_t documents, std::size_t one_in) {
    Lists lists;
    for (std::uint32_t a = 0; a < documents; ++a) {
        for (std::uint32_t b = a + 1; b < documents; ++b) {
            if (below(random, one_in) == 0) lists.others.push_back(b);
        }
        lists.offsets.push_back(lists.others.size());
    }
    return lists;
}

// Of documents [begin, end), in the order of the lists.
std::vector<Found> slow_verify(const Sets& sets, const Lists& lists, std::size_t begin,
                               std::size_t end, Measure measure, double threshold) {
    std::vector<Found> rows;
    for (auto a = static_cast<std::uint32_t>(begin); a < end; ++a) {
        for (std::uint64_t i = lists.offsets[a]; i < lists.offsets[a + 1]; ++i) {
            const std::uint32_t b = lists.others[i];
            const double of_b =
                static_cast<double>(sets.shared(a, b)) / static_cast<double>(sets.size(b));
            const double similarity =
                measure == Measure::jaccard ? sets.similarity(measure, a, b) : of_b;
            if (similarity >= threshold) rows.push_back(sets.found(a, b));
        }
    }
    return rows;
}

void check_verify(Random& random, const std::vector<double>& thresholds) {
    const auto texts = random_texts(random, 20 + below(random, 150));
    const auto views = check::views_of(texts);
    const Rules rules = random_rules(random);
    const Sets sets(texts, rules);
    const Lists lists = random_lists(random, texts.size(), 1 + below(random, 4));
    const std::size_t begin = below(random, texts.size()), end = texts.size() - below(random, 3);
    for (const auto& [from, to] : {std::pair{std::size_t{0}, texts.size()}, {begin, end}}) {
        for (const double threshold : thresholds) {
            for (const Measure measure : {Measure::jaccard, Measure::containment}) {
                const auto expected = slow_verify(sets, lists, from, to, measure, threshold);
                for (const unsigned threads : {1, 4}) {
                    const auto offsets = std::span(lists.offsets).subspan(from, to - from + 1);
                    const auto found = rows_of(
                        likewise::verify(views, rules, static_cast<std::uint32_t>(from), offsets,
                                         lists.others, measure, threshold, threads));
                    CHECK(found == expected, "%zu documents, threshold %g", texts.size(),
                          threshold);
                }
            }
        }
    }
}

TEST(verified_pairs_are_those_that_reach_the_threshold) {
    Random random(45);
    for (int i = 0; i < 12; ++i) check_verify(random, kThresholds);
}

TEST(no_threshold_above_0_is_too_small) {
    Random random(46);
    for (int i = 0; i < 3; ++i) check_verify(random, {1e-15, 1e-18, 1e-20, 1e-100, 1e-300});
    const auto texts = random_texts(random, 60);
    const Rules rules;
    const Sets sets(texts, rules);
    const Documents chosen = sets.not_empty();
    for (const double threshold : {1e-18, 1e-300}) {
        for (const Measure measure : {Measure::jaccard, Measure::containment}) {
            const auto found = likewise::exact_join(check::views_of(texts), rules, chosen, nullptr,
                                                    measure, threshold, 2);
            CHECK(sorted(rows_of(found)) == slow_join(sets, chosen, {}, measure, threshold));
        }
    }
}

TEST(distinct_elements_are_counted) {
    Random random(47);
    for (int i = 0; i < 10; ++i) {
        const auto texts = random_texts(random, 200);
        const Rules rules = random_rules(random);
        const Sets sets(texts, rules);
        Documents chosen;
        for (std::uint32_t d = 0; d < texts.size(); d += 1 + d % 3) chosen.push_back(d);
        for (const unsigned threads : {1, 4}) {
            const auto counts =
                likewise::count_distinct(check::views_of(texts), rules, chosen, threads);
            CHECK(counts.size() == chosen.size());
            for (std::size_t c = 0; c < chosen.size(); ++c) {
                CHECK(counts[c] == sets.size(chosen[c]));
            }
        }
    }
}

// --- Scan

struct Scanned {
    std::vector<Digest> digests;
    std::vector<std::uint64_t> counts, keys;
    std::vector<std::uint32_t> sketches;
    bool operator==(const Scanned&) const = default;
};

struct Layout {
    std::uint32_t values, bands, rows;
};

Scanned scanned(const std::vector<std::string>& texts, const Rules& rules, Layout layout,
                unsigned threads, bool sketches = true, bool keys = true) {
    Scanned out{
        std::vector<Digest>(texts.size()), std::vector<std::uint64_t>(texts.size()), {}, {}};
    if (sketches) out.sketches.resize(texts.size() * layout.values);
    if (keys) out.keys.resize(texts.size() * layout.bands);
    likewise::scan(check::views_of(texts), rules, layout.values, layout.bands, layout.rows,
                   {out.digests.data(), out.counts.data(), sketches ? out.sketches.data() : nullptr,
                    keys ? out.keys.data() : nullptr},
                   threads);
    return out;
}

// Document by document, with nothing shared and nothing put on the way.
Scanned slow_scan(const std::vector<std::string>& texts, const Rules& rules, Layout layout) {
    Scanned out;
    out.keys.resize(texts.size() * layout.bands);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        likewise::Shingler shingler(rules);
        likewise::Sketcher sketcher(layout.values);
        Hashes elements;
        shingler.collect(texts[i], elements);
        sketcher.begin();
        for (const auto& element : elements) sketcher.add(&element, 1, false);
        const std::uint32_t* sketch = sketcher.finish();
        out.sketches.insert(out.sketches.end(), sketch, sketch + layout.values);
        out.digests.push_back(sketcher.digest());
        out.counts.push_back(elements.size());
        Hashes keys(layout.bands);
        likewise::band_keys(sketch, layout.bands, layout.rows, keys.data());
        for (std::uint32_t band = 0; band < layout.bands; ++band) {
            out.keys[band * texts.size() + i] = keys[band];
        }
    }
    return out;
}

TEST(a_scan_sketches_each_document_by_itself) {
    Random random(48);
    for (const Layout layout : {Layout{128, 32, 4}, Layout{100, 20, 5}, Layout{16, 5, 3}}) {
        auto texts = random_texts(random, 300);
        texts[7].clear();
        texts[8] = " ";
        texts[9] = check::words_of(random, 20000, 1000000);  // long enough to fill every bin
        texts[10] = check::words_of(random, 20000, 2);
        texts[11] = "\xC3\x89t\xC3\xA9 " + texts[11];
        const Rules rules = random_rules(random);
        const auto expected = slow_scan(texts, rules, layout);
        check::at_each_vector_level([&] {
            for (const unsigned threads : {1, 4}) {
                CHECK(scanned(texts, rules, layout, threads) == expected);
            }
        });
    }
}

TEST(what_is_not_asked_for_is_not_needed) {
    Random random(49);
    const auto texts = random_texts(random, 100);
    const Rules rules;
    const Layout layout{64, 16, 4};
    const auto all = scanned(texts, rules, layout, 1);
    for (const unsigned threads : {1, 4}) {
        const auto neither = scanned(texts, rules, layout, threads, false, false);
        CHECK(neither.digests == all.digests && neither.counts == all.counts);
        const auto keys = scanned(texts, rules, layout, threads, false, true);
        CHECK(keys.keys == all.keys && keys.digests == all.digests);
        const auto sketches = scanned(texts, rules, layout, threads, true, false);
        CHECK(sketches.sketches == all.sketches && sketches.counts == all.counts);
    }
    CHECK(scanned({}, rules, layout, 4) == Scanned{});
}

// --- Threads

TEST(every_item_is_handled_once) {
    for (const std::size_t count : {0, 1, 63, 64, 65, 1000}) {
        for (const unsigned threads : {0, 1, 4, 50}) {
            std::vector<std::atomic<int>> handled(count);
            likewise::parallel_ranges(
                count, 64, threads, [] { return 0; },
                [&](int, std::size_t from, std::size_t to) {
                    for (std::size_t i = from; i < to; ++i) ++handled[i];
                });
            CHECK(std::all_of(handled.begin(), handled.end(), [](int n) { return n == 1; }));
        }
    }
}

TEST(a_failure_on_any_thread_reaches_the_caller) {
    for (const unsigned threads : {1, 4}) {
        for (unsigned failing = 0; failing < threads; ++failing) {
            bool caught = false;
            try {
                likewise::on_each_thread(threads, [&](unsigned worker) {
                    if (worker == failing) throw std::runtime_error("no");
                });
            } catch (const std::runtime_error&) {
                caught = true;
            }
            CHECK(caught, "worker %u of %u", failing, threads);
        }
    }
}

}  // namespace

int main() { return check::run_all(); }
