// Which of many stretches of a text may overlap a given one, without looking at all of them.
#pragma once

#include <cstdint>
#include <vector>

#include "alignment/texts.hpp"
#include "interruption.hpp"

namespace likewise {

// The text in cells of some words; each knows the numbers of the stretches that touch it.
class Cells {
  public:
    explicit Cells(std::uint32_t words) : cells_(words / kWords + 1) {}

    void add(std::uint32_t number, Range range) {
        for (std::size_t i = first(range); i <= last(range); ++i) cells_[i].push_back(number);
    }

    // The same for a stretch that grew: it is known where it was before.
    void add(std::uint32_t number, Range range, Range before) {
        for (std::size_t i = first(range); i <= last(range); ++i) {
            if (i < first(before) || i > last(before)) cells_[i].push_back(number);
        }
    }

    // Calls visit(number) for stretches that may overlap the range, possibly repeatedly, until it
    // returns `stop`; after `drop`, a stretch is not visited in this cell again.
    enum class Answer { go_on, drop, stop };
    template <class Visit>
    void each(Range range, Visit&& visit) {
        for (std::size_t i = first(range); i <= last(range); ++i) {
            poll_();
            std::vector<std::uint32_t>& cell = cells_[i];
            std::size_t kept = 0, j = 0;
            Answer answer = Answer::go_on;
            while (j < cell.size() && answer != Answer::stop) {
                const std::uint32_t number = cell[j++];
                answer = visit(number);
                if (answer != Answer::drop) cell[kept++] = number;
            }
            cell.erase(cell.begin() + static_cast<std::ptrdiff_t>(kept),
                       cell.begin() + static_cast<std::ptrdiff_t>(j));
            if (answer == Answer::stop) return;
        }
    }

  private:
    static constexpr std::uint32_t kWords = 64;

    std::size_t first(Range range) const { return range.begin / kWords; }
    std::size_t last(Range range) const {
        return std::min<std::size_t>(range.end / kWords, cells_.size() - 1);
    }

    std::vector<std::vector<std::uint32_t>> cells_;
    Poll poll_;
};

}  // namespace likewise
