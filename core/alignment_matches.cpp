#include "alignment_matches.hpp"

#include <algorithm>
#include <vector>

#include "alignment_texts.hpp"

namespace likewise {

namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};

// An occurrence by the words around it.
struct Occurrence {
    std::uint32_t word, before, behind, place;
};

class Matching {
  public:
    Matching(const WordSequence& a, const WordSequence& b, const Fragment& fragment)
        : a_(a.forms),
          b_(b.forms),
          in_a_{fragment.a_begin, fragment.a_end},
          in_b_{fragment.b_begin, fragment.b_end},
          to_b_(in_a_.size(), kNone),
          taken_(in_b_.size(), 0) {}

    void fill(Fragment& fragment) {
        // First words between the same neighbours, then with one of them, then any.
        pair_equal([](const Occurrence& o) { return o; });
        pair_equal([](const Occurrence& o) { return Occurrence{o.word, o.before, 0, 0}; });
        pair_equal([](const Occurrence& o) { return Occurrence{o.word, 0, o.behind, 0}; });
        pair_equal([](const Occurrence& o) { return Occurrence{o.word, 0, 0, 0}; });
        fragment.shared = fragment.adjacent = fragment.run = 0;
        std::uint32_t run = 0;
        std::vector<std::uint32_t> tails;  // ends of the longest rising rows, by their length
        for (std::uint32_t i = 0; i < to_b_.size(); ++i) {
            if (to_b_[i] == kNone) continue;
            ++fragment.shared;
            const bool follows = i > 0 && to_b_[i - 1] != kNone && to_b_[i - 1] + 1 == to_b_[i];
            fragment.adjacent += follows;
            run = follows ? run + 1 : 1;
            fragment.run = std::max(fragment.run, run);
            const auto place = std::lower_bound(tails.begin(), tails.end(), to_b_[i]);
            if (place == tails.end()) {
                tails.push_back(to_b_[i]);
            } else {
                *place = to_b_[i];
            }
        }
        fragment.in_order = static_cast<std::uint32_t>(tails.size());
    }

  private:
    // Pairs what is equal under `key` and not yet paired, in the order of the texts.
    template <class Key>
    void pair_equal(Key key) {
        const auto gather = [&](std::span<const std::uint32_t> words, Range range, auto&& is_free,
                                std::vector<Occurrence>& into) {
            into.clear();
            for (std::uint32_t i = range.begin; i < range.end; ++i) {
                if (!is_free(i - range.begin)) continue;
                const std::uint32_t before = i > range.begin ? words[i - 1] + 1 : 0;
                const std::uint32_t behind = i + 1 < range.end ? words[i + 1] + 1 : 0;
                Occurrence found = key({words[i], before, behind, 0});
                found.place = i - range.begin;
                into.push_back(found);
            }
            std::sort(into.begin(), into.end(), [](const Occurrence& x, const Occurrence& y) {
                if (x.word != y.word) return x.word < y.word;
                if (x.before != y.before) return x.before < y.before;
                return x.behind != y.behind ? x.behind < y.behind : x.place < y.place;
            });
        };
        gather(a_, in_a_, [&](std::uint32_t i) { return to_b_[i] == kNone; }, of_a_);
        gather(b_, in_b_, [&](std::uint32_t i) { return !taken_[i]; }, of_b_);
        const auto differs = [](const Occurrence& x, const Occurrence& y) {
            if (x.word != y.word) return x.word < y.word ? -1 : 1;
            if (x.before != y.before) return x.before < y.before ? -1 : 1;
            if (x.behind != y.behind) return x.behind < y.behind ? -1 : 1;
            return 0;
        };
        for (std::size_t i = 0, j = 0; i < of_a_.size() && j < of_b_.size();) {
            const int order = differs(of_a_[i], of_b_[j]);
            if (order == 0) {
                to_b_[of_a_[i].place] = of_b_[j].place;
                taken_[of_b_[j].place] = 1;
            }
            i += order <= 0;
            j += order >= 0;
        }
    }

    const std::span<const std::uint32_t> a_, b_;
    const Range in_a_, in_b_;
    std::vector<std::uint32_t> to_b_;
    std::vector<std::uint8_t> taken_;
    std::vector<Occurrence> of_a_, of_b_;
};

}  // namespace

void match_words(const WordSequence& a, const WordSequence& b, Fragment& fragment) {
    Matching(a, b, fragment).fill(fragment);
}

}  // namespace likewise
