#include "texts.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <numeric>
#include <stdexcept>

#include "buffer.hpp"
#include "threads.hpp"
#include "transcode.hpp"

namespace nb = nanobind;

namespace likewise {

struct Texts::Owner {
    std::vector<nb::object> objects;
    Bytes written;
    std::vector<Py_buffer> buffers;

    Owner() = default;
    Owner(const Owner&) = delete;
    Owner& operator=(const Owner&) = delete;
    ~Owner() {
        const nb::gil_scoped_acquire gil;
        for (auto& buffer : buffers) PyBuffer_Release(&buffer);
        objects.clear();
    }
};

namespace {

Py_buffer open_buffer(nb::handle object) {
    Py_buffer buffer;
    if (PyObject_GetBuffer(object.ptr(), &buffer, PyBUF_SIMPLE) != 0) throw nb::python_error();
    return buffer;
}

template <class Offset>
void view_rows(std::string_view data, const Py_buffer& offsets,
               std::vector<std::string_view>& views) {
    const auto* places = static_cast<const Offset*>(offsets.buf);
    const std::size_t count = static_cast<std::size_t>(offsets.len) / sizeof(Offset);
    if (count == 0) return;
    views.reserve(count - 1);
    for (std::size_t i = 0; i + 1 < count; ++i) {
        const Offset begin = places[i], end = places[i + 1];
        if (begin < 0 || end < begin || static_cast<std::uint64_t>(end) > data.size()) {
            throw std::invalid_argument("text offsets must ascend and end inside the data");
        }
        views.push_back(
            data.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
    }
}

}  // namespace

Texts Texts::from_strings(nb::handle strings, unsigned threads) {
    // A tuple of our own: the caller may change a list while other threads read the characters.
    auto tuple = nb::steal<nb::object>(PySequence_Tuple(strings.ptr()));
    if (!tuple.is_valid()) throw nb::python_error();
    const auto count = static_cast<std::size_t>(PyTuple_GET_SIZE(tuple.ptr()));
    PyObject** items = &PyTuple_GET_ITEM(tuple.ptr(), 0);
    auto owner = std::make_shared<Owner>();
    Texts texts;
    texts.views_.resize(count);
    std::vector<std::size_t> places;  // of the strings that are not ASCII
    std::vector<FixedWidth> others;
    for (std::size_t i = 0; i < count; ++i) {
        // The strings lie all over memory: without this, half of the time goes into waiting.
        constexpr std::size_t kAhead = 16;
        if (i + kAhead < count) __builtin_prefetch(items[i + kAhead]);
        PyObject* string = items[i];
        if (!PyUnicode_Check(string)) {
            const std::string message =
                "text " + std::to_string(i) + " is not a str but " + Py_TYPE(string)->tp_name;
            throw nb::type_error(message.c_str());
        }
        const auto length = static_cast<std::size_t>(PyUnicode_GET_LENGTH(string));
        if (PyUnicode_IS_COMPACT_ASCII(string)) {
            texts.views_[i] = {static_cast<const char*>(PyUnicode_DATA(string)), length};
        } else {
            places.push_back(i);
            others.push_back({PyUnicode_DATA(string), length, PyUnicode_KIND(string)});
        }
    }
    owner->objects.push_back(std::move(tuple));
    if (!others.empty()) {
        const nb::gil_scoped_release unlocked;  // strings never change, and the owner keeps them
        const auto in_parallel = [&](auto&& work) {
            parallel_ranges(
                others.size(), grain_of(others.size(), threads), threads, [] { return 0; },
                [&](int, std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i) work(i);
                });
        };
        std::vector<std::size_t> begins(others.size() + 1);
        in_parallel([&](std::size_t i) { begins[i + 1] = utf8_size(others[i]); });
        std::partial_sum(begins.begin(), begins.end(), begins.begin());
        owner->written = allocate_bytes(begins.back());
        in_parallel([&](std::size_t i) {
            char* to = owner->written.get() + begins[i];
            write_utf8(others[i], to);
            texts.views_[places[i]] = {to, begins[i + 1] - begins[i]};
        });
    }
    texts.owners_.push_back(std::move(owner));
    return texts;
}

Texts Texts::from_buffers(nb::handle data, nb::handle offsets, bool wide) {
    auto owner = std::make_shared<Owner>();
    owner->buffers.push_back(open_buffer(data));
    owner->buffers.push_back(open_buffer(offsets));
    const std::string_view bytes(static_cast<const char*>(owner->buffers[0].buf),
                                 static_cast<std::size_t>(owner->buffers[0].len));
    Texts texts;
    if (wide) {
        view_rows<std::int64_t>(bytes, owner->buffers[1], texts.views_);
    } else {
        view_rows<std::int32_t>(bytes, owner->buffers[1], texts.views_);
    }
    texts.owners_.push_back(std::move(owner));
    return texts;
}

Texts Texts::from_file(int file, std::span<const std::int64_t> offsets,
                       std::span<const std::uint32_t> chosen) {
    struct Range {
        std::int64_t begin, end;
    };
    std::vector<Range> ranges;  // read once: the arrays may change meanwhile
    ranges.reserve(chosen.size());
    std::size_t total = 0;
    for (const std::uint32_t document : chosen) {
        if (std::size_t{document} + 1 >= offsets.size()) {
            throw std::invalid_argument("a document number is out of range");
        }
        const Range range{offsets[document], offsets[document + 1]};
        if (range.begin < 0 || range.begin > range.end) {
            throw std::invalid_argument("text offsets must ascend");
        }
        ranges.push_back(range);
        total += static_cast<std::size_t>(range.end - range.begin);
    }
    auto owner = std::make_shared<Owner>();
    owner->written = allocate_bytes(total);
    Texts texts;
    char* to = owner->written.get();
    for (const Range& range : ranges) {
        const auto size = static_cast<std::size_t>(range.end - range.begin);
        for (std::size_t done = 0; done < size;) {
            const auto place = static_cast<off_t>(range.begin + static_cast<off_t>(done));
            poll_interruption();
            const std::size_t part = std::min<std::size_t>(size - done, 1 << 24);
            const ssize_t got = pread(file, to + done, part, place);
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) throw std::runtime_error("the scratch file cannot be read back");
            done += static_cast<std::size_t>(got);
        }
        texts.views_.emplace_back(to, size);
        to += size;
    }
    texts.owners_.push_back(std::move(owner));
    return texts;
}

Texts Texts::concatenated(const std::vector<const Texts*>& parts) {
    Texts texts;
    for (const Texts* part : parts) {
        texts.views_.insert(texts.views_.end(), part->views_.begin(), part->views_.end());
        texts.owners_.insert(texts.owners_.end(), part->owners_.begin(), part->owners_.end());
    }
    return texts;
}

Texts Texts::select(std::span<const std::uint32_t> chosen) const {
    Texts texts;
    texts.owners_ = owners_;
    texts.views_.reserve(chosen.size());
    for (const std::uint32_t document : chosen) texts.views_.push_back(views_.at(document));
    return texts;
}

std::uint64_t Texts::bytes() const {
    return std::accumulate(views_.begin(), views_.end(), std::uint64_t{0},
                           [](std::uint64_t sum, std::string_view v) { return sum + v.size(); });
}

}  // namespace likewise
