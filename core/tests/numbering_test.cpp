// Numbers of keys against a map.
#include "numbering.hpp"

#include <map>

#include "check.hpp"

namespace {

using check::below;
using check::Random;

TEST(equal_hashes_have_one_number_in_the_order_of_meeting) {
    Random random(1);
    for (int turn = 0; turn < 50; ++turn) {
        std::vector<std::uint64_t> hashes;
        const std::uint32_t different = 1 + below(random, 3000), shift = below(random, 60);
        for (std::uint32_t i = below(random, 5000); i > 0; --i) {
            hashes.push_back(std::uint64_t{below(random, different)} << shift);
        }
        std::map<std::uint64_t, std::uint32_t> known;
        std::vector<std::uint32_t> numbers, first;
        for (const auto hash : hashes) {
            const auto [found, added] =
                known.emplace(hash, static_cast<std::uint32_t>(known.size()));
            if (added) first.push_back(static_cast<std::uint32_t>(numbers.size()));
            numbers.push_back(found->second);
        }
        const auto made = likewise::numbered(hashes);
        CHECK(made.numbers == numbers);
        CHECK(made.first == first);
    }
}

}  // namespace

int main() { return check::run_all(); }
