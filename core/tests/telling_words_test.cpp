// Telling words, compared with the words with their positions.
#include "telling_words.hpp"

#include <string>

#include "check.hpp"
#include "placed_words.hpp"

namespace {

using likewise::telling_words;

std::vector<std::uint64_t> of(std::string_view text) {
    return telling_words({&text, 1}, 7, 1).hashes;
}

TEST(words_tell_by_their_stems) {
    const std::string_view text = "A plagiarism of 1 b c, x-y plagiarised";
    CHECK(of(text) == likewise::place_words(text, 7).stems);
}

TEST(letters_without_spaces_tell_in_pairs) {
    const auto pair = of("天地");
    const auto turned = of("地天");
    CHECK(pair.size() == 2 && turned.size() == 2);
    CHECK(pair[0] != turned[0] && pair[1] != turned[1]);
    const auto longer = of("玄天地,黄");
    CHECK(longer.size() == 4);
    CHECK(longer[1] == pair[0]);
    CHECK(longer[2] == pair[1]);  // nothing adjoins it: a letter by itself
    CHECK(longer[3] == likewise::place_words("黄", 7).stems[0]);
}

TEST(documents_come_in_order_whatever_the_threads) {
    std::vector<std::string> texts;
    for (int i = 0; i < 500; ++i) {
        std::string text;
        for (int word = 0; word < i % 7; ++word) text += "word" + std::to_string(i + word) + " ";
        texts.push_back(text);
    }
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    const auto one = telling_words(views, 7, 1), many = telling_words(views, 7, 4);
    CHECK(one.hashes == many.hashes && one.offsets == many.offsets);
    CHECK(one.offsets.size() == texts.size() + 1);
    for (std::size_t i = 0; i < texts.size(); ++i)
        CHECK(one.offsets[i + 1] - one.offsets[i] == i % 7);
}

}  // namespace

int main() { return check::run_all(); }
