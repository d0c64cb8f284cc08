// Entries of an index against sorting and sets.
#include "entries.hpp"

#include <algorithm>
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

TEST(documents_are_counted_once) {
    Random random(3);
    for (const std::size_t count : {0, 1, 100}) {
        const Entries entries = drawn(random, count, 30);
        std::set<std::uint32_t> seen;
        for (const auto entry : entries) seen.insert(static_cast<std::uint32_t>(entry));
        CHECK(likewise::count_documents(entries) == seen.size());
    }
}

}  // namespace

int main() { return check::run_all(); }
