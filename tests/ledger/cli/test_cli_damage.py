"""Ledgers that are missing, empty, partly or wholly unreadable: each has an answer of its own."""

from pathlib import Path

import pytest
from command_line import Shell, tree

READERS = (("list",), ("audit",), ("prime",), ("search", "x"), ("sql", "select 1"))


def edit(path: Path, old: bytes = b"arm-1", new: bytes = b"arm-9") -> None:
    source = path.read_bytes()
    assert old in source
    path.write_bytes(source.replace(old, new))


def test_a_missing_ledger(bare: Shell) -> None:
    for words in (*READERS, ("verify",), ("claim", "c", "--by", "a", "--expires", "9d")):
        error = bare.json(*words, expect=2)
        assert error["code"] == "no-ledger"
        assert "ledger init" in error["fix"]
    assert tree(bare.root) == {}


def test_a_directory_that_is_no_ledger(bare: Shell) -> None:
    (bare.root / "claims").mkdir()
    (bare.root / "claims" / "insurance.txt").write_text("of another kind")
    for words in READERS:
        error = bare.json(*words, expect=2)
        assert error["code"] == "no-ledger"
        assert "is not a ledger" in error["message"]
    bare("init", "--json")
    assert (bare.root / "claims" / "insurance.txt").exists()


def test_an_empty_ledger(ledger: Shell) -> None:
    for words in READERS:
        ledger(*words)
    assert ledger("list").out == ""
    assert "no claims match" in ledger("list").err
    assert "0 claims" in ledger("audit").out
    assert ledger("verify", "--json").data["entries"] == 0


def test_one_edited_entry_is_named_and_the_others_load(ledger: Shell) -> None:
    kept, edited = ledger.claim("kept"), ledger.claim("edited")
    edit(ledger.path(edited))
    name = ledger.path(edited).name
    for words in (("list",), ("search", "kept"), ("sql", "select id from claims")):
        ran = ledger(*words, expect=1)
        assert kept in ran.out
        assert edited not in ran.out
        assert "warning: id-mismatch" in ran.err
        assert name in ran.err
    ran = ledger("list", "--json", expect=1)
    assert [row["id"] for row in ran.data["rows"]] == [kept]
    for words in (("prime",), ("show", kept), ("impact", kept)):
        ran = ledger(*words, expect=1)
        assert kept in ran.out
        assert name in ran.err
    error = ledger.json("show", edited, expect=5)
    assert error["code"] == "damaged"
    ran = ledger("audit", "--json", expect=1)
    assert [f["slug"] for f in ran.data["findings"]] == ["id-mismatch"]
    found = ledger("verify", expect=5)
    assert "ERROR id-mismatch" in found.out
    assert name in found.out
    again = ledger("claim", "edited", "--by", "arm-1", "--expires", "90d", expect=5)
    assert "git checkout" in again.err


def test_a_wholly_unreadable_ledger(ledger: Shell) -> None:
    for path in [ledger.path(ledger.claim(text)) for text in ("one", "two")]:
        path.write_bytes(b"\x00 not JSON")
    for words in (*READERS, ("claim", "c", "--by", "a", "--expires", "9d")):
        error = ledger.json(*words, expect=5)
        assert error["code"] == "damaged"
        assert "no file in claims/ can be read (2 files): " in error["message"]
    assert ledger("verify", expect=5).out.count("ERROR unreadable") == 2


def test_a_marker_that_is_damaged(ledger: Shell) -> None:
    (ledger.root / "claims" / "ledger.json").write_bytes(b"{")
    assert ledger.json("list", expect=5)["code"] == "damaged"


@pytest.mark.parametrize(
    ("how", "slug"), [("crlf", ""), ("bom", "unreadable"), ("merge", "unreadable")]
)
def test_line_ends_a_byte_order_mark_and_an_unresolved_merge(
    ledger: Shell, how: str, slug: str
) -> None:
    claim, other = ledger.claim(), ledger.claim("other")
    path = ledger.path(claim)
    source = path.read_bytes()
    path.write_bytes(
        {
            "crlf": source.replace(b"\n", b"\r\n"),
            "bom": b"\xef\xbb\xbf" + source,
            "merge": b"<<<<<<< ours\n" + source,
        }[how]
    )
    ran = ledger("list", expect=int(bool(slug)))
    assert other in ran.out
    assert (claim in ran.out) is not bool(slug)
    assert slug in ran.err
    assert ("merge" in ran.err) is (how == "merge")


def test_verify_finds_and_removes_what_a_crash_left(ledger: Shell) -> None:
    import os

    claim = ledger.claim()
    left = ledger.path(claim).with_name(".tmp-01-claim-1-ff")
    left.write_bytes(b"{")
    os.utime(left, (0, 0))
    assert "left by an interrupted write" in ledger("verify").out
    assert left.exists()
    assert ledger("verify", "--fix", "--json").data["swept"] is True
    assert not left.exists()
    assert ledger("verify").out.startswith("1 entry; history not checked")


def test_a_committed_entry_that_was_edited_renamed_or_deleted(ledger: Shell) -> None:
    ledger.git("init", "--quiet")
    edited, deleted, kept = ledger.claim("edited"), ledger.claim("deleted"), ledger.claim("kept")
    ledger.git("add", "--all")
    ledger.git("commit", "--quiet", "--message", "claims")
    assert "history checked" in ledger("verify").out
    paths = [ledger.path(edited), ledger.path(deleted)]
    edit(paths[0])
    paths[1].unlink()
    ledger.git("commit", "--quiet", "--all", "--message", "rewrite")
    ran = ledger("verify", "--json", expect=5)
    rewritten = {f["subject"] for f in ran.data["findings"] if f["slug"] == "history-rewritten"}
    assert rewritten == {path.relative_to(ledger.root).as_posix() for path in paths}
    assert "history-rewritten" in ledger("verify", expect=5).out
    assert kept in ledger("list", expect=1).out


def test_a_dangling_reference_after_a_partial_checkout(ledger: Shell) -> None:
    measured = ledger.evidence()
    claim = ledger.claim("c", "--evidence", measured)
    ledger.path(measured).unlink()
    ran = ledger("verify", "--json", expect=5)
    assert [f["slug"] for f in ran.data["findings"]] == ["dangling"]
    assert ledger.status(claim) != "measured"


def test_the_index_may_be_lost_damaged_or_impossible(ledger: Shell) -> None:
    claim = ledger.claim()
    index = ledger.root / ".ledger" / "index.sqlite"
    for damage in (index.unlink, lambda: index.write_bytes(b"no database" * 999)):
        ledger("list")
        damage()
        for words in (("list",), ("search", "claim"), ("sql", "select id from claims")):
            assert claim in ledger(*words).out
    for path in (ledger.root / ".ledger").iterdir():
        path.unlink()
    (ledger.root / ".ledger").rmdir()
    (ledger.root / ".ledger").write_text("in the way")
    assert claim in ledger("search", "claim").out
    assert ledger.claim("another") in ledger("list").out
