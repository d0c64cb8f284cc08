// Rare words in common against loops over all pairs of parts.
#include "rare_words.hpp"

#include <cmath>
#include <map>
#include <set>

#include "candidates.hpp"
#include "check.hpp"

namespace {

using check::below;
using check::Random;

using Hashes = std::vector<std::uint64_t>;
using Pair = std::pair<std::uint32_t, std::uint32_t>;

TEST(pairs_have_the_evidence_of_their_best_parts) {
    Random random(1);
    for (int turn = 0; turn < 300; ++turn) {
        const std::uint32_t documents = below(random, 8);
        Hashes words, offsets{0};
        std::vector<std::uint8_t> sides;
        std::vector<std::pair<std::uint32_t, std::set<std::uint64_t>>> parts;
        std::map<std::uint64_t, std::set<std::uint32_t>> holders;
        const std::uint32_t length = 1 + below(random, 8), stride = 1 + below(random, length);
        for (std::uint32_t i = 0; i < documents; ++i) {
            const std::uint32_t size = below(random, 20);
            Hashes own;
            for (std::uint32_t n = 0; n < size; ++n) {
                own.push_back(below(random, 40) * 0x9E3779B97F4A7C15);
            }
            for (std::uint32_t begin = 0; begin < size; begin += stride) {
                std::set<std::uint64_t> part;
                for (std::uint32_t n = begin; n < std::min(size, begin + length); ++n) {
                    part.insert(own[n]);
                }
                parts.emplace_back(i, part);
                if (begin + length >= size) break;
            }
            for (const auto word : own) holders[word].insert(i);
            words.insert(words.end(), own.begin(), own.end());
            offsets.push_back(words.size());
            sides.push_back(static_cast<std::uint8_t>(1 + below(random, 2)));
        }
        const std::uint32_t most = 2 + below(random, 4);
        const double least = 0.1 + below(random, 3);
        for (const std::uint8_t* given : {static_cast<const std::uint8_t*>(nullptr),
                                          static_cast<const std::uint8_t*>(sides.data())}) {
            std::map<Pair, double> expected, found;
            for (const auto& [a, own] : parts) {
                for (const auto& [b, others] : parts) {
                    if (a >= b || !likewise::sides_meet(given, a, b)) continue;
                    double sum = 0;
                    for (const auto word : own) {
                        const std::size_t held = holders[word].size();
                        if (others.count(word) && held <= most)
                            sum += std::log(1.0 * documents / static_cast<double>(held));
                    }
                    if (sum >= least) expected[{a, b}] = std::max(expected[{a, b}], sum);
                }
            }
            const auto cut = likewise::cut_parts(words, offsets, length, stride);
            const auto made = likewise::share_words(cut, given, most, least, 2);
            for (std::size_t i = 0; i < made.a.size(); ++i) {
                found[{made.a[i], made.b[i]}] = made.evidence[i];
            }
            CHECK(found.size() == made.a.size() && found.size() == expected.size());
            for (const auto& [pair, evidence] : expected) {
                CHECK(std::abs(found[pair] - evidence) < 1e-9);
            }
        }
    }
}

}  // namespace

int main() { return check::run_all(); }
