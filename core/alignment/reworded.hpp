// Stretches that take their words from all over the other text, and few of them in a row.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "alignment/fragments.hpp"

namespace likewise {

struct Reworded {
    Range stretch, source;
    double evidence;           // of the stretch's different words that are in no equal run
    std::vector<Run> matches;  // its telling words, each with one place in the source
};

// The stretch of x that draws on y, if there is one. `copied` are the passages of both texts, as x
// sees them, and `runs` their equal runs: these speak for copying, and not for rewording.
std::optional<Reworded> find_reworded(const Text& x, const Text& y, std::span<const double> rates,
                                      std::span<const Fragment> copied, std::span<const Run> runs,
                                      const AlignmentSettings& settings);

}  // namespace likewise
