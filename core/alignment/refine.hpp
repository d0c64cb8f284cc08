// One fragment made as good as it can be: its edges, and how much of it is copied.
#pragma once

#include <vector>

#include "alignment/candidates.hpp"
#include "alignment/fragments.hpp"
#include "alignment/texts.hpp"

namespace likewise {

class Refinement {
  public:
    Refinement(const Texts2& texts, const AlignmentSettings& settings);

    // Moves the edges of both sides in turn until they stay. Nothing is left of the fragment
    // (an empty side) if no stretch of it speaks for copying.
    Fragment refine(RangePair start);

  private:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    struct Scored {
        double score;
        std::uint32_t i, j;
    };

    void mark_surplus(const Text& x, Range region, const Text& y, Range given);
    void choose_by_pairs(const Text& x, const Text& y, Range given);
    void choose_by_company(const Text& x, Range region, std::uint32_t keep);
    double ratio(std::uint32_t word, const Text& x, Range fragment, std::uint32_t given_size) const;
    double estimate_lambda(Range region, Range fragment) const;
    double score(const Text& x, Range region, Range fragment, const Text& y, Range given);

    struct Side {
        Range range;
        double evidence, lambda;
    };
    Side move_edges(const Text& x, Range fragment, const Text& y, Range given);

    const Texts2& texts_;
    const AlignmentSettings& settings_;
    // By word, all 0 between calls.
    std::vector<std::uint32_t> in_given_, in_fragment_, in_region_;
    std::vector<std::uint8_t> settled_;
    std::vector<std::uint32_t> stamps_;  // by word: the last surroundings that contained it
    std::uint32_t stamp_ = 0;
    // By place in the region.
    std::vector<std::uint8_t> unmatched_;
    std::vector<double> ratios_, values_;
    std::vector<std::uint32_t> here_, there_;
    std::vector<Scored> scored_;
};

}  // namespace likewise
