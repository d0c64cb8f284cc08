// Shuffled texts: unshuffled they share what their shingles share, and no unit is ever lost.
#include "shuffles.hpp"

#include <map>

#include "check.hpp"
#include "shingles.hpp"

namespace {

using check::below;
using check::Random;
using likewise::Rules;
using likewise::Shingler;
using likewise::Shuffled;
using likewise::shuffled_overlaps;
using likewise::Spaces;
using likewise::Unit;

struct Counts {
    std::uint64_t size_a, size_b, shared;
    bool operator==(const Counts&) const = default;
};

Counts slow_counts(std::string_view a, std::string_view b, Rules rules) {
    const bool bag = rules.bag;
    rules.bag = false;
    const auto tally = [&](std::string_view text) {
        std::map<std::uint64_t, std::uint64_t> counts;
        Shingler(rules).each(text, [&](const std::uint64_t* hashes, std::size_t count) {
            for (std::size_t i = 0; i < count; ++i) {
                auto& own = counts[hashes[i]];
                own = bag ? own + 1 : 1;
            }
        });
        return counts;
    };
    const auto of_a = tally(a), of_b = tally(b);
    Counts result{0, 0, 0};
    for (const auto& [hash, count] : of_a) {
        result.size_a += count;
        if (const auto found = of_b.find(hash); found != of_b.end()) {
            result.shared += std::min(count, found->second);
        }
    }
    for (const auto& [hash, count] : of_b) result.size_b += count;
    return result;
}

// Anything: words, blanks, other scripts, and bytes that are no text.
std::string any_text(Random& random) {
    static const std::vector<std::string> pieces = {"a",
                                                    "ab",
                                                    "cat ",
                                                    " ",
                                                    "\n",
                                                    "\t ",
                                                    ".",
                                                    "1",
                                                    "\xC3\xA9",
                                                    "e\xCC\x81",
                                                    "\xE6\x88\x91",
                                                    "\xE7\x9A\x84",
                                                    "\xE0\xB8\x81",
                                                    "\xE0\xB8\xB3",
                                                    "\xFF",
                                                    "\xE2\x80\x8B",
                                                    "\xF0\x9F\x98\x80",
                                                    "the ",
                                                    "\xCE\xA3"};
    std::string text;
    for (std::size_t i = below(random, 60); i > 0; --i) text += check::one_of(random, pieces);
    return text;
}

Rules any_rules(Random& random) {
    Rules rules;
    rules.unit = below(random, 2) == 0 ? Unit::word : Unit::character;
    rules.k = 1 + static_cast<std::uint32_t>(below(random, 6));
    rules.keep_punctuation = below(random, 2) == 0;
    rules.spaces = check::one_of(random, std::vector{Spaces::one, Spaces::drop, Spaces::keep});
    rules.min_word_length = 1 + static_cast<std::uint32_t>(below(random, 3));
    rules.bag = below(random, 2) == 0;
    return rules;
}

Shuffled any_shuffle(Random& random) {
    return below(random, 2) == 0 ? Shuffled::words : Shuffled::letters;
}

TEST(unshuffled_texts_share_what_their_shingles_share) {
    Random random(1);
    for (int i = 0; i < 2000; ++i) {
        const Rules rules = any_rules(random);
        const check::ExactText a(any_text(random)), b(any_text(random));
        const auto found =
            shuffled_overlaps(a.view(), b.view(), rules, any_shuffle(random), nullptr, 5, 1);
        CHECK(found.shared.size() == 1);
        const Counts counts{found.size_a[0], found.size_b[0], found.shared[0]};
        CHECK(counts == slow_counts(a.view(), b.view(), rules));
    }
}

TEST(the_number_of_threads_changes_nothing) {
    Random random(2);
    for (int i = 0; i < 100; ++i) {
        const Rules rules = any_rules(random);
        const Shuffled what = any_shuffle(random);
        const std::string a = any_text(random), b = any_text(random);
        const std::uint64_t seed = random();
        const auto one = shuffled_overlaps(a, b, rules, what, &seed, 20, 1);
        const auto four = shuffled_overlaps(a, b, rules, what, &seed, 20, 4);
        CHECK(one.shared == four.shared);
        CHECK(one.size_a == four.size_a);
        CHECK(one.size_b == four.size_b);
        // Trials depend on their number alone.
        const auto fewer = shuffled_overlaps(a, b, rules, what, &seed, 7, 1);
        CHECK(std::equal(fewer.shared.begin(), fewer.shared.end(), one.shared.begin()));
    }
}

TEST(units_that_stand_alone_do_not_mind_their_order) {
    Random random(3);
    for (int i = 0; i < 500; ++i) {
        Rules rules = any_rules(random);
        rules.k = 1;
        const Shuffled what = rules.unit == Unit::word ? Shuffled::words : Shuffled::letters;
        const std::string a = any_text(random), b = any_text(random);
        const std::uint64_t seed = random();
        const auto found = shuffled_overlaps(a, b, rules, what, &seed, 3, 1);
        for (std::size_t trial = 0; trial < 3; ++trial) {
            const Counts counts{found.size_a[trial], found.size_b[trial], found.shared[trial]};
            CHECK(counts == slow_counts(a, b, rules));
        }
    }
}

}  // namespace

int main() { return check::run_all(); }
