// Repeated parts of texts: lines and paragraphs, equal records, and runs of words that come again.
#include <map>
#include <set>
#include <string>
#include <utility>

#include "check.hpp"
#include "equal_records.hpp"
#include "repeated_runs.hpp"
#include "text_parts.hpp"

namespace {

using check::below;
using check::Random;
using likewise::Bounds;
using likewise::Split;

using Run = std::vector<std::uint32_t>;

std::vector<std::string_view> views_of(const std::vector<std::string>& texts) {
    return {texts.begin(), texts.end()};
}

TEST(lines_and_paragraphs_have_their_places_and_words) {
    const std::vector<std::string> texts = {
        "\n \nOne two\r\nThree\n\n \nfour\xe2\x80\xa8"
        "five\fsix",
        "", "...", "one TWO three"};
    const auto lines = likewise::split_texts(views_of(texts), Split::lines, {}, 2);
    CHECK((lines.begins == Run{3, 12, 21, 26, 31, 0}));
    CHECK((lines.ends == Run{12, 18, 26, 31, 34, 13}));
    CHECK((lines.documents == Run{0, 0, 0, 0, 0, 3}));
    CHECK((lines.totals == Run{6, 0, 0, 3}));
    const auto paragraphs = likewise::split_texts(views_of(texts), Split::paragraphs, {}, 1);
    CHECK((paragraphs.begins == Run{0, 21, 31, 0}));
    CHECK((paragraphs.words == Run{3, 2, 1, 3}));
    CHECK(paragraphs.low[0] == paragraphs.low[3] && paragraphs.high[0] == paragraphs.high[3]);
    CHECK(paragraphs.low[0] != paragraphs.low[1] && paragraphs.high[0] != paragraphs.high[1]);
}

TEST(records_are_grouped_by_both_halves_and_ordered_by_place) {
    Random random(2);
    for (int turn = 0; turn < 50; ++turn) {
        const std::size_t count = below(random, 2000);
        std::vector<std::uint64_t> low, high, places;
        std::map<std::pair<std::uint64_t, std::uint64_t>, std::set<std::uint64_t>> wanted;
        for (std::size_t i = 0; i < count; ++i) {
            low.push_back(below(random, 100) * 0x9e3779b97f4a7c15);
            high.push_back(below(random, 3));
            places.push_back(count * 7 - 7 * i);
            wanted[{low[i], high[i]}].insert(places[i]);
        }
        const std::uint64_t least = 2 + below(random, 3);
        const auto groups = likewise::group_records(low, high, places, least);
        std::size_t expected = 0;
        for (const auto& [key, members] : wanted) expected += members.size() >= least;
        CHECK(groups.offsets.size() == expected + 1);
        for (std::size_t i = 0; i + 1 < groups.offsets.size(); ++i) {
            const std::uint32_t first = groups.members[groups.offsets[i]];
            std::vector<std::uint64_t> own;
            for (auto at = groups.offsets[i]; at < groups.offsets[i + 1]; ++at) {
                own.push_back(places[groups.members[at]]);
            }
            const auto& members = wanted[{low[first], high[first]}];
            CHECK(own == std::vector<std::uint64_t>(members.begin(), members.end()));
        }
    }
}

TEST(every_window_that_comes_again_is_found_and_equal_ones_agree) {
    Random random(3);
    for (int turn = 0; turn < 200; ++turn) {
        const std::uint32_t words = 2 + below(random, 8), shingle = 1 + below(random, words);
        std::vector<std::string> texts(1 + below(random, 5));
        std::vector<Run> numbers(texts.size());
        for (std::size_t i = 0; i < texts.size(); ++i) {
            for (auto left = below(random, 40); left > 0; --left) {
                numbers[i].push_back(below(random, 3));
                texts[i] += "w" + std::to_string(numbers[i].back()) + " ";
            }
        }
        const auto prints = likewise::fingerprint_windows(views_of(texts), {words, shingle}, 2);
        std::map<std::uint64_t, int> times;
        for (const std::uint64_t hash : prints.hashes) ++times[hash];
        likewise::HashFilter filter(12);
        for (const auto& [hash, count] : times) {
            if (count > 1) filter.add(std::vector<std::uint64_t>{hash});
        }
        const auto found = likewise::digest_windows(views_of(texts), {words, shingle}, filter, 2);
        std::map<Run, int> windows;
        std::map<std::pair<std::uint32_t, std::uint32_t>, Run> by_place;
        for (std::uint32_t i = 0; i < texts.size(); ++i) {
            CHECK(prints.words[i] == numbers[i].size());
            for (std::uint32_t at = 0; at + words <= numbers[i].size(); ++at) {
                const Run own(numbers[i].begin() + at, numbers[i].begin() + at + words);
                ++windows[own];
                by_place[{i, at}] = own;
            }
        }
        std::map<std::pair<std::uint64_t, std::uint64_t>, std::set<Run>> digests;
        std::set<std::pair<std::uint32_t, std::uint32_t>> places;
        for (std::size_t i = 0; i < found.texts.size(); ++i) {
            const std::pair place{found.texts[i], found.first_words[i]};
            places.insert(place);
            digests[{found.low[i], found.high[i]}].insert(by_place.at(place));
        }
        std::set<Run> different;
        for (const auto& [digest, runs] : digests) {
            CHECK(runs.size() == 1);
            different.insert(runs.begin(), runs.end());
        }
        CHECK(different.size() == digests.size());
        for (const auto& [place, own] : by_place) {
            if (windows[own] > 1) CHECK(places.contains(place));
        }
    }
}

TEST(a_window_is_cut_if_an_equal_one_before_it_stays_whole) {
    likewise::WindowChoice choice(3);
    // a b c a b c a b c: the second and the third time go.
    const Run texts(7, 4), first = {0, 1, 2, 3, 4, 5, 6};
    const auto own = choice.cut(texts, first, std::vector<std::uint64_t>{0, 1, 2, 0, 1, 2, 0});
    CHECK((own.texts == Run{4}) && (own.first == Run{3}) && (own.last == Run{9}));
    // Windows 1 and 2 were not left whole, so they stay here.
    const auto next =
        choice.cut(Run{5, 5, 6, 7}, Run{0, 9, 0, 1}, std::vector<std::uint64_t>{1, 0, 2, 1});
    CHECK((next.texts == Run{5, 7}) && (next.first == Run{9, 1}) && (next.last == Run{12, 4}));
}

TEST(ranges_are_whole_words_sentences_or_paragraphs) {
    const std::vector<std::string> texts = {"", "\xc3\x89t\xc3\xa9 one. Two three.\n\nFour, five"};
    const likewise::WordRanges ranges{{1, 1}, {1, 5}, {5, 6}};
    const auto words = likewise::range_characters(views_of(texts), ranges, Bounds::words, 2);
    CHECK((words.begins == Run{4, 27}) && (words.ends == Run{25, 31}));
    CHECK((words.low == Run{3, 25}) && (words.high == Run{27, 0xFFFFFFFF}));
    const likewise::WordRanges all{{1}, {1}, {6}};
    const auto sentences = likewise::range_characters(views_of(texts), all, Bounds::sentences, 1);
    CHECK((sentences.begins == Run{9}) && (sentences.ends == Run{31}));
    const auto paragraphs = likewise::range_characters(views_of(texts), all, Bounds::paragraphs, 1);
    CHECK((paragraphs.begins == Run{21}) && (paragraphs.ends == Run{31}));
    const likewise::WordRanges inside{{1}, {1}, {3}};
    CHECK(likewise::range_characters(views_of(texts), inside, Bounds::sentences, 1).texts.empty());
}

}  // namespace

int main() { return check::run_all(); }
