#include "alignment_candidates.hpp"

#include <algorithm>
#include <cmath>

#include "alignment_segments.hpp"

namespace likewise {

namespace {

class Search {
  public:
    Search(const Texts2& texts, const AlignmentSettings& settings)
        : texts_(texts),
          settings_(settings),
          miss_(std::log(1 - settings.candidate_lambda)),
          least_(settings.candidate_evidence + std::log(std::max(1u, texts.a.size()))),
          short_(texts.a.size() <= settings.window_budget),
          counts_(texts.rates.size()),
          scores_(texts.rates.size(), miss_) {}

    // Adds the stretches of a that speak for this window of b.
    void look(Range window, std::vector<RangePair>& out) {
        gather(window);
        if (words_.empty()) return;
        segments_.clear();
        if (short_) {
            scan_all();
        } else {
            scan_occurrences();
        }
        for (const std::uint32_t word : words_) scores_[word] = miss_;
        found_.clear();
        for (const Segment2& found : segments_.found()) {
            if (found.sum >= least_) found_.push_back(found);
        }
        if (found_.size() > settings_.window_candidates) {
            std::stable_sort(found_.begin(), found_.end(),
                             [](const Segment2& x, const Segment2& y) { return x.sum > y.sum; });
            found_.resize(settings_.window_candidates);
        }
        for (const Segment2& found : found_) out.push_back({found.range, window});
    }

  private:
    // The words of the window that a holds too, rare ones first, as far as the budget goes.
    void gather(Range window) {
        words_.clear();
        for (std::uint32_t i = window.begin; i < window.end; ++i) {
            const std::uint32_t word = texts_.b.words[i];
            if (texts_.a.count(word) > 0 && counts_[word]++ == 0) words_.push_back(word);
        }
        const auto rarer = [&](std::uint32_t x, std::uint32_t y) {
            const std::uint32_t of_x = texts_.a.count(x), of_y = texts_.a.count(y);
            return of_x != of_y ? of_x < of_y : x < y;
        };
        std::sort(words_.begin(), words_.end(), rarer);
        const double lambda = settings_.candidate_lambda;
        std::uint64_t looked_at = 0;
        std::size_t kept = 0;
        for (const std::uint32_t word : words_) {
            const std::uint32_t times = texts_.a.count(word);
            looked_at += times;
            if (short_ || looked_at <= settings_.window_budget) {
                // This occurrence does not speak for the word being common in a.
                const double own = (times - 1.0) / texts_.a.size();
                const double background =
                    settings_.own_share * own + (1 - settings_.own_share) * texts_.rates[word];
                const double rate = static_cast<double>(counts_[word]) / window.size();
                const double ratio = std::min(settings_.most_ratio, rate / background);
                scores_[word] = std::log(1 - lambda + lambda * ratio);
                words_[kept++] = word;
            }
            counts_[word] = 0;
        }
        words_.resize(kept);
    }

    void scan_all() {
        for (std::uint32_t i = 0; i < texts_.a.size(); ++i) {
            segments_.add(i, scores_[texts_.a.words[i]]);
        }
    }

    void scan_occurrences() {
        places_.clear();
        for (const std::uint32_t word : words_) {
            const auto places = texts_.a.places_of(word);
            places_.insert(places_.end(), places.begin(), places.end());
        }
        std::sort(places_.begin(), places_.end());
        // Words that are not looked at are not all missing from the window: common ones are in it.
        const double skipped = miss_ / 2;
        for (const std::uint32_t place : places_) {
            segments_.skip_to(place, skipped);
            segments_.add(place, scores_[texts_.a.words[place]]);
        }
    }

    const Texts2& texts_;
    const AlignmentSettings& settings_;
    const double miss_, least_;
    const bool short_;  // a is scanned word by word; a long one only where the window's words stand
    std::vector<std::uint32_t> counts_;
    std::vector<double> scores_;
    std::vector<std::uint32_t> words_, places_;
    MaximalSegments segments_;
    std::vector<Segment2> found_;
};

// Candidates of neighbouring windows that meet in a are one, up to the longest that may be.
std::vector<RangePair> join_neighbours(const std::vector<RangePair>& found, std::uint32_t longest) {
    std::vector<RangePair> joined;
    std::size_t open = 0;  // from here on windows may still meet the next one
    for (const RangePair& next : found) {
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

std::vector<RangePair> find_range_pairs(const Texts2& texts, const AlignmentSettings& settings) {
    std::vector<RangePair> found;
    if (texts.a.size() == 0 || texts.b.size() == 0) return found;
    Search search(texts, settings);
    for (std::uint32_t begin = 0;; begin += settings.stride) {
        const std::uint32_t end = std::min(texts.b.size(), begin + settings.window);
        search.look({begin, end}, found);
        if (end == texts.b.size()) break;
    }
    return join_neighbours(found, settings.longest);
}

}  // namespace likewise
