#include "collection_words.hpp"

#include <algorithm>
#include <stdexcept>

#include "placed_words.hpp"
#include "slots.hpp"
#include "telling_words.hpp"
#include "threads.hpp"

namespace likewise {
namespace {

struct CutText {
    std::vector<std::uint64_t> stems;
    std::vector<std::uint64_t> told;  // empty if they are the stems
};

CutText cut(std::string_view text, std::uint32_t stem_letters, bool telling) {
    PlacedWords words = place_words(text, stem_letters);
    CutText made;
    if (telling && has_adjoining_letters(words)) made.told = told_by(words);
    made.stems = std::move(words.stems);
    made.stems.shrink_to_fit();
    return made;
}

}  // namespace

CollectionWords::CollectionWords(std::uint32_t stem_letters, bool keep_order)
    : stem_letters_(stem_letters), keep_order_(keep_order), slots_(1024) {}

void CollectionWords::add(std::span<const std::string_view> texts, unsigned threads) {
    std::vector<CutText> cuts(texts.size());
    parallel_ranges(
        texts.size(), grain_of(texts.size(), threads), threads, [] { return 0; },
        [&](int, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                cuts[i] = cut(texts[i], stem_letters_, keep_order_);
            }
        });
    std::size_t words = 0;
    for (const CutText& one : cuts) words += one.stems.size();
    // Numbers are given one by one: what they are must not depend on the threads.
    // A document is counted once all of its words have numbers, and there is room for it: whatever
    // throws, those before it are complete.
    const auto make_room = [&](auto& items) {
        const std::size_t needed = items.size() + texts.size();
        if (needed > items.capacity()) items.reserve(std::max(needed, 2 * items.capacity()));
    };
    make_room(sizes_);
    make_room(orders_);
    std::uint32_t* to = blocks_.emplace_back(keep_order_ ? words : 0).data();
    for (CutText& one : cuts) {
        number(one.stems);
        number(one.told);
        const std::uint32_t document = documents() + 1;
        const std::uint32_t* const begin = to;
        for (const std::uint64_t stem : one.stems) ++words_[stem].count;
        for (const std::uint64_t told : one.told.empty() ? one.stems : one.told) {
            if (!keep_order_) break;
            Word& word = words_[told];
            word.holders += word.last != document;
            word.last = document;
            *to++ = static_cast<std::uint32_t>(told);
        }
        sizes_.push_back(static_cast<std::uint32_t>(one.stems.size()));
        orders_.emplace_back(begin, to);
        one = {};
    }
}

void CollectionWords::number(std::vector<std::uint64_t>& hashes) {
    poll_interruption();
    Poll poll;
    for (std::uint64_t& hash : hashes) {
        poll();
        hash = number_of(hash);
    }
}

std::uint32_t CollectionWords::number_of(std::uint64_t hash) {
    const std::size_t slot = find_slot(hash, slots_.size(), [&](std::size_t i) {
        return slots_[i] == 0 || words_[slots_[i] - 1].hash == hash;
    });
    if (slots_[slot] != 0) return slots_[slot] - 1;
    if (words_.size() == 0xFFFFFFFE) throw std::length_error("too many different words");
    words_.push_back({hash, 0, 0, 0});
    slots_[slot] = vocabulary();
    if (2 * words_.size() > slots_.size()) grow();
    return vocabulary() - 1;
}

void CollectionWords::grow() {
    slots_.assign(2 * slots_.size(), 0);
    for (std::uint32_t number = 0; number < vocabulary(); ++number) {
        slots_[find_slot(words_[number].hash, slots_.size(),
                         [&](std::size_t i) { return slots_[i] == 0; })] = number + 1;
    }
}

}  // namespace likewise
