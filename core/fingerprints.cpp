#include "fingerprints.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <stdexcept>

#include "candidates.hpp"
#include "groups.hpp"
#include "shingles.hpp"
#include "slots.hpp"
#include "sort_hashes.hpp"
#include "threads.hpp"

namespace likewise {
namespace {

// The smallest hash of every window, the last of equal ones.
void winnow(std::span<const std::uint64_t> hashes, std::size_t window,
            std::vector<std::uint64_t>& kept) {
    if (hashes.empty()) return;
    const std::size_t size = std::min(window, hashes.size());
    std::size_t smallest = 0;
    for (std::size_t i = 1; i < size; ++i) {
        if (hashes[i] <= hashes[smallest]) smallest = i;
    }
    kept.push_back(hashes[smallest]);
    Poll poll;
    for (std::size_t end = size; end < hashes.size(); ++end) {
        poll();
        if (smallest + size == end) {  // it has left the window
            smallest = end - size + 1;
            for (std::size_t i = smallest + 1; i <= end; ++i) {
                if (hashes[i] <= hashes[smallest]) smallest = i;
            }
            kept.push_back(hashes[smallest]);
        } else if (hashes[end] <= hashes[smallest]) {
            smallest = end;
            kept.push_back(hashes[smallest]);
        }
    }
}

// Of each text the hashes that choose(hashes, kept) keeps of its shingles.
template <class Choose>
Fingerprints chosen_of(std::span<const std::string_view> texts, const Rules& rules,
                       unsigned threads, Choose&& choose) {
    struct Worker {
        explicit Worker(const Rules& rules) : shingler(rules) {}
        Shingler shingler;
        std::vector<std::uint64_t> hashes;
    };
    std::vector<std::vector<std::uint64_t>> own(texts.size());
    parallel_ranges(
        texts.size(), grain_of(texts.size(), threads), threads, [&] { return Worker(rules); },
        [&](Worker& worker, std::size_t begin, std::size_t end) {
            std::vector<std::uint64_t> kept;
            for (std::size_t i = begin; i < end; ++i) {
                worker.shingler.collect(texts[i], worker.hashes);
                kept.clear();
                choose(std::span<const std::uint64_t>(worker.hashes), kept);
                sort_hashes(kept);
                kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
                own[i].assign(kept.begin(), kept.end());
            }
        });
    Fingerprints made;
    made.offsets.reserve(texts.size() + 1);
    made.offsets.push_back(0);
    for (const auto& kept : own) made.offsets.push_back(made.offsets.back() + kept.size());
    made.hashes.reserve(made.offsets.back());
    for (const auto& kept : own) {
        made.hashes.insert(made.hashes.end(), kept.begin(), kept.end());
    }
    return made;
}

// Fingerprints of all documents that may pair two, and whose they are.
struct Entries {
    std::vector<std::uint64_t> kept;  // if some were skipped
    std::span<const std::uint64_t> hashes;
    std::vector<std::uint32_t> documents;
};

class HashSet {
  public:
    explicit HashSet(std::size_t most) { fill(slots_, std::bit_ceil(2 * most + 2)); }

    void add(std::uint64_t hash) { slots_[slot_of(hash)] = stored(hash); }
    bool holds(std::uint64_t hash) const { return slots_[slot_of(hash)] != 0; }

  private:
    // 0 marks a free slot; a hash of value 0 counts as 1.
    static std::uint64_t stored(std::uint64_t hash) { return hash + (hash == 0); }
    std::size_t slot_of(std::uint64_t hash) const {
        return find_slot(hash, slots_.size(), [&](std::size_t slot) {
            return slots_[slot] == 0 || slots_[slot] == stored(hash);
        });
    }

    std::vector<std::uint64_t> slots_;
};

// With two sides, only fingerprints that the one with fewer of them has: it is often one document
// against very many.
Entries entries_of(std::span<const std::uint64_t> hashes, std::span<const std::uint64_t> offsets,
                   const std::uint8_t* sides) {
    const auto documents = static_cast<std::uint32_t>(offsets.size() - 1);
    const auto own = [&](std::uint32_t i) {
        return hashes.subspan(offsets[i], offsets[i + 1] - offsets[i]);
    };
    Entries made;
    if (sides == nullptr) {
        made.hashes = hashes;
        made.documents.reserve(hashes.size());
        for (std::uint32_t i = 0; i < documents; ++i) {
            made.documents.insert(made.documents.end(), own(i).size(), i);
        }
        return made;
    }
    std::size_t left = 0, right = 0;  // a document may be on both sides
    for (std::uint32_t i = 0; i < documents; ++i) {
        left += sides[i] & kLeft ? own(i).size() : 0;
        right += sides[i] & kRight ? own(i).size() : 0;
    }
    const std::uint8_t asking = left <= right ? kLeft : kRight;
    HashSet asked(std::min(left, right));
    Poll poll;
    for (std::uint32_t i = 0; i < documents; ++i) {
        if (!(sides[i] & asking)) continue;
        for (const std::uint64_t hash : own(i)) {
            poll();
            asked.add(hash);
        }
    }
    for (std::uint32_t i = 0; i < documents; ++i) {
        for (const std::uint64_t hash : own(i)) {
            poll();
            if (!(sides[i] & asking) && !asked.holds(hash)) continue;
            made.kept.push_back(hash);
            made.documents.push_back(i);
        }
    }
    made.hashes = made.kept;
    return made;
}

// For each entry the next one with the same fingerprint, 0 for none: chains from document to
// document. Found by and by, a share of the hashes at a time, to need less memory.
struct Chains {
    std::vector<std::uint32_t> next;
    std::uint64_t set_aside = 0;

    Chains(const Entries& entries, const std::uint8_t* sides, std::uint32_t most_documents)
        : next(entries.hashes.size()) {
        const std::span<const std::uint64_t> hashes = entries.hashes;
        const auto both_have = [&](std::span<const std::uint32_t> group) {
            std::uint8_t had = sides == nullptr ? kLeft | kRight : 0;
            for (std::size_t i = 0; i < group.size() && had != (kLeft | kRight); ++i) {
                had |= sides[entries.documents[chosen_[group[i]]]];
            }
            return had == (kLeft | kRight);
        };
        constexpr std::uint64_t kShares = 8;
        GroupFinder finder;
        Poll poll;
        for (std::uint64_t share = 0; share < kShares; ++share) {
            chosen_.clear();
            for (std::size_t i = 0; i < hashes.size(); ++i) {
                poll();
                if (hashes[i] % kShares == share) chosen_.push_back(static_cast<std::uint32_t>(i));
            }
            finder.run(
                chosen_.size(), [&](std::size_t i) { return hashes[chosen_[i]]; },
                [&](const std::uint32_t* group, std::size_t size) {
                    if (size > most_documents) {
                        set_aside += both_have({group, size});
                        return;
                    }
                    for (std::size_t i = 0; i + 1 < size; ++i) {
                        next[chosen_[group[i]]] = chosen_[group[i + 1]];
                    }
                });
        }
    }

  private:
    std::vector<std::uint32_t> chosen_;  // entries of the share that is looked at
};

}  // namespace

Fingerprints fingerprint(std::span<const std::string_view> texts, const Rules& rules,
                         std::uint32_t window, unsigned threads) {
    return chosen_of(texts, rules, threads,
                     [&](std::span<const std::uint64_t> hashes, std::vector<std::uint64_t>& kept) {
                         winnow(hashes, window, kept);
                     });
}

Fingerprints sample_shingles(std::span<const std::string_view> texts, const Rules& rules,
                             std::uint32_t stride, unsigned threads) {
    return chosen_of(texts, rules, threads,
                     [&](std::span<const std::uint64_t> hashes, std::vector<std::uint64_t>& kept) {
                         for (std::size_t i = 0; i < hashes.size(); i += stride)
                             kept.push_back(hashes[i]);
                     });
}

SharedFingerprints share_fingerprints(std::span<const std::uint64_t> hashes,
                                      std::span<const std::uint64_t> offsets,
                                      const std::uint8_t* sides, std::uint32_t most_documents,
                                      unsigned threads) {
    if (hashes.size() >= 0xFFFFFFFF) throw std::length_error("too many fingerprints");
    const std::size_t documents = offsets.size() - 1;
    const Entries entries = entries_of(hashes, offsets, sides);
    const Chains chains(entries, sides, most_documents);
    std::vector<std::uint32_t> firsts(documents + 1);  // entry of each document
    for (const std::uint32_t document : entries.documents) ++firsts[document + 1];
    for (std::size_t i = 0; i < documents; ++i) firsts[i + 1] += firsts[i];
    struct Found {
        std::vector<std::uint32_t> b, shared;
    };
    std::vector<Found> found(documents);
    parallel_ranges(
        documents, grain_of(documents, threads), threads,
        [] { return std::vector<std::uint32_t>(); },
        [&](std::vector<std::uint32_t>& others, std::size_t begin, std::size_t end) {
            for (std::size_t a = begin; a < end; ++a) {
                others.clear();
                Poll poll;
                for (std::uint32_t entry = firsts[a]; entry < firsts[a + 1]; ++entry) {
                    for (auto at = chains.next[entry]; at != 0; at = chains.next[at]) {
                        poll();
                        const std::uint32_t b = entries.documents[at];
                        if (sides_meet(sides, static_cast<std::uint32_t>(a), b))
                            others.push_back(b);
                    }
                }
                std::sort(others.begin(), others.end(), polling(poll, std::less()));
                for (std::size_t i = 0; i < others.size();) {
                    std::size_t next = i;
                    while (next < others.size() && others[next] == others[i]) ++next;
                    found[a].b.push_back(others[i]);
                    found[a].shared.push_back(static_cast<std::uint32_t>(next - i));
                    i = next;
                }
            }
        });
    SharedFingerprints made;
    made.set_aside = chains.set_aside;
    for (std::size_t a = 0; a < documents; ++a) {
        made.a.insert(made.a.end(), found[a].b.size(), static_cast<std::uint32_t>(a));
        made.b.insert(made.b.end(), found[a].b.begin(), found[a].b.end());
        made.shared.insert(made.shared.end(), found[a].shared.begin(), found[a].shared.end());
    }
    return made;
}

}  // namespace likewise
