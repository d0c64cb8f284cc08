#include "shuffles.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "prepare.hpp"
#include "slots.hpp"
#include "threads.hpp"
#include "unicode.hpp"

namespace likewise {

namespace {

constexpr std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

// SplitMix64: small, quick, and the same everywhere.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    // A number below `bound`; uniform but for one part in 2^64 / bound.
    std::size_t below(std::size_t bound) {
        const std::uint64_t drawn = mixed(state_ += 0x9e3779b97f4a7c15);
        return static_cast<std::size_t>((static_cast<unsigned __int128>(drawn) * bound) >> 64);
    }

    template <class Item>
    void shuffle(std::vector<Item>& items) {
        for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
    }

  private:
    std::uint64_t state_;
};

struct Span {
    std::size_t begin, end;
};

// A text whose words or letters can be dealt out anew. What a shingle is hashed to need not be what
// it is hashed to elsewhere: only which shingles are equal counts.
class Deck {
  public:
    Deck(std::string_view utf8, const Rules& rules, Shuffled what) : rules_(rules), what_(what) {
        Rules spaced = rules;
        // To know the words of a text without spaces, they have to be there first.
        if (spaced.spaces == Spaces::drop) spaced.spaces = Spaces::one;
        Prepared prepared;
        prepare(utf8, spaced, prepared);
        const char* at = prepared.data();
        const char* const end = at + prepared.size();
        while (at < end) {
            const Decoded next = decode(at, end);
            text_.push_back(next.character);
            at += next.length;
        }
        find_words();
        find_gaps();
        outgoing_ = 1;
        for (std::uint32_t i = 0; i < rules.k; ++i) outgoing_ *= kWordStep;
    }

    // What one thread needs to deal.
    struct Hand {
        std::vector<std::uint64_t> units;
        std::vector<char32_t> letters;
        std::vector<std::uint32_t> order;
        std::vector<std::uint64_t> shingles;
    };

    // Hashes of the shingles, in any order of the words or letters; in text order without `random`.
    void deal(Random* random, Hand& hand) const {
        if (what_ == Shuffled::words) {
            deal_words(random, hand);
        } else {
            deal_letters(random, hand);
        }
        cut(hand);
    }

  private:
    void find_words();
    void find_gaps();
    void deal_words(Random* random, Hand& hand) const;
    void deal_letters(Random* random, Hand& hand) const;
    void cut(Hand& hand) const;

    bool is_gap(char32_t c) const { return Characters::get()[c].kind == Kind::space; }
    bool keeps_gaps() const {
        return rules_.unit == Unit::character && rules_.spaces != Spaces::drop;
    }

    static std::uint64_t unit_of(char32_t letter) {
        return fold_multiply(letter ^ 0x8ebc6af09c88c6e3, kFinalFactor);
    }
    template <class Letter>
    static std::uint64_t unit_of_word(const Letter* begin, const Letter* end) {
        std::uint64_t unit = kWordStep;
        for (; begin != end; ++begin) unit = fold_multiply(unit ^ *begin, kFinalFactor);
        return unit;
    }

    const Rules& rules_;
    const Shuffled what_;
    std::vector<char32_t> text_;
    std::vector<Span> words_;            // in text_
    std::vector<std::uint64_t> hashes_;  // of the words, for Unit::word
    std::vector<char32_t> letters_;      // of the words, without the gaps
    std::vector<Span> gaps_;             // in text_: before each word, and after the last
    std::uint64_t outgoing_;             // takes the unit that leaves a shingle out of its hash
};

void Deck::find_words() {
    const Characters& characters = Characters::get();
    const auto kind_at = [&](std::size_t i) { return characters[text_[i]].kind; };
    Poll poll;
    for (std::size_t at = 0; at < text_.size();) {
        poll();
        const Kind kind = kind_at(at);
        if (kind == Kind::space) {
            ++at;
            continue;
        }
        const auto is_unspaced = [](Kind k) {
            return k == Kind::unspaced || k == Kind::unspaced_number;
        };
        const auto is_mark = [](Kind k) { return k == Kind::mark || k == Kind::accent; };
        std::size_t end = at + 1;
        if (rules_.unit == Unit::character && is_unspaced(kind)) {
            while (end < text_.size() && is_mark(kind_at(end))) ++end;
        } else {
            while (end < text_.size() && kind_at(end) != Kind::space &&
                   !(rules_.unit == Unit::character && is_unspaced(kind_at(end)))) {
                ++end;
            }
        }
        words_.push_back({at, end});
        letters_.insert(letters_.end(), text_.begin() + static_cast<std::ptrdiff_t>(at),
                        text_.begin() + static_cast<std::ptrdiff_t>(end));
        if (rules_.unit == Unit::word) {
            hashes_.push_back(unit_of_word(text_.data() + at, text_.data() + end));
        }
        at = end;
    }
}

void Deck::find_gaps() {
    if (!keeps_gaps()) return;
    std::size_t at = 0;
    for (const Span word : words_) {
        gaps_.push_back({at, word.begin});
        at = word.end;
    }
    gaps_.push_back({at, text_.size()});
}

void Deck::deal_words(Random* random, Hand& hand) const {
    if (rules_.unit == Unit::word) {
        hand.units = hashes_;
        if (random) random->shuffle(hand.units);
        return;
    }
    hand.order.resize(words_.size());
    std::iota(hand.order.begin(), hand.order.end(), 0u);
    if (random) random->shuffle(hand.order);
    hand.units.clear();
    const auto put = [&](Span span) {
        for (std::size_t i = span.begin; i < span.end; ++i) hand.units.push_back(unit_of(text_[i]));
    };
    for (std::size_t i = 0; i < words_.size(); ++i) {
        if (!gaps_.empty()) put(gaps_[i]);
        put(words_[hand.order[i]]);
    }
    if (!gaps_.empty()) put(gaps_.back());
}

void Deck::deal_letters(Random* random, Hand& hand) const {
    hand.letters = letters_;
    if (random) random->shuffle(hand.letters);
    hand.units.clear();
    const char32_t* next = hand.letters.data();
    for (std::size_t i = 0; i < words_.size(); ++i) {
        const char32_t* const end = next + (words_[i].end - words_[i].begin);
        if (rules_.unit == Unit::word) {
            hand.units.push_back(unit_of_word(next, end));
            next = end;
            continue;
        }
        if (!gaps_.empty()) {
            for (std::size_t g = gaps_[i].begin; g < gaps_[i].end; ++g) {
                hand.units.push_back(unit_of(text_[g]));
            }
        }
        while (next != end) hand.units.push_back(unit_of(*next++));
    }
    if (!gaps_.empty()) {
        for (std::size_t g = gaps_.back().begin; g < gaps_.back().end; ++g) {
            hand.units.push_back(unit_of(text_[g]));
        }
    }
}

// Units to shingles of k units; fewer than k are one shingle.
void Deck::cut(Hand& hand) const {
    const std::vector<std::uint64_t>& units = hand.units;
    const std::size_t k = rules_.k;
    hand.shingles.clear();
    std::uint64_t state = 0;
    Poll poll;
    for (std::size_t i = 0; i < units.size(); ++i) {
        poll();
        state = state * kWordStep + units[i];
        if (i >= k) state -= outgoing_ * units[i - k];
        if (i + 1 >= k) hand.shingles.push_back(mixed(state));
    }
    if (hand.shingles.empty() && !units.empty()) {
        hand.shingles.push_back(mixed(state ^ units.size()));
    }
}

// Counts what two lists of shingles share, as sets or as bags.
class Tally {
  public:
    struct Counts {
        std::uint64_t size_a, size_b, shared;
    };

    Counts count(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b,
                 bool bag) {
        const std::size_t size = std::bit_ceil(2 * (a.size() + (bag ? 0 : b.size())) + 2);
        if (slots_.size() != size) {
            fill(slots_, size);
            stamp_ = 0;
        }
        if (++stamp_ == 0) {
            std::fill(slots_.begin(), slots_.end(), Slot{});
            stamp_ = 1;
        }
        return bag ? as_bags(a, b) : as_sets(a, b);
    }

  private:
    struct Slot {
        std::uint64_t shingle = 0;
        std::uint32_t stamp = 0;  // of the trial that it was used in
        std::uint32_t count = 0;
    };
    static constexpr std::uint32_t kInA = 1, kInB = 2;

    Slot& find(std::uint64_t shingle) {
        poll_();
        return slots_[find_slot(shingle, slots_.size(), [&](std::size_t slot) {
            return slots_[slot].stamp != stamp_ || slots_[slot].shingle == shingle;
        })];
    }
    Slot& claim(std::uint64_t shingle) {
        Slot& slot = find(shingle);
        if (slot.stamp != stamp_) slot = {shingle, stamp_, 0};
        return slot;
    }

    Counts as_sets(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
        Counts counts{0, 0, 0};
        for (const std::uint64_t shingle : a) {
            Slot& slot = claim(shingle);
            counts.size_a += slot.count == 0;
            slot.count = kInA;
        }
        for (const std::uint64_t shingle : b) {
            Slot& slot = claim(shingle);
            counts.size_b += (slot.count & kInB) == 0;
            counts.shared += slot.count == kInA;
            slot.count |= kInB;
        }
        return counts;
    }

    Counts as_bags(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
        Counts counts{a.size(), b.size(), 0};
        for (const std::uint64_t shingle : a) ++claim(shingle).count;
        for (const std::uint64_t shingle : b) {
            Slot& slot = find(shingle);
            if (slot.stamp != stamp_ || slot.count == 0) continue;
            --slot.count;
            ++counts.shared;
        }
        return counts;
    }

    std::vector<Slot> slots_;
    std::uint32_t stamp_ = 0;
    Poll poll_;
};

struct Dealer {
    Deck::Hand a, b;
    Tally tally;
};

}  // namespace

ShuffledOverlaps shuffled_overlaps(std::string_view a, std::string_view b, const Rules& rules,
                                   Shuffled what, const std::uint64_t* seed, std::size_t trials,
                                   unsigned threads) {
    const Deck first(a, rules, what), second(b, rules, what);
    if (seed == nullptr) trials = 1;
    ShuffledOverlaps result;
    for (auto* column : {&result.size_a, &result.size_b, &result.shared}) column->resize(trials);
    parallel_ranges(
        trials, 1, threads, [] { return Dealer(); },
        [&](Dealer& dealer, std::size_t begin, std::size_t end) {
            for (std::size_t trial = begin; trial < end; ++trial) {
                Random random(seed == nullptr ? 0 : mixed(*seed + 1) ^ mixed(~trial));
                Random* const source = seed == nullptr ? nullptr : &random;
                first.deal(source, dealer.a);
                second.deal(source, dealer.b);
                const auto counts =
                    dealer.tally.count(dealer.a.shingles, dealer.b.shingles, rules.bag);
                result.size_a[trial] = counts.size_a;
                result.size_b[trial] = counts.size_b;
                result.shared[trial] = counts.shared;
            }
        });
    return result;
}

}  // namespace likewise
