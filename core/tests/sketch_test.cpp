// Sketcher against the definition in sketch.hpp, written out for every element and bin.
#include "sketch.hpp"

#include <functional>
#include <numeric>

#include "check.hpp"
#include "hash.hpp"

namespace {

using check::below;
using check::ExactCopy;
using check::Random;
using likewise::Bins;
using likewise::Digest;
using likewise::kEmptyValue;
using likewise::Sketcher;

using Hashes = std::vector<std::uint64_t>;
using Sketch = std::vector<std::uint32_t>;

const std::vector<std::uint32_t> kSizes{1, 2, 3, 16, 100, 128, 256, 1000};

// --- The definition

struct Rehash {
    std::uint32_t offset, factor;

    explicit Rehash(std::uint64_t number) {
        std::uint64_t z = (number + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        z ^= z >> 31;
        offset = static_cast<std::uint32_t>(z);
        factor = static_cast<std::uint32_t>(z >> 32) | 1;
    }
    std::uint32_t operator()(std::uint64_t hash) const {
        return (static_cast<std::uint32_t>(hash) ^ offset) * factor;
    }
};

constexpr std::uint32_t kFirstLater = 0x80000000, kRoundSize = 0x04000000;

// f_j(x) of one element x for every bin j.
class Definition {
  public:
    explicit Definition(std::uint32_t values) : values_(values) {
        for (unsigned round = 1; round <= 31; ++round) rounds_.emplace_back(round);
        for (std::uint32_t bin = 0; bin < values; ++bin) last_.emplace_back(32 + bin);
    }

    void lower(std::uint64_t hash, Sketch& sketch) const {
        for (std::uint32_t bin = 0; bin < values_; ++bin) {
            const std::uint32_t value = std::min(last_[bin](hash) / 64, kRoundSize - 2);
            lower(sketch[bin], kFirstLater + 31 * kRoundSize + value);
        }
        for (std::uint32_t round = 0; round < 31; ++round) {
            const std::uint64_t y = rounds_[round](hash);
            lower(sketch[y * values_ >> 32],
                  kFirstLater + round * kRoundSize + static_cast<std::uint32_t>(y % kRoundSize));
        }
        // The hash as a fraction of 1, times the number of values: bin before the point, value
        // behind it.
        const auto product = static_cast<unsigned __int128>(hash) * values_;
        lower(sketch[static_cast<std::size_t>(product >> 64)],
              static_cast<std::uint32_t>(static_cast<std::uint64_t>(product) >> 33));
    }

    Sketch operator()(const Hashes& elements) const {
        Sketch sketch(values_, kEmptyValue);
        for (const auto hash : elements) lower(hash, sketch);
        return sketch;
    }

  private:
    static void lower(std::uint32_t& to, std::uint32_t value) { to = std::min(to, value); }

    const std::uint32_t values_;
    std::vector<Rehash> rounds_, last_;
};

// --- What is under test

enum class Way { add, put_first };

// In chunks of up to `chunk` hashes.
Sketch sketch_of(Sketcher& sketcher, const Hashes& hashes, std::uint32_t values, Way way,
                 std::size_t chunk = 4096) {
    sketcher.begin();
    for (std::size_t from = 0; from < hashes.size(); from += chunk) {
        const ExactCopy part(hashes.data() + from, std::min(chunk, hashes.size() - from));
        const Bins* bins = way == Way::put_first ? sketcher.bins() : nullptr;
        if (bins != nullptr) {
            for (std::size_t i = 0; i < part.size(); ++i) bins->put(part.data()[i]);
        }
        sketcher.add(part.data(), part.size(), bins != nullptr);
    }
    CHECK(sketcher.count() == hashes.size());
    const Digest sums{
        std::accumulate(hashes.begin(), hashes.end(), std::uint64_t{0}),
        std::accumulate(hashes.begin(), hashes.end(), std::uint64_t{0}, std::bit_xor<>())};
    CHECK(sketcher.digest() == sums);
    const std::uint32_t* made = sketcher.finish();
    return {made, made + values};
}

Sketch sketch_of(const Hashes& hashes, std::uint32_t values) {
    Sketcher sketcher(values);
    return sketch_of(sketcher, hashes, values, Way::add);
}

void check_sketch(const Hashes& hashes, std::uint32_t values, const Sketch& expected) {
    check::at_each_vector_level([&] {
        Sketcher sketcher(values);
        for (const Way way : {Way::add, Way::put_first}) {
            for (const std::size_t chunk :
                 {std::size_t{4096}, std::size_t{1001}, hashes.size() + 1}) {
                CHECK(sketch_of(sketcher, hashes, values, way, chunk) == expected,
                      "%zu elements, %u values, chunks of %zu", hashes.size(), values, chunk);
            }
        }
    });
    CHECK(hashes.empty() || std::count(expected.begin(), expected.end(), kEmptyValue) == 0);
}

void check_sketch(const Hashes& hashes, std::uint32_t values) {
    check_sketch(hashes, values, Definition(values)(hashes));
}

Hashes random_hashes(Random& random, std::size_t size) {
    Hashes hashes(size);
    for (auto& hash : hashes) hash = random();
    return hashes;
}

// --- Rules

TEST(sketches_are_as_defined) {
    Random random(21);
    for (const auto values : kSizes) {
        for (std::size_t size = 0; size <= 40; ++size) {
            check_sketch(random_hashes(random, size), values);
        }
        for (const std::size_t size : {100, 500, 1023, 1024, 1025, 3000}) {
            check_sketch(random_hashes(random, size), values);
        }
    }
}

TEST(every_number_of_values_is_served) {
    Random random(22);
    for (std::uint32_t values = 1; values <= 300; ++values) {
        check_sketch(random_hashes(random, 1 + below(random, 600)), values);
    }
    for (const std::uint32_t values : {512, 2048, 5000}) {
        check_sketch(random_hashes(random, 50), values);
        check_sketch(random_hashes(random, 6000), values);
    }
}

TEST(odd_elements_are_sketched_as_defined) {
    Hashes odd{0, 1, ~std::uint64_t{0}, std::uint64_t{1} << 63, std::uint64_t{1} << 32, 0xFFFFFFFF};
    for (const auto values : kSizes) {
        check_sketch(odd, values);
        for (const auto hash : odd) check_sketch({hash}, values);
    }
}

TEST(an_empty_set_has_only_empty_values) {
    for (const auto values : kSizes) check_sketch({}, values, Sketch(values, kEmptyValue));
}

// The last resort of some bin comes out as all ones: it must not look like an empty set.
TEST(no_element_gives_the_value_of_an_empty_set) {
    for (std::uint32_t bin = 0; bin < 1000; ++bin) {
        const Rehash rehash(32 + bin);
        std::uint32_t inverse = rehash.factor;  // Newton: each step doubles the bits that are right
        for (int i = 0; i < 5; ++i) inverse *= 2 - rehash.factor * inverse;
        const std::uint32_t low = (0xFFFFFFFF * inverse) ^ rehash.offset;
        CHECK(rehash(low) == 0xFFFFFFFF);
        const Hashes elements{std::uint64_t{bin * 4000003u} << 32 | low};
        const Sketch made = sketch_of(elements, 1000);
        CHECK(made == Definition(1000)(elements));
        CHECK(std::count(made.begin(), made.end(), kEmptyValue) == 0);
    }
}

TEST(order_and_repeats_do_not_matter) {
    Random random(23);
    for (const auto values : kSizes) {
        for (const std::size_t size : {1, 2, 7, 8, 9, 60, 2000}) {
            Hashes hashes = random_hashes(random, size);
            const Sketch expected = Definition(values)(hashes);
            for (std::size_t i = 0; i < 3 * size; ++i)
                hashes.push_back(check::one_of(random, hashes));
            std::shuffle(hashes.begin(), hashes.end(), random);
            check_sketch(hashes, values, expected);
        }
    }
}

TEST(the_minimum_of_two_sketches_is_that_of_the_union) {
    Random random(24);
    for (const auto values : kSizes) {
        for (const std::size_t size : {1, 5, 40, 400, 4000}) {
            const Hashes left = random_hashes(random, size);
            Hashes right = random_hashes(random, 1 + below(random, 2 * size));
            right.insert(right.end(), left.begin(), left.begin() + size / 2);
            Hashes both = left;
            both.insert(both.end(), right.begin(), right.end());
            Sketch merged = sketch_of(left, values);
            const Sketch other = sketch_of(right, values);
            for (std::size_t i = 0; i < merged.size(); ++i)
                merged[i] = std::min(merged[i], other[i]);
            check_sketch(both, values, merged);
        }
    }
}

TEST(long_documents_are_sketched_as_defined) {
    Random random(25);
    const Hashes hashes = random_hashes(random, 200000);
    for (const auto values : kSizes) check_sketch(hashes, values);
}

// Long sets pass over elements that cannot matter: one just below the largest value does.
TEST(a_late_element_still_lowers_a_value) {
    Random random(31);
    for (const auto values : kSizes) {
        Hashes hashes = random_hashes(random, 200 * values);
        const Sketch before = sketch_of(hashes, values);
        const auto largest = std::max_element(before.begin(), before.end());
        const auto bin = static_cast<std::uint64_t>(largest - before.begin());
        const auto point = static_cast<unsigned __int128>(bin) << 64 |
                           static_cast<unsigned __int128>(*largest - 1) << 33;
        hashes.push_back(static_cast<std::uint64_t>((point + values - 1) / values));
        Sketch expected = before;
        --expected[bin];
        check_sketch(hashes, values, expected);
    }
}

TEST(many_repeats_of_few_elements_are_sketched_as_those) {
    Random random(26);
    for (const auto values : kSizes) {
        const Hashes few = random_hashes(random, 3);
        Hashes many;
        for (int i = 0; i < 200000; ++i) many.push_back(check::one_of(random, few));
        check_sketch(many, values, Definition(values)(few));
    }
}

// All fall into one bin at first, so none may be forgotten, however many there are.
TEST(elements_are_kept_while_a_bin_is_empty) {
    Random random(27);
    Hashes hashes = random_hashes(random, 200000);
    for (auto& hash : hashes) hash >>= 20;
    for (const std::uint32_t values : {2, 3, 256, 1000}) check_sketch(hashes, values);
    // The last bins are filled late, when repeats have been dropped already.
    const Hashes late = random_hashes(random, 20000);
    hashes.insert(hashes.end(), late.begin(), late.end());
    for (const std::uint32_t values : {2, 3, 256, 1000}) check_sketch(hashes, values);
}

TEST(an_earlier_set_leaves_nothing_behind) {
    Random random(28);
    check::at_each_vector_level([&] {
        for (const auto values : kSizes) {
            Sketcher used(values);
            for (const std::size_t size : {90000, 3, 0, 1000, 1, 70000, 40, 0}) {
                const Hashes hashes = random_hashes(random, size);
                const Way way = below(random, 2) == 0 ? Way::add : Way::put_first;
                CHECK(sketch_of(used, hashes, values, way) == sketch_of(hashes, values));
            }
        }
    });
}

TEST(digests_need_no_sketch) {
    Random random(29);
    check::at_each_vector_level([&] {
        for (std::size_t size = 0; size <= 40; ++size) {
            const Hashes hashes = random_hashes(random, size);
            const ExactCopy exact(hashes.data(), size);
            Sketcher sketcher(16), digester(16);
            sketch_of(sketcher, hashes, 16, Way::add);
            digester.begin();
            digester.add_digest(exact.data(), size / 3);
            digester.add_digest(exact.data() + size / 3, size - size / 3);
            CHECK(digester.digest() == sketcher.digest());
            CHECK(digester.count() == size);
        }
    });
}

TEST(band_keys_tell_rows_and_bands_apart) {
    Random random(30);
    for (std::uint32_t rows = 1; rows <= 9; ++rows) {
        const std::uint32_t bands = 20;
        Sketch sketch(bands * rows);
        for (auto& value : sketch) value = static_cast<std::uint32_t>(random());
        const auto keys_of = [&](const Sketch& of) {
            const ExactCopy exact(of.data(), of.size());
            Hashes keys(bands);
            likewise::band_keys(exact.data(), bands, rows, keys.data());
            return keys;
        };
        const Hashes keys = keys_of(sketch);
        for (std::size_t i = 0; i < sketch.size(); ++i) {
            Sketch other = sketch;
            other[i] ^= 1u << below(random, 32);
            const Hashes changed = keys_of(other);
            for (std::uint32_t band = 0; band < bands; ++band) {
                CHECK((keys[band] == changed[band]) == (band != i / rows), "band %u", band);
            }
        }
        // The same rows in every band.
        Hashes same = keys_of(Sketch(bands * rows, 7));
        std::sort(same.begin(), same.end());
        CHECK(std::adjacent_find(same.begin(), same.end()) == same.end());
    }
}

}  // namespace

int main() { return check::run_all(); }
