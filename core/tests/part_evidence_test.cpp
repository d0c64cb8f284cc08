// Evidence of parts against loops over all parts and documents.
#include "part_evidence.hpp"

#include <cmath>
#include <map>
#include <set>

#include "check.hpp"

namespace {

using check::below;
using check::Random;

TEST(a_document_has_the_evidence_of_the_best_part) {
    Random random(1);
    for (int turn = 0; turn < 500; ++turn) {
        std::vector<std::uint32_t> keys;
        for (std::uint32_t i = below(random, 30); i > 0; --i) {
            keys.push_back(below(random, 12) * 0x10000001u);
        }
        std::map<std::uint32_t, std::set<std::uint32_t>> holders;
        for (std::uint32_t i = below(random, 60); i > 0; --i) {
            holders[below(random, 12) * 0x10000001u].insert(below(random, 9) * 0x1FFFFFFFu);
        }
        std::vector<std::uint64_t> entries;
        std::set<std::uint32_t> all;
        for (const auto& [key, documents] : holders) {
            for (const auto document : documents) {
                entries.push_back(std::uint64_t{key} << 32 | document);
                all.insert(document);
            }
        }
        const std::uint32_t length = 1 + below(random, 8), stride = 1 + below(random, length);
        const double least = below(random, 3);
        std::map<std::uint32_t, double> expected;
        for (std::size_t begin = 0; begin < keys.size(); begin += stride) {
            const std::size_t end = std::min<std::size_t>(keys.size(), begin + length);
            for (const auto document : all) {
                double sum = 0;
                std::set<std::uint32_t> seen;
                for (std::size_t i = begin; i < end; ++i) {  // in order, so that sums are the same
                    if (!seen.insert(keys[i]).second || !holders[keys[i]].count(document)) continue;
                    sum -= std::log(static_cast<double>(holders[keys[i]].size()) / 16.0);
                }
                if (sum > 0 && sum >= least) {
                    expected[document] = std::max(expected[document], sum);
                }
            }
            if (end == keys.size()) break;
        }
        const auto made = likewise::evidence_of_parts(keys, entries, length, stride, 16, least);
        CHECK(made.documents.size() == expected.size());
        std::size_t at = 0;
        for (const auto& [document, evidence] : expected) {
            CHECK(made.documents[at] == document);
            CHECK(std::abs(made.evidence[at] - evidence) < 1e-9);
            CHECK(made.words[at] >= 1 && made.words[at] <= length);
            ++at;
        }
    }
}

}  // namespace

int main() { return check::run_all(); }
