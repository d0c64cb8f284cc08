#include "text_parts.hpp"

#include <algorithm>
#include <limits>

#include "hash.hpp"
#include "shingles.hpp"
#include "threads.hpp"
#include "unicode.hpp"
#include "words.hpp"

namespace likewise {
namespace {

// A line of a text with its end.
struct Line {
    const char* end;
    std::uint32_t characters = 0;
    bool blank = true;
    bool last_of_paragraph = false;
};

Line next_line(const char* at, const char* end) {
    const Characters& characters = Characters::get();
    Line line{at};
    Poll poll;
    while (at < end) {
        poll();
        const Decoded next = decode(at, end);
        const char32_t c = next.character;
        at += next.length;
        ++line.characters;
        const bool ends = (c >= '\n' && c <= '\r') || c == 0x85 || c == 0x2028 || c == 0x2029;
        if (ends) {
            if (c == '\r' && at < end && *at == '\n') {
                ++at;
                ++line.characters;
            }
            line.last_of_paragraph = c == '\f' || c == 0x2029;
            break;
        }
        if (line.blank && characters[c].kind != Kind::space) line.blank = false;
    }
    line.end = at;
    return line;
}

Rules of_single_words(const Rules& rules) {
    Rules single = rules;
    single.k = 1;
    single.bag = false;
    return single;
}

class Splitter {
  public:
    Splitter(Split split, const Rules& rules)
        : split_(split),
          rules_(of_single_words(rules)),
          word_rules_(of_single_words(Rules())),
          shingler_(rules_),
          counter_(word_rules_) {}

    void split(std::string_view text, std::uint32_t document, TextParts& out) {
        const char* at = text.data();
        const char* const end = at + text.size();
        std::uint32_t place = 0, total = 0;
        while (at < end) {
            const char* const begin = at;
            const std::uint32_t first = place;
            bool more = true;
            bool words = false;  // a line that is not blank came
            while (at < end && more) {
                const Line line = next_line(at, end);
                if (split_ == Split::lines) {
                    more = false;
                } else if (words && !line.blank && blank_) {
                    break;  // the next paragraph
                } else {
                    words |= !line.blank;
                    blank_ = line.blank;
                    more = !line.last_of_paragraph;
                }
                at = line.end;
                place += line.characters;
            }
            blank_ = false;
            total +=
                add({begin, static_cast<std::size_t>(at - begin)}, document, first, place, out);
        }
        out.totals.push_back(total);
    }

  private:
    std::uint32_t add(std::string_view part, std::uint32_t document, std::uint32_t begin,
                      std::uint32_t end, TextParts& out) {
        shingler_.collect(part, hashes_);
        if (hashes_.empty()) return 0;
        std::uint64_t low = hashes_.size(), high = 0;
        for (const std::uint64_t hash : hashes_) {
            low = fold_multiply(low ^ hash, kFinalFactor) + kWordStep;
            high = high * kWordStep + hash;
        }
        std::size_t words = hashes_.size();
        if (rules_.unit == Unit::character) {
            counter_.collect(part, hashes_);
            words = hashes_.size();
        }
        out.documents.push_back(document);
        out.begins.push_back(begin);
        out.ends.push_back(end);
        out.words.push_back(static_cast<std::uint32_t>(words));
        out.low.push_back(low);
        out.high.push_back(high);
        return static_cast<std::uint32_t>(words);
    }

    const Split split_;
    const Rules rules_, word_rules_;
    Shingler shingler_, counter_;
    std::vector<std::uint64_t> hashes_;
    bool blank_ = false;  // the line before, within a paragraph
};

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

TextParts split_texts(std::span<const std::string_view> texts, Split split, const Rules& rules,
                      unsigned threads) {
    for (const auto text : texts) check_size(text.size());
    const std::size_t grain = grain_of(texts.size(), threads);
    std::vector<TextParts> own((texts.size() + grain - 1) / grain);
    parallel_ranges(
        texts.size(), grain, threads, [&] { return Splitter(split, rules); },
        [&](Splitter& splitter, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                splitter.split(texts[i], static_cast<std::uint32_t>(i), own[begin / grain]);
            }
        });
    TextParts made;
    for (TextParts& some : own) {
        append(made.documents, some.documents);
        append(made.begins, some.begins);
        append(made.ends, some.ends);
        append(made.words, some.words);
        append(made.low, some.low);
        append(made.high, some.high);
        append(made.totals, some.totals);
        some = {};
    }
    return made;
}

}  // namespace likewise
