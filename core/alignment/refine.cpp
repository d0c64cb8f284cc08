#include "alignment/refine.hpp"

#include <algorithm>
#include <cmath>

#include "alignment/segments.hpp"
#include "interruption.hpp"

namespace likewise {

namespace {

// Occurrences on both sides multiplied; above it they are not weighed pair by pair.
constexpr std::uint64_t kMostPairs = 400;
constexpr double kFirstLambda = 0.7;  // before it is estimated
constexpr double kPriorWords = 50;  // at general rates: where a fragment is nearly all of its text
constexpr double kHopeless = 0.25;  // of the least evidence, after a round: given up

}  // namespace

Refinement::Refinement(const Texts2& texts, const AlignmentSettings& settings)
    : texts_(texts),
      settings_(settings),
      in_given_(texts.rates.size()),
      in_fragment_(texts.rates.size()),
      in_region_(texts.rates.size()),
      settled_(texts.rates.size()),
      stamps_(texts.rates.size()) {}

// Where a word occurs more often here than in the given range, those occurrences whose
// surroundings fit worst are not matched.
void Refinement::mark_surplus(const Text& x, Range region, const Text& y, Range given) {
    unmatched_.assign(region.size(), 0);
    for (std::uint32_t i = region.begin; i < region.end; ++i) {
        const std::uint32_t word = x.words[i];
        if (in_given_[word] == 0) {
            unmatched_[i - region.begin] = 1;
            continue;
        }
        if (in_region_[word] <= in_given_[word] || settled_[word]) continue;
        settled_[word] = 1;
        const auto inside = [](std::span<const std::uint32_t> places, Range range) {
            return std::span(std::lower_bound(places.begin(), places.end(), range.begin),
                             std::lower_bound(places.begin(), places.end(), range.end));
        };
        const auto here = inside(x.places_of(word), region);
        here_.assign(here.begin(), here.end());
        const std::uint64_t pairs = std::uint64_t{in_region_[word]} * in_given_[word];
        if (pairs <= kMostPairs) {
            const auto there = inside(y.places_of(word), given);
            there_.assign(there.begin(), there.end());
            choose_by_pairs(x, y, given);
        } else {
            choose_by_company(x, region, in_given_[word]);
        }
        for (const std::uint32_t place : here_) {
            if (place != kNone) unmatched_[place - region.begin] = 1;
        }
    }
    for (std::uint32_t i = region.begin; i < region.end; ++i) settled_[x.words[i]] = 0;
}

// Takes out of here_ (by kNone) the occurrences that are matched, greedily by the words that the
// surroundings of two occurrences share.
void Refinement::choose_by_pairs(const Text& x, const Text& y, Range given) {
    const std::uint32_t context = settings_.context;
    scored_.clear();
    for (std::uint32_t j = 0; j < there_.size(); ++j) {
        ++stamp_;
        const Range around = widen({there_[j], there_[j] + 1}, context, y.size());
        const std::uint32_t first = std::max(around.begin, given.begin);
        const std::uint32_t last = std::min(around.end, given.end);
        for (std::uint32_t k = first; k < last; ++k) {
            if (k != there_[j]) stamps_[y.words[k]] = stamp_;
        }
        for (std::uint32_t i = 0; i < here_.size(); ++i) {
            double sum = 0;
            const Range near = widen({here_[i], here_[i] + 1}, context, x.size());
            for (std::uint32_t k = near.begin; k < near.end; ++k) {
                const std::uint32_t word = x.words[k];
                if (stamps_[word] != stamp_ || k == here_[i]) continue;
                const std::uint32_t away = k > here_[i] ? k - here_[i] : here_[i] - k;
                sum += texts_.weights[word] / (1 + away);
            }
            scored_.push_back({sum, i, j});
        }
    }
    std::sort(scored_.begin(), scored_.end(), [](const Scored& p, const Scored& q) {
        if (p.score != q.score) return p.score > q.score;
        return p.i != q.i ? p.i < q.i : p.j < q.j;
    });
    for (const Scored& pair : scored_) {
        if (here_[pair.i] == kNone || there_[pair.j] == kNone) continue;
        here_[pair.i] = there_[pair.j] = kNone;
    }
}

// The same for words that occur very often: those in the best company, whatever they pair with.
void Refinement::choose_by_company(const Text& x, Range region, std::uint32_t keep) {
    scored_.clear();
    for (std::uint32_t i = 0; i < here_.size(); ++i) {
        double sum = 0;
        const Range near = widen({here_[i], here_[i] + 1}, settings_.context, x.size());
        for (std::uint32_t k = std::max(near.begin, region.begin);
             k < std::min(near.end, region.end); ++k) {
            const std::uint32_t word = x.words[k];
            if (in_given_[word] == 0 || k == here_[i]) continue;
            const std::uint32_t away = k > here_[i] ? k - here_[i] : here_[i] - k;
            sum += texts_.weights[word] / (1 + away);
        }
        scored_.push_back({sum, i, 0});
    }
    std::sort(scored_.begin(), scored_.end(), [](const Scored& p, const Scored& q) {
        return p.score != q.score ? p.score > q.score : p.i < q.i;
    });
    for (std::uint32_t i = 0; i < keep; ++i) here_[scored_[i].i] = kNone;
}

double Refinement::ratio(std::uint32_t word, const Text& x, Range fragment,
                         std::uint32_t given_size) const {
    const std::uint32_t outside = x.size() - fragment.size();
    const double others = x.count(word) - in_fragment_[word];
    const double own = (others + kPriorWords * texts_.rates[word]) / (outside + kPriorWords);
    const double background =
        settings_.own_share * own + (1 - settings_.own_share) * texts_.rates[word];
    const double rate = static_cast<double>(in_given_[word]) / given_size;
    return std::min(settings_.most_ratio, rate / background);
}

// By expectation and maximisation over the words of the fragment.
double Refinement::estimate_lambda(Range region, Range fragment) const {
    double lambda = kFirstLambda;
    for (int round = 0; round < 8; ++round) {
        double sum = 0;
        for (std::uint32_t i = fragment.begin; i < fragment.end; ++i) {
            const double r = ratios_[i - region.begin];
            sum += lambda * r / (1 - lambda + lambda * r);
        }
        lambda = std::clamp(sum / fragment.size(), settings_.least_lambda, settings_.most_lambda);
    }
    return lambda;
}

// Evidence of each word of the region of x, given a range of y; the fragment's own words are not
// part of the background. Gives the lambda it estimates.
double Refinement::score(const Text& x, Range region, Range fragment, const Text& y, Range given) {
    const auto count = [](const Text& text, Range range, std::vector<std::uint32_t>& into) {
        for (std::uint32_t i = range.begin; i < range.end; ++i) ++into[text.words[i]];
    };
    const auto clear = [](const Text& text, Range range, std::vector<std::uint32_t>& in) {
        for (std::uint32_t i = range.begin; i < range.end; ++i) in[text.words[i]] = 0;
    };
    count(y, given, in_given_);
    count(x, fragment, in_fragment_);
    count(x, region, in_region_);
    mark_surplus(x, region, y, given);
    ratios_.resize(region.size());
    for (std::uint32_t i = region.begin; i < region.end; ++i) {
        const bool matched = !unmatched_[i - region.begin];
        ratios_[i - region.begin] = matched ? ratio(x.words[i], x, fragment, given.size()) : 0.0;
    }
    const double lambda = estimate_lambda(region, fragment);
    values_.resize(region.size());
    for (std::uint32_t i = 0; i < region.size(); ++i) {
        values_[i] = std::log(1 - lambda + lambda * ratios_[i]);
    }
    clear(y, given, in_given_);
    clear(x, fragment, in_fragment_);
    clear(x, region, in_region_);
    return lambda;
}

Refinement::Side Refinement::move_edges(const Text& x, Range fragment, const Text& y, Range given) {
    const Range region = widen(fragment, settings_.reach, x.size());
    const double lambda = score(x, region, fragment, y, given);
    const Segment2 best = best_segment(values_, region.begin, x.gaps, settings_.edges);
    return {best.range, best.sum, lambda};
}

Fragment Refinement::refine(RangePair start) {
    poll_interruption();
    Side a{start.a, 0, 0}, b{start.b, 0, 0};
    for (std::uint32_t round = 0; round < settings_.rounds; ++round) {
        const Range before_a = a.range, before_b = b.range;
        a = move_edges(texts_.a, a.range, texts_.b, b.range);
        if (a.range.size() == 0) break;
        b = move_edges(texts_.b, b.range, texts_.a, a.range);
        if (b.range.size() == 0 || (a.range == before_a && b.range == before_b)) break;
        if (std::max(a.evidence, b.evidence) < kHopeless * settings_.least_evidence) break;
    }
    return {a.range.begin, a.range.end, b.range.begin,
            b.range.end,   a.evidence,  b.evidence,
            a.lambda,      b.lambda,    0};
}

}  // namespace likewise
