"""`note check`: requested against resolved, and keys that are absent instead of null."""

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Shell

RECORD = """{
  "attn_implementation_requested": "flex_attention",
  "attn_implementation_resolved": "sdpa",
  "dtype_requested": "bfloat16",
  "compile_requested": true,
  "compile_resolved": null,
  "seed_requested": null, "seed_resolved": 7,
  "mask_requested": null, "mask_resolved": null,
  "requested": {"lr": 1e-4, "opt": {"name": "adamw"}},
  "resolved": {"lr": 0.0001, "opt": {"name": "adam8"}},
  "seq.requested": 4096, "seq": 2048,
  "peft_version": "0.19.2.dev0@UNKNOWN",
  "sub": {"impersonation_mask_sha256": null, "comment": ""}
}
"""


def check(shell: Shell, *words: str, expect: int = 1) -> list[Any]:
    data = shell("note", "check", *words, "--json", expect=expect).data
    return [(f["slug"], f["pointer"], f["line"], f["column"]) for f in data["findings"]]


@pytest.fixture
def record(bare: Shell) -> Path:
    path = bare.root / "run.json"
    path.write_text(RECORD)
    return path


def test_requested_against_resolved(bare: Shell, record: Path) -> None:
    slug = "requested-not-resolved"
    assert check(bare, "run.json") == [
        (slug, "/attn_implementation_resolved", 3, 3),
        (slug, "/dtype_resolved", 4, 3),
        (slug, "/compile_resolved", 6, 3),
        (slug, "/resolved/opt/name", 10, 38),
        (slug, "/seq", 11, 26),
        ("uninformative", "/peft_version", 12, 3),
    ]
    ran = bare("note", "check", "run.json", expect=1)
    assert "run.json:3:3: warning requested-not-resolved" in ran.out
    assert 'got "sdpa"; expected "flex_attention"' in ran.out
    assert "ledger list claims --about attn_implementation=flex_attention" in ran.out
    assert "8 requested values compared, 0 keys looked for, 6 findings" in ran.err
    assert record.read_text() == RECORD


def test_absent_keys_against_a_list(bare: Shell, record: Path) -> None:
    keys = "# what every record has\n/sub/impersonation_mask_sha256\n/sub/comment\nrecipe # why\n"
    (bare.root / "keys.txt").write_text(f"{keys}comment\n/sub/impersonation_mask_sha256/below\n")
    found = check(bare, "run.json", "--keys", "keys.txt")
    assert [f for f in found if f[0] == "absent-key"] == [
        ("absent-key", "/recipe", 1, 1),
        ("absent-key", "/comment", 1, 1),
    ]
    assert ("uninformative", "/sub/comment", 13, 46) in found
    out = bare("note", "check", "run.json", "--keys", "keys.txt", expect=1).out
    assert "/recipe is absent: write null where there is none" in out
    assert "absent (/sub/comment is another field)" in out
    (bare.root / "keys.json").write_text('["recipe", "/sub/nope", "/sub/nope/below"]')
    found = check(bare, "run.json", "--keys", "keys.json")
    assert [f[1:] for f in found if f[0] == "absent-key"] == [
        ("/recipe", 1, 1),
        ("/sub/nope", 13, 3),
    ]
    record.write_text('{"recipe": null}')
    (bare.root / "keys.txt").write_text("recipe\n")
    assert check(bare, "run.json", "--keys", "keys.txt", expect=0) == []


def test_keys_like_another_artifact_in_yaml(bare: Shell) -> None:
    (bare.root / "a.yaml").write_text("x: 1\ndeep:\n  y: null\n  z: [1, {q: 2}]\n")
    (bare.root / "b.yaml").write_text("deep:\n  y: ~\nother: 1\n")
    assert check(bare, "b.yaml", "--like", "a.yaml") == [
        ("absent-key", "/x", 1, 1),
        ("absent-key", "/deep/z", 1, 1),
    ]
    (bare.root / "c.yaml").write_text("attn_requested: flex\nattn_resolved:\n")
    assert check(bare, "c.yaml") == [("requested-not-resolved", "/attn_resolved", 2, 1)]


def test_notes_alone_do_not_fail(bare: Shell) -> None:
    (bare.root / "a.json").write_text('{"v": "unknown", "w": "N/A", "x": "TODO", "y": "none"}')
    assert [f[1] for f in check(bare, "a.json", expect=0)] == ["/v", "/w", "/x"]


def test_what_a_note_calls_uninformative_is_not_told_again(ledger: Shell, record: Path) -> None:
    def told() -> list[str]:
        found = ledger("note", "check", "run.json", "--json", expect=1).data["findings"]
        return [f["pointer"] for f in found if f["slug"] == "uninformative"]

    assert told() == ["/peft_version"]
    words = ("--uninformative", "/peft_version", "--reason", "no version was built in")
    note = ledger("note", "run.json", *words).id
    assert told() == []
    record.write_text(RECORD.replace("4096", "4097"))
    assert told() == ["/peft_version"]
    record.write_text(RECORD)
    ledger("retract", note, "--reason", "it says a version")
    assert told() == ["/peft_version"]


def test_text_is_wrapped_and_limited(bare: Shell, record: Path) -> None:
    record.write_text(json.dumps({f"k{n}_requested": "v" * 40 for n in range(25)}))
    lines = bare("note", "check", "run.json", expect=1).out.splitlines()
    assert [line for line in lines if len(line) > 80 and "next: " not in line] == []
    assert lines.count("and 5 more; --limit 0 shows all") == 1
    all_of_it = bare("note", "check", "run.json", "--limit", "0", expect=1).out
    assert all_of_it.count("next: ") == 25
    assert len(check(bare, "run.json", "--limit", "1")) == 25


def test_github_annotations(bare: Shell, record: Path) -> None:
    out = bare("note", "check", str(record), "--format", "github", expect=1).out
    first = out.splitlines()[0]
    assert first.startswith(f"::warning file={record},line=3,col=3,title=requested-not-resolved::")
    assert "/attn_implementation_resolved is not what was requested" in first
    assert out.splitlines()[-1].startswith("::notice ")


def test_bad_input(bare: Shell, record: Path) -> None:
    (bare.root / "keys.json").write_text('{"a": 1}')
    (bare.root / "keys.txt").write_text("/a~2\n")
    (bare.root / "raw").write_bytes(b"\xff")
    (bare.root / "bad.json").write_text('{"a": 1, "a": 2}')
    name = record.name
    assert (
        "--like takes another" in bare("note", "check", name, "--keys", "keys.json", expect=2).err
    )
    for words in (
        ("no.json",), ("bad.json",), (name, "--keys", "no.txt"), (name, "--keys", "keys.txt"),
        (name, "--keys", "raw"), (name, "--like", "bad.json"), (name, "--format", "xml"),
    ):  # fmt: skip
        bare("note", "check", *words, expect=2)
    error = json.loads(bare("note", "check", "no.json", "--json", expect=2).err)
    assert error["error"]["code"] == "bad-input"
