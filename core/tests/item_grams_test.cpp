// Candidates against their definition: the weights of an item's grams near each other.
#include "item_grams.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "check.hpp"
#include "shingles.hpp"

namespace {

using check::below;
using check::Random;
using Pair = std::pair<std::uint32_t, std::uint32_t>;

std::string drawn(Random& random, std::size_t words, std::uint32_t vocabulary) {
    std::string made;
    for (std::size_t i = 0; i < words; ++i) {
        made += (i ? " w" : "w") + std::to_string(below(random, vocabulary));
    }
    return made;
}

// Whether grams that weigh enough are within `reach` shingles somewhere.
bool near(const std::vector<std::uint64_t>& hashes, const std::set<std::uint64_t>& own,
          const std::map<std::uint64_t, std::uint32_t>& weights, std::uint32_t need,
          std::uint32_t reach) {
    for (std::size_t begin = 0; begin < hashes.size(); ++begin) {
        std::uint64_t sum = 0;
        for (std::size_t at = begin; at < std::min(hashes.size(), begin + reach); ++at) {
            if (own.count(hashes[at])) sum += weights.at(hashes[at]);
        }
        if (sum >= need) return true;
    }
    return false;
}

TEST(items_are_found_where_their_grams_are_near_each_other) {
    Random random(1);
    likewise::Rules rules;
    rules.unit = likewise::Unit::word;
    rules.k = 2;
    likewise::Shingler shingler(rules);
    for (int turn = 0; turn < 200; ++turn) {
        const std::uint32_t items = 1 + below(random, 5);
        std::map<std::uint64_t, std::set<std::uint32_t>> of;
        std::vector<std::set<std::uint64_t>> own(items);
        std::vector<std::uint64_t> hashes;
        for (std::uint32_t item = 0; item < items; ++item) {
            shingler.collect(drawn(random, 2 + below(random, 8), 6), hashes);
            own[item] = {hashes.begin(), hashes.end()};
            for (const std::uint64_t hash : hashes) of[hash].insert(item);
        }
        std::vector<std::uint64_t> grams, offsets{0};
        std::vector<std::uint32_t> owners, weights, needs, reaches;
        std::map<std::uint64_t, std::uint32_t> weight;
        for (const auto& [hash, numbers] : of) {
            grams.push_back(hash);
            owners.insert(owners.end(), numbers.begin(), numbers.end());
            offsets.push_back(owners.size());
            weights.push_back(1 + below(random, 3));
            weight[hash] = weights.back();
        }
        for (std::uint32_t item = 0; item < items; ++item) {
            needs.push_back(1 + below(random, 8));
            reaches.push_back(1 + below(random, 6));
        }
        const likewise::ItemGrams table(grams, offsets, owners, weights, needs, reaches);
        std::vector<std::string> texts;
        for (int i = 0; i < 10; ++i) texts.push_back(drawn(random, below(random, 40), 6));
        const std::vector<std::string_view> views(texts.begin(), texts.end());
        const auto found = table.find(views, rules, 1 + below(random, 3));
        std::set<Pair> pairs;
        for (std::size_t i = 0; i < found.items.size(); ++i) {
            pairs.emplace(found.documents[i], found.items[i]);
        }
        CHECK(pairs.size() == found.items.size());
        for (std::uint32_t document = 0; document < texts.size(); ++document) {
            shingler.collect(texts[document], hashes);
            CHECK(found.shingles[document] == hashes.size());
            for (std::uint32_t item = 0; item < items; ++item) {
                const bool is_found = pairs.count({document, item}) > 0;
                const auto within = [&](std::uint32_t reach) {
                    return near(hashes, own[item], weight, needs[item], reach);
                };
                if (within(reaches[item])) CHECK(is_found);
                if (is_found) CHECK(within(2 * reaches[item]));
            }
        }
    }
}

}  // namespace

int main() { return check::run_all(); }
