// Fingerprints against their definition: the smallest of every window, and all pairs of documents.
#include "fingerprints.hpp"

#include <map>
#include <set>
#include <string>

#include "candidates.hpp"
#include "check.hpp"
#include "shingles.hpp"

namespace {

using check::below;
using check::Random;

using Hashes = std::vector<std::uint64_t>;

std::string drawn(Random& random, std::size_t words, std::uint32_t vocabulary) {
    std::string made;
    for (std::size_t i = 0; i < words; ++i) {
        made += (i ? " w" : "w") + std::to_string(below(random, vocabulary));
    }
    return made;
}

likewise::Rules words_of(std::uint32_t k) {
    likewise::Rules rules;
    rules.unit = likewise::Unit::word;
    rules.k = k;
    return rules;
}

TEST(a_fingerprint_is_the_smallest_of_a_window) {
    Random random(1);
    for (int turn = 0; turn < 200; ++turn) {
        const likewise::Rules rules = words_of(1 + below(random, 4));
        const std::uint32_t window = 1 + below(random, 6);
        const std::string text = drawn(random, below(random, 40), 5);
        Hashes hashes;
        likewise::Shingler(rules).collect(text, hashes);
        std::set<std::uint64_t> expected;
        const std::size_t size = std::min<std::size_t>(window, hashes.size());
        for (std::size_t i = 0; size > 0 && i + size <= hashes.size(); ++i) {
            expected.insert(
                *std::min_element(hashes.begin() + static_cast<std::ptrdiff_t>(i),
                                  hashes.begin() + static_cast<std::ptrdiff_t>(i + size)));
        }
        const std::string_view texts[] = {"", text};
        const auto made = likewise::fingerprint(texts, rules, window, 2);
        CHECK(made.offsets == Hashes({0, 0, made.hashes.size()}));
        CHECK(made.hashes == Hashes(expected.begin(), expected.end()));
    }
}

TEST(a_sample_holds_a_shingle_of_every_run) {
    Random random(3);
    for (int turn = 0; turn < 200; ++turn) {
        const likewise::Rules rules = words_of(1 + below(random, 4));
        const std::uint32_t stride = 1 + below(random, 6);
        const std::string text = drawn(random, below(random, 40), 5);
        Hashes hashes;
        likewise::Shingler(rules).collect(text, hashes);
        std::set<std::uint64_t> expected;
        for (std::size_t i = 0; i < hashes.size(); i += stride) expected.insert(hashes[i]);
        const std::string_view texts[] = {text, ""};
        const auto made = likewise::sample_shingles(texts, rules, stride, 2);
        CHECK(made.hashes == Hashes(expected.begin(), expected.end()));
        CHECK(made.offsets == Hashes({0, made.hashes.size(), made.hashes.size()}));
        // Of as many shingles in a row as a stride one is kept.
        for (std::size_t i = 0; i + stride <= hashes.size(); ++i) {
            bool kept = false;
            for (std::size_t j = i; j < i + stride; ++j) kept |= expected.count(hashes[j]) > 0;
            CHECK(kept);
        }
    }
}

TEST(documents_that_share_fingerprints_are_paired) {
    Random random(2);
    for (int turn = 0; turn < 200; ++turn) {
        const std::size_t documents = below(random, 12);
        Hashes hashes, offsets{0};
        std::vector<std::uint8_t> sides;
        std::map<std::uint64_t, std::set<std::uint32_t>> holders;
        for (std::uint32_t i = 0; i < documents; ++i) {
            std::set<std::uint64_t> own;
            for (std::uint32_t n = below(random, 6); n > 0; --n) {
                own.insert(below(random, 20) * 0x9E3779B97F4A7C15);
            }
            for (const auto hash : own) holders[hash].insert(i);
            hashes.insert(hashes.end(), own.begin(), own.end());
            offsets.push_back(hashes.size());
            sides.push_back(static_cast<std::uint8_t>(1 + below(random, 3)));
        }
        const std::uint32_t most = 2 + below(random, 5);
        for (const std::uint8_t* given : {static_cast<const std::uint8_t*>(nullptr),
                                          static_cast<const std::uint8_t*>(sides.data())}) {
            std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> expected;
            std::uint64_t set_aside = 0;
            for (const auto& [hash, held] : holders) {
                bool meet = false;
                for (const auto a : held) {
                    for (const auto b : held) {
                        if (a >= b || !likewise::sides_meet(given, a, b)) continue;
                        meet = true;
                        if (held.size() <= most) ++expected[{a, b}];
                    }
                }
                set_aside += meet && held.size() > most;
            }
            const auto made = likewise::share_fingerprints(hashes, offsets, given, most, 2);
            std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> found;
            for (std::size_t i = 0; i < made.a.size(); ++i) {
                found[{made.a[i], made.b[i]}] = made.shared[i];
            }
            CHECK(found == expected && found.size() == made.a.size());
            CHECK(made.set_aside == set_aside);
        }
    }
}

}  // namespace

int main() { return check::run_all(); }
