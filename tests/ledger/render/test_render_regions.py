import subprocess
import sys
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rewritten import Rewrite, rewrite

from ledger.errors import LedgerError
from ledger.render.regions import Region, digest, find, wrap

BODY = "| claim | status |\n|---|---|\n| a\\|b | **WRONG** |"
OTHER = "| claim | status |\n|---|---|\n| new | **WRONG** |"
REGION = wrap("superseded", "main", {"tag": "x"}, BODY)


def doc(region: str = REGION) -> bytes:
    return f"# Title\n\nbefore\n\n{region}\nafter".encode()


def refused(source: bytes) -> LedgerError:
    with pytest.raises(LedgerError) as caught:
        find(source)
    assert caught.value.code == "bad-markers"
    assert caught.value.fix
    return caught.value


def _always(body: str, _: Region) -> str:
    return body


def to_other(source: bytes, *, accept_loss: bool = False) -> Rewrite:
    return rewrite(source, lambda _: OTHER, accept_loss=accept_loss)


def test_wrap_writes_markers_digest_and_blank_lines() -> None:
    expected = (
        f"<!-- BEGIN ledger:superseded id=main tag=x sha256={digest(BODY)} -->\n"
        f"\n{BODY}\n\n<!-- END ledger:superseded id=main -->\n"
    )
    assert wrap("superseded", "main", {"tag": "x"}, BODY) == expected


def test_find_gives_all_of_a_region() -> None:
    assert find(doc()) == (
        Region(
            view="superseded", id="main", options={"tag": "x"}, recorded=digest(BODY),
            begin_line=5, end_line=11, body=BODY,
        ),
    )  # fmt: skip


@pytest.mark.parametrize(
    "source",
    [
        f"```\n{REGION}```\n",
        "".join(f"    {line}\n" for line in REGION.splitlines()),
        "".join(f"> {line}\n" for line in REGION.splitlines()),
        "- item\n\n" + "".join(f"  {line}\n" for line in REGION.splitlines()),
        f"<pre>\n{REGION}</pre>\n",
        f"<pre>{REGION}</pre>\n",
        "<!--\n<!-- BEGIN ledger:superseded id=main -->\n",
        "<!-- write <!-- BEGIN ledger:superseded id=main -->\n",
        "text <!-- BEGIN ledger:superseded id=main --> text\n",
        "`<!-- BEGIN ledger:superseded id=main -->`\n",
        "no region, but evidence-ledger: is named\n",
        "",
    ],
)
def test_an_example_is_no_marker(source: str) -> None:
    assert find(source.encode()) == ()
    assert to_other(source.encode()).source == source.encode()


BEGIN = "<!-- BEGIN ledger:superseded id=main sha256=0123456789ab -->\n"
END = "<!-- END ledger:superseded id=main -->\n"


@pytest.mark.parametrize(
    ("source", "line", "words"),
    [
        (f"x\n\n{BEGIN}\nbody\n", 3, "no end marker"),
        (f"{BEGIN}\n```\n{END}", 1, "no end marker"),
        (f"x\n\n{END}", 3, "without a begin"),
        (f"{END}\n{BEGIN}", 1, "without a begin"),
        (f"{BEGIN}{BEGIN}{END}{END}", 2, "inside the region begun in line 1"),
        (f"{BEGIN}{END}\n{BEGIN}{END}", 4, "already in line 1"),
        (f"{BEGIN}{END}{END}", 3, "without a begin"),
        (BEGIN + END.replace("main", "other"), 2, "id=other"),
        (f"{BEGIN}{END}".replace("superseded", "nothing"), 1, "unknown view 'nothing'"),
        (f"{BEGIN}{END}".replace(" sha256", " color=red sha256"), 1, "unknown option 'color'"),
        (BEGIN + END.replace(" -->", " tag=x -->"), 2, "unknown option 'tag'"),
        (f"{BEGIN}{END}".replace(" sha256", " id=b sha256"), 1, "given twice"),
        (f"{BEGIN}{END}".replace(" id=main", ""), 1, "no valid id"),
        (f"{BEGIN}{END}".replace("0123456789ab", "xyz"), 1, "not 12 hex digits"),
        (f" {BEGIN}{END}", 1, "not a marker"),
        (f"{BEGIN[:-1]} x\n{END}", 1, "not a marker"),
        (f"{BEGIN[:-1]} \n{END}", 1, "not a marker"),
        (f"{BEGIN}{END}".replace("BEGIN", "begin"), 1, "not a marker"),
        (f"<details>\n{BEGIN}\nx\n\n{END}", 2, "HTML block begun in line 1"),
        (f"{BEGIN}\n<div>\nx\n{END}", 5, "HTML block begun in line 3"),
    ],
)
def test_malformed_markers_are_refused_with_their_line(source: str, line: int, words: str) -> None:
    error = refused(source.encode())
    assert error.message.startswith(f"line {line}: ")
    assert words in error.message
    crlf = refused(source.replace("\n", "\r\n").encode())
    assert crlf.message == error.message
    with pytest.raises(LedgerError, match="line"):
        to_other(source.encode(), accept_loss=True)


def test_a_new_region_is_empty_and_has_no_digest() -> None:
    source = f"{BEGIN}{END}".replace(" sha256=0123456789ab", "").encode()
    assert find(source)[0].recorded is None
    done = to_other(source)
    assert done.source.decode() == wrap("superseded", "main", {}, OTHER)
    assert [r.id for r in done.stale] == ["main"]
    new = rewrite(source, lambda _: "")
    assert new.stale
    assert find(new.source)[0].recorded == digest("")
    assert rewrite(new.source, lambda _: "") == Rewrite(source=new.source, stale=(), edited=())


def test_rewrite_changes_only_the_region_and_is_idempotent() -> None:
    done = to_other(doc())
    assert done.source == doc(wrap("superseded", "main", {"tag": "x"}, OTHER))
    assert [r.id for r in done.stale] == ["main"]
    assert done.edited == ()
    assert to_other(done.source) == Rewrite(source=done.source, stale=(), edited=())


def test_bytes_outside_are_kept_and_the_body_takes_the_line_end_of_its_marker() -> None:
    head, tail = b"\xef\xbb\xbf# T\r\n\rx\xff\x00\x0c\xe2\x80\xa8y\n\n", b"\r\nz\r\r\n no end"
    for eol in (b"\n", b"\r\n", b"\r"):
        done = to_other(head + REGION.encode().replace(b"\n", eol) + tail)
        new = wrap("superseded", "main", {"tag": "x"}, OTHER).encode().replace(b"\n", eol)
        assert done.source == head + new + tail
        assert to_other(done.source).stale == ()


def test_a_byte_order_mark_before_the_first_marker_is_kept() -> None:
    bom = b"\xef\xbb\xbf"
    done = to_other(bom + REGION.encode())
    assert done.source == bom + wrap("superseded", "main", {"tag": "x"}, OTHER).encode()


def test_the_same_cells_in_another_layout_are_not_rewritten() -> None:
    layout = "| claim  | status |\n| :--- | ---: |\na\\|b|**WRONG**"
    source = doc(wrap("superseded", "main", {}, layout))
    assert rewrite(source, lambda _: BODY) == Rewrite(source=source, stale=(), edited=())
    assert to_other(source).stale


def test_an_edit_by_hand_is_refused_with_a_diff() -> None:
    source = doc().replace(b"WRONG** |", b"RIGHT** |")
    assert source != doc()
    with pytest.raises(LedgerError) as caught:
        to_other(source)
    assert caught.value.code == "edited-region"
    assert "-| a\\|b | **RIGHT** |\n+| new | **WRONG** |" in caught.value.message
    assert "lines 5-11 as edited" in caught.value.message
    done = to_other(source, accept_loss=True)
    assert [r.id for r in done.edited] == ["main"]
    assert done.stale == ()
    assert done.source == to_other(doc()).source


def test_a_changed_digest_counts_as_an_edit() -> None:
    source = doc().replace(digest(BODY).encode(), b"0" * 12)
    with pytest.raises(LedgerError, match="only the sha256") as caught:
        rewrite(source, lambda _: BODY)
    assert caught.value.code == "edited-region"
    assert rewrite(source, lambda _: BODY, accept_loss=True).source == doc()


def test_a_digest_that_was_taken_away_is_an_edit_by_hand_too() -> None:
    source = doc().replace(f" sha256={digest(BODY)}".encode(), b"")
    for body, said in ((BODY, "only the sha256"), (OTHER, "+| new")):
        with pytest.raises(LedgerError) as caught:
            rewrite(source, partial(_always, body))
        assert caught.value.code == "edited-region"
        assert said in caught.value.message
    assert to_other(source, accept_loss=True).source == to_other(doc()).source


def test_line_ends_and_outer_blank_lines_are_no_edit() -> None:
    crlf = doc().replace(b"\n", b"\r\n").replace(b"\r\n\r\n<!-- END", b"\r\n<!-- END")
    assert rewrite(crlf, lambda _: BODY).source == crlf


def test_regions_are_told_apart() -> None:
    two = doc(REGION + "\nbetween\n\n" + wrap("superseded", "second", {}, OTHER))
    done = rewrite(two, lambda region: OTHER if region.id == "second" else BODY + "\n| c | d |")
    assert [r.id for r in done.stale] == ["main"]
    assert done.source.count(b"| c | d |") == 1
    assert b"\nbetween\n\n" in done.source


@pytest.mark.parametrize(
    "body", [END, f"text\n  {BEGIN}", "| `<!-- end LEDGER:x -->` |", "```\n<!--BEGIN ledger:\n```"]
)
def test_generated_text_cannot_hold_a_marker(body: str) -> None:
    with pytest.raises(LedgerError, match="holds a marker") as caught:
        rewrite(doc(), lambda _: body)
    assert caught.value.code == "bad-markers"
    with pytest.raises(LedgerError, match="holds a marker"):
        wrap("superseded", "main", {}, body)


@pytest.mark.parametrize("body", ["```\nopen fence", "<!-- open comment"])
def test_generated_text_cannot_hide_a_marker(body: str) -> None:
    with pytest.raises(LedgerError) as caught:
        rewrite(doc(), lambda _: body)
    assert caught.value.code == "bad-markers"


def test_the_blank_line_before_the_end_marker_closes_an_html_block() -> None:
    assert find(rewrite(doc(), lambda _: "<div>\nglued").source)[0].body == "<div>\nglued"


@pytest.mark.parametrize(
    ("view", "name", "options"),
    [
        ("nothing", "main", {}),
        ("superseded", "a b", {}),
        ("superseded", "", {}),
        ("superseded", "main", {"color": "red"}),
        ("superseded", "main", {"tag": "a b"}),
        ("superseded", "main", {"tag": "-->"}),
        ("superseded", "main", {"tag": ""}),
    ],
)
def test_wrap_refuses_what_a_marker_cannot_hold(
    view: str, name: str, options: dict[str, str]
) -> None:
    with pytest.raises(LedgerError) as caught:
        wrap(view, name, options, BODY)
    assert caught.value.code == "bad-input"


pieces = st.sampled_from(
    [
        "\n",
        "\r\n",
        "\r",
        "text",
        "# h",
        "> q",
        "- l\n",
        "| a |",
        "\n\n",
        "é\u2028",
        "<b>x</b>",
        "\x0c",
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(pieces, max_size=8), st.lists(pieces, max_size=8), st.sampled_from(["\n", "\r\n"]))
def test_rewriting_keeps_every_other_byte(before: list[str], after: list[str], eol: str) -> None:
    head = ("".join(before) + "\n\n").encode()
    tail = ("\n" + "".join(after)).encode()
    middle = REGION.replace("\n", eol).encode()
    done = to_other(head + middle + tail)
    assert done.source.startswith(head)
    assert done.source.endswith(tail)
    new = wrap("superseded", "main", {"tag": "x"}, OTHER).replace("\n", eol).encode()
    assert done.source[len(head) : len(done.source) - len(tail)] == new
    assert to_other(done.source).source == done.source


def test_a_document_without_regions_does_not_load_the_parser() -> None:
    code = (
        "import sys; from ledger.render import find, citations; find(b'# t [x]'); "
        "citations(b'# t [x]'); assert 'markdown_it' not in sys.modules; "
        "citations(b'[c-7f3a]'); assert 'markdown_it' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
