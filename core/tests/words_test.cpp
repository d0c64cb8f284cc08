// The kernels of words.hpp against loops over single bytes.
#include "words.hpp"

#include "check.hpp"

namespace {

using check::below;
using check::ExactText;
using check::Random;
using likewise::ByteClasses;
using likewise::kPadding;
using likewise::Rules;

// Written from the rules, not from ByteClasses, which is under test too.
struct Kind {
    const char* name;
    Rules rules;
    bool prepared;  // cut at spaces alone

    ByteClasses classes() const {
        return prepared ? ByteClasses::of_prepared() : ByteClasses::of_ascii(rules);
    }
    bool is_word(char byte) const {
        if (prepared) return byte != ' ';
        const bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
        return letter || (byte >= '0' && byte <= '9' && !rules.drop_digits);
    }
    char folded(char byte) const {
        const bool folds = !prepared && rules.fold_case && byte >= 'A' && byte <= 'Z';
        return folds ? static_cast<char>(byte - 'A' + 'a') : byte;
    }
};

std::vector<Kind> all_kinds() {
    std::vector<Kind> kinds{{"prepared", {}, true}};
    for (const bool fold_case : {true, false}) {
        for (const bool drop_digits : {true, false}) {
            Rules rules;
            rules.fold_case = fold_case;
            rules.drop_digits = drop_digits;
            kinds.push_back({fold_case ? "folded" : "as written", rules, false});
        }
    }
    return kinds;
}

std::vector<std::uint32_t> slow_edges(std::string_view text, const Kind& kind) {
    std::vector<std::uint32_t> edges;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const bool before = i > 0 && kind.is_word(text[i - 1]);
        const bool here = i < text.size() && kind.is_word(text[i]);
        if (before != here) edges.push_back(static_cast<std::uint32_t>(i));
    }
    return edges;
}

std::string slow_join(std::string_view text, const Kind& kind, bool with_spaces) {
    std::string joined;
    bool gap = false;
    for (const char byte : text) {
        if (!kind.is_word(byte)) {
            gap = true;
            continue;
        }
        if (gap && with_spaces && !joined.empty()) joined += ' ';
        gap = false;
        joined += kind.folded(byte);
    }
    return joined;
}

// Memory of exactly the documented room, with something left in it from before.
template <class T>
std::unique_ptr<T[]> poisoned(std::size_t size, int poison) {
    auto memory = std::make_unique_for_overwrite<T[]>(size);
    std::memset(memory.get(), poison, size * sizeof(T));
    return memory;
}

void check_edges(const ExactText& text, const Kind& kind) {
    const auto expected = slow_edges(text.view(), kind);
    for (const int poison : {0xA5, 0x00, 0xFF}) {
        const auto copy = poisoned<char>(text.size() + kPadding, poison);
        const auto edges = poisoned<std::uint32_t>(text.size() + kPadding, poison);
        const std::size_t count =
            likewise::find_edges(text.data(), text.size(), kind.classes(), copy.get(), edges.get());
        CHECK(std::equal(edges.get(), edges.get() + count, expected.begin(), expected.end()),
              "%s, %zu bytes", kind.name, text.size());
        bool same = true;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const char byte = text.data()[i];
            same = same && (!kind.is_word(byte) || copy[i] == kind.folded(byte));
        }
        CHECK(same, "copy, %s, %zu bytes", kind.name, text.size());
    }
}

void check_join(const ExactText& text, const Kind& kind) {
    if (kind.prepared) return;  // only raw ASCII is ever joined
    for (const bool with_spaces : {true, false}) {
        const std::string expected = slow_join(text.view(), kind, with_spaces);
        for (const int poison : {0xA5, 0x00, 0x20}) {
            const auto out = poisoned<char>(text.size() + kPadding, poison);
            const std::size_t size = likewise::join_words(text.data(), text.size(), kind.classes(),
                                                          with_spaces, out.get());
            CHECK(std::string_view(out.get(), size) == expected, "%s, %zu bytes", kind.name,
                  text.size());
        }
    }
}

void check_text(std::string_view text) {
    const ExactText exact(text);
    check::at_each_vector_level([&] {
        for (const Kind& kind : all_kinds()) {
            check_edges(exact, kind);
            check_join(exact, kind);
        }
    });
}

// `gaps` of 256 bytes are no word bytes; 0 gives one word, 256 none.
std::string random_text(Random& random, std::size_t size, std::size_t gaps) {
    static const std::string words = "azAZ09mQ5", others = std::string(" \0\n_-@[`{/:\x7f", 12);
    std::string text;
    while (text.size() < size) {
        const std::string& from = below(random, 256) < gaps ? others : words;
        text += from[below(random, from.size())];
    }
    return text;
}

TEST(words_are_found_in_texts_of_every_size) {
    Random random(1);
    for (std::size_t size = 0; size <= 300; ++size) {
        for (const std::size_t gaps : {0, 20, 128, 256}) {
            check_text(random_text(random, size, gaps));
        }
    }
}

TEST(words_are_found_at_every_place_of_a_block) {
    for (std::size_t begin = 0; begin < 130; ++begin) {
        for (const std::size_t length : {1, 2, 63, 64, 65}) {
            std::string text(200, ' ');
            text.replace(begin, length, std::string(length, 'X'));
            check_text(text);
            check_text(text.substr(0, begin + length));
        }
    }
}

TEST(as_many_edges_as_bytes_have_room) {
    for (std::size_t size = 0; size <= 300; ++size) {
        std::string words_first, gaps_first;
        for (std::size_t i = 0; i < size; ++i) {
            words_first += i % 2 == 0 ? 'W' : ' ';
            gaps_first += i % 2 == 0 ? ' ' : 'w';
        }
        check_text(words_first);
        check_text(gaps_first);
    }
}

TEST(every_byte_is_classed_alike_at_each_level) {
    for (int byte = 0; byte < 256; ++byte) {
        for (const std::size_t size : {1, 31, 32, 64, 70}) {
            std::string text(size, 'a');
            text[size / 2] = static_cast<char>(byte);
            check_text(text);
        }
    }
}

TEST(long_random_texts_are_cut_alike) {
    Random random(2);
    for (int i = 0; i < 60; ++i) {
        check_text(random_text(random, below(random, 9000), below(random, 257)));
        std::string bytes;
        for (std::size_t n = below(random, 3000); n > 0; --n) {
            bytes += static_cast<char>(random());
        }
        check_text(bytes);
    }
}

TEST(one_byte_above_ascii_is_seen_wherever_it_stands) {
    check::at_each_vector_level([] {
        for (std::size_t size = 0; size <= 300; ++size) {
            std::string text(size, '\x7f');
            CHECK(likewise::is_ascii(ExactText(text).data(), size), "%zu bytes", size);
            for (std::size_t i = 0; i < size; ++i) {
                text[i] = i % 2 == 0 ? '\x80' : '\xff';
                CHECK(!likewise::is_ascii(ExactText(text).data(), size), "%zu of %zu", i, size);
                text[i] = '\x7f';
            }
        }
        CHECK(likewise::is_ascii(nullptr, 0));
    });
}

}  // namespace

int main() { return check::run_all(); }
