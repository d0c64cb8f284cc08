// Candidates for containment, as Python sees them.
#include "containment.hpp"

#include <nanobind/nanobind.h>

#include <mutex>

#include "arrays.hpp"
#include "texts.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace likewise {

namespace {

// One call at a time: Python may share it between threads.
class LockedJoin {
  public:
    LockedJoin(const Rules& rules, const ContainmentSettings& settings) : join_(rules, settings) {}

    template <class Work>
    auto with(Work&& work) {
        const nb::gil_scoped_release unlocked;
        const std::lock_guard held(lock_);
        return work(join_);
    }

  private:
    std::mutex lock_;
    ContainmentJoin join_;
};

std::vector<std::uint32_t> numbers_of(const Texts& texts, const Array<std::uint32_t>& numbers) {
    need(texts.views().size() == numbers.shape(0), "each text needs a number");
    return copy_of(numbers);
}

}  // namespace

void define_containment(nb::module_& m) {
    nb::class_<LockedJoin>(m, "ContainmentJoin", "Candidates for containment, out of batches.")
        .def(
            "__init__",
            [](LockedJoin* self, const Rules& rules, double threshold, std::uint32_t max_documents,
               unsigned count_bits, unsigned repeat_bits, bool sided) {
                need(count_bits <= 40 && repeat_bits <= 40, "too many bits");
                new (self) LockedJoin(rules, ContainmentSettings{threshold, max_documents,
                                                                 count_bits, repeat_bits, sided});
            },
            "rules"_a, nb::kw_only(), "threshold"_a, "max_documents"_a, "count_bits"_a,
            "repeat_bits"_a, "sided"_a)
        .def(
            "count",
            [](LockedJoin& self, const Texts& texts, unsigned threads) {
                self.with([&](ContainmentJoin& join) { join.count(texts.views(), threads); });
            },
            "texts"_a, nb::kw_only(), "threads"_a)
        .def(
            "add",
            [](LockedJoin& self, const Texts& texts, const Array<std::uint32_t>& numbers,
               unsigned threads) {
                const auto own = numbers_of(texts, numbers);
                self.with([&](ContainmentJoin& join) { join.add(texts.views(), own, threads); });
            },
            "texts"_a, "numbers"_a, nb::kw_only(), "threads"_a)
        .def_prop_ro("nbytes",
                     [](LockedJoin& self) {
                         return self.with([](ContainmentJoin& join) { return join.bytes(); });
                     })
        .def(
            "probe",
            [](LockedJoin& self, const Texts& texts, const Array<std::uint32_t>& numbers,
               unsigned threads) {
                const auto own = numbers_of(texts, numbers);
                return give(self.with([&](ContainmentJoin& join) {
                    return join.probe(texts.views(), own, threads);
                }));
            },
            "texts"_a, "numbers"_a, nb::kw_only(), "threads"_a)
        .def("finish", [](LockedJoin& self) {
            std::vector<std::uint32_t> boilerplate;
            auto found = self.with([&](ContainmentJoin& join) { return join.finish(boilerplate); });
            return nb::make_tuple(give(std::move(found)), give(std::move(boilerplate)));
        });
}

}  // namespace likewise
