// Unicode 15.1: what a character is, and how it is normalised.
//
// Normalisation is NFKC; with case folding, NFKC, folding and NFKC again; with accents stripped,
// then NFD without the marks of the accent blocks, then NFC. It works on segments: a text may be
// cut before every character that has a boundary before it, and the parts normalised one by one.
// tools/make_unicode_tables.py proves that such a boundary outlives folding and stripping.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace likewise {

// The order is that of KINDS in tools/make_unicode_tables.py.
enum class Kind : std::uint8_t {
    space,            // property White_Space
    control,          // categories C*
    symbol,           // categories P* and S*
    letter,           // category L*, unless one of the kinds below
    greek,            // letters of the Greek blocks
    number,           // category N*
    mark,             // category M*
    accent,           // marks of the blocks that strip_accents drops
    unspaced,         // letters of the scripts in which each letter is a word
    unspaced_number,  // category Nl among them
    ignorable,        // property Default_Ignorable_Code_Point
    nothing,          // not a character: what an accent becomes when accents are stripped
};
inline constexpr std::size_t kKindCount = 12;

struct Form {
    bool fold_case, strip_accents;
};

inline constexpr char32_t kReplacement = 0xFFFD;

struct Decoded {
    char32_t character;
    std::uint32_t length;  // bytes read
};

// The first character of [p, end), which is not empty. Ill-formed bytes give U+FFFD, one for each
// maximal subpart, as in Python and as the Unicode standard recommends.
Decoded decode(const char* p, const char* end);

// The same, without a call for the most common well-formed characters.
inline Decoded decode_common(const char* p, const char* end) {
    const auto byte = [&](int i) { return std::uint32_t{static_cast<std::uint8_t>(p[i])}; };
    const auto follows = [&](int i) { return (byte(i) & 0xC0) == 0x80; };
    if (end - p >= 3 && byte(0) >= 0xC2 && byte(0) <= 0xEC && byte(0) != 0xE0 && follows(1)) {
        const std::uint32_t second = byte(1) & 0x3F;
        if (byte(0) < 0xE0) return {(byte(0) & 0x1F) << 6 | second, 2};
        if (follows(2)) return {(byte(0) & 0x0F) << 12 | second << 6 | (byte(2) & 0x3F), 3};
    }
    return decode(p, end);
}

// The UTF-8 of a character, its first byte lowest, and how many bytes it has.
struct Encoded {
    std::uint32_t bytes;
    std::uint32_t length;
};
constexpr Encoded encode(char32_t c) {
    const std::uint32_t u = c;
    if (u < 0x80) return {u, 1};
    if (u < 0x800) return {0x80C0 | u >> 6 | (u & 0x3F) << 8, 2};
    if (u < 0x10000) return {0x8080E0 | u >> 12 | (u & 0xFC0) << 2 | (u & 0x3F) << 16, 3};
    return {0x808080F0 | u >> 18 | (u & 0x3F000) >> 4 | (u & 0xFC0) << 10 | (u & 0x3F) << 24, 4};
}

struct Character {
    std::uint16_t decomposition;  // 0, or 1 + where it begins in tables::kDecompositions
    std::uint16_t folding;        // 0, or 1 + where it begins in tables::kFoldings
    std::uint8_t combining_class;
    Kind kind;
    bool composes;  // with some character before it
    bool boundary;  // nothing before it ever changes it or is changed by it
};

// Blocks of 64 characters; those with only plain characters of one kind are shared.
inline constexpr std::uint32_t kBlock = 64;
inline constexpr std::size_t kBlockCount = 0x110000 / kBlock;

class Characters {
  public:
    static const Characters& get();  // made on first use

    const Character& operator[](char32_t c) const {
        return characters_[block_[c / kBlock] * kBlock + c % kBlock];
    }
    char32_t compose(char32_t first, char32_t second) const;  // 0 if they don't
    const std::array<std::uint16_t, kBlockCount>& blocks() const { return block_; }
    // The first character of each distinct block, in the order of their numbers.
    const std::vector<char32_t>& block_starts() const { return starts_; }

  private:
    Characters();
    void share_blocks();
    void fill_properties();
    void fill_compositions();
    void fill_boundaries();
    Character& own(char32_t c) { return characters_[block_[c / kBlock] * kBlock + c % kBlock]; }

    struct Composition {
        char32_t first, second, both;
    };
    std::array<std::uint16_t, kBlockCount> block_;
    std::vector<char32_t> starts_;
    std::vector<Character> characters_;
    std::array<Composition, 4096> compositions_{};  // open addressing; first == 0 is free
};

// A stretch of text from one boundary to the next, to be normalised. Linear but for the order of
// marks, which is sorted.
class Segment {
  public:
    std::vector<char32_t> text;

    void normalise(Form form);

  private:
    void to_nfkc();
    void decompose();
    void order_marks();
    void compose();
    bool fold();
    void strip();

    std::vector<char32_t> spare_;
};

// What each character becomes when it is alone in its segment, for the fast loop. Bits
// of an entry, from the lowest:
//   32  the UTF-8 of the result, XOR that of the character: 0 where nothing changes; or, where the
//       result has several characters, the place of the first in `expansions`, << 8, and their
//       number
//    8  its kind
//    8  its length in bytes
//    8  combining class of its last character, the highest of all stages of normalisation; a mark
//       that follows with a lower one would have to move
//    8  flags: below
using Entry = std::uint64_t;

struct Mapping {
    static constexpr unsigned kKindShift = 32, kLengthShift = 40, kClassShift = 48;
    // Not a starter, but nothing composes with it: stays as it is if marks are in order.
    static constexpr Entry kPassive = Entry{1} << 56;
    // A starter that becomes several characters.
    static constexpr Entry kExpands = Entry{1} << 57;
    // Only normalising the segment says what comes out (or the character is ignorable, or none).
    static constexpr Entry kEntangled = Entry{1} << 58;
    static constexpr Entry kUnusual = kPassive | kExpands | kEntangled;

    static unsigned kind(Entry e) { return e >> kKindShift & 255; }
    static unsigned length(Entry e) { return e >> kLengthShift & 255; }
    static unsigned combining_class(Entry e) { return e >> kClassShift & 255; }

    static const Mapping& get(Form form);  // made on first use

    // Blocks below U+0800 are numbered in order, so two bytes of UTF-8 need no look-up of a block.
    Entry operator[](char32_t c) const { return entries[block[c / kBlock] * kBlock + c % kBlock]; }

    const std::array<std::uint16_t, kBlockCount>& block;
    std::vector<Entry> entries;
    std::vector<Entry> expansions;  // without XOR

  private:
    explicit Mapping(Form form);
    Entry entry(char32_t c, Form form, Segment& segment);
};

}  // namespace likewise
