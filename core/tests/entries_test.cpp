// Entries of an index against sorting and sets.
#include "entries.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "check.hpp"

namespace {

using check::below;
using check::Random;

using Entries = std::vector<std::uint64_t>;

Entries drawn(Random& random, std::size_t count, std::uint32_t documents) {
    Entries made;
    for (std::size_t i = 0; i < count; ++i) {
        made.push_back(std::uint64_t{below(random, 1u << 16)} << 48 | below(random, documents));
    }
    std::sort(made.begin(), made.end());
    return made;
}

TEST(runs_are_merged_without_the_documents_that_are_gone) {
    Random random(1);
    for (std::size_t runs = 0; runs < 8; ++runs) {
        std::vector<Entries> parts;
        for (std::size_t i = 0; i < runs; ++i) {
            parts.push_back(drawn(random, below(random, 50), 40));
        }
        std::vector<std::uint8_t> present(40);
        for (auto& flag : present) flag = below(random, 2) != 0;
        present.pop_back();  // one beyond the flags is gone, too
        Entries all, kept;
        for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
        std::sort(all.begin(), all.end());
        for (const auto entry : all) {
            const auto document = static_cast<std::uint32_t>(entry);
            if (document < present.size() && present[document]) kept.push_back(entry);
        }
        const std::vector<std::span<const std::uint64_t>> spans(parts.begin(), parts.end());
        CHECK(likewise::merge_entries(spans, {}) == all);
        CHECK(likewise::merge_entries(spans, present) == kept);
    }
}

TEST(a_filter_has_the_bits_of_its_keys_and_no_others) {
    Random random(2);
    for (unsigned bits = 3; bits <= 16; ++bits) {
        const Entries entries = drawn(random, 30, 1000);
        const auto flags = likewise::key_filter(entries, bits);
        std::set<std::uint64_t> places;
        for (const auto entry : entries) places.insert(entry >> (64 - bits));
        CHECK(flags.size() == std::size_t{1} << (bits - 3));
        for (std::uint64_t place = 0; place < std::uint64_t{1} << bits; ++place) {
            CHECK(((flags[place >> 3] >> (place & 7)) & 1) == places.count(place));
        }
    }
}

TEST(a_bloom_filter_holds_its_keys_and_few_others) {
    Random random(7);
    for (unsigned bits = 0; bits <= 6; ++bits) {
        Entries entries;
        for (std::uint32_t i = 0; i < (40u << bits); ++i) {  // about 13 bits a key
            entries.push_back(std::uint64_t{below(random, 0xFFFFFFFF)} << 32 | i);
        }
        std::sort(entries.begin(), entries.end());
        std::vector<std::uint32_t> keys, others;
        for (const auto entry : entries) keys.push_back(static_cast<std::uint32_t>(entry >> 32));
        for (int i = 0; i < 20000; ++i) others.push_back(below(random, 0xFFFFFFFF));
        const auto whole = likewise::bloom_filter(entries, bits, 0);
        CHECK(likewise::keys_in_bloom(whole, bits, keys) == keys);
        CHECK(likewise::keys_in_bloom(whole, bits, others).size() < 800);
        // In slices by leading bits it is the same.
        for (unsigned skip = 0; skip <= bits; ++skip) {
            std::vector<std::uint8_t> joined;
            for (std::uint64_t slice = 0; slice < std::uint64_t{1} << skip; ++slice) {
                Entries part;
                for (const auto entry : entries) {
                    if (skip == 0 || entry >> (64 - skip) == slice) part.push_back(entry);
                }
                const auto filter = likewise::bloom_filter(part, bits, skip);
                joined.insert(joined.end(), filter.begin(), filter.end());
            }
            CHECK(joined == whole);
        }
    }
}

TEST(documents_are_counted_once) {
    Random random(3);
    for (const std::size_t count : {0, 1, 100}) {
        const Entries entries = drawn(random, count, 30);
        std::set<std::uint32_t> seen;
        for (const auto entry : entries) seen.insert(static_cast<std::uint32_t>(entry));
        CHECK(likewise::count_documents(entries) == seen.size());
    }
}

TEST(entries_are_made_of_leading_bits_without_common_keys) {
    Random random(4);
    for (int turn = 0; turn < 200; ++turn) {
        Entries hashes, offsets{0}, expected;
        std::set<std::uint32_t> common;
        // Few keys, so that they come again and fill the table; 0 is one of them.
        const auto drawn_key = [&] { return below(random, 40) << (turn % 27); };
        for (std::uint32_t i = below(random, 40); i > 0; --i) common.insert(drawn_key());
        const std::uint32_t documents = below(random, 6);
        for (std::uint32_t document = 0; document < documents; ++document) {
            std::set<std::uint64_t> own;
            for (std::uint32_t i = below(random, 30); i > 0; --i) {
                const std::uint32_t key = drawn_key();
                hashes.push_back(std::uint64_t{key} << 32 | below(random, 1000));
                if (!common.count(key)) own.insert(std::uint64_t{key} << 32 | document);
            }
            offsets.push_back(hashes.size());
            expected.insert(expected.end(), own.begin(), own.end());
        }
        std::sort(expected.begin(), expected.end());
        const std::vector<std::uint32_t> keys(common.begin(), common.end());
        CHECK(likewise::entries_of_hashes(hashes, offsets, keys) == expected);
    }
}

TEST(entries_of_keys_are_picked_out_of_buckets) {
    Random random(6);
    for (int turn = 0; turn < 300; ++turn) {
        Entries buckets;
        for (std::uint32_t bucket = below(random, 6); bucket > 0; --bucket) {
            const Entries one = drawn(random, below(random, 30), 9);
            buckets.insert(buckets.end(), one.begin(), one.end());
        }
        std::set<std::uint32_t> wanted;
        for (std::uint32_t i = below(random, 30); i > 0; --i) {
            wanted.insert(
                buckets.empty() || below(random, 2)
                    ? below(random, 1u << 16) << 16
                    : static_cast<std::uint32_t>(
                          buckets[below(random, static_cast<std::uint32_t>(buckets.size()))] >>
                          32));
        }
        const std::vector<std::uint32_t> keys(wanted.begin(), wanted.end());
        Entries expected;
        std::vector<std::uint32_t> counts;
        for (const auto key : keys) {
            const std::size_t before = expected.size();
            for (const auto entry : buckets) {
                if (entry >> 32 == key) expected.push_back(entry);
            }
            counts.push_back(static_cast<std::uint32_t>(expected.size() - before));
        }
        const auto held = likewise::entries_of_keys(buckets, keys);
        CHECK(held.entries == expected);
        CHECK(held.counts == counts);
    }
}

TEST(keys_of_many_documents_are_set_aside_and_told) {
    Random random(5);
    for (int turn = 0; turn < 200; ++turn) {
        std::map<std::uint32_t, std::set<std::uint32_t>> holders;
        for (std::uint32_t i = below(random, 200); i > 0; --i) {
            holders[below(random, 30)].insert(below(random, 12));
        }
        std::set<std::uint32_t> common;
        for (std::uint32_t i = below(random, 10); i > 0; --i) common.insert(below(random, 30));
        const std::uint64_t most = 1 + below(random, 10);
        Entries entries, kept;
        std::vector<std::uint32_t> set_aside, counts;
        for (const auto& [key, documents] : holders) {
            for (const auto document : documents) {
                entries.push_back(std::uint64_t{key} << 32 | document);
                if (!common.count(key) && documents.size() <= most) kept.push_back(entries.back());
            }
            if (common.count(key) || documents.size() <= most) continue;
            set_aside.push_back(key);
            counts.push_back(static_cast<std::uint32_t>(documents.size()));
        }
        const std::vector<std::uint32_t> known(common.begin(), common.end());
        const auto made = likewise::without_common(entries, known, most);
        CHECK(made.entries == kept);
        CHECK(made.set_aside == set_aside);
        CHECK(made.documents == counts);
        CHECK(likewise::count_keys(entries) == holders.size());
    }
}

}  // namespace

int main() { return check::run_all(); }
