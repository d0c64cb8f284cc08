// Two texts prepared for alignment: words numbered from 0, counted, with their positions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "alignment/align.hpp"

namespace likewise {

struct Range {
    std::uint32_t begin, end;

    std::uint32_t size() const { return end - begin; }
    bool operator==(const Range&) const = default;
};

inline std::uint32_t overlap(Range x, Range y) {
    const std::uint32_t begin = std::max(x.begin, y.begin), end = std::min(x.end, y.end);
    return end > begin ? end - begin : 0;
}

// Words between two ranges; 0 if they touch or overlap.
inline std::uint32_t distance(Range x, Range y) {
    const std::uint32_t begin = std::max(x.begin, y.begin), end = std::min(x.end, y.end);
    return begin > end ? begin - end : 0;
}

inline Range hull(Range x, Range y) { return {std::min(x.begin, y.begin), std::max(x.end, y.end)}; }

// Widened by this many words on each side, within a text of `size` words.
inline Range widen(Range range, std::uint32_t by, std::uint32_t size) {
    return {range.begin > by ? range.begin - by : 0, std::min(size, range.end + by)};
}

struct Text {
    std::vector<std::uint32_t> words;
    std::span<const Gap> gaps;
    std::vector<std::uint32_t> starts;  // word w is at places[starts[w]] .. [starts[w + 1])
    std::vector<std::uint32_t> places;

    std::uint32_t size() const { return static_cast<std::uint32_t>(words.size()); }
    Range all() const { return {0, size()}; }
    std::uint32_t count(std::uint32_t word) const { return starts[word + 1] - starts[word]; }
    std::span<const std::uint32_t> places_of(std::uint32_t word) const {
        return {places.data() + starts[word], count(word)};
    }
};

struct Texts2 {
    Text a, b;
    std::vector<double> rates;    // in general, by word
    std::vector<double> weights;  // weight of a word: log(1 / its rate), here and in general

    Texts2(const WordSequence& first, const WordSequence& second,
           std::span<const double> general_rates);
};

}  // namespace likewise
