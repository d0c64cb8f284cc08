#include "alignment/reworded.hpp"

#include <algorithm>
#include <cmath>

#include "alignment/segments.hpp"
#include "interruption.hpp"

namespace likewise {

namespace {

constexpr double kStrong = 2;         // evidence of a word that is strong by itself
constexpr double kFirstLambda = 0.6;  // before it is estimated
constexpr double kLeastSourceLambda = 0.2;
constexpr int kRounds = 4;
// The background is shrunk as if it had this many more words at general rates: it cannot vanish
// where a stretch is all of its text. More of them where the source is a part of a long text.
constexpr double kPriorWords = 50, kPriorWordsLocal = 500;
constexpr std::uint32_t kLeastOthers = 25;  // words of the stretch that are in no equal run
// Passages that explain a stretch by themselves.
constexpr std::uint32_t kLongPassage = 50;
constexpr double kPassageLambda = 0.6, kPassageSource = 2, kExplained = 0.6,
                 kExplainedInShorter = 0.1, kDense = 90;

enum InRun : std::uint8_t { kOutside, kShort, kLong };  // of a place

class Search {
  public:
    Search(const Text& x, const Text& y, std::span<const double> rates,
           std::span<const Fragment> copied, std::span<const Run> runs,
           const AlignmentSettings& settings)
        : x_(x),
          y_(y),
          rates_(rates),
          copied_(copied),
          runs_(runs),
          settings_(settings),
          source_(y.all()),
          in_stretch_(rates.size()),
          in_source_(rates.size()),
          ratios_(rates.size()),
          in_run_(x.size()) {
        for (const Run& run : runs) {
            const std::uint8_t how = run.words >= kLongPassage ? kLong : kShort;
            std::fill_n(in_run_.begin() + run.a, run.words, how);
        }
    }

    std::optional<Reworded> found() {
        if (x_.size() < settings_.reworded_words ||
            y_.size() < settings_.reworded_ratio * settings_.reworded_words) {
            return std::nullopt;
        }
        for (int round = 0; round < kRounds; ++round) {
            const Range before = stretch_;
            find_stretch();
            if (stretch_ == before) break;
        }
        if (y_.size() > settings_.reworded_long && !narrow_source()) return std::nullopt;
        if (!is_convincing()) return std::nullopt;
        const std::vector<Run> matches = telling_words();
        if (matches.empty()) return std::nullopt;
        Range source{matches[0].b, matches[0].b + 1};
        for (const Run& match : matches) {
            for (const std::uint32_t place : y_.places_of(x_.words[match.a])) {
                if (overlap({place, place + 1}, source_) > 0)
                    source = hull(source, {place, place + 1});
            }
        }
        return Reworded{stretch_, source, distinct_, matches};
    }

  private:
    bool is_local() const { return source_ != y_.all(); }

    static void count(const Text& text, Range range, std::vector<std::uint32_t>& into) {
        for (std::uint32_t i = range.begin; i < range.end; ++i) ++into[text.words[i]];
    }
    static void clear(const Text& text, Range range, std::vector<std::uint32_t>& in) {
        for (std::uint32_t i = range.begin; i < range.end; ++i) in[text.words[i]] = 0;
    }

    // How often a word occurs elsewhere: in the rest of x, of y where the source is a part of it,
    // and in general.
    double background(std::uint32_t word) const {
        const double prior = is_local() ? kPriorWordsLocal : kPriorWords;
        double others = x_.count(word) - in_stretch_[word];
        double size = x_.size() - stretch_.size();
        if (stretch_.size() == 0) others -= 1;  // the word that is looked at
        if (is_local()) {
            others += y_.count(word) - in_source_[word];
            size += y_.size() - source_.size();
        }
        const double own = (std::max(others, 0.0) + prior * rates_[word]) / (size + prior);
        // General rates may be far too low for what these texts say all the time.
        return std::max(own, settings_.own_share * own + (1 - settings_.own_share) * rates_[word]);
    }

    // The likelihood ratio of each word of `of` given `given`; both are counted already.
    void rate(const Text& of, const std::vector<std::uint32_t>& given, std::uint32_t given_size) {
        for (const std::uint32_t word : of.words) {
            ratios_[word] = std::min(settings_.most_ratio, static_cast<double>(given[word]) /
                                                               given_size / background(word));
        }
    }

    double estimate_lambda(const Text& text, Range range, double least) const {
        double lambda = kFirstLambda;
        for (int round = 0; round < 8 && range.size() > 0; ++round) {
            double sum = 0;
            for (std::uint32_t i = range.begin; i < range.end; ++i) {
                const double ratio = ratios_[text.words[i]];
                sum += lambda * ratio / (1 - lambda + lambda * ratio);
            }
            lambda = std::clamp(sum / range.size(), least, settings_.most_lambda);
        }
        return lambda;
    }

    // Words in a long run that both texts have say nothing: they are copied as they are. Short runs
    // may be quotations in a summary.
    Segment2 best(const Text& text, Range range, double least_lambda,
                  std::span<const std::uint8_t> in_run = {}) {
        poll_interruption();
        const double lambda = estimate_lambda(text, range, least_lambda);
        values_.resize(text.size());
        for (std::uint32_t i = 0; i < text.size(); ++i) {
            const bool copied = !in_run.empty() && in_run[i] == kLong;
            values_[i] = copied ? 0 : std::log(1 - lambda + lambda * ratios_[text.words[i]]);
        }
        return best_segment(values_, 0, text.gaps, settings_.edges);
    }

    // The stretch of x with the most evidence for the source as it is.
    void find_stretch() {
        count(x_, stretch_, in_stretch_);
        count(y_, source_, in_source_);
        rate(x_, in_source_, source_.size());
        clear(x_, stretch_, in_stretch_);
        clear(y_, source_, in_source_);
        const Segment2 found = best(x_, stretch_, settings_.least_lambda, in_run_);
        stretch_ = found.range;
        sum_ = found.sum;
    }

    // In a long text, the part of it with the most evidence for the stretch, alternating with it.
    bool narrow_source() {
        for (int round = 0; round < kRounds; ++round) {
            const Range before = source_, stretch = stretch_;
            if (stretch.size() == 0) return false;
            count(x_, stretch_, in_stretch_);
            count(y_, source_, in_source_);
            rate(y_, in_stretch_, stretch_.size());
            clear(x_, stretch_, in_stretch_);
            clear(y_, source_, in_source_);
            const Range part =
                best(y_, is_local() ? source_ : Range{0, 0}, kLeastSourceLambda).range;
            if (part.size() < settings_.reworded_ratio * stretch.size()) return false;
            source_ = part;
            find_stretch();
            if (source_ == before && stretch_ == stretch) break;
        }
        return true;
    }

    bool is_convincing() {
        const double size = stretch_.size();
        if (size < settings_.reworded_words || source_.size() < settings_.reworded_ratio * size ||
            sum_ < settings_.reworded_evidence_per_word * size) {
            return false;
        }
        std::uint32_t others = 0;
        distinct_ = 0;
        for (std::uint32_t i = stretch_.begin; i < stretch_.end; ++i) {
            if (in_run_[i]) continue;
            ++others;
            if (in_stretch_[x_.words[i]]++ == 0) distinct_ += values_[i];
        }
        clear(x_, stretch_, in_stretch_);
        return others >= kLeastOthers && distinct_ >= settings_.reworded_evidence &&
               distinct_ >= settings_.reworded_distinct_per_word * size &&
               distinct_ >= settings_.reworded_distinct_per_thousand * source_.size() / 1000 &&
               sum_ >= evidence_of_one() && !is_explained();
    }

    // The evidence of the passage that explains most of the stretch.
    double evidence_of_one() const {
        double most = 0;
        for (const Fragment& f : copied_) {
            most = std::max(most, f.a_evidence * overlap(a_of(f), stretch_) / a_of(f).size());
        }
        return most;
    }

    // Whether passages account for the stretch. In the longer text only long ones, one after
    // another, do: a summary may quote sentences. In the shorter one a copied part is often most of
    // what there is, and would seem to come from all over the longer text.
    bool is_explained() const {
        std::uint32_t count = 0, in_long = 0, in_any = 0;
        for (const Fragment& f : copied_) {
            const Range own = a_of(f);
            const std::uint32_t inside = overlap(own, stretch_);
            in_any += inside;
            if (inside > 0 && own.size() >= kLongPassage && f.a_lambda >= kPassageLambda &&
                b_of(f).size() <= kPassageSource * own.size()) {
                ++count;
                in_long += inside;
            }
        }
        if (count >= 2 && in_long > kExplained * stretch_.size()) return true;
        return x_.size() < y_.size() && in_any > kExplainedInShorter * stretch_.size() &&
               distinct_ < kDense * source_.size() / 1000;
    }

    // Each strong word of the stretch with the first place in the source that no other one has.
    std::vector<Run> telling_words() {
        std::vector<Run> found;
        for (std::uint32_t i = stretch_.begin; i < stretch_.end; ++i) {
            if (values_[i] < kStrong) continue;
            const std::uint32_t word = x_.words[i];
            const auto places = y_.places_of(word);
            auto place = std::lower_bound(places.begin(), places.end(), source_.begin);
            place += std::min<std::ptrdiff_t>(in_stretch_[word]++, places.end() - place);
            if (place == places.end() || *place >= source_.end) continue;
            found.push_back({i, *place, 1});
        }
        clear(x_, stretch_, in_stretch_);
        return found;
    }

    const Text &x_, &y_;
    const std::span<const double> rates_;
    const std::span<const Fragment> copied_;
    const std::span<const Run> runs_;
    const AlignmentSettings& settings_;
    Range stretch_{0, 0}, source_;
    double sum_ = 0, distinct_ = 0;
    std::vector<std::uint32_t> in_stretch_, in_source_;  // by word, all 0 between steps
    std::vector<double> ratios_;                         // by word
    std::vector<double> values_;                         // by place
    std::vector<std::uint8_t> in_run_;                   // by place in x
};

}  // namespace

std::optional<Reworded> find_reworded(const Text& x, const Text& y, std::span<const double> rates,
                                      std::span<const Fragment> copied, std::span<const Run> runs,
                                      const AlignmentSettings& settings) {
    return Search(x, y, rates, copied, runs, settings).found();
}

}  // namespace likewise
