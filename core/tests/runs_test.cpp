// Runs of equal words against a loop over all pairs of places.
#include "runs.hpp"

#include <tuple>

#include "check.hpp"

namespace {

using check::below;
using check::Random;
using likewise::common_runs;
using likewise::Run;

using Words = std::vector<std::uint32_t>;
using Row = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

std::vector<Row> slowly(const Words& a, const Words& b, std::uint32_t least) {
    std::vector<Row> found;
    for (std::uint32_t i = 0; i < a.size(); ++i) {
        for (std::uint32_t j = 0; j < b.size(); ++j) {
            if (i > 0 && j > 0 && a[i - 1] == b[j - 1]) continue;
            std::uint32_t words = 0;
            while (i + words < a.size() && j + words < b.size() && a[i + words] == b[j + words]) {
                ++words;
            }
            if (words >= least) found.emplace_back(i, j, words);
        }
    }
    return found;
}

std::vector<Row> rows(const std::vector<Run>& runs) {
    std::vector<Row> made;
    for (const Run& run : runs) made.emplace_back(run.a, run.b, run.words);
    return made;
}

Words drawn(Random& random, std::size_t count, std::uint32_t vocabulary) {
    Words made(count);
    for (auto& word : made) word = below(random, vocabulary);
    return made;
}

TEST(all_runs_are_found_where_nothing_is_repeated_often) {
    Random random(1);
    for (int turn = 0; turn < 300; ++turn) {
        Words a = drawn(random, below(random, 60), 1000);
        Words b = drawn(random, below(random, 60), 1000);
        for (int copy = 0; copy < 3 && !a.empty(); ++copy) {  // runs of a, put into b
            const std::size_t from = below(random, static_cast<std::uint32_t>(a.size()));
            const std::size_t words = below(random, 12);
            const std::size_t end = std::min(a.size(), from + words);
            const auto at = below(random, static_cast<std::uint32_t>(b.size() + 1));
            b.insert(b.begin() + at, a.begin() + static_cast<std::ptrdiff_t>(from),
                     a.begin() + static_cast<std::ptrdiff_t>(end));
        }
        for (const std::uint32_t least : {1u, 3u, 6u}) {
            CHECK(rows(common_runs(a, b, least)) == slowly(a, b, least));
        }
    }
}

TEST(every_word_of_a_long_run_is_in_some_run_however_often_things_are_repeated) {
    Random random(2);
    for (int turn = 0; turn < 200; ++turn) {
        const Words a = drawn(random, 80, 2), b = drawn(random, 80, 2);
        const std::uint32_t least = 4;
        std::vector<bool> expected(a.size()), covered(a.size());
        for (const auto& [i, j, words] : slowly(a, b, least)) {
            for (std::uint32_t at = i; at < i + words; ++at) expected[at] = true;
        }
        for (const Run& run : common_runs(a, b, least)) {
            for (std::uint32_t at = 0; at < run.words; ++at) {
                CHECK(a[run.a + at] == b[run.b + at]);
                covered[run.a + at] = true;
            }
        }
        CHECK(covered == expected);
    }
}

TEST(a_million_repetitions_of_one_word_are_one_run) {
    const Words a(1'000'000, 7), b(999'999, 7);
    const auto found = common_runs(a, b, 12);
    CHECK(found.size() >= 1 && found.size() < 100);
    CHECK(common_runs(a, {}, 12).empty());
    CHECK(common_runs({}, {}, 12).empty());
    CHECK(common_runs(Words(5, 1), Words(5, 1), 6).empty());
}

}  // namespace

int main() { return check::run_all(); }
