#include "prepare.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "actions.hpp"
#include "interruption.hpp"
#include "unicode_tables.hpp"
#include "word_block.hpp"
#include "words.hpp"

namespace likewise {

namespace {

bool is_word_kind(Kind kind) { return kind >= Kind::letter && kind <= Kind::unspaced_number; }
bool is_unspaced_kind(Kind kind) { return kind == Kind::unspaced || kind == Kind::unspaced_number; }
bool is_mark_kind(Kind kind) { return kind == Kind::mark || kind == Kind::accent; }

constexpr std::size_t kMaxLength = 4;  // bytes of a character

// The next space from p on; there is one, and 8 bytes may be read there.
const char* find_space(const char* p) {
    constexpr std::uint64_t kOnes = 0x0101010101010101;
    for (;; p += 8) {
        const std::uint64_t bytes = load8(p) ^ (kOnes * ' ');
        const std::uint64_t zeros = (bytes - kOnes) & ~bytes & (kOnes << 7);
        if (zeros != 0) return p + std::countr_zero(zeros) / 8;
    }
}

std::size_t count_characters(const char* begin, const char* end) {
    return static_cast<std::size_t>(std::count_if(
        begin, end, [](char c) { return (static_cast<std::uint8_t>(c) & 0xC0) != 0x80; }));
}

}  // namespace

// One call of prepare().
class Preparation {
  public:
    Preparation(std::string_view utf8, const Rules& rules, Prepared& out)
        : rules_(rules),
          filters_(rules.min_word_length > 1 || !rules.stop_words.empty()),
          joins_(rules.unit == Unit::word || (rules.spaces == Spaces::one && !filters_)),
          word_blocks_(joins_ && !rules.keep_punctuation),
          form_{rules.fold_case, rules.strip_accents},
          mapping_(Mapping::get(form_)),
          out_(out),
          end_(utf8.data() + utf8.size()) {
        // Where words are filtered out of characters, spaces are settled afterwards.
        const Spaces spaces = filters_ ? Spaces::keep : rules.spaces;
        actions_ =
            rules.unit == Unit::word ? word_actions(rules) : character_actions(rules, spaces);
        out_.buffer_.reserve(Prepared::kFront + kPadding);
        now_ = {utf8.data(), joins_ ? kGap : kAlways, text() - (joins_ ? 1 : 0)};
        segment_ = now_;
    }

    void run() {
        out_.invisible = 0;
        const char* const begin = now_.at;
        while (now_.at < end_) {
            if (now_.at != begin) poll_interruption();
            const std::size_t size = std::min(static_cast<std::size_t>(end_ - now_.at), kChunk);
            reserve(size * tables::kMaxGrowth);
            transcribe(now_.at + size);
        }
        now_.write = std::max(now_.write, text());
        pad();
        if (filters_ && rules_.unit == Unit::word) filter_words();
        if (filters_ && rules_.unit == Unit::character) filter_characters();
        finish();
    }

  private:
    static constexpr std::size_t kChunk = 1 << 14;  // input between two looks at the room left
    // What the loop over word blocks reads and writes at once, and that over characters.
    static constexpr std::size_t kWide = 16, kNarrow = 4;

    char* text() { return out_.buffer_.data() + Prepared::kFront; }

    // Room for `bytes` more, and for what the loops read and write too much.
    void reserve(std::size_t bytes) {
        const char* const old = out_.buffer_.data();
        const auto used = static_cast<std::size_t>(now_.write - old);
        const auto segment = static_cast<std::size_t>(segment_.write - old);
        const std::size_t slack = Prepared::kFront + kPadding + kWide * tables::kMaxGrowth;
        char* data = out_.buffer_.reserve(used + bytes + slack, used);
        now_.write = data + used;
        segment_.write = data + segment;
    }

    void pad() { std::memset(now_.write, ' ', kPadding); }

    struct Place {
        const char* at;
        std::size_t state;
        char* write;
    };

    void transcribe(const char* stop);
    Place transcribe_words(Place now, const char* stop) const;
    void transcribe_unusual(Entry entry, std::uint32_t source, std::uint32_t length);
    void transcribe_segment();
    void filter_words();
    void filter_characters();
    bool is_left_out(const char* begin, const char* end) const;
    bool is_stop_word(const char* begin, const char* end) const;
    const char* find_clump(const char* begin, const char* end, bool& too_short) const;
    void finish();

    const Rules& rules_;
    const bool filters_;
    const bool joins_;        // spaces are written late, before what follows
    const bool word_blocks_;  // transcribe_words() does what the rules require
    const Form form_;
    const Mapping& mapping_;
    Actions actions_;
    Prepared& out_;

    const char* const end_;
    Place now_;
    Place segment_;  // where the last segment began, to do it again if it needs normalising
    Entry last_ = Mapping::kEntangled;  // what was written last
};

namespace {

inline void write_entry(Entry entry, std::uint32_t source, const Actions& actions, char*& write,
                        std::size_t& state) {
    const Action action = actions[Mapping::kind(entry)];
    const std::size_t space = (state & action.before) != 0;
    *write = ' ';
    store4(write + space, static_cast<std::uint32_t>(entry) ^ source);
    write += space + (Mapping::length(entry) & action.length);
    state = (state & action.keep) | action.set;
}

// The character of `length` bytes at `at`, if there is one, and its bytes.
template <unsigned length>
inline bool look_up(const char* at, const Entry* entries, const std::uint16_t* block, Entry& entry,
                    std::uint32_t& source) {
    const auto byte = [&](unsigned i) { return std::uint32_t{static_cast<std::uint8_t>(at[i])}; };
    if constexpr (length == 1) {
        source = byte(0);
        if (source >= 0x80) return false;
        entry = entries[source];
    } else if constexpr (length == 2) {
        source = byte(0) | byte(1) << 8;
        const std::uint32_t c = (source & 0x1F) << 6 | (source >> 8 & 0x3F);
        if ((source & 0xC0E0) != 0x80C0 || c < 0x80) return false;
        entry = entries[c];
    } else {
        source = load4(at) & 0xFFFFFF;
        const std::uint32_t high = (source & 0x0F) << 6 | (source >> 8 & 0x3F);
        if ((source & 0xC0C0F0) != 0x8080E0 || high < 0x800 / kBlock) return false;
        entry = entries[block[high] * kBlock + (source >> 16 & 0x3F)];
    }
    return true;
}

}  // namespace

#ifdef __SSE2__
// Words and the separators between them, sixteen bytes at a time, up to something else. If that may
// be a mark, the character before it is left to the caller too.
Preparation::Place Preparation::transcribe_words(Place now, const char* stop) const {
    const __m128i fold = all(rules_.fold_case ? 0xFF : 0);
    const __m128i digits = all(rules_.drop_digits ? 0 : 0xFF);
    const __m128i pairs = all(rules_.strip_accents ? 0 : 0xFF);
    const char* at = now.at;
    char* write = now.write;
    // Here a space is written at once, and taken back if nothing follows.
    unsigned gap = now.state != kWord;
    *write = ' ';
    write += gap;
    for (bool done = false; !done && at < stop;) {
        const WordBlock block(at, fold, digits, pairs);
        auto end = static_cast<unsigned>(std::countr_zero(block.unknown | 1u << 16));
        done = end < 15;  // there, a letter may just be cut in two
        if (!begins_starter(at[end])) [[unlikely]] {
            done = true;
            if (end > 0) end -= 1 + (block.seconds >> (end - 1) & 1);
        }
        const unsigned before = block.separators << 1 | gap;
        const unsigned repeated = block.separators & before & ((1u << end) - 1);
        const auto first = static_cast<unsigned>(std::countr_zero(repeated | 1u << end));
        store16(write, block.text);
        if ((repeated & (repeated - 1)) == 0) [[likely]] {
            // At most one separator follows another: the text after it moves up.
            store16(write + first, load16(write + first + 1));
            gap = before >> end & 1;
            write += end - (repeated != 0);
            at += end;
        } else {
            // Up to the first that does; the whole run of them is skipped.
            const auto skipped = static_cast<unsigned>(std::countr_one(repeated >> first));
            gap = 1;
            write += first;
            at += first + skipped;
            done = done && first + skipped == end;
        }
    }
    return {at, gap ? kGap : kWord, write - gap};
}
#endif

// From now_ to `stop` or a little further.
void Preparation::transcribe(const char* stop) {
    // From here on, this many bytes can no longer be read.
    const auto stop_before = [&](std::size_t bytes) {
        const auto left = static_cast<std::size_t>(end_ - now_.at);
        return std::min(stop, left < bytes ? now_.at : end_ - bytes + 1);
    };
    const char* const narrow_stop = stop_before(kNarrow);
#ifdef __SSE2__
    const char* const wide_stop = stop_before(kWide + 1);
#endif
    const Actions actions = actions_;
    const Entry* const entries = mapping_.entries.data();
    const std::uint16_t* const block = mapping_.block.data();
    // Each in a variable of its own, so that they stay in registers.
    const char* at = now_.at;
    char* write = now_.write;
    std::size_t state = now_.state;
    Place segment = segment_;
    Entry last = last_;

    const auto write_next = [&](Entry entry, std::uint32_t source, std::uint32_t length) {
        if (entry & Mapping::kUnusual) [[unlikely]] {
            now_ = {at, state, write};
            segment_ = segment;
            last_ = last;
            transcribe_unusual(entry, source, length);
            at = now_.at;
            write = now_.write;
            state = now_.state;
            segment = segment_;
            last = last_;
            return;
        }
        segment = {at, state, write};
        last = entry;
        write_entry(entry, source, actions, write, state);
        at += length;
    };
    // A character and those of the same length that follow. Where they are of the same kind too,
    // the state stays as it is.
    const auto write_run = [&]<unsigned length>(Entry entry, std::uint32_t source) {
        for (bool found = true; found;) {
            write_next(entry, source, length);
            const Action action = actions[Mapping::kind(last)];
            const std::size_t space = (state & action.before) != 0;
            constexpr Entry kKind = Mapping::kUnusual | Entry{255} << Mapping::kKindShift;
            const Entry same = last & Mapping::kUnusual ? ~Entry{0} : last & kKind;
            const char* const begin = at;
            std::size_t step = 0;
            while (
                (found = at < narrow_stop && look_up<length>(at, entries, block, entry, source)) &&
                (entry & kKind) == same) {
                last = entry;
                *write = ' ';
                store4(write + space, static_cast<std::uint32_t>(entry) ^ source);
                step = space + (Mapping::length(entry) & action.length);
                write += step;
                at += length;
            }
            if (at != begin) segment = {at - length, state, write - step};
        }
    };

    while (at < stop) {
        Entry entry;
        std::uint32_t source;
#ifdef __SSE2__
        if (word_blocks_ && at < wide_stop && begins_words(at, !form_.strip_accents)) {
            const Place behind = transcribe_words({at, state, write}, wide_stop);
            at = behind.at;
            write = behind.write;
            state = behind.state;
            if (at >= stop) break;  // before a starter, so no mark joins what is written
        }
#endif
        if (look_up<1>(at, entries, block, entry, source)) {
            write_next(entry, source, 1);
        } else if (at < narrow_stop && look_up<2>(at, entries, block, entry, source)) {
            write_run.template operator()<2>(entry, source);
        } else if (at < narrow_stop && look_up<3>(at, entries, block, entry, source)) {
            write_run.template operator()<3>(entry, source);
        } else {
            const Decoded decoded = decode(at, end_);
            write_next(mapping_[decoded.character], encode(decoded.character).bytes,
                       decoded.length);
        }
    }
    now_ = {at, state, write};
    segment_ = segment;
    last_ = last;
}

void Preparation::transcribe_unusual(Entry entry, std::uint32_t source, std::uint32_t length) {
    const bool in_order = Mapping::combining_class(last_) <= Mapping::combining_class(entry);
    if (entry & Mapping::kPassive && in_order) {
        write_entry(entry, source, actions_, now_.write, now_.state);
    } else if (entry & Mapping::kExpands) {
        segment_ = now_;
        const Entry* image = mapping_.expansions.data() + (static_cast<std::uint32_t>(entry) >> 8);
        for (std::uint32_t i = 0; i < (entry & 0xFF); ++i) {
            write_entry(image[i], 0, actions_, now_.write, now_.state);
        }
    } else {
        transcribe_segment();
        return;
    }
    last_ = entry;
    now_.at += length;
}

// The slow way, from where the segment began to the next boundary.
void Preparation::transcribe_segment() {
    const Characters& characters = Characters::get();
    std::vector<char32_t>& text = out_.segment_.text;
    text.clear();
    now_ = segment_;
    const char* at = now_.at;
    while (at < end_) {
        const Decoded decoded = decode(at, end_);
        const Character& character = characters[decoded.character];
        if (character.kind == Kind::ignorable) {
            ++out_.invisible;
        } else {
            // The first character starts the segment, whatever it is. A starter that is dropped
            // is no boundary: the characters around it may compose.
            const bool dropped = form_.strip_accents && character.kind == Kind::accent;
            if (character.boundary && !dropped && !text.empty()) break;
            text.push_back(decoded.character);
        }
        at += decoded.length;
    }
    now_.at = at;
    out_.segment_.normalise(form_);
    // Up to five bytes each, besides what the chunk may still need.
    reserve(5 * text.size() + kChunk * tables::kMaxGrowth);
    for (const char32_t c : text) {
        const Encoded encoded = encode(c);
        const Entry entry = Entry{encoded.length} << Mapping::kLengthShift |
                            Entry{static_cast<std::uint8_t>(characters[c].kind)}
                                << Mapping::kKindShift;
        write_entry(entry, encoded.bytes, actions_, now_.write, now_.state);
    }
    segment_ = now_;
    last_ = Mapping::kEntangled;
}

bool Preparation::is_left_out(const char* begin, const char* end) const {
    const auto size = static_cast<std::size_t>(end - begin);
    if (size < kMaxLength * std::size_t{rules_.min_word_length} &&
        count_characters(begin, end) < rules_.min_word_length) {
        // Letters of unspaced scripts and symbols may be short.
        const Kind kind = Characters::get()[decode(begin, end).character].kind;
        if (!is_unspaced_kind(kind) && kind != Kind::symbol) return true;
    }
    return is_stop_word(begin, end);
}

bool Preparation::is_stop_word(const char* begin, const char* end) const {
    const auto size = static_cast<std::size_t>(end - begin);
    return !rules_.stop_words.empty() &&
           rules_.stop_words.contains(hash_padded(begin, size, stop_word_key()));
}

// The end of the text without a space from `begin` on: a word and its attached punctuation.
// It is too short if it has some letters and numbers, but too few of them.
const char* Preparation::find_clump(const char* begin, const char* end, bool& too_short) const {
    const Characters& characters = Characters::get();
    std::size_t letters = 0;
    bool unspaced = false;
    const char* at = begin;
    while (at < end) {
        const Decoded next = decode(at, end);
        const Kind kind = characters[next.character].kind;
        if (kind == Kind::space) break;
        letters += is_word_kind(kind);
        unspaced |= is_unspaced_kind(kind);
        at += next.length;
    }
    too_short = letters > 0 && letters < rules_.min_word_length && !unspaced;
    return at;
}

// Removes words from text in which they are joined by single spaces.
void Preparation::filter_words() {
    if (now_.write == text()) return;
    const char* const end = now_.write + 1;  // each word is followed by a space, the last one too
    char* write = text();
    const char* kept = text();  // from here to `at` nothing has been removed
    const auto move_up_to = [&](const char* behind) {
        std::memmove(write, kept, static_cast<std::size_t>(behind - kept));
        write += behind - kept;
    };
    const char* at = text();
    while (at < end) {
        const char* const behind = find_space(at);
        if (is_left_out(at, behind)) {
            move_up_to(at);
            kept = behind + 1;
        }
        at = behind + 1;
    }
    move_up_to(end);
    now_.write = write == text() ? write : write - 1;
}

// Takes words out of running text, then settles its spaces.
void Preparation::filter_characters() {
    const Characters& characters = Characters::get();
    const char* at = text();
    const char* const end = now_.write;
    char* write = text();
    const auto copy_to = [&](const char* behind) {
        std::memmove(write, at, static_cast<std::size_t>(behind - at));
        write += behind - at;
    };
    // Where punctuation stays, a short word goes with the marks that cling to it.
    const bool by_clumps = rules_.keep_punctuation && rules_.min_word_length > 1;
    const char* clump_end = at;
    while (at < end) {
        const Decoded first = decode(at, end);
        const Kind kind = characters[first.character].kind;
        const char* behind = at + first.length;
        if (by_clumps && at >= clump_end && kind != Kind::space) {
            bool too_short = false;
            clump_end = find_clump(at, end, too_short);
            if (too_short) {
                at = clump_end;
                continue;
            }
        }
        if (is_word_kind(kind)) {
            const bool unspaced = is_unspaced_kind(kind);
            while (behind < end) {
                const Decoded next = decode(behind, end);
                const Kind next_kind = characters[next.character].kind;
                if (!is_word_kind(next_kind) || is_unspaced_kind(next_kind)) break;
                if (unspaced && !is_mark_kind(next_kind)) break;
                behind += next.length;
            }
            const bool left_out = by_clumps ? is_stop_word(at, behind) : is_left_out(at, behind);
            if (!left_out) copy_to(behind);
        } else if (*at != ' ' || rules_.spaces == Spaces::keep ||
                   (rules_.spaces == Spaces::one && write != text() && write[-1] != ' ')) {
            copy_to(behind);
        }
        at = behind;
    }
    if (rules_.spaces == Spaces::one && write != text() && write[-1] == ' ') --write;
    now_.write = write;
}

void Preparation::finish() {
    out_.size_ = static_cast<std::size_t>(now_.write - text());
    out_.ascii = is_ascii(text(), out_.size_);
    pad();
}

void prepare(std::string_view utf8, const Rules& rules, Prepared& out) {
    Preparation(utf8, rules, out).run();
}

}  // namespace likewise
