#include "alignment_summary.hpp"

#include <algorithm>
#include <cmath>

#include "alignment_segments.hpp"

namespace likewise {

namespace {

constexpr double kStrong = 2;         // evidence of a word that tells much by itself
constexpr double kFirstLambda = 0.6;  // before it is estimated

class Summary {
  public:
    Summary(const Texts2& texts, const AlignmentSettings& settings)
        : texts_(texts),
          settings_(settings),
          inside_(texts.rates.size()),
          ratios_(texts.rates.size()),
          by_word_(texts.rates.size()),
          lambda_(kFirstLambda) {}

    void add_to(std::vector<Fragment>& fragments) {
        const Text& a = texts_.a;
        Segment2 best{{0, 0}, 0};
        for (int round = 0; round < 4; ++round) {
            const Range before = best.range;
            score(before);
            best = best_segment(values_, 0, a.gaps, settings_.edges);
            if (best.range == before) break;
        }
        const Range range = best.range;
        if (range.size() < settings_.summary_words ||
            texts_.b.size() < settings_.summary_ratio * range.size() ||
            best.sum < settings_.summary_evidence_per_word * range.size()) {
            return;
        }
        const double distinct = evidence_of_different_words(range);
        if (distinct < settings_.summary_evidence) return;
        if (best.sum < settings_.summary_gain * most_by_one(range, fragments)) return;
        std::erase_if(fragments, [&](const Fragment& f) {
            const Range own{f.a_begin, f.a_end};
            return 2 * overlap(own, range) >= own.size();
        });
        const Range source = settings_.summary_whole ? texts_.b.all() : source_of(range);
        const Fragment found{range.begin, range.end, source.begin, source.end, best.sum,
                             distinct,    lambda_,   lambda_,      0,          0,
                             0,           0,         true};
        fragments.push_back(found);
        std::sort(fragments.begin(), fragments.end(), [](const Fragment& f, const Fragment& g) {
            return f.a_begin != g.a_begin ? f.a_begin < g.a_begin : f.b_begin < g.b_begin;
        });
    }

  private:
    // Evidence of each word of a given all of b; the words of `fragment` are no background.
    void score(Range fragment) {
        const Text &a = texts_.a, &b = texts_.b;
        for (std::uint32_t i = fragment.begin; i < fragment.end; ++i) ++inside_[a.words[i]];
        const std::uint32_t outside = a.size() - fragment.size();
        for (std::uint32_t word = 0; word < ratios_.size(); ++word) {
            if (a.count(word) == 0) continue;
            std::uint32_t others = a.count(word) - inside_[word];
            if (fragment.size() == 0) --others;
            const double own = outside > 0 ? static_cast<double>(others) / outside : 0;
            const double background =
                settings_.own_share * own + (1 - settings_.own_share) * texts_.rates[word];
            ratios_[word] = std::min(settings_.most_ratio,
                                     static_cast<double>(b.count(word)) / b.size() / background);
        }
        if (fragment.size() > 0) lambda_ = estimate_lambda(fragment);
        for (std::uint32_t word = 0; word < ratios_.size(); ++word) {
            by_word_[word] = std::log(1 - lambda_ + lambda_ * ratios_[word]);
        }
        values_.resize(a.size());
        for (std::uint32_t i = 0; i < a.size(); ++i) values_[i] = by_word_[a.words[i]];
        for (std::uint32_t i = fragment.begin; i < fragment.end; ++i) inside_[a.words[i]] = 0;
    }

    double estimate_lambda(Range fragment) const {
        double lambda = kFirstLambda;
        for (int round = 0; round < 8; ++round) {
            double sum = 0;
            for (std::uint32_t i = fragment.begin; i < fragment.end; ++i) {
                const double ratio = ratios_[texts_.a.words[i]];
                sum += lambda * ratio / (1 - lambda + lambda * ratio);
            }
            lambda =
                std::clamp(sum / fragment.size(), settings_.least_lambda, settings_.most_lambda);
        }
        return lambda;
    }

    double evidence_of_different_words(Range range) {
        double sum = 0;
        for (std::uint32_t i = range.begin; i < range.end; ++i) {
            const std::uint32_t word = texts_.a.words[i];
            if (inside_[word]++ == 0) sum += values_[i];
        }
        for (std::uint32_t i = range.begin; i < range.end; ++i) inside_[texts_.a.words[i]] = 0;
        return sum;
    }

    // The evidence of the one fragment that says most about the range.
    static double most_by_one(Range range, const std::vector<Fragment>& fragments) {
        double most = 0;
        for (const Fragment& f : fragments) {
            const Range own{f.a_begin, f.a_end};
            most = std::max(most, f.a_evidence * overlap(own, range) / own.size());
        }
        return most;
    }

    // From the first to the last strong word of the range in b.
    Range source_of(Range range) const {
        Range source{texts_.b.size(), 0};
        for (std::uint32_t i = range.begin; i < range.end; ++i) {
            if (values_[i] < kStrong) continue;
            const auto places = texts_.b.places_of(texts_.a.words[i]);
            if (places.empty()) continue;
            source.begin = std::min(source.begin, places.front());
            source.end = std::max(source.end, places.back() + 1);
        }
        return source.begin < source.end ? source : texts_.b.all();
    }

    const Texts2& texts_;
    const AlignmentSettings& settings_;
    std::vector<std::uint32_t> inside_;
    std::vector<double> ratios_, by_word_;  // of each word
    std::vector<double> values_;            // of each place
    double lambda_;
};

}  // namespace

void add_summary(const Texts2& texts, const AlignmentSettings& settings,
                 std::vector<Fragment>& fragments) {
    Summary(texts, settings).add_to(fragments);
}

}  // namespace likewise
