// Shingler against slow versions: byte loops for ASCII, the prepared text for everything.
#include "shingles.hpp"

#include <map>

#include "check.hpp"

namespace {

using check::below;
using check::ExactText;
using check::Random;
using likewise::Bins;
using likewise::HashKey;
using likewise::Rules;
using likewise::Shingler;
using likewise::Spaces;
using likewise::StopWords;
using likewise::Unit;

using Hashes = std::vector<std::uint64_t>;

constexpr std::size_t kSegment = 4096;         // what Shingler cuts at once
constexpr const char* kDash = "\xE2\x80\x94";  // U+2014 separates, and is not ASCII

// --- Slow versions

// The bytes one at a time, each into its place in a block of 16.
std::uint64_t slow_hash(std::string_view bytes, const HashKey& key) {
    std::uint64_t carry = 0;
    const std::size_t whole = bytes.size();
    const auto half = [&](std::size_t from) {
        std::uint64_t value = 0;
        for (std::size_t i = from; i < std::min(from + 8, bytes.size()); ++i) {
            value += static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i]))
                     << (8 * (i - from));
        }
        return value;
    };
    for (; bytes.size() > 16; bytes.remove_prefix(16)) {
        carry = likewise::fold_multiply(half(0) ^ key.last ^ carry, half(8) ^ key.second ^ carry);
    }
    return likewise::fold_multiply(half(0) ^ carry ^ key.first, half(8) ^ (key.second + whole));
}

void number(Hashes& hashes) {
    std::map<std::uint64_t, std::uint64_t> seen;
    for (auto& hash : hashes) {
        const std::uint64_t before = seen[hash]++;
        hash = likewise::occurrence_hash(hash, before);
    }
}

Hashes slow_shingles(const std::vector<std::string>& words, const Rules& rules) {
    const HashKey key(rules.seed);
    Hashes word_hashes, shingles;
    for (const auto& word : words) word_hashes.push_back(slow_hash(word, key));
    const std::size_t k = std::min<std::size_t>(rules.k, words.size());
    for (std::size_t i = 0; k > 0 && i + k <= words.size(); ++i) {
        std::uint64_t state = 0;
        for (std::size_t j = i; j < i + k; ++j)
            state = state * likewise::kWordStep + word_hashes[j];
        shingles.push_back(likewise::finish(state, key));
    }
    if (rules.bag) number(shingles);
    return shingles;
}

// Characters are anything that can be joined: bytes, or the bytes of one code point.
Hashes slow_windows(const std::vector<std::string>& characters, const Rules& rules) {
    const HashKey key(rules.seed);
    Hashes windows;
    const std::size_t k = std::min<std::size_t>(rules.k, characters.size());
    for (std::size_t i = 0; k > 0 && i + k <= characters.size(); ++i) {
        std::string window;
        for (std::size_t j = i; j < i + k; ++j) window += characters[j];
        windows.push_back(likewise::finish(slow_hash(window, key), key));
    }
    if (rules.bag) number(windows);
    return windows;
}

std::vector<std::string> split(std::string_view text) {
    std::vector<std::string> words(1);
    for (const char byte : text) {
        if (byte != ' ') {
            words.back() += byte;
        } else if (!words.back().empty()) {
            words.emplace_back();
        }
    }
    if (words.back().empty()) words.pop_back();
    return words;
}

std::vector<std::string> code_points(std::string_view text) {
    std::vector<std::string> all;
    for (const char byte : text) {
        if ((static_cast<unsigned char>(byte) & 0xC0) != 0x80) all.emplace_back();
        all.back() += byte;
    }
    return all;
}

// Through prepare(), whatever the text.
Hashes slow_hashes(std::string_view text, const Rules& rules) {
    likewise::Prepared prepared;
    likewise::prepare(text, rules, prepared);
    const std::string_view ready(prepared.data(), prepared.size());
    return rules.unit == Unit::word ? slow_shingles(split(ready), rules)
                                    : slow_windows(code_points(ready), rules);
}

// Without prepare(), for ASCII: lower-case words of letters and digits, filters left out.
Hashes slow_ascii_hashes(std::string_view text, const Rules& rules) {
    std::string ready;
    for (const char byte : text) {
        const bool upper = byte >= 'A' && byte <= 'Z';
        const bool lower = byte >= 'a' && byte <= 'z';
        const bool digit = byte >= '0' && byte <= '9';
        const char folded = upper ? static_cast<char>(byte + 32) : byte;
        ready += upper || lower || digit ? folded : ' ';
    }
    const auto words = split(ready);
    if (rules.unit == Unit::word) return slow_shingles(words, rules);
    std::string joined;
    for (const auto& word : words) {
        if (!joined.empty() && rules.spaces == Spaces::one) joined += ' ';
        joined += word;
    }
    return slow_windows(code_points(joined), rules);
}

// --- What is under test

Hashes collected(Shingler& shingler, std::string_view text) {
    const ExactText exact(text);
    Hashes all{1, 2, 3};  // must go
    shingler.collect(exact.view(), all);
    return all;
}

// By each(), plainly and with bins, which must then contain the minima of all hashes.
Hashes handed_out(Shingler& shingler, std::string_view text) {
    const ExactText exact(text);
    Hashes plain, binned;
    shingler.each(exact.view(), [&](const std::uint64_t* hashes, std::size_t count) {
        CHECK(count > 0);
        plain.insert(plain.end(), hashes, hashes + count);
    });
    constexpr unsigned kBits = 4;
    std::vector<std::uint32_t> minima(1 << kBits, ~0u), expected(minima);
    const Bins bins{minima.data(), kBits};
    int asked = 0, chunks = 0;
    std::vector<std::uint64_t> put;
    shingler.each(
        exact.view(), [&] { return ++asked % 3 == 0 ? nullptr : &bins; },
        [&](const std::uint64_t* hashes, std::size_t count) {
            CHECK(++chunks == asked);
            binned.insert(binned.end(), hashes, hashes + count);
            if (asked % 3 != 0) put.insert(put.end(), hashes, hashes + count);
        });
    for (const auto hash : put) {
        auto& minimum = expected[hash >> (64 - kBits)];
        minimum = std::min(minimum, static_cast<std::uint32_t>(hash << kBits >> 33));
    }
    CHECK(plain == binned, "%zu bytes", text.size());
    CHECK(minima == expected, "%zu bytes", text.size());
    return plain;
}

void check_hashes(std::string_view text, const Rules& rules, const Hashes& expected) {
    Shingler shingler(rules);
    CHECK(collected(shingler, text) == expected, "%zu bytes, k %u", text.size(), rules.k);
    CHECK(handed_out(shingler, text) == expected, "%zu bytes, k %u", text.size(), rules.k);
}

Rules words_of_length(std::uint32_t k) {
    Rules rules;
    rules.k = k;
    return rules;
}

Rules characters_of_length(std::uint32_t k, Spaces spaces = Spaces::one) {
    Rules rules;
    rules.k = k;
    rules.unit = Unit::character;
    rules.spaces = spaces;
    return rules;
}

// --- Texts

// Words of up to max_word letters with separators of all kinds.
std::string ascii_text(Random& random, std::size_t size, std::size_t max_word) {
    static const std::string letters = "abcdefghijklmnopqrstuvwxyzABCXYZ0189";
    static const std::string separators("  \n\t.,_-'@[`{\x7f\0", 15);
    std::string text;
    while (text.size() < size) {
        for (std::size_t n = 1 + below(random, max_word); n > 0; --n) {
            text += letters[below(random, letters.size())];
        }
        for (std::size_t n = 1 + below(random, 2); n > 0; --n) {
            text += separators[below(random, separators.size())];
        }
    }
    text.resize(size);
    return text;
}

// Letters that fold, compose, expand, vanish, are isolated or are ill-formed.
std::string mixed_text(Random& random, std::size_t pieces) {
    static const std::vector<std::string> kinds{"the",
                                                "and",
                                                "Word",
                                                "x",
                                                "12",
                                                " ",
                                                " ",
                                                ", ",
                                                "\xC3\xA9",
                                                "e\xCC\x81",
                                                "\xC3\x9F",
                                                "\xC4\xB0",
                                                "\xE6\xBC\xA2",
                                                "\xE5\xAD\x97",
                                                "\xD0\x94\xD0\xB0",
                                                "\xCE\xB1\xCE\xA3",
                                                "\xE2\x80\x8B",
                                                "\xEF\xAC\x81",
                                                "\xEA\xB0\x80",
                                                "\xF0\x9F\x98\x80",
                                                "\xE2\x80\x94",
                                                "\xFF",
                                                "\xE2\x82",
                                                "\xD9\xA3"};
    std::string text;
    for (std::size_t i = 0; i < pieces; ++i) text += check::one_of(random, kinds);
    return text;
}

// Texts that are cut in several segments, each with a seam of another kind.
std::vector<std::string> segmented_texts() {
    Random random(11);
    const std::string word(20000, 'q');
    std::vector<std::string> texts{
        word,
        " " + word,
        word + " ",
        "a b c " + word + " d e f",
        ascii_text(random, 3000, 9) + " " + word + " " + ascii_text(random, 6000, 9),
        std::string(3 * kSegment, ' '),
        std::string(3 * kSegment, '.') + "end",
        "begin" + std::string(3 * kSegment, '.') + "end",
        ascii_text(random, 3 * kSegment, 600),
    };
    for (const std::size_t segments : {1, 2, 3}) {
        for (int off = -2; off <= 2; ++off) {
            texts.push_back(ascii_text(random, segments * kSegment + off, 12));
        }
    }
    // The last byte of the first segment is a separator, one letter, or inside of a word.
    for (int off = -3; off <= 3; ++off) {
        std::string text(2 * kSegment, 'x');
        for (std::size_t i = 5; i < kSegment - 20; i += 7) text[i] = ' ';
        text[kSegment + off] = ' ';
        texts.push_back(text);
    }
    return texts;
}

// --- Rules

TEST(bytes_are_hashed_as_defined) {
    Random random(10);
    for (std::size_t size = 0; size <= 100; ++size) {
        std::string bytes;
        for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(random());
        const HashKey key(random());
        CHECK(likewise::hash_bytes(ExactText(bytes).data(), size, key) == slow_hash(bytes, key),
              "%zu bytes", size);
    }
}

TEST(words_across_segments_are_not_cut) {
    const auto texts = segmented_texts();
    check::at_each_vector_level([&] {
        for (const auto& text : texts) {
            for (const std::uint32_t k : {1, 2, 3, 4, 5, 8, 33, 70}) {
                const Rules rules = words_of_length(k);
                check_hashes(text, rules, slow_ascii_hashes(text, rules));
            }
        }
    });
}

TEST(any_number_of_words_makes_a_shingle) {
    Random random(12);
    const std::string text = ascii_text(random, 2 * kSegment + 100, 15);
    check::at_each_vector_level([&] {
        for (std::uint32_t k = 1; k <= 70; ++k) {
            Rules rules = words_of_length(k);
            rules.seed = k;
            check_hashes(text, rules, slow_ascii_hashes(text, rules));
        }
    });
}

TEST(ascii_gives_the_hashes_of_prepared_text) {
    Random random(13);
    std::vector<std::string> texts = segmented_texts();
    for (int i = 0; i < 40; ++i) texts.push_back(ascii_text(random, below(random, 700), 20));
    const StopWords stop_words({"the", "a", "x", "q"});
    check::at_each_vector_level([&] {
        for (const auto& text : texts) {
            Rules rules = words_of_length(1 + static_cast<std::uint32_t>(below(random, 7)));
            rules.fold_case = below(random, 2) == 0;
            rules.drop_digits = below(random, 2) == 0;
            rules.bag = below(random, 3) == 0;
            rules.min_word_length = 1 + static_cast<std::uint32_t>(below(random, 3));
            if (below(random, 2) == 0) rules.stop_words = stop_words;
            const std::string long_way = text + kDash;
            check_hashes(text, rules, slow_hashes(text, rules));
            check_hashes(long_way, rules, slow_hashes(text, rules));
        }
    });
}

TEST(ascii_windows_are_those_of_prepared_text) {
    Random random(14);
    check::at_each_vector_level([&] {
        for (std::uint32_t k = 1; k <= 40; ++k) {
            for (const Spaces spaces : {Spaces::one, Spaces::drop}) {
                const Rules rules = characters_of_length(k, spaces);
                for (const std::size_t size : {0, 1, 7, 8, 9, 16, 17, 40, 41, 300, 4100, 8300}) {
                    const std::string text = ascii_text(random, size, 6);
                    const Hashes expected = slow_ascii_hashes(text, rules);
                    check_hashes(text, rules, expected);
                    check_hashes(text + kDash, rules, expected);
                }
            }
        }
    });
}

TEST(windows_count_characters_not_bytes) {
    Random random(15);
    check::at_each_vector_level([&] {
        for (std::uint32_t k = 1; k <= 40; ++k) {
            for (const Spaces spaces : {Spaces::one, Spaces::drop, Spaces::keep}) {
                const Rules rules = characters_of_length(k, spaces);
                for (const std::size_t pieces : {1, 2, 5, 10, 45, 100}) {
                    const std::string text = mixed_text(random, pieces);
                    check_hashes(text, rules, slow_hashes(text, rules));
                }
            }
            // Several chunks of windows.
            const Rules rules = characters_of_length(k);
            const std::string text = mixed_text(random, 6000);
            check_hashes(text, rules, slow_hashes(text, rules));
        }
    });
}

TEST(exactly_full_chunks_of_windows_are_handed_out) {
    check::at_each_vector_level([] {
        const Rules rules = characters_of_length(3);
        for (const std::size_t windows : {kSegment - 1, kSegment, kSegment + 1, 2 * kSegment}) {
            const std::string ascii(windows + 2, 'a');
            check_hashes(ascii, rules, slow_hashes(ascii, rules));
            std::string cyrillic;
            for (std::size_t i = 0; i < windows + 2; ++i) cyrillic += i % 5 ? "\xD0\xB0" : "b";
            check_hashes(cyrillic, rules, slow_hashes(cyrillic, rules));
        }
    });
}

Rules random_rules(Random& random) {
    const auto chance = [&](std::size_t of) { return below(random, of) == 0; };
    Rules rules;
    rules.unit = chance(2) ? Unit::word : Unit::character;
    rules.k = 1 + static_cast<std::uint32_t>(below(random, 12));
    rules.fold_case = chance(2);
    rules.strip_accents = chance(2);
    rules.keep_punctuation = chance(4);
    rules.drop_digits = chance(3);
    rules.drop_greek = chance(3);
    rules.spaces = check::one_of(random, std::vector{Spaces::one, Spaces::drop, Spaces::keep});
    if (chance(3)) rules.min_word_length = 2;
    if (chance(3)) rules.stop_words = StopWords({"the", "and", "\xC3\xA9"});
    rules.bag = chance(3);
    rules.seed = random();
    return rules;
}

TEST(any_rules_give_the_hashes_of_prepared_text) {
    Random random(16);
    for (int i = 0; i < 300; ++i) {
        const Rules rules = random_rules(random);
        for (const std::size_t pieces : {3, 30, 300}) {
            const std::string mixed = mixed_text(random, pieces);
            const std::string ascii = ascii_text(random, 4 * pieces, 8);
            check::at_each_vector_level([&] {
                check_hashes(mixed, rules, slow_hashes(mixed, rules));
                check_hashes(ascii, rules, slow_hashes(ascii, rules));
            });
        }
    }
}

TEST(an_earlier_document_leaves_nothing_behind) {
    Random random(17);
    check::at_each_vector_level([&] {
        for (int i = 0; i < 60; ++i) {
            const Rules rules = random_rules(random);
            Shingler used(rules);
            for (int document = 0; document < 12; ++document) {
                const std::string text = below(random, 2) == 0
                                             ? mixed_text(random, below(random, 400))
                                             : ascii_text(random, below(random, 9000), 9);
                Shingler fresh(rules);
                const Hashes expected = collected(fresh, text);
                CHECK(handed_out(used, text) == expected);
                CHECK(collected(used, text) == expected);
            }
        }
    });
}

TEST(a_text_shorter_than_a_shingle_is_one_element) {
    check::at_each_vector_level([] {
        for (std::uint32_t k = 1; k <= 12; ++k) {
            for (std::size_t words = 0; words <= 12; ++words) {
                std::string text;
                for (std::size_t i = 0; i < words; ++i) text += "w" + std::to_string(i) + ", ";
                const Rules rules = words_of_length(k);
                Shingler shingler(rules);
                const std::size_t expected = words == 0 ? 0 : words < k ? 1 : words - k + 1;
                CHECK(collected(shingler, text).size() == expected, "%zu words, k %u", words, k);
                check_hashes(text, rules, slow_hashes(text, rules));
            }
        }
    });
}

TEST(texts_without_words_have_no_elements) {
    const std::vector<std::string> texts{
        "", " ", "\n.,;_", kDash, "\xE2\x80\x8B", std::string(9, 0)};
    check::at_each_vector_level([&] {
        for (const auto& text : texts) {
            for (const bool bag : {false, true}) {
                for (const Unit unit : {Unit::word, Unit::character}) {
                    Rules rules;
                    rules.unit = unit;
                    rules.bag = bag;
                    check_hashes(text, rules, {});
                }
            }
        }
        // Words there are, but the rules drop them all.
        Rules rules;
        rules.min_word_length = 4;
        check_hashes("the cat sat", rules, {});
    });
}

TEST(repeats_in_a_bag_are_numbered) {
    Rules set = words_of_length(1), bag = set;
    bag.bag = true;
    Shingler as_set(set), as_bag(bag);
    check::at_each_vector_level([&] {
        const Hashes once = collected(as_set, "a b");
        const Hashes numbered = collected(as_bag, "a b a a");
        CHECK(numbered == (Hashes{once[0], once[1], likewise::occurrence_hash(once[0], 1),
                                  likewise::occurrence_hash(once[0], 2)}));
        // A bag does not care for order.
        Hashes turned = collected(as_bag, "a a b a"), sorted = numbered;
        std::sort(turned.begin(), turned.end());
        std::sort(sorted.begin(), sorted.end());
        CHECK(turned == sorted);
        // Many repeats, over several segments.
        std::string text;
        for (int i = 0; i < 5000; ++i) text += "same ";
        Hashes many = collected(as_bag, text);
        CHECK(many == handed_out(as_bag, text));
        std::sort(many.begin(), many.end());
        CHECK(many.size() == 5000);
        CHECK(std::adjacent_find(many.begin(), many.end()) == many.end());
    });
}

TEST(seeds_give_different_hashes) {
    Rules rules = words_of_length(2);
    Shingler first(rules);
    Rules others = rules;
    others.seed = 1;
    Shingler second(others);
    CHECK(collected(first, "one two three") != collected(second, "one two three"));
}

}  // namespace

int main() { return check::run_all(); }
