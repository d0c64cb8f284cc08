#include "scan.hpp"

#include <algorithm>

#include "shingles.hpp"
#include "threads.hpp"

namespace likewise {

namespace {

struct Worker {
    Worker(const Rules& rules, std::uint32_t values, std::uint32_t bands)
        : shingler(rules), sketcher(values), keys(bands) {}
    Shingler shingler;
    Sketcher sketcher;
    std::vector<std::uint64_t> keys;
};

void sketch(Worker& worker, std::string_view text) {
    const Bins* bins = nullptr;
    worker.shingler.each(
        text, [&] { return bins = worker.sketcher.bins(); },
        [&](const std::uint64_t* hashes, std::size_t count) {
            worker.sketcher.add(hashes, count, bins != nullptr);
        });
}

}  // namespace

void scan(std::span<const std::string_view> texts, const Rules& rules, std::uint32_t values,
          std::uint32_t bands, std::uint32_t rows, const ScanOutput& out, unsigned threads) {
    const bool sketches = out.sketches != nullptr || out.keys != nullptr;
    parallel_ranges(
        texts.size(), grain_of(texts.size(), threads), threads,
        [&] { return Worker(rules, values, bands); },
        [&](Worker& worker, std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i) {
                auto& sketcher = worker.sketcher;
                sketcher.begin();
                if (sketches) {
                    sketch(worker, texts[i]);
                } else {
                    worker.shingler.each(texts[i], [&](const std::uint64_t* hashes, std::size_t n) {
                        sketcher.add_digest(hashes, n);
                    });
                }
                out.digests[i] = sketcher.digest();
                out.counts[i] = sketcher.count();
                if (!sketches) continue;
                const std::uint32_t* made = sketcher.finish();
                if (out.sketches != nullptr) {
                    std::copy(made, made + values, out.sketches + i * values);
                }
                if (out.keys == nullptr) continue;
                band_keys(made, bands, rows, worker.keys.data());
                for (std::uint32_t band = 0; band < bands; ++band) {
                    out.keys[band * texts.size() + i] = worker.keys[band];
                }
            }
        });
}

}  // namespace likewise
