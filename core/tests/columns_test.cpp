// Columns of words against a search of all words.
#include "columns.hpp"

#include <algorithm>
#include <set>

#include "check.hpp"

namespace {

using check::below;
using check::Random;
using Numbers = std::vector<std::uint32_t>;

// Every column as a list of its words; a run joins two lists if no part is in both.
Numbers obvious(const Numbers& parts, const Numbers& a, const Numbers& b, const Numbers& lengths) {
    Numbers label(parts.size());
    for (std::uint32_t word = 0; word < label.size(); ++word) label[word] = word;
    const auto parts_of = [&](std::uint32_t column) {
        std::set<std::uint32_t> found;
        for (std::uint32_t word = 0; word < label.size(); ++word) {
            if (label[word] == column) found.insert(parts[word]);
        }
        return found;
    };
    for (std::size_t run = 0; run < a.size(); ++run) {
        for (std::uint32_t i = 0; i < lengths[run]; ++i) {
            const auto x = label[a[run] + i], y = label[b[run] + i];
            if (x == y) continue;
            const auto of_x = parts_of(x), of_y = parts_of(y);
            if (std::any_of(of_x.begin(), of_x.end(),
                            [&](std::uint32_t part) { return of_y.count(part) != 0; })) {
                continue;
            }
            for (auto& other : label) {
                if (other == x || other == y) other = std::min(x, y);
            }
        }
    }
    return label;
}

TEST(columns_have_one_word_of_each_part) {
    Random random(5);
    for (int turn = 0; turn < 300; ++turn) {
        const std::uint32_t words = 1 + below(random, 60), texts = 1 + below(random, 5);
        Numbers parts, a, b, lengths;
        for (std::uint32_t word = 0; word < words; ++word) parts.push_back(word * texts / words);
        for (std::uint32_t run = below(random, 12); run > 0; --run) {
            a.push_back(below(random, words));
            b.push_back(below(random, words));
            lengths.push_back(below(random, words - std::max(a.back(), b.back()) + 1));
        }
        CHECK(likewise::align_columns(parts, {a, b, lengths}) == obvious(parts, a, b, lengths));
    }
}

TEST(words_without_runs_are_alone) {
    const Numbers parts = {0, 0, 1};
    CHECK(likewise::align_columns(parts, {}) == (Numbers{0, 1, 2}));
    CHECK(likewise::align_columns({}, {}).empty());
}

}  // namespace

int main() { return check::run_all(); }
