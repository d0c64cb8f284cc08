#include "alignment.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>

#include "alignment_candidates.hpp"
#include "alignment_cells.hpp"
#include "alignment_fragments.hpp"
#include "alignment_matches.hpp"
#include "alignment_refine.hpp"
#include "alignment_summary.hpp"
#include "alignment_texts.hpp"
#include "runs.hpp"
#include "threads.hpp"

namespace likewise {

namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};
constexpr int kMostRounds = 8;            // of merging
constexpr std::uint32_t kMostTries = 32;  // to merge one fragment with others, in one round
constexpr std::size_t kMeanTries = 2;     // and in the mean, in all of them

class Alignment {
  public:
    Alignment(const Texts2& texts, std::span<const Run> runs, const AlignmentSettings& settings)
        : texts_(texts), runs_(runs), settings_(settings), refinement_(texts, settings) {}

    std::vector<Fragment> run() {
        for (const RangePair& candidate : find_range_pairs(texts_, runs_, settings_)) {
            const Fragment refined = refinement_.refine(candidate);
            if (!is_empty(refined)) fragments_.push_back(refined);
        }
        add_runs();
        sort_and_drop_equal();
        tries_left_ = kMeanTries * fragments_.size() + kMostTries;
        for (int round = 0; round < kMostRounds && merge_neighbours(); ++round) {
            sort_and_drop_equal();
        }
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

    // Equal stretches that no fragment holds, such as those of words that are everywhere.
    void add_runs() {
        Cells cells(texts_.a.size());
        for (std::uint32_t i = 0; i < fragments_.size(); ++i) {
            if (is_acceptable(fragments_[i])) cells.add(i, a_of(fragments_[i]));
        }
        for (const Run& run : runs_) {
            const Range a{run.a, run.a + run.words};
            bool held = false;
            cells.each(a, [&](std::uint32_t i) {
                held = 2 * overlap(a_of(fragments_[i]), a) >= a.size();
                return held ? Cells::Answer::stop : Cells::Answer::go_on;
            });
            // No candidates were looked for in long ones.
            if (!held || run.words >= settings_.longest) {
                fragments_.push_back(as_fragment(run, texts_, settings_));
            }
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

    // One round; says whether anything was merged. Each fragment, in the order of a, is tried with
    // those before it that are near on both sides.
    bool merge_neighbours() {
        Cells cells(texts_.b.size());
        std::vector<std::uint8_t> gone(fragments_.size());
        const std::size_t before = fragments_.size();
        for (std::uint32_t next = 0; next < fragments_.size(); ++next) {
            const Range asked =
                widen(b_of(fragments_[next]), settings_.merge_most, texts_.b.size());
            const std::uint32_t reached = fragments_[next].a_begin;
            std::uint32_t here = next, tries = 0;  // `here`: what it has become part of
            for (bool any = true; any;) {
                any = false;
                find_near(here, asked, reached, gone, cells);
                for (std::size_t i = 0; i < near_.size() && !any; ++i) {
                    if (++tries > kMostTries || tries_left_ == 0) break;
                    --tries_left_;
                    const std::uint32_t other = near_[i];
                    const Fragment &f = fragments_[other], &g = fragments_[here];
                    const Fragment both = merged(f, g);
                    any = !is_empty(both) && strength(both) >= std::max(strength(f), strength(g));
                    if (!any) continue;
                    // The longer one stays, for it is in more cells already.
                    const bool stays = here != next && b_of(g).size() >= b_of(f).size();
                    gone[stays ? other : here] = 1;
                    if (!stays) here = other;
                    cells.add(here, b_of(both), b_of(fragments_[here]));
                    fragments_[here] = both;
                }
            }
            if (here == next) cells.add(next, b_of(fragments_[next]));
        }
        std::size_t kept = 0;
        for (std::size_t i = 0; i < before; ++i) {
            if (!gone[i]) fragments_[kept++] = fragments_[i];
        }
        fragments_.resize(kept);
        return kept < before;
    }

    // Those that fragment `here` may be merged with: what touches the range of b that is asked for.
    void find_near(std::uint32_t here, Range asked, std::uint32_t reached,
                   const std::vector<std::uint8_t>& gone, Cells& cells) {
        near_.clear();
        cells.each(asked, [&](std::uint32_t i) {
            const Fragment& f = fragments_[i];
            if (gone[i] || f.a_end + settings_.merge_most < reached) return Cells::Answer::drop;
            if (i != here && belong_together(f, fragments_[here])) near_.push_back(i);
            return Cells::Answer::go_on;
        });
        std::sort(near_.begin(), near_.end());
        near_.erase(std::unique(near_.begin(), near_.end()), near_.end());
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
        Cells cells(texts_.a.size());
        for (const Fragment& f : by_strength) {
            const auto half_same = [&](const Fragment& g) {
                const auto half = [](Range x, Range y) {
                    return 2 * overlap(x, y) >= std::min(x.size(), y.size());
                };
                return half(a_of(f), a_of(g)) && (settings_.one_source || half(b_of(f), b_of(g)));
            };
            bool is_known = false;
            cells.each(a_of(f), [&](std::uint32_t i) {
                is_known = half_same(kept[i]);
                return is_known ? Cells::Answer::stop : Cells::Answer::go_on;
            });
            if (is_known) continue;
            cells.add(static_cast<std::uint32_t>(kept.size()), a_of(f));
            kept.push_back(f);
        }
        std::sort(kept.begin(), kept.end(), stands_before);
        fragments_ = std::move(kept);
    }

    const Texts2& texts_;
    const std::span<const Run> runs_;
    const AlignmentSettings& settings_;
    Refinement refinement_;
    std::vector<Fragment> fragments_;
    std::vector<std::uint32_t> near_;
    std::size_t tries_left_ = 0;
};

// Has every run lie in a fragment, with all of its words: a fragment that holds a part of it grows,
// and where there is none the run is one itself.
void cover_runs(std::span<const Run> runs, const Texts2& texts, const AlignmentSettings& settings,
                std::vector<Fragment>& fragments) {
    Cells cells(texts.a.size());
    for (std::uint32_t i = 0; i < fragments.size(); ++i) cells.add(i, a_of(fragments[i]));
    for (const Run& run : runs) {
        const Range a{run.a, run.a + run.words}, b{run.b, run.b + run.words};
        std::uint32_t part = kNone;
        bool held = false;
        cells.each(a, [&](std::uint32_t i) {
            const Fragment& f = fragments[i];
            held = overlap(a_of(f), a) == a.size();
            if (overlap(a_of(f), a) > 0 && overlap(b_of(f), b) > 0) part = std::min(part, i);
            return held ? Cells::Answer::stop : Cells::Answer::go_on;
        });
        if (held) continue;
        if (part == kNone) {
            cells.add(static_cast<std::uint32_t>(fragments.size()), a);
            fragments.push_back(as_fragment(run, texts, settings));
            continue;
        }
        Fragment& f = fragments[part];
        const Range whole_a = hull(a_of(f), a), whole_b = hull(b_of(f), b);
        cells.add(part, whole_a, a_of(f));
        f.a_begin = whole_a.begin, f.a_end = whole_a.end;
        f.b_begin = whole_b.begin, f.b_end = whole_b.end;
        f.run = std::max(f.run, run.words);
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
