#include "part_evidence.hpp"

#include <algorithm>
#include <cmath>

#include "interruption.hpp"
#include "numbering.hpp"

namespace likewise {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;

// A word of the text that some documents contain.
struct Word {
    std::uint32_t key;
    std::size_t begin, end;  // of its entries
    double worth;
    std::size_t part = ~std::size_t{0};  // the last one in which it was counted
};

std::vector<Word> words_of(std::span<const std::uint64_t> entries, std::uint64_t documents) {
    std::vector<Word> words;
    Poll poll;
    for (std::size_t begin = 0; begin < entries.size();) {
        poll();
        const auto key = static_cast<std::uint32_t>(entries[begin] >> 32);
        std::size_t end = begin + 1;
        while (end < entries.size() && entries[end] >> 32 == key) ++end;
        const double share = static_cast<double>(end - begin) / static_cast<double>(documents);
        words.push_back({key, begin, end, -std::log(std::min(1.0, share))});
        begin = end;
    }
    return words;
}

// For each word of the text its place among those that documents contain, or kNone.
std::vector<std::uint32_t> places_of(std::span<const std::uint32_t> keys,
                                     const std::vector<Word>& words) {
    std::vector<std::uint32_t> places(keys.size(), kNone);
    Poll poll;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        poll();
        const auto found =
            std::lower_bound(words.begin(), words.end(), keys[i],
                             [](const Word& word, std::uint32_t key) { return word.key < key; });
        if (found != words.end() && found->key == keys[i]) {
            places[i] = static_cast<std::uint32_t>(found - words.begin());
        }
    }
    return places;
}

struct Tally {
    double sum = 0, best = 0;
    std::uint32_t words = 0, best_words = 0;
};

}  // namespace

PartEvidence evidence_of_parts(std::span<const std::uint32_t> keys,
                               std::span<const std::uint64_t> entries, std::uint32_t length,
                               std::uint32_t stride, std::uint64_t documents, double least) {
    std::vector<Word> words = words_of(entries, documents);
    const std::vector<std::uint32_t> places = places_of(keys, words);
    Numbering<std::uint32_t> numbering;
    std::vector<std::uint32_t> holders(entries.size());
    Poll poll;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        poll();
        holders[i] = numbering.of(static_cast<std::uint32_t>(entries[i]));
    }
    std::vector<Tally> tallies(numbering.keys().size());
    std::vector<std::uint32_t> touched;
    for (std::size_t begin = 0; begin < keys.size(); begin += stride) {
        const std::size_t end = std::min<std::size_t>(keys.size(), begin + length);
        for (std::size_t i = begin; i < end; ++i) {
            if (places[i] == kNone) continue;
            Word& word = words[places[i]];
            if (word.part == begin) continue;
            word.part = begin;
            for (std::size_t entry = word.begin; entry < word.end; ++entry) {
                poll();
                Tally& tally = tallies[holders[entry]];
                if (tally.words++ == 0) touched.push_back(holders[entry]);
                tally.sum += word.worth;
            }
        }
        for (const std::uint32_t holder : touched) {
            Tally& tally = tallies[holder];
            if (tally.sum > tally.best) {
                tally.best = tally.sum;
                tally.best_words = tally.words;
            }
            tally.sum = 0;
            tally.words = 0;
        }
        touched.clear();
        if (end == keys.size()) break;
    }
    std::vector<std::uint32_t> found;
    for (std::uint32_t holder = 0; holder < tallies.size(); ++holder) {
        if (tallies[holder].best > 0 && tallies[holder].best >= least) found.push_back(holder);
    }
    const auto& known = numbering.keys();
    std::sort(found.begin(), found.end(),
              polling(poll, [&](std::uint32_t a, std::uint32_t b) { return known[a] < known[b]; }));
    PartEvidence made;
    for (const std::uint32_t holder : found) {
        made.documents.push_back(known[holder]);
        made.words.push_back(tallies[holder].best_words);
        made.evidence.push_back(tallies[holder].best);
    }
    return made;
}

}  // namespace likewise
