// The exact (Clopper-Pearson) interval of a proportion.
#pragma once

#include <cstdint>

namespace likewise {

struct Interval {
    double low, high;
};

// Interval at `level` for `agreeing` of `values` independent trials.
Interval clopper_pearson(std::uint64_t agreeing, std::uint64_t values, double level);

// Regularised incomplete beta function I_x(a, b), for a and b > 0.
double incomplete_beta(double a, double b, double x);

}  // namespace likewise
