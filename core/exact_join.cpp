#include "exact_join.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <functional>
#include <memory>

#include "candidates.hpp"
#include "distinct.hpp"
#include "element_table.hpp"
#include "slots.hpp"
#include "threads.hpp"
#include "words.hpp"

namespace likewise {

namespace {

// Which elements are in two documents or more: two bits for each hash. Different elements may
// fall on the same bits, which only makes the filter weaker. It is cut into parts; elements are
// sorted to their parts first, so that a part is filled by one thread, in its own cache.
class RepeatFilter {
  public:
    static constexpr std::size_t kParts = 64;

    explicit RepeatFilter(std::uint64_t elements)
        : part_places_(std::bit_ceil(
              std::clamp<std::uint64_t>(4 * elements / kParts, 1024, std::uint64_t{1} << 32))),
          place_mask_(static_cast<std::uint32_t>(part_places_ - 1)) {
        fill(words_, kParts * part_places_ / 32);
    }

    static std::size_t part_of(std::uint64_t element) { return element >> 58; }
    std::uint32_t place_in_part(std::uint64_t element) const {
        return static_cast<std::uint32_t>(element >> 8) & place_mask_;
    }

    void add(std::size_t part, std::uint32_t place) {
        std::uint64_t& word = words_[(part * part_places_ + place) / 32];
        const unsigned shift = 2 * (place % 32);
        // once becomes twice, and twice stays
        word |= std::uint64_t{1} << (shift + (word >> shift & 1));
    }

    bool repeated(std::uint64_t element) const {
        return words_[place(element) / 32] >> (2 * (place(element) % 32) + 1) & 1;
    }

    // The filter is larger than the caches: asking for a whole document's places first hides most
    // of the waiting.
    void prefetch(const std::vector<std::uint64_t>& elements) const {
        for (const auto element : elements) __builtin_prefetch(&words_[place(element) / 32]);
    }

  private:
    std::uint64_t place(std::uint64_t element) const {
        return part_of(element) * part_places_ + place_in_part(element);
    }

    std::uint64_t part_places_;  // a power of two, at most 2^32
    std::uint32_t place_mask_;
    std::vector<std::uint64_t> words_;
};

// About how many documents contain an element. It gives the order of prefixes: any fixed order
// would be right, rare elements first is fast.
class Rarity {
  public:
    explicit Rarity(std::span<const std::uint64_t> elements)
        : mask_(std::bit_ceil(std::max<std::uint64_t>(1024, 2 * elements.size())) - 1) {
        fill(counts_, mask_ + 1);
        constexpr std::size_t kAhead = 32;
        Poll poll;
        for (std::size_t i = 0; i < elements.size(); ++i) {
            poll();
            if (i + kAhead < elements.size()) __builtin_prefetch(&at(elements[i + kAhead]), 1);
            ++at(elements[i]);
        }
    }

    std::uint32_t operator()(std::uint64_t element) const {
        return counts_[(element >> 8) & mask_];
    }

  private:
    std::uint32_t& at(std::uint64_t element) { return counts_[(element >> 8) & mask_]; }

    std::uint64_t mask_;
    std::vector<std::uint32_t> counts_;
};

// Parity of the elements that fall on each of 256 bits. Two sets differ in at least as many
// elements as their maps differ in bits.
using ParityMap = std::array<std::uint64_t, 4>;

std::uint64_t differing_bits(const ParityMap& x, const ParityMap& y) {
    std::uint64_t bits = 0;
    for (int i = 0; i < 4; ++i) bits += static_cast<std::uint64_t>(std::popcount(x[i] ^ y[i]));
    return bits;
}

struct Set {
    std::uint32_t document = 0;
    std::uint64_t size = 0;      // distinct elements, unique ones included
    std::uint64_t first = 0;     // where its repeated elements begin in the flat array
    std::uint64_t repeated = 0;  // how many there are
    std::uint64_t prefix = 0;    // how many of those are indexed, in order of rarity
    ParityMap parity{};
};

class ExactJoin {
  public:
    ExactJoin(std::span<const std::string_view> texts, const Rules& rules,
              std::span<const std::uint32_t> chosen, const std::uint8_t* sides, Measure measure,
              double threshold, unsigned threads)
        : texts_(texts),
          rules_(rules),
          chosen_(chosen),
          sides_(sides),
          measure_(measure),
          threshold_(threshold),
          threads_(threads) {}

    PairColumns run() {
        collect_sets();
        order_by_size();
        sort_prefixes();
        index_prefixes();
        return probe();
    }

  private:
    // The minimum number of elements that a set of this size shares with any partner.
    std::uint64_t least_overlap(std::uint64_t size) const {
        // For Jaccard the easiest partner is a subset of `overlap` elements.
        return required_overlap(Measure::containment, threshold_, size, size);
    }

    RepeatFilter filter_repeats() const {
        std::uint64_t bytes = 0;
        for (const auto document : chosen_) {
            check_size(texts_[document].size());
            bytes += texts_[document].size();
        }
        RepeatFilter filter(bytes / (rules_.unit == Unit::word ? 6 : 1));
        struct Sorter {
            explicit Sorter(const Rules& rules) : distinct(rules) {}
            DistinctElements distinct;
            std::array<std::vector<std::uint32_t>, RepeatFilter::kParts> parts;  // places in each
        };
        std::vector<std::unique_ptr<Sorter>> sorters(std::max(1u, threads_));
        for (auto& sorter : sorters) sorter = std::make_unique<Sorter>(rules_);
        constexpr std::size_t kTurn = 1 << 12;  // documents sorted before their parts are filled
        for (std::size_t begin = 0; begin < chosen_.size(); begin += kTurn) {
            const std::size_t end = std::min(chosen_.size(), begin + kTurn);
            std::atomic<std::size_t> next{begin};
            on_each_thread(static_cast<unsigned>(sorters.size()), [&](unsigned t) {
                Sorter& sorter = *sorters[t];
                for (std::size_t i; (i = next.fetch_add(1)) < end;) {
                    poll_interruption();
                    for (const auto element : sorter.distinct.of(texts_[chosen_[i]])) {
                        sorter.parts[RepeatFilter::part_of(element)].push_back(
                            filter.place_in_part(element));
                    }
                }
            });
            parallel_ranges(
                RepeatFilter::kParts, 1, threads_, [] { return 0; },
                [&](int, std::size_t part, std::size_t) {
                    for (auto& sorter : sorters) {
                        for (const auto place : sorter->parts[part]) filter.add(part, place);
                        sorter->parts[part].clear();
                    }
                });
        }
        return filter;
    }

    // Elements in one document only can never be shared: they count for the size alone. Documents
    // with too few others are out.
    void collect_sets() {
        const RepeatFilter filter = filter_repeats();
        constexpr std::size_t kGrain = 64;
        struct Piece {
            std::vector<Set> sets;
            std::vector<std::uint64_t> elements;
        };
        std::vector<Piece> pieces((chosen_.size() + kGrain - 1) / kGrain);
        parallel_ranges(
            chosen_.size(), kGrain, threads_, [&] { return DistinctElements(rules_); },
            [&](DistinctElements& worker, std::size_t from, std::size_t to) {
                for (std::size_t i = from; i < to; ++i) {
                    keep_if_alive(worker, chosen_[i], filter, pieces[from / kGrain].sets,
                                  pieces[from / kGrain].elements);
                }
            });
        std::size_t alive = 0, repeated = 0;
        for (const auto& piece : pieces) {
            alive += piece.sets.size();
            repeated += piece.elements.size();
        }
        sets_.reserve(alive);
        elements_.reserve(repeated);
        for (auto& piece : pieces) {
            for (auto& set : piece.sets) {
                set.first += elements_.size();
                sets_.push_back(set);
            }
            poll_interruption();
            elements_.insert(elements_.end(), piece.elements.begin(), piece.elements.end());
            piece = {};
        }
    }

    void keep_if_alive(DistinctElements& elements_of, std::uint32_t document,
                       const RepeatFilter& filter, std::vector<Set>& sets,
                       std::vector<std::uint64_t>& elements) const {
        const auto& distinct = elements_of.of(texts_[document]);
        filter.prefetch(distinct);
        Set set;
        set.document = document;
        set.size = distinct.size();
        set.first = elements.size();
        // Written always and kept sometimes: whether an element is repeated cannot be predicted.
        elements.resize(set.first + distinct.size());
        std::uint64_t* kept = elements.data() + set.first;
        Poll poll;
        for (const auto element : distinct) {
            poll();
            kept[set.repeated] = element;
            set.repeated += filter.repeated(element);
        }
        // Unique elements are the rarest, so they take up the front of the prefix.
        const std::uint64_t unique = set.size - set.repeated;
        const std::uint64_t prefix = set.size - least_overlap(set.size) + 1;
        set.prefix = prefix > unique ? prefix - unique : 0;
        // The larger set of a containment pair needs no prefix of its own.
        const bool alive = measure_ == Measure::jaccard ? set.prefix > 0 : set.repeated > 0;
        elements.resize(set.first + (alive ? set.repeated : 0));
        if (!alive) return;
        for (std::uint64_t i = 0; i < set.repeated; ++i) {
            set.parity[kept[i] >> 6 & 3] ^= std::uint64_t{1} << (kept[i] & 63);
        }
        sets.push_back(set);
    }

    void order_by_size() {
        Poll poll;
        std::sort(sets_.begin(), sets_.end(), polling(poll, [](const Set& x, const Set& y) {
                      return x.size != y.size ? x.size < y.size : x.document < y.document;
                  }));
    }

    void sort_prefixes() {
        const Rarity rarity(elements_);
        using Ranked = std::vector<std::pair<std::uint32_t, std::uint64_t>>;
        parallel_ranges(
            sets_.size(), 64, threads_, [] { return Ranked(); },
            [&](Ranked& ranked, std::size_t from, std::size_t to) {
                for (std::size_t i = from; i < to; ++i) {
                    const auto elements =
                        std::span(elements_).subspan(sets_[i].first, sets_[i].repeated);
                    ranked.clear();
                    for (const auto element : elements) {
                        ranked.emplace_back(rarity(element), element);
                    }
                    const auto end = ranked.begin() + static_cast<std::ptrdiff_t>(sets_[i].prefix);
                    Poll poll;
                    const auto less = polling(poll, std::less());
                    if (end != ranked.end()) {
                        std::nth_element(ranked.begin(), end, ranked.end(), less);
                    }
                    std::sort(ranked.begin(), end, less);
                    for (std::size_t e = 0; e < ranked.size(); ++e) elements[e] = ranked[e].second;
                }
            });
    }

    // postings_: for each element of a prefix the sets that have it there, by size.
    void index_prefixes() {
        std::uint64_t total = 0;
        for (const auto& set : sets_) total += set.prefix;
        fill(keys_, std::bit_ceil(2 * total + 2));
        std::vector<std::uint32_t> counts;
        fill(counts, keys_.size() + 1);
        Poll poll;
        for (const auto& set : sets_) {
            for (std::uint64_t i = 0; i < set.prefix; ++i) {
                poll();
                const std::size_t slot = slot_of(elements_[set.first + i]);
                keys_[slot] = elements_[set.first + i];
                ++counts[slot];
            }
        }
        fill(starts_, keys_.size() + 1);
        for (std::size_t slot = 0; slot < keys_.size(); ++slot) {
            starts_[slot + 1] = starts_[slot] + counts[slot];
        }
        fill(postings_, total);
        std::vector<std::uint64_t> next;
        fill(next, std::span<const std::uint64_t>(starts_).first(starts_.size() - 1));
        for (std::uint32_t s = 0; s < sets_.size(); ++s) {
            for (std::uint64_t i = 0; i < sets_[s].prefix; ++i) {
                poll();
                postings_[next[slot_of(elements_[sets_[s].first + i])]++] = {
                    s, static_cast<std::uint32_t>(i)};
            }
        }
    }

    std::size_t slot_of(std::uint64_t element) const {
        return find_slot(element, keys_.size(), [&](std::size_t slot) {
            return keys_[slot] == 0 || keys_[slot] == element;
        });
    }

    struct Prober {
        std::vector<std::uint32_t> seen;  // by set: 1 + the last set that visited it
        ElementTable table;
        Poll poll;
        bool built = false;
    };

    // Each set against those before it in the order of size.
    PairColumns probe() {
        constexpr std::size_t kGrain = 16;
        std::vector<PairColumns> pieces((sets_.size() + kGrain - 1) / kGrain);
        parallel_ranges(
            sets_.size(), kGrain, threads_,
            [&] { return Prober{std::vector<std::uint32_t>(sets_.size()), {}, {}}; },
            [&](Prober& prober, std::size_t from, std::size_t to) {
                for (std::size_t y = from; y < to; ++y) {
                    probe_one(prober, static_cast<std::uint32_t>(y), pieces[from / kGrain]);
                }
            });
        PairColumns result;
        for (const auto& piece : pieces) result.append(piece);
        return result;
    }

    void probe_one(Prober& prober, std::uint32_t y, PairColumns& out) const {
        const Set& larger = sets_[y];
        prober.built = false;
        const bool by_jaccard = measure_ == Measure::jaccard;
        const std::uint64_t probed = by_jaccard ? larger.prefix : larger.repeated;
        const std::uint64_t smallest = by_jaccard ? least_overlap(larger.size) : 0;
        for (std::uint64_t i = 0; i < probed; ++i) {
            prober.poll();
            const std::size_t slot = slot_of(elements_[larger.first + i]);
            auto posting = postings_.begin() + static_cast<std::ptrdiff_t>(starts_[slot]);
            const auto end = postings_.begin() + static_cast<std::ptrdiff_t>(starts_[slot + 1]);
            posting = std::partition_point(
                posting, end, [&](const Posting& p) { return sets_[p.set].size < smallest; });
            for (; posting != end && posting->set < y; ++posting) {
                prober.poll();
                if (prober.seen[posting->set] == y + 1) continue;
                prober.seen[posting->set] = y + 1;
                const Set& smaller = sets_[posting->set];
                if (!sides_meet(sides_, smaller.document, larger.document)) continue;
                const std::uint64_t required =
                    required_overlap(measure_, threshold_, smaller.size, larger.size);
                // Both run in the order of rarity, so nothing before the first meeting is shared.
                if (by_jaccard &&
                    std::min(smaller.repeated - posting->place, larger.repeated - i) < required) {
                    continue;
                }
                const std::uint64_t differing = differing_bits(smaller.parity, larger.parity);
                if (smaller.repeated + larger.repeated < 2 * required + differing) continue;
                compare(prober, smaller, larger, required, out);
            }
        }
    }

    void compare(Prober& prober, const Set& smaller, const Set& larger, std::uint64_t required,
                 PairColumns& out) const {
        const std::span all(elements_);
        if (!prober.built) {
            prober.table.build(all.subspan(larger.first, larger.repeated));
            prober.built = true;
        }
        if (smaller.repeated < required) return;
        const auto found = prober.table.overlap(all.subspan(smaller.first, smaller.repeated),
                                                smaller.repeated - required);
        if (!found.complete || found.shared < required) return;
        if (smaller.document < larger.document) {
            out.push(smaller.document, larger.document, found.shared, smaller.size, larger.size);
        } else {
            out.push(larger.document, smaller.document, found.shared, larger.size, smaller.size);
        }
    }

    struct Posting {
        std::uint32_t set, place;
    };

    const std::span<const std::string_view> texts_;
    const Rules& rules_;
    const std::span<const std::uint32_t> chosen_;
    const std::uint8_t* sides_;
    const Measure measure_;
    const double threshold_;
    const unsigned threads_;

    std::vector<Set> sets_;                // in the order of size
    std::vector<std::uint64_t> elements_;  // repeated elements, set after set
    std::vector<std::uint64_t> keys_;      // open table of prefix elements; 0 is free
    std::vector<std::uint64_t> starts_;    // by slot, into postings_
    std::vector<Posting> postings_;
};

}  // namespace

PairColumns exact_join(std::span<const std::string_view> texts, const Rules& rules,
                       std::span<const std::uint32_t> chosen, const std::uint8_t* sides,
                       Measure measure, double threshold, unsigned threads) {
    return ExactJoin(texts, rules, chosen, sides, measure, threshold, threads).run();
}

}  // namespace likewise
