// The words of a collection against those of its texts one by one.
#include "collection_words.hpp"

#include <chrono>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

#include "check.hpp"
#include "interruption.hpp"
#include "placed_words.hpp"
#include "telling_words.hpp"

namespace {

using likewise::CollectionWords;

std::vector<std::string> some_texts() {
    check::Random random(3);
    const std::vector<std::string> words{"plagiarism ", "plagiarised ", "A ",  "a, ", "x-y ",
                                         "天地",        "玄",           "黄 ", "é ",  "\n"};
    std::vector<std::string> texts(300);
    for (auto& text : texts) {
        for (auto left = check::below(random, 30); left > 0; --left) {
            text += words[check::below(random, static_cast<std::uint32_t>(words.size()))];
            if (check::below(random, 4) == 0) text += std::to_string(check::below(random, 50000));
        }
    }
    return texts;
}

CollectionWords taken(const std::vector<std::string>& texts, std::size_t batch, unsigned threads,
                      bool keep_order = true) {
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    CollectionWords made(7, keep_order);
    for (std::size_t at = 0; at < views.size(); at += batch) {
        made.add(std::span(views).subspan(at, std::min(batch, views.size() - at)), threads);
    }
    return made;
}

TEST(words_are_counted_and_stand_in_order) {
    const auto texts = some_texts();
    std::map<std::uint64_t, std::uint64_t> counts;
    std::map<std::uint64_t, std::set<std::size_t>> holders;
    const auto words = taken(texts, 64, 2);
    CHECK(words.documents() == texts.size());
    for (std::uint32_t i = 0; i < texts.size(); ++i) {
        const std::string_view view = texts[i];
        for (const auto stem : likewise::place_words(view, 7).stems) ++counts[stem];
        const auto told = likewise::telling_words({&view, 1}, 7, 1).hashes;
        for (const auto hash : told) holders[hash].insert(i);
        CHECK(words.sizes()[i] == told.size() && words.of(i).size() == told.size());
        for (std::size_t n = 0; n < told.size(); ++n) CHECK(words.hash(words.of(i)[n]) == told[n]);
    }
    std::set<std::uint64_t> seen;
    for (std::uint32_t word = 0; word < words.vocabulary(); ++word) {
        const std::uint64_t hash = words.hash(word);
        CHECK(seen.insert(hash).second);
        CHECK(words.count(word) == counts[hash] && words.holders(word) == holders[hash].size());
    }
    CHECK(seen.size() > 1024);  // more than the table began with
}

TEST(batches_and_threads_change_nothing) {
    const auto texts = some_texts();
    const auto one = taken(texts, texts.size(), 1), many = taken(texts, 7, 4);
    CHECK(one.vocabulary() == many.vocabulary());
    for (std::uint32_t i = 0; i < one.documents(); ++i) {
        CHECK(std::equal(one.of(i).begin(), one.of(i).end(), many.of(i).begin(), many.of(i).end()));
    }
}

TEST(without_order_words_are_counted_only) {
    const auto texts = some_texts();
    const auto kept = taken(texts, 64, 1), counted = taken(texts, 64, 1, false);
    std::map<std::uint64_t, std::uint64_t> expected, found;
    for (std::uint32_t word = 0; word < kept.vocabulary(); ++word) {
        if (kept.count(word)) expected[kept.hash(word)] = kept.count(word);
    }
    for (std::uint32_t word = 0; word < counted.vocabulary(); ++word) {
        found[counted.hash(word)] = counted.count(word);
    }
    CHECK(found == expected);
    CHECK(counted.of(1).empty() && counted.sizes()[1] == kept.sizes()[1]);
}

// Interrupted at every place where that is possible, which is at most every tenth of a second.
TEST(after_a_failure_the_documents_before_it_are_complete) {
    const std::vector<std::string> texts{"one two", "three"};
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    static int left;
    bool thrown = true, partly = false;
    for (int place = 0; thrown; ++place) {
        CollectionWords words(7);
        left = place;
        likewise::check_interruption = [] {
            std::this_thread::sleep_for(std::chrono::milliseconds(101));
            if (left-- == 0) throw std::runtime_error("interrupted");
        };
        std::this_thread::sleep_for(std::chrono::milliseconds(101));
        thrown = false;
        try {
            words.add(views, 1);
        } catch (const std::runtime_error&) {
            thrown = true;
        }
        likewise::check_interruption = nullptr;
        partly = partly || words.documents() == 1;
        words.add(views, 1);
        for (std::uint32_t i = 0; i < words.documents(); ++i) {
            CHECK(words.of(i).size() == words.sizes()[i]);
            for (const std::uint32_t word : words.of(i)) CHECK(word < words.vocabulary());
        }
    }
    CHECK(partly);
}

}  // namespace

int main() { return check::run_all(); }
