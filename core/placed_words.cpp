#include "placed_words.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

#include "buffer.hpp"
#include "hash.hpp"
#include "interruption.hpp"
#include "rules.hpp"
#include "unicode.hpp"
#include "words.hpp"

namespace likewise {

namespace {

struct Span {
    std::uint32_t first, last;
};

// Property Sentence_Terminal of Unicode 15.1, the ellipsis, and the Tibetan shad and Khmer khan,
// which end sentences too.
constexpr Span kTerminals[] = {
    {0x21, 0x21},       {0x2E, 0x2E},       {0x3F, 0x3F},       {0x589, 0x589},
    {0x61D, 0x61F},     {0x6D4, 0x6D4},     {0x700, 0x702},     {0x7F9, 0x7F9},
    {0x837, 0x837},     {0x839, 0x839},     {0x83D, 0x83E},     {0x964, 0x965},
    {0xF0D, 0xF0E},     {0x104A, 0x104B},   {0x1362, 0x1362},   {0x1367, 0x1368},
    {0x166E, 0x166E},   {0x1735, 0x1736},   {0x17D4, 0x17D5},   {0x1803, 0x1803},
    {0x1809, 0x1809},   {0x1944, 0x1945},   {0x1AA8, 0x1AAB},   {0x1B5A, 0x1B5B},
    {0x1B5E, 0x1B5F},   {0x1B7D, 0x1B7E},   {0x1C3B, 0x1C3C},   {0x1C7E, 0x1C7F},
    {0x2026, 0x2026},   {0x203C, 0x203D},   {0x2047, 0x2049},   {0x2E2E, 0x2E2E},
    {0x2E3C, 0x2E3C},   {0x2E53, 0x2E54},   {0x3002, 0x3002},   {0xA4FF, 0xA4FF},
    {0xA60E, 0xA60F},   {0xA6F3, 0xA6F3},   {0xA6F7, 0xA6F7},   {0xA876, 0xA877},
    {0xA8CE, 0xA8CF},   {0xA92F, 0xA92F},   {0xA9C8, 0xA9C9},   {0xAA5D, 0xAA5F},
    {0xAAF0, 0xAAF1},   {0xABEB, 0xABEB},   {0xFE52, 0xFE52},   {0xFE56, 0xFE57},
    {0xFF01, 0xFF01},   {0xFF0E, 0xFF0E},   {0xFF1F, 0xFF1F},   {0xFF61, 0xFF61},
    {0x10A56, 0x10A57}, {0x10F55, 0x10F59}, {0x10F86, 0x10F89}, {0x11047, 0x11048},
    {0x110BE, 0x110C1}, {0x11141, 0x11143}, {0x111C5, 0x111C6}, {0x111CD, 0x111CD},
    {0x111DE, 0x111DF}, {0x11238, 0x11239}, {0x1123B, 0x1123C}, {0x112A9, 0x112A9},
    {0x1144B, 0x1144C}, {0x115C2, 0x115C3}, {0x115C9, 0x115D7}, {0x11641, 0x11642},
    {0x1173C, 0x1173E}, {0x11944, 0x11944}, {0x11946, 0x11946}, {0x11A42, 0x11A43},
    {0x11A9B, 0x11A9C}, {0x11C41, 0x11C42}, {0x11EF7, 0x11EF8}, {0x11F43, 0x11F44},
    {0x16A6E, 0x16A6F}, {0x16AF5, 0x16AF5}, {0x16B37, 0x16B38}, {0x16B44, 0x16B44},
    {0x16E98, 0x16E98}, {0x1BC9F, 0x1BC9F}, {0x1DA88, 0x1DA88},
};

bool is_terminal(char32_t c) {
    const auto* found = std::upper_bound(std::begin(kTerminals), std::end(kTerminals), c,
                                         [](char32_t x, const Span& s) { return x < s.first; });
    return found != std::begin(kTerminals) && c <= std::prev(found)->last;
}

// In scripts that put no space after a sentence, it ends there; "3.14" does not.
bool needs_space(char32_t c) { return c < 0x80 || c == 0x2026; }

// What is in a stretch of text without words.
Gap gap_of(const char* at, const char* end) {
    const Characters& characters = Characters::get();
    unsigned lines = 0;  // ended, with nothing but spaces since the first
    bool ended = false, sentence = false, line = false;
    char32_t last = 0;
    Poll poll;
    while (at < end) {
        poll();
        const Decoded next = decode(at, end);
        const char32_t c = next.character;
        at += next.length;
        if (c == '\n' || c == '\v' || c == '\f' || c == '\r' || c == 0x85 || c == 0x2028) {
            if (c != '\n' || last != '\r') ++lines;
            line = true;
            sentence |= ended;
            if (lines > 1 || c == '\f') return Gap::edge;
        } else if (c == 0x2029) {
            return Gap::edge;
        } else if (characters[c].kind == Kind::space) {
            sentence |= ended;
        } else {
            lines = 0;
            if (is_terminal(c)) {
                ended = true;
                sentence |= !needs_space(c);
            }
        }
        last = c;
    }
    return sentence ? Gap::sentence : line ? Gap::line : Gap::none;
}

Gap gap_between(const char* at, const char* end) {
    if (end - at == 1 && *at == ' ') return Gap::none;
    return gap_of(at, end);
}

std::uint8_t letters_of(std::size_t letters, bool numeral) {
    return numeral ? kNumeral : static_cast<std::uint8_t>(std::min<std::size_t>(letters, 254));
}

void place_ascii(std::string_view text, std::uint32_t stem_letters, PlacedWords& out) {
    constexpr std::size_t kBlockSize = 1 << 15;  // bytes at a time, and the word they cut
    const Rules rules;
    const ByteClasses classes = ByteClasses::of_ascii(rules);
    const HashKey key(0);
    Buffer<char> copy;
    Buffer<std::uint32_t> edges;
    std::size_t behind = 0;  // the last word
    for (std::size_t begin = 0; begin < text.size();) {
        poll_interruption();
        std::size_t end = std::min(text.size(), begin + kBlockSize);
        const auto is_word = [&](std::size_t i) {
            return classes.word[static_cast<std::uint8_t>(text[i])];
        };
        while (end < text.size() && is_word(end)) ++end;
        const std::size_t size = end - begin;
        copy.reserve(size + kPadding);
        edges.reserve(size + kPadding);
        const std::size_t count =
            find_edges(text.data() + begin, size, classes, copy.data(), edges.data());
        for (std::size_t i = 0; i < count; i += 2) {
            const std::size_t from = begin + edges[i], to = begin + edges[i + 1];
            const std::size_t length = to - from;
            const std::uint64_t hash = hash_padded(copy.data() + edges[i], length, key);
            out.hashes.push_back(hash);
            out.stems.push_back(length <= stem_letters
                                    ? hash
                                    : hash_padded(copy.data() + edges[i], stem_letters, key));
            const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
            const bool numeral = std::all_of(text.data() + from, text.data() + to, is_digit);
            out.letters.push_back(letters_of(length, numeral));
            out.begins.push_back(static_cast<std::uint32_t>(from));
            out.ends.push_back(static_cast<std::uint32_t>(to));
            out.gaps.push_back(gap_between(text.data() + behind, text.data() + from));
            behind = to;
        }
        begin = end;
    }
}

// Any text, character by character; what combines is normalised together.
class Placing {
  public:
    Placing(std::string_view text, std::uint32_t stem_letters, PlacedWords& out)
        : begin_(text.data()),
          end_(text.data() + text.size()),
          stem_letters_(stem_letters),
          out_(out) {}

    void run() {
        const char* at = begin_;
        std::uint32_t place = 0;
        Poll poll;
        while (at < end_) {
            poll();
            const Decoded now = decode(at, end_);
            const char* const behind = at + now.length;
            const Entry entry = mapping_[now.character];
            if (!(entry & Mapping::kUnusual) && (behind >= end_ || stands_alone(behind))) {
                const auto image = static_cast<std::uint32_t>(entry) ^ encode(now.character).bytes;
                take(static_cast<Kind>(Mapping::kind(entry)), image, Mapping::length(entry),
                     {at, behind, place, place + 1});
                at = behind;
                ++place;
            } else if (characters_[now.character].kind == Kind::ignorable) {
                at = behind;
                ++place;
            } else {
                take_segment(at, place);
            }
        }
        close();
    }

  private:
    // A stretch of the text, in bytes and in code points.
    struct Stretch {
        const char *begin, *end;
        std::uint32_t first, last;
    };

    // Whether nothing from here on changes the text before it.
    bool stands_alone(const char* at) const {
        if (static_cast<std::uint8_t>(*at) < 0x80) return true;
        const Entry next = mapping_[decode(at, end_).character];
        return !(next & (Mapping::kPassive | Mapping::kEntangled));
    }

    void take_segment(const char*& at, std::uint32_t& place) {
        Stretch whole{at, at, place, place};
        segment_.text.clear();
        while (at < end_) {
            const Decoded next = decode(at, end_);
            const Character& character = characters_[next.character];
            const bool ignorable = character.kind == Kind::ignorable;
            if (!ignorable) {
                if (character.boundary && !segment_.text.empty()) break;
                segment_.text.push_back(next.character);
            }
            at += next.length;
            ++place;
            if (!ignorable) {
                whole.end = at;
                whole.last = place;
            }
        }
        segment_.normalise({true, false});
        for (const char32_t c : segment_.text) {
            const Encoded encoded = encode(c);
            take(characters_[c].kind, encoded.bytes, encoded.length, whole);
        }
    }

    void take(Kind kind, std::uint32_t bytes, unsigned length, const Stretch& from) {
        const bool mark = kind == Kind::mark || kind == Kind::accent;
        const bool unspaced = kind == Kind::unspaced || kind == Kind::unspaced_number;
        if (kind < Kind::letter || kind > Kind::unspaced_number) {
            if (kind != Kind::ignorable && kind != Kind::nothing) close();
            return;
        }
        if (unspaced || (unspaced_ && !mark)) close();
        if (word_.empty()) {
            begin_of_word_ = from;
            unspaced_ = unspaced;
        }
        for (unsigned i = 0; i < length; ++i) {
            word_.push_back(static_cast<char>(bytes >> (8 * i) & 0xFF));
        }
        if (++characters_in_word_ == stem_letters_) stem_ = word_.size();
        letters_ += !mark;
        digits_ += kind == Kind::number;
        end_of_word_ = from;
    }

    void close() {
        if (word_.empty()) return;
        const std::uint64_t hash = hash_bytes(word_.data(), word_.size(), key_);
        out_.hashes.push_back(hash);
        out_.stems.push_back(
            characters_in_word_ <= stem_letters_ ? hash : hash_bytes(word_.data(), stem_, key_));
        out_.letters.push_back(unspaced_ ? kUnspacedLetter
                                         : letters_of(letters_, digits_ == letters_));
        out_.begins.push_back(begin_of_word_.first);
        out_.ends.push_back(end_of_word_.last);
        // Two words of one character overlap; nothing is between them.
        const char* const from = std::min(behind_ ? behind_ : begin_, begin_of_word_.begin);
        out_.gaps.push_back(gap_between(from, begin_of_word_.begin));
        behind_ = end_of_word_.end;
        word_.clear();
        unspaced_ = false;
        characters_in_word_ = letters_ = digits_ = 0;
    }

    const char *const begin_, *const end_;
    const std::uint32_t stem_letters_;
    PlacedWords& out_;
    const Characters& characters_ = Characters::get();
    const Mapping& mapping_ = Mapping::get({true, false});
    const HashKey key_{0};
    Segment segment_;
    std::string word_;
    std::size_t stem_ = 0;  // bytes of the word that its stem takes
    unsigned characters_in_word_ = 0, letters_ = 0, digits_ = 0;
    bool unspaced_ = false;  // the word is a letter of a script without spaces, with its marks
    Stretch begin_of_word_{}, end_of_word_{};
    const char* behind_ = nullptr;  // the last word
};

}  // namespace

PlacedWords place_words(std::string_view utf8, std::uint32_t stem_letters) {
    check_size(utf8.size());
    PlacedWords words;
    const std::size_t expected = utf8.size() / 5;
    words.hashes.reserve(expected);
    words.stems.reserve(expected);
    words.letters.reserve(expected);
    words.begins.reserve(expected);
    words.ends.reserve(expected);
    words.gaps.reserve(expected + 1);
    if (is_ascii(utf8.data(), utf8.size())) {
        place_ascii(utf8, stem_letters, words);
    } else {
        Placing(utf8, stem_letters, words).run();
    }
    if (!words.gaps.empty()) words.gaps.front() = Gap::edge;
    words.gaps.push_back(Gap::edge);
    return words;
}

}  // namespace likewise
