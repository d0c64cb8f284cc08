#include "alignment/align.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <ranges>
#include <tuple>

#include "alignment/candidates.hpp"
#include "alignment/cells.hpp"
#include "alignment/fragments.hpp"
#include "alignment/matches.hpp"
#include "alignment/refine.hpp"
#include "alignment/reworded.hpp"
#include "alignment/similar_words.hpp"
#include "alignment/split.hpp"
#include "alignment/texts.hpp"
#include "runs.hpp"
#include "threads.hpp"

namespace likewise {

namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};
constexpr int kMostRounds = 8;            // of merging
constexpr std::uint32_t kMostTries = 32;  // to merge one fragment with others, in one round
constexpr std::size_t kMeanTries = 2;     // and in the mean, in all of them
// Long texts have stretches in which words go together by subject: evidence of a passage must grow
// faster than the logarithm of the places where it might begin.
constexpr double kLongPlaces = 16, kLongTexts = 1.5;
constexpr double kAdjacent = 0.25, kLooseWordEvidence = 0.65;
constexpr double kLoose = 0.5, kLooseEvidence = 5;  // less similar passages need more evidence

double least_evidence_of(const Texts2& texts, const AlignmentSettings& settings) {
    const double places = std::log(static_cast<double>(texts.a.size()) * texts.b.size());
    return settings.least_evidence + places + kLongTexts * std::max(0.0, places - kLongPlaces);
}

class Alignment {
  public:
    Alignment(const WordSequence& a, const WordSequence& b, const Texts2& texts,
              std::span<const Run> runs, const AlignmentSettings& settings)
        : a_(a),
          b_(b),
          texts_(texts),
          runs_(runs),
          settings_(settings),
          refinement_(texts, settings) {}

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
        split();
        keep_the_better();
        return std::move(fragments_);
    }

  private:
    static double strength(const Fragment& f) { return f.a_evidence; }

    // Equal stretches outside all fragments, such as those of very common words.
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

    // Those that fragment `here` may be merged with: the ones that touch the given range of b.
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
        // A row of fragments: their overlap is counted once.
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
                std::max(f.run, g.run)};
    }

    bool is_acceptable(const Fragment& f) const {
        const std::uint32_t shorter = std::min(a_of(f).size(), b_of(f).size());
        const std::uint32_t longer = std::max(a_of(f).size(), b_of(f).size());
        if (settings_.least_run > 0 && f.run >= settings_.least_run) return true;
        return shorter >= settings_.least_words && strength(f) >= least_evidence_ &&
               strength(f) >= settings_.least_evidence_per_word * longer;
    }

    void split() {
        std::vector<Fragment> parts;
        for (const Fragment& f : fragments_) {
            for (const Fragment& part :
                 split_at_holes(a_, b_, f, settings_.least_run, least_evidence_)) {
                parts.push_back(part);
            }
        }
        fragments_ = std::move(parts);
        sort_and_drop_equal();
    }

    // Drops a fragment if a better one has half of it on either side: a stretch has one source.
    void keep_the_better() {
        std::vector<Fragment> by_strength = fragments_;
        std::stable_sort(
            by_strength.begin(), by_strength.end(),
            [&](const Fragment& f, const Fragment& g) { return strength(f) > strength(g); });
        std::vector<Fragment> kept;
        Cells cells_a(texts_.a.size()), cells_b(texts_.b.size());
        for (const Fragment& f : by_strength) {
            const auto is_held = [&](Cells& cells, auto&& range_of) {
                const Range own = range_of(f);
                bool held = false;
                cells.each(own, [&](std::uint32_t i) {
                    const Range other = range_of(kept[i]);
                    held = 2 * overlap(own, other) >= std::min(own.size(), other.size());
                    return held ? Cells::Answer::stop : Cells::Answer::go_on;
                });
                return held;
            };
            if (is_held(cells_a, a_of) || is_held(cells_b, b_of)) continue;
            cells_a.add(static_cast<std::uint32_t>(kept.size()), a_of(f));
            cells_b.add(static_cast<std::uint32_t>(kept.size()), b_of(f));
            kept.push_back(f);
        }
        std::sort(kept.begin(), kept.end(), stands_before);
        fragments_ = std::move(kept);
    }

    const WordSequence &a_, &b_;
    const Texts2& texts_;
    const std::span<const Run> runs_;
    const AlignmentSettings& settings_;
    Refinement refinement_;
    std::vector<Fragment> fragments_;
    const double least_evidence_ = least_evidence_of(texts_, settings_);
    std::vector<std::uint32_t> near_;
    std::size_t tries_left_ = 0;
};

// Drops fragments that lie in another one on both sides, as where that has grown.
void drop_contained(std::vector<Fragment>& fragments, const Texts2& texts) {
    std::stable_sort(fragments.begin(), fragments.end(), [](const Fragment& f, const Fragment& g) {
        return a_of(f).size() + b_of(f).size() > a_of(g).size() + b_of(g).size();
    });
    Cells cells(texts.a.size());
    std::vector<Fragment> kept;
    for (const Fragment& f : fragments) {
        bool held = false;
        cells.each(a_of(f), [&](std::uint32_t i) {
            held = overlap(a_of(f), a_of(kept[i])) == a_of(f).size() &&
                   overlap(b_of(f), b_of(kept[i])) == b_of(f).size();
            return held ? Cells::Answer::stop : Cells::Answer::go_on;
        });
        if (held) continue;
        cells.add(static_cast<std::uint32_t>(kept.size()), a_of(f));
        kept.push_back(f);
    }
    fragments = std::move(kept);
}

// Has every run lie in a fragment on both sides, with all of its words: a fragment that holds a
// part of it grows, and where there is none the run is one itself.
void cover_runs(std::span<const Run> runs, const Texts2& texts, const AlignmentSettings& settings,
                std::vector<Fragment>& fragments) {
    Cells cells_a(texts.a.size()), cells_b(texts.b.size());
    for (std::uint32_t i = 0; i < fragments.size(); ++i) {
        cells_a.add(i, a_of(fragments[i]));
        cells_b.add(i, b_of(fragments[i]));
    }
    for (const Run& run : runs) {
        const Range a{run.a, run.a + run.words}, b{run.b, run.b + run.words};
        std::uint32_t part = kNone;
        bool held_a = false, held_b = false;
        cells_a.each(a, [&](std::uint32_t i) {
            const Fragment& f = fragments[i];
            held_a = overlap(a_of(f), a) == a.size();
            if (overlap(a_of(f), a) > 0 && overlap(b_of(f), b) > 0) part = std::min(part, i);
            return held_a ? Cells::Answer::stop : Cells::Answer::go_on;
        });
        cells_b.each(b, [&](std::uint32_t i) {
            held_b = overlap(b_of(fragments[i]), b) == b.size();
            return held_b ? Cells::Answer::stop : Cells::Answer::go_on;
        });
        if (held_a && held_b) continue;
        if (part == kNone) {
            cells_a.add(static_cast<std::uint32_t>(fragments.size()), a);
            cells_b.add(static_cast<std::uint32_t>(fragments.size()), b);
            fragments.push_back(as_fragment(run, texts, settings));
            continue;
        }
        Fragment& f = fragments[part];
        const Range whole_a = hull(a_of(f), a), whole_b = hull(b_of(f), b);
        cells_a.add(part, whole_a, a_of(f));
        cells_b.add(part, whole_b, b_of(f));
        f.a_begin = whole_a.begin, f.a_end = whole_a.end;
        f.b_begin = whole_b.begin, f.b_end = whole_b.end;
        f.run = std::max(f.run, run.words);
    }
    drop_contained(fragments, texts);
    std::sort(fragments.begin(), fragments.end(), stands_before);
}

// Evidence of the different words among the matched ones, each counted once. Tables and lists
// repeat few words, or have the numbers that all tables have.
double distinct_evidence(const std::vector<Run>& matches, const WordSequence& a,
                         const Texts2& texts, const AlignmentSettings& settings) {
    std::vector<std::uint32_t> words;
    for (const Run& run : matches) {
        for (std::uint32_t i = run.a; i < run.a + run.words; ++i) {
            if (a.letters[i] != kNumeral) words.push_back(texts.a.words[i]);
        }
    }
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    double sum = 0;
    for (const std::uint32_t word : words) {
        sum += std::min(texts.weights[word], std::log(settings.most_ratio));
    }
    return sum;
}

// Whether a passage has a long run, or else enough matched words, close enough together.
bool is_enough(const Fragment& f, const std::vector<Run>& matches, const WordSequence& a,
               const Texts2& texts, double least_evidence, const AlignmentSettings& settings) {
    const std::uint32_t matched = words_of(matches), all = a_of(f).size() + b_of(f).size();
    const double distinct = distinct_evidence(matches, a, texts, settings);
    const auto is_long_run = [&](const Run& run) { return is_long(run, a, settings.least_run); };
    if (settings.least_run > 0 && std::ranges::any_of(matches, is_long_run)) {
        // Words that repeat themselves: the run is a passage, what lies around it is not.
        return distinct >= std::min<double>(least_evidence, matched);
    }
    const double similarity = 2.0 * matched / all;
    // Few words keep their neighbour: the evidence is single words, and each must have enough.
    const bool loose_words = matched - matches.size() < kAdjacent * matched;
    const std::uint32_t longer = std::max(a_of(f).size(), b_of(f).size());
    if (loose_words && f.a_evidence < kLooseWordEvidence * longer) return false;
    return matched >= settings.least_words && similarity >= settings.least_similarity &&
           distinct >= least_evidence &&
           f.a_evidence >= least_evidence + (similarity < kLoose ? kLooseEvidence : 0);
}

// A text compared with itself is one passage, whatever its evidence, if it is long enough.
std::vector<AlignedPassage> same_text(const WordSequence& text, const AlignmentSettings& settings) {
    const auto words = static_cast<std::uint32_t>(text.words.size());
    const std::uint32_t least = settings.least_run > 0
                                    ? std::min(settings.least_run, settings.least_words)
                                    : settings.least_words;
    if (!is_long({0, 0, words}, text, least)) return {};
    const double lambda = settings.most_lambda;
    const double evidence = words * std::log(1 - lambda + lambda * settings.most_ratio);
    return {{0, words, 0, words, evidence, {{0, 0, words}}, false}};
}

// The runs that are passages by themselves.
std::vector<Run> long_runs(const WordSequence& a, const WordSequence& b,
                           const AlignmentSettings& settings) {
    std::vector<Run> runs = common_runs(a.forms, b.forms, settings.least_run);
    std::erase_if(runs, [&](const Run& run) { return !is_long(run, a, settings.least_run); });
    return runs;
}

// Every word of a long run counts as shared, also where a text has the run more often than the
// passages above pair it: each run that they leave half unmatched, on either side, is a passage.
void add_unmatched_runs(std::vector<Run> runs, const Texts2& texts,
                        const AlignmentSettings& settings, std::vector<AlignedPassage>& passages) {
    std::vector<std::uint8_t> in_a(texts.a.size()), in_b(texts.b.size());
    const auto mark = [&](const Run& run) {
        std::fill_n(in_a.begin() + run.a, run.words, 1);
        std::fill_n(in_b.begin() + run.b, run.words, 1);
    };
    for (const AlignedPassage& passage : passages) std::ranges::for_each(passage.matches, mark);
    std::stable_sort(runs.begin(), runs.end(),
                     [](const Run& x, const Run& y) { return x.words > y.words; });
    const std::size_t before = passages.size();
    for (const Run& run : runs) {
        poll_interruption();
        const auto unmatched = [&](const std::vector<std::uint8_t>& in, std::uint32_t begin) {
            return std::count(in.begin() + begin, in.begin() + begin + run.words, 0);
        };
        const auto most = std::max(unmatched(in_a, run.a), unmatched(in_b, run.b));
        if (2 * most < settings.least_run) continue;
        mark(run);
        const Fragment f = as_fragment(run, texts, settings);
        passages.push_back({f.a_begin, f.a_end, f.b_begin, f.b_end, f.a_evidence, {run}, false});
    }
    if (passages.size() == before) return;
    std::ranges::sort(passages, {}, [](const AlignedPassage& p) {
        return std::tuple(p.a_begin, p.b_begin, p.a_end, p.b_end);
    });
}

// Reworded stretches of a that draw on b, and of b that draw on a.
void add_reworded(const Texts2& texts, std::vector<Fragment> fragments, std::vector<Run> runs,
                  const AlignmentSettings& settings, std::vector<AlignedPassage>& passages) {
    if (const auto found =
            find_reworded(texts.a, texts.b, texts.rates, fragments, runs, settings)) {
        passages.push_back({found->stretch.begin, found->stretch.end, found->source.begin,
                            found->source.end, found->evidence, found->matches, true});
    }
    for (Fragment& f : fragments) {
        std::swap(f.a_begin, f.b_begin), std::swap(f.a_end, f.b_end);
        std::swap(f.a_evidence, f.b_evidence), std::swap(f.a_lambda, f.b_lambda);
    }
    for (Run& run : runs) std::swap(run.a, run.b);
    if (auto found = find_reworded(texts.b, texts.a, texts.rates, fragments, runs, settings)) {
        for (Run& match : found->matches) std::swap(match.a, match.b);
        std::sort(found->matches.begin(), found->matches.end(),
                  [](const Run& x, const Run& y) { return x.a < y.a; });
        passages.push_back({found->source.begin, found->source.end, found->stretch.begin,
                            found->stretch.end, found->evidence, found->matches, true});
    }
}

}  // namespace

std::vector<AlignedPassage> align(const WordSequence& a, const WordSequence& b,
                                  std::span<const double> rates,
                                  const AlignmentSettings& settings) {
    if (a.words.empty() || b.words.empty()) return {};
    if (std::ranges::equal(a.forms, b.forms)) return same_text(a, settings);
    const Texts2 texts(a, b, rates);
    const std::vector<Run> runs = long_runs(a, b, settings);
    std::vector<Fragment> fragments = Alignment(a, b, texts, runs, settings).run();
    cover_runs(runs, texts, settings, fragments);
    const double least_evidence = least_evidence_of(texts, settings);
    std::vector<AlignedPassage> passages;
    std::erase_if(fragments, [&](const Fragment& f) {
        std::vector<Run> matches = match_words(a, b, a_of(f), b_of(f));
        if (!is_enough(f, matches, a, texts, least_evidence, settings)) return true;
        passages.push_back(
            {f.a_begin, f.a_end, f.b_begin, f.b_end, f.a_evidence, std::move(matches), false});
        return false;
    });
    add_unmatched_runs(runs, texts, settings, passages);
    if (settings.reworded) add_reworded(texts, std::move(fragments), runs, settings, passages);
    return passages;
}

std::vector<AlignedPassage> align_similar(const WordSequence& a, const Spelling& in_a,
                                          const WordSequence& b, const Spelling& in_b,
                                          std::span<const double> rates,
                                          const AlignmentSettings& settings) {
    const Respelled made = respell(a, in_a, b, in_b);
    std::vector<AlignedPassage> passages =
        align({made.a_words, made.a_forms, a.gaps, a.letters},
              {made.b_words, made.b_forms, b.gaps, b.letters}, rates, settings);
    if (made.alignments.empty()) return passages;
    for (AlignedPassage& passage : passages) keep_similar(passage.matches, a, in_a, b, in_b);
    std::erase_if(passages, [](const AlignedPassage& passage) { return passage.matches.empty(); });
    // A run of words of which some were taken for other spellings elsewhere is still a passage.
    std::vector<AlignedPassage> reworded;
    std::ranges::copy_if(passages, std::back_inserter(reworded), &AlignedPassage::reworded);
    std::erase_if(passages, [](const AlignedPassage& passage) { return passage.reworded; });
    const Texts2 texts(a, b, rates);
    add_unmatched_runs(long_runs(a, b, settings), texts, settings, passages);
    std::ranges::move(reworded, std::back_inserter(passages));
    return passages;
}

std::vector<std::vector<AlignedPassage>> align_pairs(
    std::span<const std::uint32_t> words, std::span<const std::uint32_t> forms,
    std::span<const Gap> gaps, std::span<const std::uint8_t> letters,
    std::span<const std::uint64_t> offsets, std::span<const PairToAlign> pairs,
    std::span<const double> rates, const Spelling& spelling, const AlignmentSettings& settings,
    unsigned threads) {
    const auto text = [&](std::uint32_t i) {
        const std::size_t size = offsets[i + 1] - offsets[i];
        return WordSequence{words.subspan(offsets[i], size), forms.subspan(offsets[i], size),
                            gaps.subspan(offsets[i] + i, size + 1),
                            letters.subspan(offsets[i], size)};
    };
    const auto spelled = [&](std::uint32_t i) {
        const auto begins = spelling.begins.subspan(offsets[i], offsets[i + 1] - offsets[i] + 1);
        return Spelling{spelling.letters, begins};
    };
    std::vector<std::vector<AlignedPassage>> found(pairs.size());
    parallel_ranges(
        pairs.size(), 1, threads, [] { return 0; },
        [&](int, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const auto [a, b] = pairs[i];
                found[i] = spelling.begins.empty() ? align(text(a), text(b), rates, settings)
                                                   : align_similar(text(a), spelled(a), text(b),
                                                                   spelled(b), rates, settings);
            }
        });
    return found;
}

}  // namespace likewise
