// Clopper-Pearson intervals against the tails of the binomial that define them.
#include "interval.hpp"

#include <cmath>

#include "check.hpp"

namespace {

using likewise::Interval;

// P(from <= X <= to) for X of n trials with chance p: logarithms, so that nothing underflows.
long double binomial(std::uint64_t n, long double p, std::uint64_t from, std::uint64_t to) {
    long double sum = 0;
    for (std::uint64_t x = from; x <= to; ++x) {
        const long double log_ways = std::lgamma(static_cast<long double>(n + 1)) -
                                     std::lgamma(static_cast<long double>(x + 1)) -
                                     std::lgamma(static_cast<long double>(n - x + 1));
        sum += std::exp(log_ways + static_cast<long double>(x) * std::log(p) +
                        static_cast<long double>(n - x) * std::log1p(-p));
    }
    return sum;
}

bool is_close(long double value, long double expected) {
    return std::fabs(value - expected) <= 1e-9L * std::fabs(expected);
}

void check_interval(std::uint64_t agreeing, std::uint64_t values, double level) {
    const Interval interval = likewise::clopper_pearson(agreeing, values, level);
    const long double tail = (1 - static_cast<long double>(level)) / 2;
    if (agreeing == 0) {
        CHECK(interval.low == 0);
    } else {
        CHECK(is_close(binomial(values, interval.low, agreeing, values), tail),
              "low end %g for %zu of %zu at %g", interval.low, std::size_t{agreeing},
              std::size_t{values}, level);
    }
    if (agreeing == values) {
        CHECK(interval.high == 1);
    } else {
        CHECK(is_close(binomial(values, interval.high, 0, agreeing), tail),
              "high end %g for %zu of %zu at %g", interval.high, std::size_t{agreeing},
              std::size_t{values}, level);
    }
    const double share = static_cast<double>(agreeing) / static_cast<double>(values);
    CHECK(interval.low <= share && share <= interval.high);
}

TEST(each_end_leaves_half_of_the_rest_outside) {
    for (const double level : {0.5, 0.8, 0.95, 0.99, 0.999}) {
        for (std::uint64_t values = 1; values <= 64; ++values) {
            for (std::uint64_t x = 0; x <= values; ++x) check_interval(x, values, level);
        }
        for (const std::uint64_t values : {128, 256, 1000, 4096}) {
            for (const std::uint64_t part : {0, 1, 3, 100, 250, 500, 899, 999, 1000}) {
                check_interval(part * values / 1000, values, level);
            }
            check_interval(1, values, level);
            check_interval(values - 1, values, level);
        }
    }
}

TEST(more_agreement_moves_both_ends_up) {
    for (const std::uint64_t values : {16, 128, 1000}) {
        Interval last{-1, -1};
        for (std::uint64_t x = 0; x <= values; ++x) {
            const Interval interval = likewise::clopper_pearson(x, values, 0.95);
            CHECK(interval.low > last.low && interval.high > last.high);
            last = interval;
        }
    }
}

TEST(incomplete_beta_is_the_tail_of_a_binomial) {
    for (std::uint64_t n = 1; n <= 40; ++n) {
        for (std::uint64_t x = 1; x <= n; ++x) {
            for (const double p : {1e-6, 0.01, 0.3, 0.5, 0.77, 0.999}) {
                const double found = likewise::incomplete_beta(static_cast<double>(x),
                                                               static_cast<double>(n - x + 1), p);
                const long double expected = binomial(n, p, x, n);
                CHECK(std::fabs(found - expected) <= 1e-12L, "%zu of %zu at %g", std::size_t{x},
                      std::size_t{n}, p);
            }
        }
    }
    CHECK(likewise::incomplete_beta(2, 3, 0) == 0);
    CHECK(likewise::incomplete_beta(2, 3, 1) == 1);
}

}  // namespace

int main() { return check::run_all(); }
