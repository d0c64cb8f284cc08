#include "item_grams.hpp"

#include <algorithm>
#include <bit>

#include "groups.hpp"
#include "interruption.hpp"
#include "shingles.hpp"
#include "slots.hpp"
#include "threads.hpp"

namespace likewise {
namespace {

constexpr std::uint32_t kMostWeight = 1u << 30;  // two of them, and a weight, fit in 32 bits

}  // namespace

// What the shingles of one document add up to, for each item.
struct ItemGrams::Tally {
    struct Sum {
        std::uint64_t document = 0;
        std::uint64_t block = 0;
        std::uint32_t before = 0, own = 0;  // weights in the block before this one, and in this one
        bool found = false;
    };

    explicit Tally(std::size_t items) : sums(items) {}

    std::vector<Sum> sums;
    std::uint64_t document = 0;
};

ItemGrams::ItemGrams(std::span<const std::uint64_t> grams, std::vector<std::uint64_t> offsets,
                     std::vector<std::uint32_t> items, std::vector<std::uint32_t> weights,
                     std::vector<std::uint32_t> needs, std::vector<std::uint32_t> reaches)
    : offsets_(std::move(offsets)),
      items_(std::move(items)),
      weights_(std::move(weights)),
      needs_(std::move(needs)),
      reaches_(std::move(reaches)) {
    const std::size_t slots = std::bit_ceil(2 * grams.size() + 2);
    fill(slots_, slots, Slot{0, 0});
    fill(seen_, std::max<std::size_t>(slots / 8, 1));  // eight bits for each slot
    Poll poll;
    for (std::size_t gram = 0; gram < grams.size(); ++gram) {
        poll();
        const std::uint64_t hash = grams[gram];
        slots_[slot_of(hash)] = {hash, static_cast<std::uint32_t>(gram + 1)};
        const std::size_t bit = hash & (64 * seen_.size() - 1);
        seen_[bit / 64] |= std::uint64_t{1} << bit % 64;
    }
}

std::size_t ItemGrams::slot_of(std::uint64_t hash) const {
    return find_slot(hash, slots_.size(), [&](std::size_t slot) {
        return slots_[slot].gram == 0 || slots_[slot].hash == hash;
    });
}

void ItemGrams::find_in(std::span<const std::uint64_t> hashes, Tally& tally,
                        std::vector<std::uint32_t>& found) const {
    ++tally.document;
    const std::size_t bits = 64 * seen_.size() - 1;
    Poll poll;
    for (std::size_t at = 0; at < hashes.size(); ++at) {
        poll();
        const std::uint64_t hash = hashes[at];
        const std::size_t bit = hash & bits;
        if ((seen_[bit / 64] >> bit % 64 & 1) == 0) continue;
        const std::uint32_t number = slots_[slot_of(hash)].gram;
        if (number == 0) continue;
        const std::uint32_t weight = weights_[number - 1];
        for (std::uint64_t i = offsets_[number - 1]; i < offsets_[number]; ++i) {
            poll();
            const std::uint32_t item = items_[i];
            Tally::Sum& sum = tally.sums[item];
            const std::uint64_t block = at / reaches_[item];
            if (sum.document != tally.document) {
                sum = {tally.document, block, 0, 0, false};
            } else if (sum.block != block) {
                sum.before = sum.block + 1 == block ? sum.own : 0;
                sum.own = 0;
                sum.block = block;
            }
            if (sum.own < kMostWeight) sum.own += weight;  // a text may repeat one gram for ever
            if (!sum.found && sum.before + sum.own >= needs_[item]) {
                sum.found = true;
                found.push_back(item);
            }
        }
    }
    std::sort(found.begin(), found.end());
}

ItemCandidates ItemGrams::find(std::span<const std::string_view> texts, const Rules& rules,
                               unsigned threads) const {
    struct Worker {
        Worker(const Rules& rules, std::size_t items) : shingler(rules), tally(items) {}
        Shingler shingler;
        Tally tally;
        std::vector<std::uint64_t> hashes;
    };
    std::vector<std::vector<std::uint32_t>> own(texts.size());
    ItemCandidates made;
    made.shingles.resize(texts.size());
    parallel_ranges(
        texts.size(), grain_of(texts.size(), threads), threads,
        [&] { return Worker(rules, items()); },
        [&](Worker& worker, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                worker.shingler.collect(texts[i], worker.hashes);
                made.shingles[i] = static_cast<std::uint32_t>(worker.hashes.size());
                find_in(worker.hashes, worker.tally, own[i]);
            }
        });
    for (std::size_t i = 0; i < own.size(); ++i) {
        made.documents.insert(made.documents.end(), own[i].size(), static_cast<std::uint32_t>(i));
        made.items.insert(made.items.end(), own[i].begin(), own[i].end());
    }
    return made;
}

}  // namespace likewise
