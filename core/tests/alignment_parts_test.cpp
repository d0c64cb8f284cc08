// The steps of an alignment: words paired one to one, passages parted, what counts as a long run.
#include <algorithm>
#include <numeric>
#include <set>

#include "alignment/fragments.hpp"
#include "alignment/matches.hpp"
#include "alignment/split.hpp"
#include "check.hpp"
#include "word_texts.hpp"

namespace {

using check::below;
using check::Random;
using likewise::Fragment;
using likewise::Range;
using likewise::Run;
using word_texts::kVocabulary;
using word_texts::Sequence;
using word_texts::text_of;
using word_texts::Words;

Words drawn(Random& random, std::size_t size, std::size_t vocabulary) {
    Words words(size);
    for (auto& word : words) word = static_cast<std::uint32_t>(below(random, vocabulary));
    return words;
}

// Words with every number once, from `first` on.
Words numbered(std::uint32_t first, std::size_t size) {
    Words words(size);
    std::iota(words.begin(), words.end(), first);
    return words;
}

void append(Words& to, const Words& from, std::size_t begin, std::size_t size) {
    const auto first = from.begin() + static_cast<std::ptrdiff_t>(begin);
    to.insert(to.end(), first, first + static_cast<std::ptrdiff_t>(size));
}

std::size_t equal_words(const Words& a, const Words& b, Range in_a, Range in_b) {
    std::multiset<std::uint32_t> left(b.begin() + in_b.begin, b.begin() + in_b.end);
    std::size_t equal = 0;
    for (std::uint32_t i = in_a.begin; i < in_a.end; ++i) {
        const auto at = left.find(a[i]);
        if (at == left.end()) continue;
        left.erase(at);
        ++equal;
    }
    return equal;
}

TEST(words_are_paired_one_to_one_with_equal_ones_inside_the_ranges) {
    Random random(1);
    for (int round = 0; round < 3000; ++round) {
        const std::size_t vocabulary =
            std::vector<std::size_t>{1, 2, 5, 50, 1000}[below(random, 5)];
        const Words a = drawn(random, 1 + below(random, 120), vocabulary);
        Words b = drawn(random, 1 + below(random, 120), vocabulary);
        if (round % 2 == 0) append(b, a, 0, below(random, a.size() + 1));
        const auto any_range = [&](const Words& text) {
            const auto begin = static_cast<std::uint32_t>(below(random, text.size()));
            return Range{
                begin, begin + 1 + static_cast<std::uint32_t>(below(random, text.size() - begin))};
        };
        const Range in_a = any_range(a), in_b = any_range(b);
        const std::uint8_t letters = round % 3 == 0 ? likewise::kUnspacedLetter : 5;
        const Sequence of_a(a, letters), of_b(b, letters);
        const auto matches = match_words(of_a.view(), of_b.view(), in_a, in_b);
        std::set<std::uint32_t> used;
        std::uint32_t end = in_a.begin;
        for (std::size_t k = 0; k < matches.size(); ++k) {
            const Run& run = matches[k];
            CHECK(run.words > 0 && run.a >= end && run.a + run.words <= in_a.end);
            CHECK(run.b >= in_b.begin && run.b + run.words <= in_b.end);
            end = run.a + run.words;
            for (std::uint32_t i = 0; i < run.words; ++i) {
                CHECK(a[run.a + i] == b[run.b + i], "round %d", round);
                CHECK(used.insert(run.b + i).second, "round %d: word %u twice", round, run.b + i);
            }
            // Runs that touch on both sides would be one.
            if (k > 0) {
                const Run& before = matches[k - 1];
                CHECK(before.a + before.words < run.a || before.b + before.words != run.b);
            }
            // A letter of a script without spaces is never paired alone.
            if (letters == likewise::kUnspacedLetter) CHECK(run.words >= 3, "round %d", round);
        }
        CHECK(likewise::words_of(matches) == used.size());
        CHECK(used.size() <= equal_words(a, b, in_a, in_b));
    }
}

TEST(a_copy_is_paired_word_for_word_and_the_changed_words_are_not) {
    Random random(2);
    for (int round = 0; round < 100; ++round) {
        const Words b = text_of(random, 200);
        Words a = b;
        for (std::size_t i = 3; i < a.size(); i += 7) a[i] = kVocabulary + 1;
        const Sequence of_a(a), of_b(b);
        const auto matches = match_words(of_a.view(), of_b.view(), {0, 200}, {0, 200});
        std::uint32_t unchanged = 0;
        for (const std::uint32_t word : a) unchanged += word != kVocabulary + 1;
        CHECK(likewise::words_of(matches) == unchanged, "round %d", round);
        for (const Run& run : matches) CHECK(run.a == run.b, "round %d", round);
    }
}

TEST(a_common_word_is_not_paired_with_one_far_away) {
    const auto the = std::uint32_t{kVocabulary - 1};
    Words a = numbered(0, 60), b = numbered(0, 60);
    a.push_back(the);  // behind the shared words, and in b long after them
    append(b, numbered(1000, 300), 0, 300);
    b.push_back(the);
    const Sequence of_a(a), of_b(b);
    const auto matches = match_words(of_a.view(), of_b.view(), {0, 61}, {0, 361});
    CHECK(matches.size() == 1 && matches[0].words == 60);
}

Fragment whole(const Words& a, const Words& b, double evidence) {
    return {0,        static_cast<std::uint32_t>(a.size()),
            0,        static_cast<std::uint32_t>(b.size()),
            evidence, evidence,
            0.9,      0.9,
            0};
}

TEST(passages_far_apart_in_b_that_stand_side_by_side_in_a_become_two) {
    const Words b = numbered(0, 1000);
    for (const std::uint32_t size : {30U, 60U, 120U}) {
        for (const bool turned : {false, true}) {
            Words a;
            append(a, b, turned ? 700 : 100, size);
            append(a, b, turned ? 100 : 700, size);
            const Sequence of_a(a), of_b(b);
            const auto parts = split_at_holes(of_a.view(), of_b.view(), whole(a, b, 500), 12, 50);
            CHECK(parts.size() == 2, "%u: %zu parts", size, parts.size());
            for (const Fragment& part : parts) {
                const std::uint32_t begin = (part.a_begin == 0) == turned ? 700 : 100;
                CHECK(part.a_begin == 0 || part.a_begin == size);
                CHECK(part.a_end - part.a_begin == size);
                CHECK(part.b_begin == begin && part.b_end == begin + size);
                CHECK(part.a_evidence > 249 && part.a_evidence < 251);
            }
        }
    }
}

TEST(sentences_of_one_passage_in_another_order_stay_one) {
    const Words b = numbered(0, 120);
    Words a;
    for (const std::size_t sentence : {3, 0, 5, 1, 4, 2}) append(a, b, 20 * sentence, 20);
    const Sequence of_a(a), of_b(b);
    const auto parts = split_at_holes(of_a.view(), of_b.view(), whole(a, b, 500), 12, 50);
    CHECK(parts.size() == 1 && parts[0].a_begin == 0 && parts[0].a_end == 120);
    CHECK(parts[0].b_begin == 0 && parts[0].b_end == 120);
}

TEST(an_edited_copy_without_long_runs_is_left_as_it_is) {
    const Words b = numbered(0, 300);
    Words a;
    for (std::uint32_t i = 0; i < 300; i += 3) append(a, b, i, 2);
    const Sequence of_a(a), of_b(b);
    const Fragment given = whole(a, b, 500);
    const auto parts = split_at_holes(of_a.view(), of_b.view(), given, 12, 50);
    CHECK(parts.size() == 1 && is_same_place(parts[0], given));
}

TEST(a_part_that_is_too_little_goes_and_the_ends_are_tight) {
    const Words b = numbered(0, 1000);
    Words a;
    append(a, b, 100, 80);
    append(a, b, 600, 5);  // by chance
    const Sequence of_a(a), of_b(b);
    const auto parts = split_at_holes(of_a.view(), of_b.view(), whole(a, b, 400), 12, 50);
    CHECK(parts.size() == 1 && parts[0].a_begin == 0 && parts[0].a_end == 80);
    CHECK(parts[0].b_begin == 100 && parts[0].b_end == 180);
}

TEST(letters_of_scripts_without_spaces_are_half_words) {
    Random random(3);
    for (int round = 0; round < 500; ++round) {
        Sequence text(text_of(random, 60));
        std::vector<std::uint8_t> letters(60);
        for (auto& one : letters) one = static_cast<std::uint8_t>(below(random, 2) * 4);
        const auto begin = static_cast<std::uint32_t>(below(random, 60));
        const Run run{begin, 0, static_cast<std::uint32_t>(1 + below(random, 60 - begin))};
        const auto least = static_cast<std::uint32_t>(1 + below(random, 20));
        likewise::WordSequence view = text.view();
        view.letters = letters;
        double words = 0;
        for (std::uint32_t i = run.a; i < run.a + run.words; ++i) words += letters[i] ? 1 : 0.5;
        CHECK(is_long(run, view, least) == (words >= least), "round %d", round);
    }
}

}  // namespace

int main() { return check::run_all(); }
