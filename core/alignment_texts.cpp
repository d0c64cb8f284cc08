#include "alignment_texts.hpp"

#include <algorithm>
#include <cmath>

namespace likewise {

namespace {

// A vocabulary so many times larger than the texts is not gone through for them.
constexpr std::size_t kLarge = 4;

// The same words numbered from 0 without gaps, in the order of their ids.
std::vector<std::uint32_t> renumber(const WordSequence& a, const WordSequence& b,
                                    std::size_t vocabulary, Text& to_a, Text& to_b) {
    std::vector<std::uint32_t> ids(a.words.begin(), a.words.end());
    ids.insert(ids.end(), b.words.begin(), b.words.end());
    to_a.words.resize(a.words.size());
    to_b.words.resize(b.words.size());
    const auto number = [&](auto&& number_of) {
        std::transform(a.words.begin(), a.words.end(), to_a.words.begin(), number_of);
        std::transform(b.words.begin(), b.words.end(), to_b.words.begin(), number_of);
    };
    if (vocabulary > kLarge * ids.size()) {
        std::sort(ids.begin(), ids.end());
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
        number([&](std::uint32_t word) {
            return static_cast<std::uint32_t>(std::lower_bound(ids.begin(), ids.end(), word) -
                                              ids.begin());
        });
        return ids;
    }
    std::vector<std::uint32_t> numbers(vocabulary);
    for (const std::uint32_t word : ids) numbers[word] = 1;
    ids.clear();
    for (std::uint32_t word = 0; word < vocabulary; ++word) {
        if (numbers[word] == 0) continue;
        numbers[word] = static_cast<std::uint32_t>(ids.size());
        ids.push_back(word);
    }
    number([&](std::uint32_t word) { return numbers[word]; });
    return ids;
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
    const std::vector<std::uint32_t> ids = renumber(first, second, general_rates.size(), a, b);
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
