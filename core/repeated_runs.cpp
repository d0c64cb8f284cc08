#include "repeated_runs.hpp"

#include <algorithm>
#include <stdexcept>

#include "hash.hpp"
#include "interruption.hpp"
#include "placed_words.hpp"
#include "rules.hpp"
#include "shingles.hpp"
#include "threads.hpp"
#include "words.hpp"

namespace likewise {
namespace {

// A prime; the second half of a digest is a polynomial modulo it, so that texts made for equal
// digests modulo 2^64 differ.
constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;
constexpr std::uint64_t kBase = 0x0f8e1c2d3b4a5968;

std::uint64_t reduce(unsigned __int128 x) {
    const std::uint64_t folded =
        static_cast<std::uint64_t>(x & kPrime) + static_cast<std::uint64_t>(x >> 61);
    const std::uint64_t again = (folded & kPrime) + (folded >> 61);
    return again >= kPrime ? again - kPrime : again;
}

std::uint64_t multiply(std::uint64_t a, std::uint64_t b) {
    return reduce(static_cast<unsigned __int128>(a) * b);
}

// Polynomials over `count` words that follow each other: one word in, one out.
class RollingDigest {
  public:
    explicit RollingDigest(std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i) {
            low_out_ *= kWordStep;
            high_out_ = multiply(high_out_, kBase);
        }
    }

    void add(std::uint64_t word) {
        low_ = low_ * kWordStep + word;
        high_ = reduce(static_cast<unsigned __int128>(high_) * kBase + word % kPrime);
    }
    void drop(std::uint64_t word) {
        low_ -= word * low_out_;
        high_ = reduce(static_cast<unsigned __int128>(high_) + kPrime -
                       multiply(word % kPrime, high_out_));
    }
    std::uint64_t low() const { return fold_multiply(low_ ^ kBase, kFinalFactor); }
    std::uint64_t high() const { return high_; }
    void clear() { low_ = high_ = 0; }

  private:
    std::uint64_t low_ = 0, high_ = 0, low_out_ = 1, high_out_ = 1;
};

// The words of one text, and the fingerprints of its windows.
class WindowReader {
  public:
    explicit WindowReader(Windows windows)
        : windows_(windows), rules_(of_words()), shingler_(rules_) {
        for (std::uint32_t i = 0; i < windows.shingle; ++i) outgoing_ *= kWordStep;
    }

    const std::vector<std::uint64_t>& read(std::string_view text) {
        shingler_.collect(text, words_);
        return words_;
    }

    // sink(first word of a window, place of its fingerprint, fingerprint) for each in order.
    template <class Sink>
    void each(Sink&& sink) {
        if (words_.size() < windows_.words) return;
        hash_shingles();
        const std::size_t size = windows_.words - windows_.shingle + 1;  // shingles of a window
        std::size_t smallest = 0;
        Poll poll;
        for (std::size_t end = 0; end < shingles_.size(); ++end) {
            poll();
            if (smallest + size == end) {  // it has left the window
                smallest = end - size + 1;
                for (std::size_t i = smallest + 1; i <= end; ++i) {
                    if (shingles_[i] <= shingles_[smallest]) smallest = i;
                }
            } else if (shingles_[end] <= shingles_[smallest]) {
                smallest = end;
            }
            if (end + 1 >= size) sink(end + 1 - size, smallest, shingles_[smallest]);
        }
    }

  private:
    static Rules of_words() {
        Rules rules;
        rules.k = 1;
        return rules;
    }

    void hash_shingles() {
        const std::size_t k = windows_.shingle;
        shingles_.clear();
        shingles_.reserve(words_.size());
        std::uint64_t state = 0;
        Poll poll;
        for (std::size_t i = 0; i < words_.size(); ++i) {
            poll();
            state = state * kWordStep + words_[i];
            if (i >= k) state -= words_[i - k] * outgoing_;
            if (i + 1 >= k) shingles_.push_back(fold_multiply(state ^ kBase, kFinalFactor));
        }
    }

    const Windows windows_;
    const Rules rules_;
    Shingler shingler_;
    std::uint64_t outgoing_ = 1;
    std::vector<std::uint64_t> words_, shingles_;
};

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

// work(reader, text, results of its piece) for each text; the results of all pieces in order.
template <class Made, class Work>
std::vector<Made> by_pieces(std::size_t texts, Windows windows, unsigned threads, Work&& work) {
    const std::size_t grain = grain_of(texts, threads);
    std::vector<Made> own((texts + grain - 1) / grain);
    parallel_ranges(
        texts, grain, threads, [&] { return WindowReader(windows); },
        [&](WindowReader& reader, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) work(reader, i, own[begin / grain]);
        });
    return own;
}

}  // namespace

HashFilter::HashFilter(unsigned bits) : shift_(64 - (bits - 6) - 1) {
    fill(cells_, std::size_t{1} << (bits - 6));
}

void HashFilter::add(std::span<const std::uint64_t> hashes) {
    Poll poll;
    for (const std::uint64_t hash : hashes) {
        poll();
        cells_[cell_of(hash)] |= bits_of(hash);
    }
}

WindowFingerprints fingerprint_windows(std::span<const std::string_view> texts, Windows windows,
                                       unsigned threads) {
    for (const auto text : texts) check_size(text.size());
    const auto own = by_pieces<WindowFingerprints>(
        texts.size(), windows, threads,
        [&](WindowReader& reader, std::size_t i, WindowFingerprints& out) {
            out.words.push_back(static_cast<std::uint32_t>(reader.read(texts[i]).size()));
            std::size_t last = static_cast<std::size_t>(-1);
            reader.each([&](std::size_t, std::size_t place, std::uint64_t hash) {
                if (place != last) out.hashes.push_back(hash);
                last = place;
            });
        });
    WindowFingerprints made;
    for (const auto& some : own) {
        append(made.hashes, some.hashes);
        append(made.words, some.words);
    }
    return made;
}

DigestedWindows digest_windows(std::span<const std::string_view> texts, Windows windows,
                               const HashFilter& filter, unsigned threads) {
    for (const auto text : texts) check_size(text.size());
    const auto own = by_pieces<DigestedWindows>(
        texts.size(), windows, threads,
        [&](WindowReader& reader, std::size_t i, DigestedWindows& out) {
            const auto& words = reader.read(texts[i]);
            RollingDigest digest(windows.words);
            std::size_t next = 0;  // the words [start, next) are in the digest
            std::size_t start = 0;
            std::size_t last = static_cast<std::size_t>(-1);
            bool wanted = false;
            reader.each([&](std::size_t first, std::size_t place, std::uint64_t hash) {
                if (place != last) wanted = filter.may_contain(hash);
                last = place;
                if (!wanted) return;
                if (first >= next) {
                    digest.clear();
                    start = next = first;
                }
                while (next < first + windows.words) {
                    digest.add(words[next]);
                    if (next - start >= windows.words) digest.drop(words[start++]);
                    ++next;
                }
                out.texts.push_back(static_cast<std::uint32_t>(i));
                out.first_words.push_back(static_cast<std::uint32_t>(first));
                out.low.push_back(digest.low());
                out.high.push_back(digest.high());
            });
        });
    DigestedWindows made;
    for (const auto& some : own) {
        append(made.texts, some.texts);
        append(made.first_words, some.first_words);
        append(made.low, some.low);
        append(made.high, some.high);
    }
    return made;
}

void WindowChoice::keep(std::uint64_t group) {
    if (group >= kept_.size()) kept_.resize(std::max<std::size_t>(group + 1, 2 * kept_.size()));
    kept_[group] = true;
}

WordRanges WindowChoice::cut(std::span<const std::uint32_t> texts,
                             std::span<const std::uint32_t> first_words,
                             std::span<const std::uint64_t> groups) {
    WordRanges made;
    Poll poll;
    for (std::size_t begin = 0; begin < texts.size();) {
        std::size_t end = begin;
        std::size_t waiting = begin;  // windows that are not known to be left whole
        std::uint64_t cut_end = 0;    // of the last range that is cut
        bool any = false;
        for (; end < texts.size() && texts[end] == texts[begin]; ++end) {
            poll();
            const std::uint64_t first = first_words[end];
            for (; first_words[waiting] + std::uint64_t{words_} <= first; ++waiting) {
                if (first_words[waiting] >= cut_end) keep(groups[waiting]);
            }
            if (!is_kept(groups[end])) continue;
            if (any && first <= cut_end) {
                made.last.back() = static_cast<std::uint32_t>(first + words_);
            } else {
                made.texts.push_back(texts[begin]);
                made.first.push_back(static_cast<std::uint32_t>(first));
                made.last.push_back(static_cast<std::uint32_t>(first + words_));
            }
            cut_end = first + words_;
            any = true;
        }
        for (; waiting < end; ++waiting) {
            if (first_words[waiting] >= cut_end) keep(groups[waiting]);
        }
        begin = end;
    }
    return made;
}

CharacterRanges range_characters(std::span<const std::string_view> texts, const WordRanges& ranges,
                                 Bounds bounds, unsigned threads) {
    const Gap least = bounds == Bounds::words       ? Gap::none
                      : bounds == Bounds::sentences ? Gap::sentence
                                                    : Gap::edge;
    const std::size_t grain = grain_of(texts.size(), threads);
    std::vector<CharacterRanges> own((texts.size() + grain - 1) / grain);
    parallel_ranges(
        texts.size(), grain, threads, [] { return 0; },
        [&](int&, std::size_t begin, std::size_t end) {
            CharacterRanges& out = own[begin / grain];
            for (std::size_t i = begin; i < end; ++i) {
                const auto number = static_cast<std::uint32_t>(i);
                const auto [from, to] =
                    std::equal_range(ranges.texts.begin(), ranges.texts.end(), number);
                if (from == to) continue;
                const PlacedWords words = place_words(texts[i], 1);
                const std::size_t count = words.hashes.size();
                std::uint32_t behind = 0;  // words of the range before
                for (auto at = static_cast<std::size_t>(from - ranges.texts.begin());
                     at < static_cast<std::size_t>(to - ranges.texts.begin()); ++at) {
                    std::uint32_t first = ranges.first[at], last = ranges.last[at];
                    if (last > count) throw std::logic_error("words are cut in two ways");
                    while (first < last && words.gaps[first] < least) ++first;
                    while (first < last && words.gaps[last] < least) --last;
                    if (first == last) continue;  // no whole one
                    while (first > behind && words.ends[first - 1] > words.begins[first]) --first;
                    while (last < count && words.begins[last] < words.ends[last - 1]) ++last;
                    first = std::max(first, behind);
                    if (first >= last) continue;
                    behind = last;
                    out.texts.push_back(number);
                    out.begins.push_back(words.begins[first]);
                    out.ends.push_back(words.ends[last - 1]);
                    out.low.push_back(first == 0 ? 0 : words.ends[first - 1]);
                    out.high.push_back(last == count ? 0xFFFFFFFF : words.begins[last]);
                }
            }
        });
    CharacterRanges made;
    for (const auto& some : own) {
        append(made.texts, some.texts);
        append(made.begins, some.begins);
        append(made.ends, some.ends);
        append(made.low, some.low);
        append(made.high, some.high);
    }
    return made;
}

}  // namespace likewise
