#include "alignment/segments.hpp"

namespace likewise {

Segment2 best_segment(std::span<const double> values, std::uint32_t first,
                      std::span<const Gap> gaps, const EdgeBonus& bonus) {
    const auto edge = [&](std::uint32_t place) {
        return bonus[static_cast<std::size_t>(gaps[place])];
    };
    Segment2 best{{first, first}, 0};
    double sum = 0, plain = 0;  // of the best stretch that ends here, with its first edge; without
    double most = 0;
    std::uint32_t begin = first;
    for (std::uint32_t i = 0; i < values.size(); ++i) {
        const double fresh = edge(first + i);
        if (i == 0 || fresh >= sum) {
            sum = fresh;
            plain = 0;
            begin = first + i;
        }
        sum += values[i];
        plain += values[i];
        if (plain > 0 && sum + edge(first + i + 1) > most) {
            most = sum + edge(first + i + 1);
            best = {{begin, first + i + 1}, plain};
        }
    }
    return best;
}

}  // namespace likewise
