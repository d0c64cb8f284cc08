#include "alignment/texts.hpp"

#include <algorithm>
#include <cmath>

#include "numbering.hpp"

namespace likewise {

namespace {

// The words of both texts numbered from 0 in the order of their first occurrence, so that nothing
// depends on what other texts are around. Gives the id of each number.
std::vector<std::uint32_t> renumber(const WordSequence& a, const WordSequence& b, Text& to_a,
                                    Text& to_b) {
    Numbering<std::uint32_t> numbering;
    const auto number = [&](const WordSequence& from, Text& to) {
        to.words.reserve(from.words.size());
        for (const std::uint32_t word : from.words) to.words.push_back(numbering.of(word));
    };
    number(a, to_a);
    number(b, to_b);
    return numbering.keys();
}

void index_places(Text& text, std::size_t vocabulary) {
    text.starts.assign(vocabulary + 1, 0);
    for (const std::uint32_t word : text.words) ++text.starts[word + 1];
    for (std::size_t i = 0; i < vocabulary; ++i) text.starts[i + 1] += text.starts[i];
    std::vector<std::uint32_t> next(text.starts.begin(), text.starts.end() - 1);
    text.places.resize(text.words.size());
    for (std::uint32_t i = 0; i < text.size(); ++i) text.places[next[text.words[i]]++] = i;
}

}  // namespace

Texts2::Texts2(const WordSequence& first, const WordSequence& second,
               std::span<const double> general_rates) {
    a.gaps = first.gaps;
    b.gaps = second.gaps;
    const std::vector<std::uint32_t> ids = renumber(first, second, a, b);
    index_places(a, ids.size());
    index_places(b, ids.size());
    rates.reserve(ids.size());
    weights.reserve(ids.size());
    const double all = a.size() + b.size();
    for (std::uint32_t word = 0; word < ids.size(); ++word) {
        const double rate = general_rates[ids[word]];
        const double here = (a.count(word) + b.count(word)) / all;
        rates.push_back(rate);
        weights.push_back(std::max(0.0, -std::log((rate + here) / 2)));
    }
}

}  // namespace likewise
