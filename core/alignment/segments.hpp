// Stretches of a row of numbers with the greatest sums.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alignment/texts.hpp"

namespace likewise {

struct Segment2 {
    Range range;
    double sum;
};

// All maximal segments (Ruzzo and Tompa 1999): no longer stretch, and no part of one, has a greater
// sum. Linear.
class MaximalSegments {
  public:
    void clear() {
        open_.clear();
        total_ = 0;
        next_ = 0;
    }
    // Places before `place` that were not added have this value each.
    void skip_to(std::uint32_t place, double value) {
        total_ += value * (place - next_);
        next_ = place;
    }
    void add(std::uint32_t place, double value) {
        const double before = total_;
        total_ += value;
        next_ = place + 1;
        if (value <= 0) return;
        Open now{{place, place + 1}, before, total_, 0};
        while (true) {
            // The last one that begins lower, plus 1. Those between begin higher and stay apart
            // from this one; each knows where to look on, so that all steps together are linear.
            std::size_t lower = open_.size();
            while (lower > 0 && open_[lower - 1].before >= now.before) {
                lower = open_[lower - 1].lower;
            }
            now.lower = lower;
            if (lower == 0 || open_[lower - 1].after >= now.after) break;
            now.range.begin = open_[lower - 1].range.begin;
            now.before = open_[lower - 1].before;
            open_.resize(lower - 1);
        }
        open_.push_back(now);
    }
    std::span<const Segment2> found() {
        found_.clear();
        for (const Open& one : open_) found_.push_back({one.range, one.after - one.before});
        return found_;
    }

  private:
    struct Open {
        Range range;
        double before, after;  // sums of all values up to its begin and up to its end
        std::size_t lower;
    };
    std::vector<Open> open_;
    std::vector<Segment2> found_;
    double total_ = 0;
    std::uint32_t next_ = 0;
};

// The stretch with the greatest sum of values[0 ..) with what its edges add: place i of the values
// is word first + i of the text. Of equal ones the first; an empty stretch at `first` if none is
// positive.
Segment2 best_segment(std::span<const double> values, std::uint32_t first,
                      std::span<const Gap> gaps, const EdgeBonus& bonus);

}  // namespace likewise
