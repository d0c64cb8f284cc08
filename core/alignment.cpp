#include "alignment.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>

#include "alignment_candidates.hpp"
#include "alignment_matches.hpp"
#include "alignment_refine.hpp"
#include "alignment_summary.hpp"
#include "alignment_texts.hpp"
#include "runs.hpp"
#include "threads.hpp"

namespace likewise {

namespace {

Range a_of(const Fragment& f) { return {f.a_begin, f.a_end}; }
Range b_of(const Fragment& f) { return {f.b_begin, f.b_end}; }

bool is_empty(const Fragment& f) { return f.a_begin == f.a_end || f.b_begin == f.b_end; }

bool stands_before(const Fragment& f, const Fragment& g) {
    if (f.a_begin != g.a_begin) return f.a_begin < g.a_begin;
    if (f.b_begin != g.b_begin) return f.b_begin < g.b_begin;
    if (f.a_end != g.a_end) return f.a_end < g.a_end;
    return f.b_end < g.b_end;
}

bool is_same_place(const Fragment& f, const Fragment& g) {
    return a_of(f) == a_of(g) && b_of(f) == b_of(g);
}

// Equal words in a row, as a fragment.
Fragment as_fragment(const Run& run, const Texts2& texts, const AlignmentSettings& settings) {
    double evidence = 0;
    for (std::uint32_t i = run.a; i < run.a + run.words; ++i) {
        evidence += std::min(texts.weights[texts.a.words[i]], std::log(settings.most_ratio));
    }
    const double lambda = settings.most_lambda;
    return {run.a,    run.a + run.words,
            run.b,    run.b + run.words,
            evidence, evidence,
            lambda,   lambda,
            0,        0,
            0,        run.words,
            false};
}

class Alignment {
  public:
    Alignment(const Texts2& texts, std::span<const Run> runs, const AlignmentSettings& settings)
        : texts_(texts), runs_(runs), settings_(settings), refinement_(texts, settings) {}

    std::vector<Fragment> run() {
        for (const RangePair& candidate : find_range_pairs(texts_, settings_)) {
            const Fragment refined = refinement_.refine(candidate);
            if (!is_empty(refined)) fragments_.push_back(refined);
        }
        add_runs();
        sort_and_drop_equal();
        while (merge_neighbours()) sort_and_drop_equal();
        std::erase_if(fragments_, [&](const Fragment& f) { return !is_acceptable(f); });
        keep_the_better();
        return std::move(fragments_);
    }

  private:
    double strength(const Fragment& f) const {
        if (settings_.judge == Judge::a) return f.a_evidence;
        return settings_.judge == Judge::either ? std::max(f.a_evidence, f.b_evidence)
                                                : std::min(f.a_evidence, f.b_evidence);
    }

    // Long equal stretches that no fragment holds: words that are everywhere in both texts.
    void add_runs() {
        std::vector<Fragment> by_a = fragments_;
        std::sort(by_a.begin(), by_a.end(), stands_before);
        std::uint32_t longest = 0;
        for (const Fragment& f : by_a) longest = std::max(longest, a_of(f).size());
        std::size_t first = 0;
        for (const Run& run : runs_) {
            const Range a{run.a, run.a + run.words};
            while (first < by_a.size() && by_a[first].a_begin + longest < a.begin) ++first;
            bool held = false;
            for (std::size_t i = first; i < by_a.size() && by_a[i].a_begin < a.end && !held; ++i) {
                held = is_acceptable(by_a[i]) && 2 * overlap(a_of(by_a[i]), a) >= a.size();
            }
            if (!held) fragments_.push_back(as_fragment(run, texts_, settings_));
        }
    }

    // Of fragments in the same place that with the longest run stays.
    void sort_and_drop_equal() {
        std::sort(fragments_.begin(), fragments_.end(), [](const Fragment& f, const Fragment& g) {
            return is_same_place(f, g) ? f.run > g.run : stands_before(f, g);
        });
        fragments_.erase(std::unique(fragments_.begin(), fragments_.end(), is_same_place),
                         fragments_.end());
    }

    bool belong_together(const Fragment& f, const Fragment& g) const {
        const std::uint32_t shorter = std::min(
            {f.a_end - f.a_begin, g.a_end - g.a_begin, f.b_end - f.b_begin, g.b_end - g.b_begin});
        const std::uint32_t most =
            std::min(settings_.merge_most, std::max(settings_.merge_least, shorter));
        return distance(a_of(f), a_of(g)) <= most && distance(b_of(f), b_of(g)) <= most;
    }

    // One round; says whether anything was merged.
    bool merge_neighbours() {
        bool any = false;
        for (std::size_t i = 0; i < fragments_.size(); ++i) {
            for (std::size_t j = i + 1; j < fragments_.size(); ++j) {
                Fragment &f = fragments_[i], &g = fragments_[j];
                if (g.a_begin > f.a_end + settings_.merge_most) break;
                if (!belong_together(f, g)) continue;
                const Fragment both = merged(f, g);
                if (is_empty(both) || strength(both) < std::max(strength(f), strength(g))) continue;
                f = both;
                fragments_.erase(fragments_.begin() + static_cast<std::ptrdiff_t>(j));
                any = true;
                j = i;
            }
        }
        return any;
    }

    Fragment merged(const Fragment& f, const Fragment& g) {
        const Range a = hull(a_of(f), a_of(g)), b = hull(b_of(f), b_of(g));
        if (std::max(a.size(), b.size()) <= settings_.longest) return refinement_.refine({a, b});
        // A row of fragments: what both hold is counted once.
        const auto size = [](const Fragment& h) { return static_cast<double>(a_of(h).size()); };
        const double twice = overlap(a_of(f), a_of(g)) / std::min(size(f), size(g));
        const Fragment& weaker = strength(f) < strength(g) ? f : g;
        const double weight = size(f) / (size(f) + size(g));
        return {a.begin,
                a.end,
                b.begin,
                b.end,
                f.a_evidence + g.a_evidence - twice * weaker.a_evidence,
                f.b_evidence + g.b_evidence - twice * weaker.b_evidence,
                weight * f.a_lambda + (1 - weight) * g.a_lambda,
                weight * f.b_lambda + (1 - weight) * g.b_lambda,
                0,
                0,
                0,
                std::max(f.run, g.run),
                false};
    }

    bool is_acceptable(const Fragment& f) const {
        const std::uint32_t shorter = std::min(a_of(f).size(), b_of(f).size());
        const std::uint32_t longer = std::max(a_of(f).size(), b_of(f).size());
        if (settings_.least_run > 0 && f.run >= settings_.least_run) return true;
        const double places = std::log(static_cast<double>(texts_.a.size()) * texts_.b.size());
        return shorter >= settings_.least_words &&
               strength(f) >= settings_.least_evidence + places &&
               strength(f) >= settings_.least_evidence_per_word * longer;
    }

    // Of fragments that are half the same the one with more evidence stays.
    void keep_the_better() {
        std::vector<Fragment> by_strength = fragments_;
        std::stable_sort(
            by_strength.begin(), by_strength.end(),
            [&](const Fragment& f, const Fragment& g) { return strength(f) > strength(g); });
        std::vector<Fragment> kept;
        for (const Fragment& f : by_strength) {
            const auto half_same = [&](const Fragment& g) {
                const auto half = [](Range x, Range y) {
                    return 2 * overlap(x, y) >= std::min(x.size(), y.size());
                };
                return half(a_of(f), a_of(g)) && (settings_.one_source || half(b_of(f), b_of(g)));
            };
            if (std::none_of(kept.begin(), kept.end(), half_same)) kept.push_back(f);
        }
        std::sort(kept.begin(), kept.end(), stands_before);
        fragments_ = std::move(kept);
    }

    const Texts2& texts_;
    const std::span<const Run> runs_;
    const AlignmentSettings& settings_;
    Refinement refinement_;
    std::vector<Fragment> fragments_;
};

// Has every run lie in a fragment, with all of its words: a fragment that holds a part of it grows,
// and where there is none the run is one itself.
void cover_runs(std::span<const Run> runs, const Texts2& texts, const AlignmentSettings& settings,
                std::vector<Fragment>& fragments) {
    std::sort(fragments.begin(), fragments.end(), stands_before);
    std::vector<std::uint32_t> begins, reach;  // of each fragment; the furthest end so far
    for (const Fragment& f : fragments) {
        begins.push_back(f.a_begin);
        reach.push_back(std::max(reach.empty() ? 0 : reach.back(), f.a_end));
    }
    const std::size_t count = fragments.size();
    for (const Run& run : runs) {
        const Range a{run.a, run.a + run.words}, b{run.b, run.b + run.words};
        const auto last = static_cast<std::size_t>(
            std::lower_bound(begins.begin(), begins.end(), a.end) - begins.begin());
        std::size_t part = count;
        bool held = false;
        for (std::size_t i = last; i-- > 0 && reach[i] > a.begin && !held;) {
            const Fragment& f = fragments[i];
            held = f.a_begin <= a.begin && a.end <= f.a_end;
            if (overlap(a_of(f), a) > 0 && overlap(b_of(f), b) > 0) part = i;
        }
        if (held) continue;
        if (part == count) {
            // Runs come in the order of a: only the last one that was added may hold this one.
            if (count == fragments.size() || fragments.back().a_end < a.end) {
                fragments.push_back(as_fragment(run, texts, settings));
            }
            continue;
        }
        Fragment& f = fragments[part];
        const Range whole_a = hull(a_of(f), a), whole_b = hull(b_of(f), b);
        f.a_begin = whole_a.begin, f.a_end = whole_a.end;
        f.b_begin = whole_b.begin, f.b_end = whole_b.end;
        f.run = std::max(f.run, run.words);
        for (std::size_t i = part; i < count && reach[i] < f.a_end; ++i) reach[i] = f.a_end;
    }
    std::sort(fragments.begin(), fragments.end(), stands_before);
}

// A text against itself is one fragment, whatever its words tell.
std::vector<Fragment> same_text(const WordSequence& text, const AlignmentSettings& settings) {
    const auto words = static_cast<std::uint32_t>(text.words.size());
    if (words < settings.least_words) return {};
    const double lambda = settings.most_lambda;
    const double evidence = words * std::log(1 - lambda + lambda * settings.most_ratio);
    return {{0, words, 0, words, evidence, evidence, lambda, lambda, words, words, words - 1, words,
             false}};
}

}  // namespace

std::vector<Fragment> align(const WordSequence& a, const WordSequence& b,
                            std::span<const double> rates, const AlignmentSettings& settings) {
    if (a.words.empty() || b.words.empty()) return {};
    if (std::ranges::equal(a.forms, b.forms)) return same_text(a, settings);
    const Texts2 texts(a, b, rates);
    const std::vector<Run> runs = common_runs(a.forms, b.forms, settings.least_run);
    std::vector<Fragment> fragments = Alignment(texts, runs, settings).run();
    if (settings.summaries) add_summary(texts, settings, fragments);
    cover_runs(runs, texts, settings, fragments);
    for (Fragment& fragment : fragments) match_words(a, b, fragment);
    return fragments;
}

std::vector<std::vector<Fragment>> align_pairs(
    std::span<const std::uint32_t> words, std::span<const std::uint32_t> forms,
    std::span<const Gap> gaps, std::span<const std::uint64_t> offsets,
    std::span<const PairToAlign> pairs, std::span<const double> rates,
    const AlignmentSettings& settings, unsigned threads) {
    const auto text = [&](std::uint32_t i) {
        const std::size_t size = offsets[i + 1] - offsets[i];
        return WordSequence{words.subspan(offsets[i], size), forms.subspan(offsets[i], size),
                            gaps.subspan(offsets[i] + i, size + 1)};
    };
    std::vector<std::vector<Fragment>> found(pairs.size());
    parallel_ranges(
        pairs.size(), 1, threads, [] { return 0; },
        [&](int, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                found[i] = align(text(pairs[i].a), text(pairs[i].b), rates, settings);
            }
        });
    return found;
}

}  // namespace likewise
