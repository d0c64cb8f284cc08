#include "unicode.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "unicode_tables.hpp"

namespace likewise {

namespace {

constexpr std::uint32_t kLastOfImage = 1u << 31;
static_assert(std::size(tables::kDecompositions) < 0xFFFF && std::size(tables::kFoldings) < 0xFFFF);

// Hangul syllables are composed by rule.
constexpr char32_t kSyllable = 0xAC00, kLeading = 0x1100, kVowel = 0x1161, kTrailing = 0x11A7;
constexpr unsigned kLeadings = 19, kVowels = 21, kTrailings = 28;
constexpr unsigned kSyllables = kLeadings * kVowels * kTrailings;

bool is_surrogate(char32_t c) { return c - 0xD800 < 0x800; }

// each(character, place of its image) over one of the tables of images.
template <std::size_t n, class Each>
void for_each_image(const std::uint32_t (&runs)[n], const std::uint32_t* images, Each&& each) {
    std::size_t place = 0;
    for (const std::uint32_t run : runs) {
        for (char32_t c = run >> 8; c < (run >> 8) + (run & 0xFF); ++c) {
            each(c, place);
            while (!(images[place++] & kLastOfImage)) {
            }
        }
    }
}

// each(first, one past the last, value) over a table of runs.
template <std::size_t n, class Each>
void for_each_run(const std::uint32_t (&runs)[n], unsigned shift, Each&& each) {
    for (std::size_t i = 0; i < n; ++i) {
        const char32_t behind = i + 1 < n ? runs[i + 1] >> shift : 0x110000;
        each(char32_t{runs[i] >> shift}, behind, runs[i] & ((1u << shift) - 1));
    }
}

template <class Append>
void append_image(const std::uint32_t* images, std::size_t place, Append&& append) {
    do append(char32_t{images[place] & ~kLastOfImage});
    while (!(images[place++] & kLastOfImage));
}

std::size_t composition_slot(char32_t first, char32_t second) {
    return (first * 0x9E3779B1u ^ second * 0x85EBCA77u) >> 20;
}

// The text of a segment carries the combining class of each character in the top byte while it is
// decomposed.
constexpr unsigned kClassShift = 24;
constexpr char32_t kCharacterMask = (1u << kClassShift) - 1;

void sort_marks(char32_t* begin, char32_t* end) {
    const auto by_class = [](char32_t a, char32_t b) {
        return a >> kClassShift < b >> kClassShift;
    };
    if (std::is_sorted(begin, end, by_class)) return;
    std::stable_sort(begin, end, by_class);
}

}  // namespace

Decoded decode(const char* p, const char* end) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(p[i]); };
    const std::uint8_t lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    if (lead < 0xC2 || lead > 0xF4) return {kReplacement, 1};
    const std::uint32_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    // The second byte excludes overlong forms, surrogates and what is beyond U+10FFFF.
    const std::uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const std::uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    const auto left = static_cast<std::size_t>(end - p);
    if (left < 2 || byte(1) < low || byte(1) > high) return {kReplacement, 1};
    char32_t c = lead & (0x7F >> length);
    c = c << 6 | (byte(1) & 0x3F);
    for (std::uint32_t i = 2; i < length; ++i) {
        if (i >= left || (byte(i) & 0xC0) != 0x80) return {kReplacement, i};
        c = c << 6 | (byte(i) & 0x3F);
    }
    return {c, length};
}

// --- Characters

const Characters& Characters::get() {
    static const Characters characters;
    return characters;
}

Characters::Characters() {
    share_blocks();
    fill_properties();
    fill_compositions();
    fill_boundaries();
}

// Blocks get numbers; those whose characters differ get one of their own.
void Characters::share_blocks() {
    std::vector<bool> mixed(kBlockCount);
    const auto mix = [&](char32_t first, char32_t behind) {
        for (std::size_t b = first / kBlock; b * kBlock < behind; ++b) mixed[b] = true;
    };
    const auto mix_one = [&](char32_t c, std::size_t) { mixed[c / kBlock] = true; };
    mix(0, 0x800);
    for_each_run(tables::kKinds, 4, [&](char32_t first, char32_t, std::uint32_t) {
        if (first % kBlock != 0) mix(first, first + 1);
    });
    for_each_run(tables::kCombiningClasses, 8,
                 [&](char32_t first, char32_t behind, std::uint32_t combining_class) {
                     if (combining_class != 0) mix(first, behind);
                 });
    for_each_image(tables::kDecomposed, tables::kDecompositions, mix_one);
    for_each_image(tables::kFolded, tables::kFoldings, mix_one);
    for (std::size_t i = 1; i < std::size(tables::kCompositions); i += 3) {
        mix_one(tables::kCompositions[i], 0);
    }
    mix(kVowel, kTrailing + kTrailings);

    // Shared blocks also differ by the length of their UTF-8 (surrogates have none), so
    // that what Mapping says of one holds for all its characters.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint16_t> shared;
    for_each_run(tables::kKinds, 4, [&](char32_t first, char32_t behind, std::uint32_t kind) {
        for (char32_t c = (first + kBlock - 1) / kBlock * kBlock; c < behind; c += kBlock) {
            auto number = static_cast<std::uint16_t>(starts_.size());
            if (!mixed[c / kBlock]) {
                const std::uint32_t length = is_surrogate(c) ? 0 : encode(c).length;
                number = shared.try_emplace({kind, length}, number).first->second;
            }
            block_[c / kBlock] = number;
            if (number == starts_.size()) starts_.push_back(c);
        }
    });
}

void Characters::fill_properties() {
    characters_.resize(starts_.size() * kBlock);
    for_each_run(tables::kKinds, 4, [&](char32_t first, char32_t behind, std::uint32_t kind) {
        for (char32_t c = first; c < behind;) {
            // One write is enough for a whole shared block; its first character represents it.
            const bool elsewhere = starts_[block_[c / kBlock]] != c / kBlock * kBlock;
            if (!elsewhere) own(c).kind = static_cast<Kind>(kind);
            c += elsewhere ? kBlock - c % kBlock : 1;
        }
    });
    for_each_run(tables::kCombiningClasses, 8,
                 [&](char32_t first, char32_t behind, std::uint32_t combining_class) {
                     if (combining_class == 0) return;
                     for (char32_t c = first; c < behind; ++c) {
                         own(c).combining_class = static_cast<std::uint8_t>(combining_class);
                     }
                 });
    for_each_image(tables::kDecomposed, tables::kDecompositions,
                   [&](char32_t c, std::size_t place) {
                       own(c).decomposition = static_cast<std::uint16_t>(place + 1);
                   });
    for_each_image(tables::kFolded, tables::kFoldings, [&](char32_t c, std::size_t place) {
        own(c).folding = static_cast<std::uint16_t>(place + 1);
    });
}

void Characters::fill_compositions() {
    for (std::size_t i = 0; i < std::size(tables::kCompositions); i += 3) {
        const Composition composition{tables::kCompositions[i], tables::kCompositions[i + 1],
                                      tables::kCompositions[i + 2]};
        own(composition.second).composes = true;
        std::size_t slot = composition_slot(composition.first, composition.second);
        while (compositions_[slot].first != 0) slot = (slot + 1) % compositions_.size();
        compositions_[slot] = composition;
    }
    for (char32_t c = kVowel; c < kVowel + kVowels; ++c) own(c).composes = true;
    for (char32_t c = kTrailing + 1; c < kTrailing + kTrailings; ++c) own(c).composes = true;
}

void Characters::fill_boundaries() {
    const auto starts_segment = [](const Character& c) {
        return c.combining_class == 0 && !c.composes;
    };
    for (Character& c : characters_) {
        if (c.decomposition == 0) {
            c.boundary = starts_segment(c);
        } else {
            const std::uint32_t first = tables::kDecompositions[c.decomposition - 1];
            c.boundary = starts_segment((*this)[first & ~kLastOfImage]);
        }
    }
}

char32_t Characters::compose(char32_t first, char32_t second) const {
    if (!(*this)[second].composes) return 0;
    if (second - kVowel < kTrailing + kTrailings - kVowel) {
        if (first - kLeading < kLeadings && second - kVowel < kVowels) {
            return kSyllable + ((first - kLeading) * kVowels + (second - kVowel)) * kTrailings;
        }
        const bool open = first - kSyllable < kSyllables && (first - kSyllable) % kTrailings == 0;
        return open && second > kTrailing ? first + (second - kTrailing) : 0;
    }
    for (std::size_t slot = composition_slot(first, second);;
         slot = (slot + 1) % compositions_.size()) {
        const Composition& c = compositions_[slot];
        if (c.first == first && c.second == second) return c.both;
        if (c.first == 0) return 0;
    }
}

// --- Segment

void Segment::normalise(Form form) {
    to_nfkc();
    if (form.fold_case && fold()) to_nfkc();
    if (form.strip_accents) {
        decompose();
        strip();
        compose();
    }
}

void Segment::to_nfkc() {
    decompose();
    compose();
}

// Full decomposition, in canonical order, with classes in the top bytes.
void Segment::decompose() {
    const Characters& characters = Characters::get();
    spare_.clear();
    const auto append = [&](char32_t c) {
        spare_.push_back(c | char32_t{characters[c].combining_class} << kClassShift);
    };
    for (const char32_t c : text) {
        const std::uint16_t decomposition = characters[c].decomposition;
        if (decomposition != 0) {
            append_image(tables::kDecompositions, decomposition - 1u, append);
        } else if (c - kSyllable < kSyllables) {
            const unsigned syllable = c - kSyllable;
            append(kLeading + syllable / (kVowels * kTrailings));
            append(kVowel + syllable / kTrailings % kVowels);
            if (syllable % kTrailings != 0) append(kTrailing + syllable % kTrailings);
        } else {
            append(c);
        }
    }
    text.swap(spare_);
    order_marks();
}

void Segment::order_marks() {
    const auto is_mark = [](char32_t c) { return c >> kClassShift != 0; };
    for (auto begin = text.begin(); begin != text.end();) {
        begin = std::find_if(begin, text.end(), is_mark);
        const auto end = std::find_if_not(begin, text.end(), is_mark);
        sort_marks(text.data() + (begin - text.begin()), text.data() + (end - text.begin()));
        begin = end;
    }
}

// Takes the classes off again.
void Segment::compose() {
    const Characters& characters = Characters::get();
    constexpr std::size_t kNone = ~std::size_t{0};
    std::size_t size = 0, starter = kNone;
    unsigned last_class = 0;  // between the starter and here; 0 if there is nothing
    for (const char32_t marked : text) {
        const char32_t c = marked & kCharacterMask;
        const unsigned combining_class = marked >> kClassShift;
        const bool blocked = last_class != 0 && last_class >= combining_class;
        if (starter != kNone && !blocked) {
            if (const char32_t both = characters.compose(text[starter], c)) {
                text[starter] = both;
                continue;
            }
        }
        if (combining_class == 0) starter = size;
        last_class = combining_class;
        text[size++] = c;
    }
    text.resize(size);
}

// Says whether anything changed.
bool Segment::fold() {
    const Characters& characters = Characters::get();
    const auto folds = [&](char32_t c) { return characters[c].folding != 0; };
    if (std::none_of(text.begin(), text.end(), folds)) return false;
    spare_.clear();
    const auto append = [&](char32_t c) { spare_.push_back(c); };
    for (const char32_t c : text) {
        const std::uint16_t folding = characters[c].folding;
        if (folding != 0) {
            append_image(tables::kFoldings, folding - 1u, append);
        } else {
            append(c);
        }
    }
    text.swap(spare_);
    return true;
}

void Segment::strip() {
    const Characters& characters = Characters::get();
    std::erase_if(text, [&](char32_t marked) {
        return characters[marked & kCharacterMask].kind == Kind::accent;
    });
    order_marks();  // some enclosing accents are starters, which had kept marks apart
}

// --- Mapping

namespace {

template <bool fold_case, bool strip_accents, class Make>
const Mapping& mapping_of(Make make) {
    static const Mapping mapping = make(Form{fold_case, strip_accents});
    return mapping;
}

Entry describe(Encoded encoded, Kind kind) {
    return Entry{encoded.bytes} | Entry{encoded.length} << Mapping::kLengthShift |
           Entry{static_cast<std::uint8_t>(kind)} << Mapping::kKindShift;
}

}  // namespace

const Mapping& Mapping::get(Form form) {
    const auto make = [](Form f) { return Mapping(f); };
    if (form.fold_case) {
        return form.strip_accents ? mapping_of<true, true>(make) : mapping_of<true, false>(make);
    }
    return form.strip_accents ? mapping_of<false, true>(make) : mapping_of<false, false>(make);
}

Mapping::Mapping(Form form) : block(Characters::get().blocks()) {
    Segment segment;
    const auto& starts = Characters::get().block_starts();
    entries.reserve(starts.size() * kBlock);
    for (const char32_t start : starts) {
        for (char32_t c = start; c < start + kBlock; ++c)
            entries.push_back(entry(c, form, segment));
    }
}

Entry Mapping::entry(char32_t c, Form form, Segment& segment) {
    const Characters& characters = Characters::get();
    const Character& character = characters[c];
    if (is_surrogate(c) || character.kind == Kind::ignorable) return kEntangled;
    const bool dropped = form.strip_accents && character.kind == Kind::accent;
    const bool changes = character.decomposition != 0 || (form.fold_case && character.folding != 0);
    if (!character.boundary) {
        if (character.composes || changes || character.combining_class == 0) return kEntangled;
        const Entry whole = dropped ? describe({0, 0}, Kind::nothing)
                                    : describe({0, encode(c).length}, character.kind);
        return whole | kPassive | Entry{character.combining_class} << kClassShift;
    }
    // Characters around a dropped starter may become adjacent and compose.
    if (dropped) return kEntangled;
    if (!changes) return describe({0, encode(c).length}, character.kind);

    unsigned last_class = 0;
    for (const Form stage : {Form{false, false}, Form{form.fold_case, false}, form}) {
        segment.text.assign(1, c);
        segment.normalise(stage);
        last_class =
            std::max<unsigned>(last_class, characters[segment.text.back()].combining_class);
    }
    const Entry classed = Entry{last_class} << kClassShift;
    if (segment.text.size() == 1) {
        const char32_t image = segment.text.front();
        return classed | (describe(encode(image), characters[image].kind) ^ encode(c).bytes);
    }
    const Entry place = expansions.size();
    for (const char32_t image : segment.text) {
        expansions.push_back(describe(encode(image), characters[image].kind));
    }
    return classed | kExpands | place << 8 | segment.text.size();
}

}  // namespace likewise
