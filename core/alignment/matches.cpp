#include "alignment/matches.hpp"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>

#include "interruption.hpp"

namespace likewise {

namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};
constexpr std::uint32_t kRun = 3;    // words in a row that are paired as such
constexpr std::uint32_t kNear = 20;  // words between where one is expected and where it is
constexpr std::uint32_t kFar = 100;  // the same where order was changed throughout

class Matching {
  public:
    Matching(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
             std::span<const std::uint8_t> letters)
        : a_(a), b_(b), letters_(letters), to_b_(a.size(), kNone), taken_(b.size(), 0) {}

    std::vector<Run> matches() {
        pair_runs();
        pair_between();
        const std::size_t shorter = std::min(a_.size(), b_.size());
        pair_near(2 * paired_ >= shorter ? kNear : kFar);
        std::vector<Run> found;
        for (std::uint32_t i = 0; i < a_.size(); ++i) {
            if (to_b_[i] == kNone) continue;
            const bool follows = i > 0 && to_b_[i - 1] != kNone && to_b_[i - 1] + 1 == to_b_[i];
            if (follows) {
                ++found.back().words;
            } else {
                found.push_back({i, to_b_[i], 1});
            }
        }
        return found;
    }

  private:
    // A single letter of a script without spaces is no word: it is paired in runs only.
    bool is_letter(std::uint32_t i) const { return letters_[i] == kUnspacedLetter; }

    void pair(std::uint32_t i, std::uint32_t j) {
        to_b_[i] = j;
        taken_[j] = 1;
        ++paired_;
    }

    // The longest runs first; of a run that overlaps a longer one, the rest of it.
    void pair_runs() {
        std::vector<Run> runs = common_runs(a_, b_, kRun);
        std::stable_sort(runs.begin(), runs.end(),
                         [](const Run& x, const Run& y) { return x.words > y.words; });
        for (const Run& run : runs) {
            poll_interruption();
            std::uint32_t free = 0;  // words before this one that can be paired
            for (std::uint32_t k = 0; k <= run.words; ++k) {
                if (k < run.words && to_b_[run.a + k] == kNone && !taken_[run.b + k]) {
                    ++free;
                    continue;
                }
                for (std::uint32_t l = k - free; free >= kRun && l < k; ++l) {
                    pair(run.a + l, run.b + l);
                }
                free = 0;
            }
        }
    }

    // In a gap between two paired words in the same order, the words of that gap of b.
    void pair_between() {
        std::uint32_t before = kNone;  // the last paired word
        for (std::uint32_t i = 0; i <= a_.size(); ++i) {
            if (i < a_.size() && to_b_[i] == kNone) continue;
            const std::uint32_t begin = before == kNone ? 0 : to_b_[before] + 1;
            const std::uint32_t end =
                i < a_.size() ? to_b_[i] : static_cast<std::uint32_t>(b_.size());
            const std::uint32_t first = before == kNone ? 0 : before + 1;
            if (begin < end && end - begin <= kNear && i - first <= kNear) {
                pair_in_order({first, i}, {begin, end});
            }
            before = i;
        }
    }

    void pair_in_order(Range a, Range b) {
        std::uint32_t next = b.begin;
        for (std::uint32_t i = a.begin; i < a.end; ++i) {
            for (std::uint32_t j = next; j < b.end && !is_letter(i); ++j) {
                if (taken_[j] || a_[i] != b_[j]) continue;
                pair(i, j);
                next = j + 1;
                break;
            }
        }
    }

    // Pairs each remaining word with the equal one nearest to its neighbours' partners.
    void pair_near(std::uint32_t most) {
        std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> places;
        for (std::uint32_t j = 0; j < b_.size(); ++j) {
            if (!taken_[j]) places[b_[j]].push_back(j);
        }
        std::vector<std::uint32_t> behind(a_.size() + 1, kNone);  // the next paired word
        for (std::size_t i = a_.size(); i-- > 0;) {
            behind[i] = to_b_[i] != kNone ? static_cast<std::uint32_t>(i) : behind[i + 1];
        }
        std::uint32_t before = kNone;
        Poll poll;
        for (std::uint32_t i = 0; i < a_.size(); ++i) {
            poll();
            if (to_b_[i] != kNone) {
                before = i;
                continue;
            }
            const auto known = places.find(a_[i]);
            if (known == places.end() || is_letter(i)) continue;
            std::uint32_t best = kNone;
            std::int64_t least = std::int64_t{most} + 1;
            const auto look = [&](std::int64_t expected) {
                const auto& all = known->second;
                auto at = std::lower_bound(all.begin(), all.end(),
                                           std::max<std::int64_t>(0, expected - most));
                for (; at != all.end() && *at <= expected + most; ++at) {
                    const std::int64_t away = std::abs(std::int64_t{*at} - expected);
                    if (!taken_[*at] && away < least) least = away, best = *at;
                }
            };
            if (before != kNone) look(std::int64_t{to_b_[before]} + (i - before));
            if (behind[i] != kNone) look(std::int64_t{to_b_[behind[i]]} - (behind[i] - i));
            if (before == kNone && behind[i] == kNone) {
                look(static_cast<std::int64_t>(i * b_.size() / a_.size()));
            }
            if (best != kNone) pair(i, best);
        }
    }

    const std::span<const std::uint32_t> a_, b_;
    const std::span<const std::uint8_t> letters_;  // of a
    std::vector<std::uint32_t> to_b_;
    std::vector<std::uint8_t> taken_;
    std::size_t paired_ = 0;
};

}  // namespace

std::vector<Run> match_words(const WordSequence& a, const WordSequence& b, Range in_a, Range in_b) {
    std::vector<Run> found =
        Matching(a.forms.subspan(in_a.begin, in_a.size()), b.forms.subspan(in_b.begin, in_b.size()),
                 a.letters.subspan(in_a.begin, in_a.size()))
            .matches();
    for (Run& run : found) run.a += in_a.begin, run.b += in_b.begin;
    return found;
}

std::uint32_t words_of(const std::vector<Run>& matches) {
    std::uint32_t words = 0;
    for (const Run& run : matches) words += run.words;
    return words;
}

}  // namespace likewise
