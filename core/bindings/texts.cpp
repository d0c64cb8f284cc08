#include "texts.hpp"

#include <unistd.h>

#include <cerrno>
#include <numeric>
#include <stdexcept>

namespace nb = nanobind;

namespace likewise {

struct Texts::Owner {
    std::vector<nb::object> objects;
    std::vector<char> written;
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

std::size_t utf8_length(std::uint32_t c) {
    return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
}

std::uint32_t without_surrogate(std::uint32_t c) { return c >= 0xD800 && c <= 0xDFFF ? 0xFFFD : c; }

char* write_utf8(std::uint32_t c, char* to) {
    if (c < 0x80) {
        *to++ = static_cast<char>(c);
        return to;
    }
    if (c < 0x800) {
        *to++ = static_cast<char>(0xC0 | c >> 6);
    } else {
        if (c < 0x10000) {
            *to++ = static_cast<char>(0xE0 | c >> 12);
        } else {
            *to++ = static_cast<char>(0xF0 | c >> 18);
            *to++ = static_cast<char>(0x80 | (c >> 12 & 0x3F));
        }
        *to++ = static_cast<char>(0x80 | (c >> 6 & 0x3F));
    }
    *to++ = static_cast<char>(0x80 | (c & 0x3F));
    return to;
}

template <class Visit>
void each_code_point(PyObject* string, Visit&& visit) {
    const auto length = static_cast<std::size_t>(PyUnicode_GET_LENGTH(string));
    const auto run = [&](const auto* units) {
        for (std::size_t i = 0; i < length; ++i) visit(without_surrogate(units[i]));
    };
    switch (PyUnicode_KIND(string)) {
        case PyUnicode_1BYTE_KIND:
            return run(PyUnicode_1BYTE_DATA(string));
        case PyUnicode_2BYTE_KIND:
            return run(PyUnicode_2BYTE_DATA(string));
        default:
            return run(PyUnicode_4BYTE_DATA(string));
    }
}

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

Texts Texts::from_strings(nb::handle strings) {
    // A tuple of our own: the caller may change a list while other threads read the characters.
    auto tuple = nb::steal<nb::object>(PySequence_Tuple(strings.ptr()));
    if (!tuple.is_valid()) throw nb::python_error();
    const auto count = static_cast<std::size_t>(PyTuple_GET_SIZE(tuple.ptr()));
    PyObject** items = &PyTuple_GET_ITEM(tuple.ptr(), 0);
    auto owner = std::make_shared<Owner>();
    Texts texts;
    texts.views_.resize(count);
    std::vector<std::size_t> others;  // not ASCII
    std::size_t to_write = 0;
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
        if (PyUnicode_IS_COMPACT_ASCII(string)) {
            texts.views_[i] = {static_cast<const char*>(PyUnicode_DATA(string)),
                               static_cast<std::size_t>(PyUnicode_GET_LENGTH(string))};
        } else {
            others.push_back(i);
            each_code_point(string, [&](std::uint32_t c) { to_write += utf8_length(c); });
        }
    }
    owner->written.resize(to_write);
    char* to = owner->written.data();
    for (const std::size_t i : others) {
        const char* begin = to;
        each_code_point(items[i], [&](std::uint32_t c) { to = write_utf8(c, to); });
        texts.views_[i] = {begin, static_cast<std::size_t>(to - begin)};
    }
    owner->objects.push_back(std::move(tuple));
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
    std::size_t total = 0;
    for (const std::uint32_t document : chosen) {
        if (std::size_t{document} + 1 >= offsets.size() ||
            offsets[document] > offsets[document + 1] || offsets[document] < 0) {
            throw std::invalid_argument("a document number is out of range");
        }
        total += static_cast<std::size_t>(offsets[document + 1] - offsets[document]);
    }
    auto owner = std::make_shared<Owner>();
    owner->written.resize(total);
    Texts texts;
    char* to = owner->written.data();
    for (const std::uint32_t document : chosen) {
        const auto size = static_cast<std::size_t>(offsets[document + 1] - offsets[document]);
        for (std::size_t done = 0; done < size;) {
            const auto place = static_cast<off_t>(offsets[document] + static_cast<off_t>(done));
            const ssize_t got = pread(file, to + done, size - done, place);
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
