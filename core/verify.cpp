#include "verify.hpp"

#include "element_table.hpp"
#include "shingles.hpp"
#include "threads.hpp"

namespace likewise {

namespace {

struct Worker {
    explicit Worker(const Rules& rules) : shingler(rules) {}
    Shingler shingler;
    ElementTable table;
    std::vector<std::uint64_t> elements;
};

// How many elements B may have that A lacks: even if B has all of A, J is |A| / (|A| + misses).
std::uint64_t miss_limit(std::uint64_t size, double threshold) {
    const double most = static_cast<double>(size) * (1 / threshold - 1);
    // Beyond any text: a larger number might not fit, and 1 / threshold may be infinite.
    if (!(most < 1e15)) return std::uint64_t{1} << 60;
    auto misses = static_cast<std::uint64_t>(most) + 1;
    while (misses > 0 && similarity(Measure::jaccard, size, size, size + misses) < threshold) {
        --misses;
    }
    return misses;
}

// How many elements B may have that A lacks, if the share of B that is in A is what counts; B has
// at most so many.
std::uint64_t containment_miss_limit(std::uint64_t size, double threshold) {
    return size - std::min(size, required_overlap(Measure::containment, threshold, size, size)) + 1;
}

}  // namespace

PairColumns verify(std::span<const std::string_view> texts, const Rules& rules, std::uint32_t first,
                   std::span<const std::uint64_t> offsets, std::span<const std::uint32_t> others,
                   Measure measure, double threshold, unsigned threads) {
    std::vector<std::uint32_t> lists;  // that are not empty
    for (std::uint32_t i = 0; i + 1 < offsets.size(); ++i) {
        if (offsets[i] < offsets[i + 1]) lists.push_back(i);
    }
    const std::size_t grain = grain_of(lists.size(), threads);
    std::vector<PairColumns> pieces((lists.size() + grain - 1) / grain);
    parallel_ranges(
        lists.size(), grain, threads, [&] { return Worker(rules); },
        [&](Worker& worker, std::size_t from, std::size_t to) {
            PairColumns& out = pieces[from / grain];
            for (std::size_t f = from; f < to; ++f) {
                const std::uint32_t list = lists[f], a = first + list;
                worker.shingler.collect(texts[a], worker.elements);
                worker.table.build(worker.elements);
                const std::uint64_t size_a = worker.table.distinct();
                const bool by_jaccard = measure == Measure::jaccard;
                const std::uint64_t limit_of_all = by_jaccard ? miss_limit(size_a, threshold) : 0;
                for (std::uint64_t o = offsets[list]; o < offsets[list + 1]; ++o) {
                    const std::uint32_t b = others[o];
                    worker.shingler.collect(texts[b], worker.elements);
                    const std::uint64_t limit =
                        by_jaccard ? limit_of_all
                                   : containment_miss_limit(worker.elements.size(), threshold);
                    const auto found = worker.table.overlap(worker.elements, limit);
                    if (!found.complete) continue;
                    const std::uint64_t size_b = found.shared + found.misses;
                    // The whole of which a share is taken: both, or the other alone.
                    const std::uint64_t first_size = by_jaccard ? size_a : size_b;
                    if (similarity(measure, found.shared, first_size, size_b) >= threshold) {
                        out.push(a, b, found.shared, size_a, size_b);
                    }
                }
            }
        });
    PairColumns result;
    for (const auto& piece : pieces) result.append(piece);
    return result;
}

std::vector<std::uint64_t> count_distinct(std::span<const std::string_view> texts,
                                          const Rules& rules, std::span<const std::uint32_t> chosen,
                                          unsigned threads) {
    std::vector<std::uint64_t> sizes(chosen.size());
    parallel_ranges(
        chosen.size(), grain_of(chosen.size(), threads), threads, [&] { return Worker(rules); },
        [&](Worker& worker, std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i) {
                worker.shingler.collect(texts[chosen[i]], worker.elements);
                worker.table.build(worker.elements);
                sizes[i] = worker.table.distinct();
            }
        });
    return sizes;
}

}  // namespace likewise
