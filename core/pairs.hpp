// Verified pairs as columns, and what it takes to be one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace likewise {

enum class Measure : std::uint8_t { jaccard, containment };

// Containment is that of the smaller set in the larger.
inline double similarity(Measure measure, std::uint64_t shared, std::uint64_t a, std::uint64_t b) {
    const std::uint64_t whole = measure == Measure::jaccard ? a + b - shared : std::min(a, b);
    return whole == 0 ? 0.0 : static_cast<double>(shared) / static_cast<double>(whole);
}

// The smallest overlap of sets of a and b elements that reaches the threshold. Judged with the same
// division as the result that a user sees, so that rounding cannot lose a pair at the threshold.
inline std::uint64_t required_overlap(Measure measure, double threshold, std::uint64_t a,
                                      std::uint64_t b) {
    const double guess = measure == Measure::jaccard
                             ? threshold / (1 + threshold) * static_cast<double>(a + b)
                             : threshold * static_cast<double>(std::min(a, b));
    auto overlap = static_cast<std::uint64_t>(std::max(1.0, std::ceil(guess)));
    while (overlap > 1 && similarity(measure, overlap - 1, a, b) >= threshold) --overlap;
    while (overlap <= std::min(a, b) && similarity(measure, overlap, a, b) < threshold) ++overlap;
    return overlap;
}

struct PairColumns {
    std::vector<std::uint32_t> a, b;
    std::vector<std::uint64_t> shared, size_a, size_b;

    void push(std::uint32_t first, std::uint32_t second, std::uint64_t common,
              std::uint64_t first_size, std::uint64_t second_size) {
        a.push_back(first);
        b.push_back(second);
        shared.push_back(common);
        size_a.push_back(first_size);
        size_b.push_back(second_size);
    }

    void append(const PairColumns& other) {
        a.insert(a.end(), other.a.begin(), other.a.end());
        b.insert(b.end(), other.b.begin(), other.b.end());
        shared.insert(shared.end(), other.shared.begin(), other.shared.end());
        size_a.insert(size_a.end(), other.size_a.begin(), other.size_a.end());
        size_b.insert(size_b.end(), other.size_b.begin(), other.size_b.end());
    }
};

}  // namespace likewise
