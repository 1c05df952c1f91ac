import pytest

from ledger.figures.subject import words


def test_content_words_without_numbers_units_and_words_of_any_statement() -> None:
    found = words("The encode cache takes ~4.3 hours to rebuild, about 12 tokens/s on 2 GPUs")
    assert found == {"encod": "encode", "cach": "cache", "rebuild": "rebuild", "gpu": "GPUs"}


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("cache", "Caches"), ("box", "boxes"), ("class", "classes"), ("batch", "batches"),
        ("query", "QUERIES"), ("GPU", "GPUs"), ("size", "sizes"), ("loss", "loss"),
    ],
)  # fmt: skip
def test_singular_and_plural_are_one_word(one: str, many: str) -> None:
    assert words(one).keys() == words(many).keys() != set()


def test_identifiers_count_whole_and_in_parts() -> None:
    assert set(words("warmup_ratio").values()) == {"warmup_ratio", "warmup"}  # a ratio is a unit
    assert set(words("encodeCache").values()) == {"encodeCache", "encode", "Cache"}
    assert set(words("HTTPServer").values()) == {"HTTPServer", "HTTP", "Server"}
    assert words("ENCODE_CACHE_S=1").keys() >= words("the encode caches").keys()
    assert words("train-script.sh").keys() == {"train", "script", "sh"}


def test_nothing_is_left_of_bare_numbers_and_letters() -> None:
    assert words("") == words("w = 16,384; x: 3.5 s, 12 %") == words("it is what it is") == {}


def test_a_counted_thing_is_a_subject_but_where_it_is_the_unit() -> None:
    assert set(words("a step takes 44 s")) == {"step"}
    assert set(words("35.2 s per step")) == {"step"}
    assert words("1,312 steps, 16k tokens, a 512-token row of 3 rows").keys() == {"row"}
