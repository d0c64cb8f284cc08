// Groups, candidates, copies and clusters against loops over all pairs.
#include "groups.hpp"

#include <map>
#include <set>
#include <tuple>

#include "candidates.hpp"
#include "check.hpp"
#include "clusters.hpp"
#include "copies.hpp"
#include "hash.hpp"
#include "kept_across.hpp"

namespace {

using check::below;
using check::Random;
using likewise::Candidates;
using likewise::Digest;
using likewise::kHubs;
using likewise::kLeft;
using likewise::kRight;

using Documents = std::vector<std::uint32_t>;
using Pair = std::pair<std::uint32_t, std::uint32_t>;
using Sides = std::vector<std::uint8_t>;

const std::uint8_t* data_of(const Sides& sides) { return sides.empty() ? nullptr : sides.data(); }

// --- Groups

void check_groups(likewise::GroupFinder& finder, const std::vector<std::uint64_t>& keys) {
    std::map<std::uint64_t, Documents> by_key;
    for (std::uint32_t i = 0; i < keys.size(); ++i) by_key[keys[i]].push_back(i);
    std::set<Documents> expected, found;
    for (const auto& [key, members] : by_key) {
        if (members.size() > 1) expected.insert(members);
    }
    finder.run(
        keys.size(), [&](std::size_t i) { return keys[i]; },
        [&](const std::uint32_t* members, std::size_t size) {
            CHECK(found.insert(Documents(members, members + size)).second, "a group twice");
        });
    CHECK(found == expected, "%zu keys", keys.size());
}

// Sizes around those where parts are split.
const std::vector<std::size_t> kCounts{0, 1, 2, 3, 511, 512, 513, 514, 1024, 1025, 5000, 60000};

TEST(equal_keys_are_grouped) {
    Random random(31);
    likewise::GroupFinder finder;  // one for all, as the search does
    for (const std::size_t count : kCounts) {
        for (const std::size_t different : {1, 2, 50, 1000, 100000}) {
            std::vector<std::uint64_t> pool(different), keys(count);
            for (auto& key : pool) key = random();
            for (auto& key : keys) key = check::one_of(random, pool);
            check_groups(finder, keys);
        }
    }
}

// Well-mixed keys are fast, others must still be right.
TEST(keys_that_differ_in_few_bits_are_told_apart) {
    likewise::GroupFinder finder;
    for (const std::size_t count : kCounts) {
        if (count > 5000) continue;
        for (const unsigned shift : {0, 1, 4, 30, 52, 56}) {
            std::vector<std::uint64_t> keys(count);
            for (std::size_t i = 0; i < count; ++i) keys[i] = std::uint64_t{i % 251} << shift;
            check_groups(finder, keys);
            for (auto& key : keys) key = ~key;
            check_groups(finder, keys);
        }
    }
}

// --- Candidates

struct Bands {
    std::uint32_t bands;
    std::size_t documents;
    std::vector<std::uint64_t> keys;  // [bands][documents]

    std::uint64_t key(std::uint32_t band, std::uint32_t document) const {
        return keys[band * documents + document];
    }
};

// different: how many keys there are in each band.
Bands random_bands(Random& random, std::uint32_t bands, std::size_t documents,
                   const std::vector<std::size_t>& different) {
    Bands result{bands, documents, std::vector<std::uint64_t>(bands * documents)};
    for (std::uint32_t band = 0; band < bands; ++band) {
        std::vector<std::uint64_t> pool(different[band % different.size()]);
        for (auto& key : pool) key = random();
        for (std::size_t i = 0; i < documents; ++i) {
            result.keys[band * documents + i] = check::one_of(random, pool);
        }
    }
    return result;
}

struct SlowCandidates {
    std::set<Pair> pairs;
    std::uint64_t large_buckets = 0, set_aside = 0;
};

// What candidates.hpp says, band by band.
SlowCandidates slow_candidates(const Bands& bands, const Documents& chosen, const Sides& sides,
                               std::size_t max_bucket) {
    SlowCandidates result;
    const auto is_on = [&](std::uint32_t document, std::uint8_t side) {
        return sides.empty() || (sides[document] & side) != 0;
    };
    const auto meet = [&](std::uint32_t a, std::uint32_t b) {
        return (is_on(a, kLeft) && is_on(b, kRight)) || (is_on(a, kRight) && is_on(b, kLeft));
    };
    for (std::uint32_t band = 0; band < bands.bands; ++band) {
        std::map<std::uint64_t, Documents> buckets;
        for (const auto document : chosen) buckets[bands.key(band, document)].push_back(document);
        for (const auto& [key, bucket] : buckets) {
            const bool large = bucket.size() > max_bucket;
            result.large_buckets += large;
            std::vector<bool> hub(bucket.size());
            std::size_t left = 0, right = 0;
            for (std::size_t i = 0; i < bucket.size(); ++i) {
                const bool on_left = is_on(bucket[i], kLeft), on_right = is_on(bucket[i], kRight);
                hub[i] = (on_left && left < kHubs) || (on_right && right < kHubs);
                left += hub[i] && on_left;
                right += hub[i] && on_right;
            }
            for (std::size_t j = 0; j < bucket.size(); ++j) {
                for (std::size_t i = 0; i < j; ++i) {
                    if (!meet(bucket[i], bucket[j])) continue;
                    const bool taken = !large || hub[i] || hub[j] || j - i <= kHubs;
                    if (taken) result.pairs.insert({bucket[i], bucket[j]});
                    result.set_aside += !taken;
                }
            }
        }
    }
    return result;
}

Candidates candidates_of(const Bands& bands, const Documents& chosen, const Sides& sides,
                         std::uint32_t max_bucket, unsigned threads) {
    return likewise::find_candidates(bands.keys.data(), bands.bands, bands.documents, chosen,
                                     data_of(sides), max_bucket, threads);
}

// The lists as pairs; on the way, whether they are what candidates.hpp promises of them.
std::set<Pair> pairs_of(const Candidates& found, std::size_t documents) {
    std::set<Pair> pairs;
    CHECK(found.offsets.size() == documents + 1);
    CHECK(found.offsets.front() == 0 && found.offsets.back() == found.others.size());
    for (std::uint32_t a = 0; a < documents; ++a) {
        std::uint32_t last = a;
        for (std::uint64_t i = found.offsets[a]; i < found.offsets[a + 1]; ++i) {
            CHECK(found.others[i] > last, "not ascending");
            last = found.others[i];
            pairs.insert({a, last});
        }
    }
    return pairs;
}

Documents all_of(std::size_t documents) {
    Documents all(documents);
    for (std::uint32_t i = 0; i < documents; ++i) all[i] = i;
    return all;
}

Documents some_of(Random& random, std::size_t documents) {
    Documents some;
    for (std::uint32_t i = 0; i < documents; ++i) {
        if (below(random, 4) > 0) some.push_back(i);
    }
    return some;
}

// None, or left and right, or some on both.
Sides random_sides(Random& random, std::size_t documents) {
    Sides sides;
    const std::size_t kinds = 1 + below(random, 3);
    if (kinds == 1) return sides;
    for (std::size_t i = 0; i < documents; ++i) {
        sides.push_back(static_cast<std::uint8_t>(1 + below(random, kinds)));
    }
    return sides;
}

void check_candidates(const Bands& bands, const Documents& chosen, const Sides& sides,
                      std::uint32_t max_bucket) {
    const auto expected = slow_candidates(bands, chosen, sides, max_bucket);
    const auto found = candidates_of(bands, chosen, sides, max_bucket, 1);
    CHECK(pairs_of(found, bands.documents) == expected.pairs, "%u bands, max_bucket %u",
          bands.bands, max_bucket);
    CHECK(found.large_buckets == expected.large_buckets);
    CHECK(found.set_aside == expected.set_aside);
    const auto threaded = candidates_of(bands, chosen, sides, max_bucket, 4);
    CHECK(threaded.offsets == found.offsets && threaded.others == found.others);
    CHECK(threaded.large_buckets == found.large_buckets && threaded.set_aside == found.set_aside);
}

TEST(documents_that_agree_in_a_band_are_candidates) {
    Random random(32);
    for (int i = 0; i < 60; ++i) {
        const std::size_t documents = below(random, 300);
        const auto bands = random_bands(random, 1 + static_cast<std::uint32_t>(below(random, 9)),
                                        documents, {3, 40, 1000});
        check_candidates(bands, some_of(random, documents), random_sides(random, documents), 1000);
    }
    check_candidates({0, 5, {}}, all_of(5), {}, 1000);
}

TEST(a_large_bucket_is_joined_to_its_hubs_and_neighbours) {
    Random random(33);
    for (int i = 0; i < 60; ++i) {
        const std::size_t documents = 20 + below(random, 200);
        const auto bands = random_bands(random, 1, documents, {1 + below(random, 5)});
        for (const std::uint32_t max_bucket : {2, 10, 17, 50}) {
            check_candidates(bands, some_of(random, documents), random_sides(random, documents),
                             max_bucket);
        }
    }
}

// What one band sets aside, another band with a smaller bucket still finds.
TEST(a_pair_set_aside_in_one_band_is_taken_in_another) {
    // All of 30 documents agree in the first band, 9 to 26 in the second, where they are few.
    Bands two{2, 30, std::vector<std::uint64_t>(30, 1)};
    for (std::uint64_t i = 0; i < 30; ++i) two.keys.push_back(i < 9 || i > 26 ? 100 + i : 2);
    check_candidates(two, all_of(30), {}, 20);

    Random random(34);
    for (int i = 0; i < 40; ++i) {
        const std::size_t documents = 100 + below(random, 200);
        const auto bands = random_bands(random, 4, documents, {1, 4, 10, 50});
        for (const std::uint32_t max_bucket : {10, 20, 60}) {
            check_candidates(bands, some_of(random, documents), random_sides(random, documents),
                             max_bucket);
        }
    }
}

TEST(every_member_of_a_large_bucket_stays_connected) {
    Random random(35);
    for (const std::size_t documents : {3, 9, 20, 500}) {
        const auto bands = random_bands(random, 3, documents, {1});
        for (int kind = 0; kind < 3; ++kind) {
            Sides sides;
            if (kind > 0) {
                // The sides one after the other, as collections are, and mixed.
                for (std::size_t i = 0; i < documents; ++i) {
                    const bool left = kind == 1 ? i < documents / 2 : below(random, 2) == 0;
                    sides.push_back(left ? kLeft : kRight);
                }
                sides.front() = kLeft;
                sides.back() = kRight;
            }
            const auto found = candidates_of(bands, all_of(documents), sides, 2, 2);
            Documents a, b;
            for (const auto& [x, y] : pairs_of(found, documents)) {
                a.push_back(x);
                b.push_back(y);
            }
            const auto clusters = likewise::find_clusters(documents, a, b);
            CHECK(clusters == Documents(documents, 0), "%zu documents", documents);
        }
    }
}

// --- Clusters

TEST(a_cluster_is_led_by_the_smallest_it_reaches) {
    Random random(36);
    for (int i = 0; i < 200; ++i) {
        const std::size_t documents = 1 + below(random, 200);
        Documents a, b;
        std::vector<Documents> neighbours(documents);
        for (std::size_t pairs = below(random, 2 * documents); pairs > 0; --pairs) {
            a.push_back(static_cast<std::uint32_t>(below(random, documents)));
            b.push_back(static_cast<std::uint32_t>(below(random, documents)));
            neighbours[a.back()].push_back(b.back());
            neighbours[b.back()].push_back(a.back());
        }
        // Breadth first from each document not seen yet, in ascending order.
        constexpr std::uint32_t kUnseen = ~0u;
        Documents expected(documents, kUnseen);
        for (std::uint32_t first = 0; first < documents; ++first) {
            if (expected[first] != kUnseen) continue;
            expected[first] = first;
            Documents queue{first};
            for (std::size_t q = 0; q < queue.size(); ++q) {
                for (const auto next : neighbours[queue[q]]) {
                    if (expected[next] != kUnseen) continue;
                    expected[next] = first;
                    queue.push_back(next);
                }
            }
        }
        CHECK(likewise::find_clusters(documents, a, b) == expected, "%zu documents", documents);
    }
    CHECK(likewise::find_clusters(0, {}, {}).empty());
}

TEST(long_chains_are_one_cluster) {
    const std::uint32_t documents = 100000;
    Documents a, b;
    for (std::uint32_t i = documents - 1; i > 0; --i) {
        a.push_back(i);
        b.push_back(i - 1);
    }
    CHECK(likewise::find_clusters(documents, a, b) == Documents(documents, 0));
    std::reverse(a.begin(), a.end());
    std::reverse(b.begin(), b.end());
    CHECK(likewise::find_clusters(documents, b, a) == Documents(documents, 0));
}

TEST(what_is_kept_across_groups) {
    Random random(31);
    for (int i = 0; i < 300; ++i) {
        // Documents from the best to the worst, each with a text and a group.
        const std::uint32_t texts = 1 + below(random, 8), documents = 1 + below(random, 20);
        std::vector<Documents> similar(texts, Documents(texts, 0));
        for (std::uint32_t a = 0; a < texts; ++a) {
            similar[a][a] = 1;
            for (std::uint32_t b = 0; b < a; ++b) similar[a][b] = similar[b][a] = below(random, 2);
        }
        Documents text(documents), group(documents);
        std::set<Pair> seen;
        Documents own_texts, own_groups;
        for (std::uint32_t d = 0; d < documents; ++d) {
            text[d] = below(random, texts);
            group[d] = below(random, 4);
            if (!seen.insert({text[d], group[d]}).second) continue;
            own_texts.push_back(text[d]);
            own_groups.push_back(group[d]);
        }
        std::vector<std::uint64_t> offsets{0};
        Documents neighbours;
        for (std::uint32_t a = 0; a < texts; ++a) {
            for (std::uint32_t b = 0; b < texts; ++b) {
                if (a != b && similar[a][b]) neighbours.push_back(b);
            }
            offsets.push_back(neighbours.size());
        }
        const auto kept = likewise::kept_across(offsets, neighbours, own_texts, own_groups);
        std::set<Pair> kept_pairs;
        for (std::size_t n = 0; n < kept.size(); ++n) {
            if (kept[n]) kept_pairs.insert({own_texts[n], own_groups[n]});
        }
        std::vector<bool> stays(documents, true);
        for (std::uint32_t d = 0; d < documents; ++d) {
            for (std::uint32_t k = 0; k < d; ++k) {
                if (stays[k] && group[k] != group[d] && similar[text[k]][text[d]]) stays[d] = false;
            }
            CHECK(stays[d] == kept_pairs.contains({text[d], group[d]}), "document %u", d);
        }
    }
    CHECK(likewise::kept_across(std::vector<std::uint64_t>{0}, {}, {}, {}).empty());
}

// --- Copies

TEST(a_copy_points_to_the_first_with_its_digest) {
    Random random(37);
    for (int i = 0; i < 100; ++i) {
        const std::size_t documents = below(random, 700);
        const std::size_t different = 1 + below(random, 300);
        // Digests that agree in one half are no copies.
        std::vector<Digest> pool(different), digests(documents);
        for (auto& digest : pool) digest = {below(random, 2) ? random() : 5, random()};
        std::vector<std::uint64_t> counts(documents);
        for (std::size_t d = 0; d < documents; ++d) {
            counts[d] = below(random, 5) == 0 ? 0 : 1;
            digests[d] = counts[d] == 0 ? Digest{} : check::one_of(random, pool);
        }
        Documents expected = all_of(documents);
        for (std::uint32_t d = 0; d < documents; ++d) {
            for (std::uint32_t before = 0; before < d && counts[d] > 0; ++before) {
                if (counts[before] == 0 || digests[before] != digests[d]) continue;
                expected[d] = before;
                break;
            }
        }
        CHECK(likewise::find_copies(digests, counts) == expected, "%zu documents", documents);
    }
}

// A factor of 0 gives all of these digests the same 64-bit key.
TEST(digests_with_the_same_key_are_told_apart) {
    std::vector<Digest> digests;
    Documents expected;
    for (std::uint32_t i = 0; i < 1200; ++i) {
        digests.push_back(i < 600 ? Digest{likewise::kWordStep, i % 7}
                                  : Digest{i % 5, likewise::kFinalFactor});
        expected.push_back(i < 600 ? i % 7 : 600 + i % 5);
    }
    const std::vector<std::uint64_t> counts(digests.size(), 1);
    CHECK(likewise::find_copies(digests, counts) == expected);
}

using Expanded = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>;

// Every pair of documents, if copies.hpp wants it.
std::vector<Expanded> slow_expansion(const Documents& first, const Sides& sides, const Documents& a,
                                     const Documents& b, std::size_t max_copies) {
    const auto is_on = [&](std::uint32_t document, std::uint8_t side) {
        return sides.empty() || (sides[document] & side) != 0;
    };
    const auto group = [&](std::uint32_t document, std::uint8_t side) {
        Documents members;
        for (std::uint32_t i = 0; i < first.size(); ++i) {
            if (first[i] == first[document] && is_on(i, side)) members.push_back(i);
        }
        return members;
    };
    std::map<Pair, std::uint64_t> origins;
    for (std::size_t i = 0; i < a.size(); ++i) {
        origins[{a[i], b[i]}] = origins[{b[i], a[i]}] = i;
    }
    std::vector<Expanded> result;
    for (std::uint32_t x = 0; x < first.size(); ++x) {
        const auto left = group(x, kLeft);
        for (std::uint32_t y = sides.empty() ? x + 1 : 0; y < first.size(); ++y) {
            if (!is_on(x, kLeft) || !is_on(y, kRight)) continue;
            const auto right = group(y, kRight);
            const bool few_left = left.size() <= max_copies, few_right = right.size() <= max_copies;
            const bool leads_left = x == left.front(), leads_right = y == right.front();
            if (first[x] == first[y]) {
                if ((few_left && few_right) || leads_left || leads_right) {
                    result.emplace_back(x, y, a.size() + first[x]);
                }
            } else if (const auto origin = origins.find({first[x], first[y]});
                       origin != origins.end()) {
                if ((few_left || leads_left) && (few_right || leads_right)) {
                    result.emplace_back(x, y, origin->second);
                }
            }
        }
    }
    std::sort(result.begin(), result.end());
    return result;
}

TEST(copies_get_the_pairs_of_their_first) {
    Random random(38);
    for (int i = 0; i < 200; ++i) {
        const std::size_t documents = 1 + below(random, 60);
        const std::size_t groups = 1 + below(random, documents);
        std::vector<std::size_t> group(documents);
        Documents first = all_of(documents), leaders;
        for (std::uint32_t d = 0; d < documents; ++d) {
            group[d] = below(random, groups);
            first[d] = static_cast<std::uint32_t>(std::find(group.begin(), group.end(), group[d]) -
                                                  group.begin());
            if (first[d] == d) leaders.push_back(d);
        }
        Documents a, b;
        for (std::size_t y = 0; y < leaders.size(); ++y) {
            for (std::size_t x = 0; x < y; ++x) {
                if (below(random, 3) > 0) continue;
                a.push_back(leaders[x]);
                b.push_back(leaders[y]);
            }
        }
        Sides sides;
        for (std::size_t d = 0; i % 2 == 0 && d < documents; ++d) {
            sides.push_back(below(random, 2) == 0 ? kLeft : kRight);
        }
        for (const std::uint32_t max_copies : {1, 2, 3, 5, 100}) {
            const auto found = likewise::expand_copies(first, data_of(sides), a, b, max_copies);
            std::vector<Expanded> pairs;
            for (std::size_t p = 0; p < found.a.size(); ++p) {
                pairs.emplace_back(found.a[p], found.b[p], found.origin[p]);
            }
            std::sort(pairs.begin(), pairs.end());
            CHECK(pairs == slow_expansion(first, sides, a, b, max_copies),
                  "%zu documents, max_copies %u", documents, max_copies);
        }
    }
}

}  // namespace

int main() { return check::run_all(); }
