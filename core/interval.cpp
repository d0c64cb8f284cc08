#include "interval.hpp"

#include <cmath>
#include <limits>

namespace likewise {

namespace {

// Continued fraction of the incomplete beta function, evaluated by Lentz's method; converges fast
// for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
    constexpr double kTiny = 1e-300;
    constexpr double kClose = 4 * std::numeric_limits<double>::epsilon();
    const auto away_from_zero = [](double v) { return std::fabs(v) < kTiny ? kTiny : v; };
    double c = 1;
    double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
    double value = d;
    for (int m = 1; m < 10000; ++m) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / away_from_zero(1 + even * d);
        c = away_from_zero(1 + even / c);
        value *= d * c;
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / away_from_zero(1 + odd * d);
        c = away_from_zero(1 + odd / c);
        value *= d * c;
        if (std::fabs(d * c - 1) < kClose) break;
    }
    return value;
}

// The x where I_x(a, b) = p. I is increasing in x, so halving the interval cannot fail.
double inverse_incomplete_beta(double a, double b, double p) {
    double low = 0, high = 1;
    for (int i = 0; i < 200; ++i) {
        const double middle = (low + high) / 2;
        if (middle == low || middle == high) break;
        (incomplete_beta(a, b, middle) < p ? low : high) = middle;
    }
    return (low + high) / 2;
}

}  // namespace

double incomplete_beta(double a, double b, double x) {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                  a * std::log(x) + b * std::log1p(-x));
    if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

Interval clopper_pearson(std::uint64_t agreeing, std::uint64_t values, double level) {
    const double tail = (1 - level) / 2;
    const auto x = static_cast<double>(agreeing), n = static_cast<double>(values);
    return {agreeing == 0 ? 0.0 : inverse_incomplete_beta(x, n - x + 1, tail),
            agreeing == values ? 1.0 : inverse_incomplete_beta(x + 1, n - x, 1 - tail)};
}

}  // namespace likewise
