#include "alignment/candidates.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "alignment/segments.hpp"
#include "interruption.hpp"

namespace likewise {

namespace {

constexpr std::uint32_t kShort = 8192;  // words of a text that is scanned as a whole
constexpr std::uint32_t kBlock = 64;    // words of a longer one that are looked at together
constexpr std::size_t kMostHot = 32;    // blocks that one window is compared with
constexpr std::size_t kMostMean = 4;    // candidates for a window, in the mean

struct Candidate {
    RangePair ranges;
    double sum;
    bool is_best;  // of its window
};

// Long runs of equal words need no search: they are fragments as they are.
class LongRuns {
  public:
    LongRuns(std::span<const Run> runs, std::uint32_t least) {
        std::copy_if(runs.begin(), runs.end(), std::back_inserter(runs_),
                     [&](const Run& run) { return run.words >= least; });
        std::sort(runs_.begin(), runs_.end(),
                  [](const Run& x, const Run& y) { return x.b != y.b ? x.b < y.b : x.a < y.a; });
    }

    // Those that contain this window of b; windows come in the order of b.
    void move_to(Range window) {
        while (next_ < runs_.size() && runs_[next_].b <= window.begin) {
            here_.push_back(runs_[next_++]);
        }
        std::erase_if(here_, [&](const Run& run) { return run.b + run.words < window.end; });
        window_ = window;
    }

    // Whether the stretch of a is what one of them has in place of the window.
    bool hold(Range a) const {
        return std::any_of(here_.begin(), here_.end(), [&](const Run& run) {
            const std::uint32_t begin = run.a + (window_.begin - run.b);
            const Range all{run.a, run.a + run.words}, same{begin, begin + window_.size()};
            return overlap(all, a) == a.size() && distance(same, a) == 0;
        });
    }

  private:
    std::vector<Run> runs_, here_;
    std::size_t next_ = 0;
    Range window_{0, 0};
};

class Search {
  public:
    Search(const Texts2& texts, std::span<const Run> runs, const AlignmentSettings& settings)
        : texts_(texts),
          settings_(settings),
          miss_(std::log(1 - settings.candidate_lambda)),
          least_(settings.candidate_evidence + std::log(std::max(1u, texts.a.size())) +
                 std::log(std::max(1u, texts.b.size() / settings.stride))),
          short_(texts.a.size() <= kShort),
          budget_(std::min(settings.window_budget, texts.a.size() / kBlock)),
          long_runs_(runs, settings.longest),
          counts_(texts.rates.size()),
          scores_(texts.rates.size(), miss_),
          sums_(short_ ? 0 : texts.a.size() / kBlock + 3) {}

    // Adds the stretches of a that speak for this window of b.
    void look(Range window, std::vector<Candidate>& out) {
        gather(window);
        if (words_.empty()) return;
        found_.clear();
        if (short_) {
            scan(texts_.a.all());
        } else {
            scan_hot_blocks();
        }
        for (const std::uint32_t word : words_) scores_[word] = miss_;
        if (found_.size() > settings_.window_candidates) {
            std::stable_sort(found_.begin(), found_.end(),
                             [](const Segment2& x, const Segment2& y) { return x.sum > y.sum; });
            found_.resize(settings_.window_candidates);
        }
        long_runs_.move_to(window);
        double most = 0;
        for (const Segment2& found : found_) most = std::max(most, found.sum);
        for (const Segment2& found : found_) {
            if (long_runs_.hold(found.range)) continue;
            out.push_back({{found.range, window}, found.sum, found.sum == most});
        }
    }

  private:
    // The words of the window that are also in a, and their scores.
    void gather(Range window) {
        words_.clear();
        for (std::uint32_t i = window.begin; i < window.end; ++i) {
            const std::uint32_t word = texts_.b.words[i];
            if (texts_.a.count(word) > 0 && counts_[word]++ == 0) words_.push_back(word);
        }
        const double lambda = settings_.candidate_lambda;
        for (const std::uint32_t word : words_) {
            // This occurrence does not speak for the word being common in a.
            const double own = (texts_.a.count(word) - 1.0) / texts_.a.size();
            const double background =
                settings_.own_share * own + (1 - settings_.own_share) * texts_.rates[word];
            const double rate = static_cast<double>(counts_[word]) / window.size();
            const double ratio = std::min(settings_.most_ratio, rate / background);
            scores_[word] = std::log(1 - lambda + lambda * ratio);
            counts_[word] = 0;
        }
    }

    // Word by word.
    void scan(Range range) {
        segments_.clear();
        for (std::uint32_t i = range.begin; i < range.end; ++i) {
            segments_.add(i, scores_[texts_.a.words[i]]);
        }
        for (const Segment2& found : segments_.found()) {
            if (found.sum >= least_) found_.push_back(found);
        }
    }

    // A long text is scanned only where rare words of the window are close together.
    void scan_hot_blocks() {
        const auto rarer = [&](std::uint32_t x, std::uint32_t y) {
            const std::uint32_t of_x = texts_.a.count(x), of_y = texts_.a.count(y);
            return of_x != of_y ? of_x < of_y : x < y;
        };
        std::sort(words_.begin(), words_.end(), rarer);
        touched_.clear();
        std::uint64_t looked_at = 0;
        for (const std::uint32_t word : words_) {
            looked_at += texts_.a.count(word);
            if (looked_at > budget_) break;
            const auto score = static_cast<float>(scores_[word]);
            if (score <= 0) continue;
            for (const std::uint32_t place : texts_.a.places_of(word)) {
                float& sum = sums_[place / kBlock + 1];
                if (sum == 0) touched_.push_back(place / kBlock + 1);
                sum += score;
            }
        }
        hot_.clear();
        for (const std::uint32_t block : touched_) {
            const float sum = sums_[block] + std::max(sums_[block - 1], sums_[block + 1]);
            if (sum >= least_) hot_.push_back({sum, block - 1});
        }
        for (const std::uint32_t block : touched_) sums_[block] = 0;
        if (hot_.size() > kMostHot) {
            const auto hotter = [](const Hot& x, const Hot& y) {
                return x.sum != y.sum ? x.sum > y.sum : x.block < y.block;
            };
            std::nth_element(hot_.begin(), hot_.begin() + kMostHot, hot_.end(), hotter);
            hot_.resize(kMostHot);
        }
        std::sort(hot_.begin(), hot_.end(),
                  [](const Hot& x, const Hot& y) { return x.block < y.block; });
        for (std::size_t i = 0; i < hot_.size();) {
            // With a block on each side.
            const std::uint32_t first = hot_[i].block;
            std::uint32_t last = first;
            while (++i < hot_.size() && hot_[i].block <= last + 2) last = hot_[i].block;
            scan({(first > 0 ? first - 1 : 0) * kBlock,
                  std::min(texts_.a.size(), (last + 2) * kBlock)});
        }
    }

    struct Hot {
        float sum;
        std::uint32_t block;
    };

    const Texts2& texts_;
    const AlignmentSettings& settings_;
    const double miss_, least_;
    const bool short_;
    const std::uint32_t budget_;  // so that by chance a block has at most one rare word
    LongRuns long_runs_;
    std::vector<std::uint32_t> counts_;
    std::vector<double> scores_;
    std::vector<float> sums_;  // by block of a, from 1 on
    std::vector<std::uint32_t> words_, touched_;
    std::vector<Hot> hot_;
    MaximalSegments segments_;
    std::vector<Segment2> found_;
};

// Where much is like much else, the best of each window and of the others the strongest.
void drop_weak(std::vector<Candidate>& found, std::size_t most) {
    if (found.size() <= most) return;
    const auto stronger = [](const Candidate& x, const Candidate& y) {
        if (x.is_best != y.is_best) return x.is_best;
        if (x.sum != y.sum) return x.sum > y.sum;
        if (x.ranges.b.begin != y.ranges.b.begin) return x.ranges.b.begin < y.ranges.b.begin;
        return x.ranges.a.begin < y.ranges.a.begin;
    };
    std::nth_element(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(most), found.end(),
                     stronger);
    found.resize(most);
    std::sort(found.begin(), found.end(), [](const Candidate& x, const Candidate& y) {
        if (x.ranges.b.begin != y.ranges.b.begin) return x.ranges.b.begin < y.ranges.b.begin;
        return x.ranges.a.begin < y.ranges.a.begin;
    });
}

// Merges candidates of neighbouring windows that touch in a, up to the maximum length.
std::vector<RangePair> join_neighbours(const std::vector<Candidate>& found, std::uint32_t longest) {
    std::vector<RangePair> joined;
    std::size_t open = 0;  // from here on windows may still touch the next one
    for (const auto& [next, sum, is_best] : found) {
        while (open < joined.size() && joined[open].b.end <= next.b.begin) ++open;
        bool met = false;
        for (std::size_t i = open; i < joined.size() && !met; ++i) {
            RangePair& before = joined[i];
            const std::uint32_t shorter = std::min(before.a.size(), next.a.size());
            if (overlap(before.b, next.b) == 0) continue;
            if (2 * overlap(before.a, next.a) < shorter) continue;
            const RangePair both{hull(before.a, next.a), hull(before.b, next.b)};
            if (both.a.size() > longest || both.b.size() > longest) continue;
            before = both;
            met = true;
        }
        if (!met) joined.push_back(next);
    }
    return joined;
}

}  // namespace

std::vector<RangePair> find_range_pairs(const Texts2& texts, std::span<const Run> runs,
                                        const AlignmentSettings& settings) {
    std::vector<Candidate> found;
    if (texts.a.size() == 0 || texts.b.size() == 0) return {};
    Search search(texts, runs, settings);
    std::size_t windows = 1;
    for (std::uint32_t begin = 0;; begin += settings.stride, ++windows) {
        poll_interruption();
        const std::uint32_t end = std::min(texts.b.size(), begin + settings.window);
        search.look({begin, end}, found);
        if (end == texts.b.size()) break;
    }
    drop_weak(found, kMostMean * windows + kMostHot);
    return join_neighbours(found, settings.longest);
}

}  // namespace likewise
