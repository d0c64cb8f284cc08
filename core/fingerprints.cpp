#include "fingerprints.hpp"

#include <algorithm>

#include "candidates.hpp"
#include "groups.hpp"
#include "shingles.hpp"
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
    for (std::size_t end = size; end < hashes.size(); ++end) {
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
                std::sort(kept.begin(), kept.end());
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
    const std::size_t documents = offsets.size() - 1;
    std::vector<std::uint32_t> document_of(hashes.size());
    for (std::size_t i = 0; i < documents; ++i) {
        std::fill(document_of.begin() + static_cast<std::ptrdiff_t>(offsets[i]),
                  document_of.begin() + static_cast<std::ptrdiff_t>(offsets[i + 1]),
                  static_cast<std::uint32_t>(i));
    }
    // Of each entry the documents behind its own that share its fingerprint: a range of members.
    std::vector<std::uint32_t> members;
    struct Range {
        std::uint64_t begin = 0, end = 0;
    };
    std::vector<Range> behind(hashes.size());
    SharedFingerprints made;
    GroupFinder finder;
    finder.run(
        hashes.size(), [&](std::size_t i) { return hashes[i]; },
        [&](const std::uint32_t* group, std::size_t size) {
            if (size > most_documents) {
                ++made.set_aside;
                return;
            }
            for (std::size_t i = 0; i < size; ++i) {
                members.push_back(document_of[group[i]]);
                behind[group[i]] = {members.size(), members.size() + size - i - 1};
            }
        });
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
                for (std::uint64_t entry = offsets[a]; entry < offsets[a + 1]; ++entry) {
                    for (std::uint64_t at = behind[entry].begin; at < behind[entry].end; ++at) {
                        const std::uint32_t b = members[at];
                        if (sides_meet(sides, static_cast<std::uint32_t>(a), b))
                            others.push_back(b);
                    }
                }
                std::sort(others.begin(), others.end());
                for (std::size_t i = 0; i < others.size();) {
                    std::size_t next = i;
                    while (next < others.size() && others[next] == others[i]) ++next;
                    found[a].b.push_back(others[i]);
                    found[a].shared.push_back(static_cast<std::uint32_t>(next - i));
                    i = next;
                }
            }
        });
    for (std::size_t a = 0; a < documents; ++a) {
        made.a.insert(made.a.end(), found[a].b.size(), static_cast<std::uint32_t>(a));
        made.b.insert(made.b.end(), found[a].b.begin(), found[a].b.end());
        made.shared.insert(made.shared.end(), found[a].shared.begin(), found[a].shared.end());
    }
    return made;
}

}  // namespace likewise
