#include "containment.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <mutex>

#include "distinct.hpp"
#include "pairs.hpp"
#include "threads.hpp"
#include "words.hpp"

namespace likewise {

namespace {

constexpr std::uint16_t kMostCounted = 65535;
constexpr std::size_t kGrain = 16;
constexpr std::size_t kLocks = 256;

// A document with so many elements of those it needs at least more in its prefix is hardly ever a
// false candidate.
constexpr std::uint64_t kMoreMatches = 8;  // one in so many of what is needed

// Of what is no boilerplate in a document that mostly is, a candidate has one element in so many.
constexpr std::uint64_t kRest = 4;

std::uint64_t packed(std::uint32_t container, std::uint32_t contained) {
    return std::uint64_t{container} << 32 | contained;
}

}  // namespace

ContainmentJoin::ContainmentJoin(const Rules& rules, const ContainmentSettings& settings)
    : rules_(rules),
      settings_(settings),
      count_mask_((std::uint64_t{1} << settings.count_bits) - 1),
      repeat_mask_((std::uint64_t{1} << settings.repeat_bits) - 1) {
    fill(counts_, count_mask_ + 1);
    fill(repeats_, (repeat_mask_ + 1 + 31) / 32);
}

bool ContainmentJoin::repeated(std::uint64_t element) const {
    const std::size_t place = place_of(element);
    return repeats_[place / 32] >> (2 * (place % 32) + 1) & 1;
}

void ContainmentJoin::count(std::span<const std::string_view> texts, unsigned threads) {
    parallel_ranges(
        texts.size(), kGrain, threads, [&] { return DistinctElements(rules_); },
        [&](DistinctElements& distinct, std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i) {
                check_size(texts[i].size());
                Poll poll;
                for (const std::uint64_t element : distinct.of(texts[i])) {
                    poll();
                    std::atomic_ref counter(counts_[counter_of(element)]);
                    std::uint16_t before = counter.load(std::memory_order_relaxed);
                    while (before < kMostCounted &&
                           !counter.compare_exchange_weak(before, before + 1,
                                                          std::memory_order_relaxed)) {
                    }
                    const std::size_t place = place_of(element);
                    const std::uint64_t once = std::uint64_t{1} << (2 * (place % 32));
                    std::atomic_ref word(repeats_[place / 32]);
                    const std::uint64_t old = word.load(std::memory_order_relaxed);
                    if ((old & 2 * once) != 0) continue;
                    if ((word.fetch_or(once, std::memory_order_relaxed) & once) != 0) {
                        word.fetch_or(2 * once, std::memory_order_relaxed);
                    }
                }
            }
        });
}

struct ContainmentJoin::Piece {
    std::vector<Document> documents;
    std::vector<Entry> entries;
    std::vector<std::uint32_t> boilerplate;
    std::vector<HubElement> hub_elements;
};

void ContainmentJoin::add(std::span<const std::string_view> texts,
                          std::span<const std::uint32_t> numbers, unsigned threads) {
    struct Worker {
        explicit Worker(const Rules& rules) : distinct(rules) {}
        DistinctElements distinct;
        std::vector<std::pair<std::uint16_t, std::uint64_t>> ranked;
    };
    std::vector<Piece> pieces((texts.size() + kGrain - 1) / kGrain);
    parallel_ranges(
        texts.size(), kGrain, threads, [&] { return Worker(rules_); },
        [&](Worker& worker, std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i) {
                add_one(worker.distinct.of(texts[i]), numbers[i], worker.ranked,
                        pieces[from / kGrain]);
            }
        });
    built_ = false;
    for (Piece& piece : pieces) {
        const auto first = static_cast<std::uint32_t>(documents_.size());
        documents_.insert(documents_.end(), piece.documents.begin(), piece.documents.end());
        for (const auto& [element, document] : piece.entries) {
            entries_.push_back({element, first + document});
        }
        for (const auto& [element, document] : piece.hub_elements) {
            hub_elements_.push_back({element, first + document});
        }
        for (const std::uint32_t document : piece.boilerplate) {
            boilerplate_.push_back(first + document);
        }
        poll_interruption();
    }
}

void ContainmentJoin::add_one(const std::vector<std::uint64_t>& distinct, std::uint32_t number,
                              std::vector<std::pair<std::uint16_t, std::uint64_t>>& ranked,
                              Piece& piece) const {
    const std::uint64_t size = distinct.size();
    if (size == 0) return;
    const std::uint64_t required =
        required_overlap(Measure::containment, settings_.threshold, size, size);
    Poll poll;
    // Boilerplate apart from the rest; of the latter the rarest first.
    ranked.clear();
    std::uint64_t boilerplate = 0;
    for (const std::uint64_t element : distinct) {
        poll();
        ranked.emplace_back(counts_[counter_of(element)], element);
        boilerplate += is_boilerplate(element);
    }
    const auto document = static_cast<std::uint32_t>(piece.documents.size());
    const std::size_t first = piece.entries.size();
    const auto index = [&](std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            if (repeated(ranked[i].second)) piece.entries.push_back({ranked[i].second, document});
        }
        return piece.entries.size() - first;
    };
    const auto less = polling(poll, std::less());
    const auto select = [&](std::size_t count) {
        const auto end = ranked.begin() + static_cast<std::ptrdiff_t>(count);
        if (end != ranked.end()) std::nth_element(ranked.begin(), end, ranked.end(), less);
    };
    if (required > boilerplate) {
        // Of so many elements a container has `needed`, since of all it lacks size - required.
        const std::uint64_t needed = std::min(1 + required / kMoreMatches, required - boilerplate);
        const std::uint64_t prefix = size - required + needed;
        select(prefix);
        if (index(prefix) < needed) {
            piece.entries.resize(first);
            return;
        }
        piece.documents.push_back({number, static_cast<std::uint32_t>(needed), size});
        return;
    }
    select(size - boilerplate);
    index(size - boilerplate);
    const std::uint64_t needed = std::max<std::uint64_t>(1, (size - boilerplate) / kRest);
    const auto common = ranked.begin() + static_cast<std::ptrdiff_t>(size - boilerplate);
    const auto taken = std::min<std::size_t>(kHubElements, boilerplate);
    std::partial_sort(common, common + static_cast<std::ptrdiff_t>(taken), ranked.end(), less);
    for (std::size_t i = 0; i < taken; ++i) {
        piece.hub_elements.push_back({common[static_cast<std::ptrdiff_t>(i)].second, document});
    }
    piece.boilerplate.push_back(document);
    piece.documents.push_back({number, static_cast<std::uint32_t>(needed), size});
}

std::uint64_t ContainmentJoin::bytes() const {
    return documents_.size() * sizeof(Document) + 2 * entries_.size() * sizeof(Entry) +
           hub_elements_.size() * (sizeof(HubElement) + kHubs * sizeof(Hub));
}

void ContainmentJoin::build() {
    if (built_) return;
    built_ = true;
    Poll poll;
    const auto by_element = polling(poll, [](const auto& x, const auto& y) {
        return x.element != y.element ? x.element < y.element : x.document < y.document;
    });
    std::sort(entries_.begin(), entries_.end(), by_element);
    const unsigned bits =
        std::clamp(static_cast<unsigned>(std::bit_width(entries_.size())), 3u, 28u) - 2;
    shift_ = 64 - bits;
    fill(starts_, (std::size_t{1} << bits) + 1);
    for (const Entry& entry : entries_) ++starts_[(entry.element >> shift_) + 1];
    for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];

    std::sort(hub_elements_.begin(), hub_elements_.end(), by_element);
    hub_keys_.clear();
    for (const auto& [element, document] : hub_elements_) {
        if (hub_keys_.empty() || hub_keys_.back() != element) hub_keys_.push_back(element);
    }
    hubs_.assign(hub_keys_.size(), {});  // a size of 0: none
    poll_interruption();
}

std::span<const ContainmentJoin::Entry> ContainmentJoin::entries_of(std::uint64_t element) const {
    const std::size_t part = element >> shift_;
    const auto begin = entries_.begin() + static_cast<std::ptrdiff_t>(starts_[part]);
    const auto end = entries_.begin() + static_cast<std::ptrdiff_t>(starts_[part + 1]);
    const auto first = std::lower_bound(
        begin, end, element, [](const Entry& entry, std::uint64_t e) { return entry.element < e; });
    auto last = first;
    while (last != end && last->element == element) ++last;
    return {first, last};
}

struct ContainmentJoin::Prober {
    Prober(const Rules& rules, std::size_t documents) : distinct(rules) {
        fill(matches, documents);
    }
    DistinctElements distinct;
    std::vector<std::uint32_t> matches;  // by place in documents_
    std::vector<std::uint32_t> touched;
    Poll poll;
};

std::vector<std::uint64_t> ContainmentJoin::probe(std::span<const std::string_view> texts,
                                                  std::span<const std::uint32_t> numbers,
                                                  unsigned threads) {
    build();
    if (documents_.empty()) return {};
    std::vector<std::vector<std::uint64_t>> pieces((texts.size() + kGrain - 1) / kGrain);
    parallel_ranges(
        texts.size(), kGrain, threads, [&] { return Prober(rules_, documents_.size()); },
        [&](Prober& prober, std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i) {
                probe_one(prober, prober.distinct.of(texts[i]), numbers[i], pieces[from / kGrain]);
            }
        });
    std::vector<std::uint64_t> found;
    for (const auto& piece : pieces) found.insert(found.end(), piece.begin(), piece.end());
    return found;
}

bool ContainmentJoin::may_contain(const Hub& container, const Document& contained) const {
    if (settings_.sided) {
        return container.size >= required_overlap(Measure::containment, settings_.threshold,
                                                  contained.size, contained.size);
    }
    return container.size != contained.size ? container.size > contained.size
                                            : container.number < contained.number;
}

void ContainmentJoin::probe_one(Prober& prober, const std::vector<std::uint64_t>& distinct,
                                std::uint32_t number, std::vector<std::uint64_t>& out) {
    const Hub own{distinct.size(), number};
    for (const std::uint64_t element : distinct) {
        prober.poll();
        for (const Entry& entry : entries_of(element)) {
            std::uint32_t& matches = prober.matches[entry.document];
            if (matches++ == 0) prober.touched.push_back(entry.document);
            const Document& document = documents_[entry.document];
            if (matches == document.needed && may_contain(own, document)) {
                out.push_back(packed(number, document.number));
            }
        }
        if (hub_keys_.empty() || !is_boilerplate(element)) continue;
        const auto key = std::lower_bound(hub_keys_.begin(), hub_keys_.end(), element);
        if (key != hub_keys_.end() && *key == element) {
            remember_hub(static_cast<std::size_t>(key - hub_keys_.begin()), own);
        }
    }
    for (const std::uint32_t document : prober.touched) prober.matches[document] = 0;
    prober.touched.clear();
}

// The first of all documents in an order of their own: whichever thread comes first.
void ContainmentJoin::remember_hub(std::size_t place, const Hub& hub) {
    static std::array<std::mutex, kLocks> locks;
    auto& hubs = hubs_[place];
    // No larger than the smallest so far: that one only grows.
    if (hub.size < std::atomic_ref(hubs.back().size).load(std::memory_order_relaxed)) return;
    const std::lock_guard held(locks[place % kLocks]);
    if (!hub.before(hubs.back())) return;
    std::size_t at = kHubs - 1;
    for (; at > 0 && hub.before(hubs[at - 1]); --at) {
        hubs[at].number = hubs[at - 1].number;
        std::atomic_ref(hubs[at].size).store(hubs[at - 1].size, std::memory_order_relaxed);
    }
    hubs[at].number = hub.number;
    std::atomic_ref(hubs[at].size).store(hub.size, std::memory_order_relaxed);
}

std::vector<std::uint64_t> ContainmentJoin::finish(std::vector<std::uint32_t>& boilerplate) {
    build();
    std::vector<std::uint64_t> found;
    Poll poll;
    std::size_t place = 0;
    for (const auto& [element, document] : hub_elements_) {
        while (hub_keys_[place] != element) ++place;
        for (const Hub& hub : hubs_[place]) {
            poll();
            if (hub.size == 0) break;
            if (may_contain(hub, documents_[document])) {
                found.push_back(packed(hub.number, documents_[document].number));
            }
        }
    }
    for (const std::uint32_t document : boilerplate_) {
        boilerplate.push_back(documents_[document].number);
    }
    documents_ = {};
    entries_ = {};
    boilerplate_ = {};
    hub_elements_ = {};
    hub_keys_ = {};
    hubs_ = {};
    built_ = false;
    return found;
}

}  // namespace likewise
