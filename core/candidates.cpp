#include "candidates.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "groups.hpp"
#include "threads.hpp"

namespace likewise {

namespace {

// For each band the keys of its large buckets, sorted.
using LargeKeys = std::vector<std::vector<std::uint64_t>>;

// One thread's share of the bands: raw pairs, each as (smaller << 32 | larger).
class BandJoin {
  public:
    BandJoin(const std::uint64_t* keys, std::size_t documents,
             std::span<const std::uint32_t> chosen, const std::uint8_t* sides,
             std::uint32_t max_bucket, const LargeKeys& large_keys)
        : keys_(keys),
          documents_(documents),
          chosen_(chosen),
          sides_(sides),
          max_bucket_(max_bucket),
          large_keys_(large_keys) {}

    void join(std::uint32_t band) {
        const std::uint64_t* row = keys_ + band * documents_;
        finder_.run(
            chosen_.size(), [&](std::size_t i) { return row[chosen_[i]]; },
            [&](const std::uint32_t* members, std::size_t size) {
                bucket_.clear();
                for (std::size_t m = 0; m < size; ++m) bucket_.push_back(chosen_[members[m]]);
                take_bucket(band);
            });
    }

    std::vector<std::uint64_t> pairs;
    std::vector<std::pair<std::uint32_t, std::uint64_t>> large;  // band and key of large buckets
    std::uint64_t set_aside = 0;

  private:
    void take_bucket(std::uint32_t band) {
        const std::size_t size = bucket_.size();
        if (size <= max_bucket_) {
            for (std::size_t j = 1; j < size; ++j) {
                poll_();
                for (std::size_t i = 0; i < j; ++i) take(band, i, j);
            }
            return;
        }
        large.emplace_back(band, keys_[band * documents_ + bucket_[0]]);
        choose_hubs();
        std::uint64_t seen = 0;
        for (std::size_t j = 0; j < size; ++j) {
            poll_();
            for (const std::size_t hub : hubs_) {
                if (hub < j) seen += take(band, hub, j);
                if (hub > j && !is_hub(j)) seen += take(band, j, hub);
            }
            for (std::size_t i = j - std::min(j, kHubs); i < j; ++i) {
                if (!is_hub(i) && !is_hub(j)) seen += take(band, i, j);
            }
        }
        set_aside += count_meeting() - seen;
    }

    // The first documents of the bucket, of each side where there are two.
    void choose_hubs() {
        hubs_.clear();
        std::size_t left = 0, right = 0;
        for (std::size_t i = 0; i < bucket_.size(); ++i) {
            const std::uint8_t side = sides_ == nullptr ? kLeft : sides_[bucket_[i]];
            const bool wanted =
                ((side & kLeft) && left < kHubs) || ((side & kRight) && right < kHubs);
            if (!wanted) continue;
            hubs_.push_back(i);
            left += (side & kLeft) != 0;
            right += (side & kRight) != 0;
        }
    }

    bool is_hub(std::size_t i) const { return std::binary_search(hubs_.begin(), hubs_.end(), i); }

    // Pairs of the bucket that could be reported.
    std::uint64_t count_meeting() const {
        if (sides_ == nullptr) return std::uint64_t{bucket_.size()} * (bucket_.size() - 1) / 2;
        std::uint64_t of[4] = {};
        for (const std::uint32_t document : bucket_) ++of[sides_[document] & 3];
        return of[1] * of[2] + of[3] * (of[1] + of[2]) + (of[3] > 0 ? of[3] * (of[3] - 1) / 2 : 0);
    }

    // The pair of members i < j, unless it cannot be reported; says whether it can.
    bool take(std::uint32_t band, std::size_t i, std::size_t j) {
        const std::uint32_t a = bucket_[i], b = bucket_[j];
        if (!sides_meet(sides_, a, b)) return false;
        // In larger buckets the same pair would come up in many bands: only the first counts.
        if (bucket_.size() > kRepeatsAllowed && agree_before(band, a, b)) return true;
        pairs.push_back(static_cast<std::uint64_t>(a) << 32 | b);
        return true;
    }

    // Was the pair taken in an earlier band? In a large bucket it may have been skipped.
    bool agree_before(std::uint32_t band, std::uint32_t a, std::uint32_t b) const {
        for (std::uint32_t earlier = 0; earlier < band; ++earlier) {
            const std::uint64_t* row = keys_ + earlier * documents_;
            if (row[a] == row[b] && !is_large(earlier, row[a])) return true;
        }
        return false;
    }

    bool is_large(std::uint32_t band, std::uint64_t key) const {
        const auto& keys = large_keys_[band];
        return std::binary_search(keys.begin(), keys.end(), key);
    }

    static constexpr std::size_t kRepeatsAllowed = 16;

    const std::uint64_t* keys_;
    const std::size_t documents_;
    const std::span<const std::uint32_t> chosen_;
    const std::uint8_t* sides_;
    const std::uint32_t max_bucket_;
    const LargeKeys& large_keys_;
    GroupFinder finder_;
    Poll poll_;
    std::vector<std::uint32_t> bucket_;
    std::vector<std::size_t> hubs_;  // places in the bucket, ascending
};

std::vector<BandJoin> join_bands(const std::uint64_t* keys, std::uint32_t bands,
                                 std::size_t documents, std::span<const std::uint32_t> chosen,
                                 const std::uint8_t* sides, std::uint32_t max_bucket,
                                 const LargeKeys& large_keys, unsigned threads) {
    threads = std::min(std::max(1u, threads), std::max(1u, bands));
    std::vector<BandJoin> joins;
    for (unsigned t = 0; t < threads; ++t) {
        joins.emplace_back(keys, documents, chosen, sides, max_bucket, large_keys);
    }
    std::atomic<std::uint32_t> next{0};
    on_each_thread(threads, [&](unsigned worker) {
        for (std::uint32_t band; (band = next.fetch_add(1)) < bands;) joins[worker].join(band);
    });
    return joins;
}

// Raw pairs, with repeats and in any order, to ascending lists without repeats.
void build_lists(std::vector<BandJoin>& joins, std::size_t documents, Candidates& result) {
    auto& offsets = result.offsets;
    offsets.assign(documents + 1, 0);
    Poll poll;
    for (const auto& join : joins) {
        for (const std::uint64_t pair : join.pairs) {
            poll();
            ++offsets[(pair >> 32) + 1];
        }
    }
    for (std::size_t a = 0; a < documents; ++a) offsets[a + 1] += offsets[a];
    auto& others = result.others;
    fill(others, offsets.back());
    std::vector<std::uint64_t> next(offsets.begin(), offsets.end() - 1);
    for (auto& join : joins) {
        for (const std::uint64_t pair : join.pairs) {
            poll();
            others[next[pair >> 32]++] = static_cast<std::uint32_t>(pair);
        }
        join.pairs = {};
    }
    std::uint64_t written = 0;
    for (std::size_t a = 0; a < documents; ++a) {
        poll();
        const auto begin = others.begin() + static_cast<std::ptrdiff_t>(offsets[a]);
        const auto end = others.begin() + static_cast<std::ptrdiff_t>(offsets[a + 1]);
        std::sort(begin, end);
        const auto kept = std::unique(begin, end) - begin;
        std::copy(begin, begin + kept, others.begin() + static_cast<std::ptrdiff_t>(written));
        offsets[a] = written;
        written += static_cast<std::uint64_t>(kept);
    }
    offsets[documents] = written;
    others.resize(written);
}

}  // namespace

Candidates find_candidates(const std::uint64_t* keys, std::uint32_t bands, std::size_t documents,
                           std::span<const std::uint32_t> chosen, const std::uint8_t* sides,
                           std::uint32_t max_bucket, unsigned threads) {
    LargeKeys large_keys(bands);
    auto joins = join_bands(keys, bands, documents, chosen, sides, max_bucket, large_keys, threads);
    // Which buckets are large is known only now. A pair skipped in one must not count as seen
    // in later bands, so if there are any, the bands are joined once more.
    Candidates result;
    for (const auto& join : joins) {
        for (const auto& [band, key] : join.large) large_keys[band].push_back(key);
        result.large_buckets += join.large.size();
    }
    if (result.large_buckets > 0) {
        for (auto& band : large_keys) std::sort(band.begin(), band.end());
        joins.clear();
        joins = join_bands(keys, bands, documents, chosen, sides, max_bucket, large_keys, threads);
    }
    for (const auto& join : joins) result.set_aside += join.set_aside;
    build_lists(joins, documents, result);
    return result;
}

}  // namespace likewise
