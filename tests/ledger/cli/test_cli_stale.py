"""`stale`: withdrawn figures in real repositories, and the same in the audit."""

import json
import os
from typing import Any

import pytest
from command_line import Shell, shared

from ledger import gitio
from ledger.service import searching

CACHE = "The encode cache takes ~4.3 hours to rebuild"
NOW = "145.5 s on 32 workers, measured in the second run of the parallel encoder"
COMMENT = "# a 609 MB encode cache (2.5 min to read, ~4.3 HOURS to rebuild)"


@pytest.fixture
def repo(ledger: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A ledger in a git repository, with one superseded claim."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(ledger.root.parent))
    ledger.git("init", "-q", "-b", "main")
    supersede(ledger)
    return ledger


def supersede(shell: Shell, text: str = CACHE, replaced_by: str = NOW) -> str:
    claim = shell.claim(text)
    shell("supersede", claim, "--status", "WRONG", "--replaced-by", replaced_by)
    return claim


def write(shell: Shell, name: str, content: str | bytes) -> None:
    path = shell.root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def found(shell: Shell, *words: str, expect: int = 1) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = shell("stale", "--json", *words, expect=expect).data["stale"]
    return rows


def places(shell: Shell, expect: int = 1) -> list[tuple[str, int, int, str]]:
    rows = found(shell, expect=expect)
    return [(row["path"], row["line"], row["column"], row["text"]) for row in rows]


def test_a_copied_comment_is_found_after_its_claim_was_superseded(repo: Shell) -> None:
    write(repo, "launch/run 2.sh", f"#!/bin/bash\n{COMMENT}\nexec train\n")
    ran = repo("stale", expect=1)
    lines = ran.out.splitlines()
    claim = found(repo)[0]["claim"]
    assert lines[0] == f"launch/run 2.sh:2:44: 4.3 HOURS  strong  {claim} superseded (WRONG)"
    assert lines[1].startswith("    now: “145.5 s on 32 workers")
    assert lines[2] == "    near encode, cache, rebuild; no date in the text"
    assert lines[3] == f"    > {COMMENT}"
    assert lines[4] == f"    next: correct launch/run 2.sh:2:44: ledger show {claim} tells why"
    assert max(map(len, lines)) <= 80
    assert ran.err == "1 strong and 0 weak, of 1 figure of 1 claim\n"
    [row] = found(repo)
    assert (row["strength"], row["figure"], row["instead"]) == (
        "strong", {"value": 4.3, "unit": "h"}, NOW,
    )  # fmt: skip
    write(repo, "launch/run 2.sh", "#!/bin/bash\nexec train\n")
    assert repo("stale").out == ""


def test_without_a_withdrawn_figure_nothing_is_searched(
    ledger: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        pytest.fail("git was run")

    ledger.claim(CACHE)
    ledger("supersede", ledger.claim("no figure at all"), "--status", "WRONG")
    write(ledger, "a.sh", COMMENT)
    monkeypatch.setattr(gitio, "grep", never)
    assert "no superseded or refuted claim has a figure of its own" in ledger("stale").err
    ledger("audit", expect=1)  # the supersession itself is unmeasured


def test_weak_places_are_counted_and_listed_on_request(repo: Shell) -> None:
    write(repo, "a.txt", "it took 4.3 h\n")
    ran = repo("stale")
    assert (ran.out, ran.err.splitlines()) == (
        "", ["0 strong and 1 weak (--weak lists them), of 1 figure of 1 claim"],
    )  # fmt: skip
    for option in ("--weak", "--all"):
        ran = repo("stale", option)
        assert ran.out.startswith("a.txt:1:9: 4.3 h  weak  c-")
        assert "no subject word near; no date in the text" in ran.out


def test_the_limit_is_of_each_sort_and_says_what_it_left_out(repo: Shell) -> None:
    write(repo, "a.txt", f"{COMMENT}\n" * 3)
    ran = repo("stale", "--limit", "1", expect=1)
    assert ran.out.count("next: ") == 1
    assert "and 2 more strong; --limit 0 shows all" in ran.out
    assert repo("stale", "--limit", "0", expect=1).out.count("next: ") == 3
    assert len(found(repo, "--limit", "1")) == 3


def test_every_spelling_in_every_kind_of_text_file(repo: Shell) -> None:
    write(repo, "crlf.md", "# A\r\n\r\nThe cache rebuild took 258 min.\r\n")
    write(repo, "latin.txt", b"caf\xe9: cache 4.3h\n")
    write(repo, "bom.txt", b"\xef\xbb\xbf4.3 h of cache\n")
    write(repo, "cr.txt", "a\rb\rcache: 4.3 hours\rc\r")
    write(repo, "deep/er/x.yaml", "cache_rebuild: 4.3 hours  # of cache\n")
    write(repo, ".github/workflows/ci.yml", "# cache: 4.3 hr\n")
    write(repo, "no-end.py", "cache = '4.3 h'")
    assert places(repo) == [
        (".github/workflows/ci.yml", 1, 10, "4.3 hr"),
        ("bom.txt", 1, 1, "4.3 h"),
        ("cr.txt", 3, 8, "4.3 hours"),
        ("crlf.md", 3, 24, "258 min"),
        ("deep/er/x.yaml", 1, 16, "4.3 hours"),
        ("latin.txt", 1, 13, "4.3h"),
        ("no-end.py", 1, 10, "4.3 h"),
    ]


def test_what_is_not_the_projects_own_text_is_left_out(repo: Shell) -> None:
    write(repo, ".gitignore", "ignored/\n*.log\n")
    for name in ("ignored/a.txt", "b.log", ".ledger/c.txt", "claims/d.md"):
        write(repo, name, COMMENT)
    write(repo, "e.bin", f"{COMMENT}\n".encode() + b"\0")
    write(repo, "run.json.provenance-note.json", json.dumps({"was": COMMENT}))
    write(repo, "data.json", f'["{"x" * 10_000}", "cache 4.3 hours"]\n')
    assert places(repo, expect=0) == []
    write(repo, "tracked.log", COMMENT)
    write(repo, "untracked.txt", COMMENT)
    repo.git("add", "-f", "tracked.log")
    assert [row[0] for row in places(repo)] == ["tracked.log", "untracked.txt"]


def test_an_arms_answer_is_what_it_said(repo: Shell) -> None:
    write(repo, "answers/arm-1.md", COMMENT)
    assert len(places(repo)) == 1
    answer = {"path": "answers/arm-1.md", "sha256": "0" * 64, "bytes": len(COMMENT)}
    arm = {"arm": "arm-1", "model": "m", "answer": answer}
    panel = json.dumps({"question": "how long?", "arms": [arm]})
    repo("consult", "record", "-", stdin=panel.encode())
    assert places(repo, expect=0) == []


def test_generated_parts_are_left_out_and_what_stands_beside_them_is_not(repo: Shell) -> None:
    write(repo, "doc.md", "# Superseded\n\n<!-- BEGIN ledger:superseded id=main -->\n"
          "<!-- END ledger:superseded id=main -->\n\nThe cache takes 4.3 h.\n")  # fmt: skip
    repo("render")
    text = (repo.root / "doc.md").read_text("utf-8")
    assert "4.3 hours to rebuild" in text
    line = 1 + text.split("\n").index("The cache takes 4.3 h.")
    assert places(repo) == [("doc.md", line, 17, "4.3 h")]
    # A broken marker is one finding, not one for every figure that was generated.
    write(repo, "doc.md", text.replace("END ledger:superseded", "END leger:supersedd"))
    assert places(repo) == [("doc.md", line, 17, "4.3 h")]


def test_an_adopted_document_does_not_report_its_own_table(ledger: Shell) -> None:
    ledger.git("init", "-q", "-b", "main")
    write(ledger, "playbook.md", "# Superseded claims\n\n| claim | status | replaced by |\n"
          f"|---|---|---|\n| {CACHE} | **WRONG** (2026-08-26) | {NOW} |\n")  # fmt: skip
    ledger("adopt", "playbook.md", "--table", "Superseded claims")
    assert places(ledger, expect=0) == []
    write(ledger, "other.md", f"| {CACHE} |\n")
    assert [row[0] for row in places(ledger)] == ["other.md"]


def test_names_that_are_not_plain_come_through_safely(repo: Shell) -> None:
    names = ["new\nline.txt", 'quo"te.txt', "-e.txt", "esc\x1b[31m.txt", "sp ace,a:b%.txt"]
    names.append(os.fsdecode(b"latin-\xe9.txt"))
    for name in names:
        write(repo, name, COMMENT)
    assert {row[0] for row in places(repo)} == set(names)
    text = repo("stale", "--limit", "0", expect=1).out
    assert "new\\u{a}line.txt:1:44: 4.3 HOURS" in text
    assert "esc\\u{1b}[31m.txt:1:44:" in text
    lines = repo("stale", "--format", "github", expect=1).out.splitlines()
    assert len(lines) == len(names)
    assert all(line.startswith("::warning file=") for line in lines)


def test_hostile_lines_are_shown_safely(repo: Shell) -> None:
    write(repo, "a.txt", f"\x1b[31m\u202e{COMMENT}\u200b::error::x{'y' * 300}\n")
    out = repo("stale", expect=1).out
    assert max(map(len, out.splitlines()[:4])) <= 80
    assert "\\u{1b}" in out or "…" in out


def test_the_ledgers_directory_is_searched_not_the_whole_repository(
    bare: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(bare.root.parent))
    bare.git("init", "-q", "-b", "main")
    inner = Shell(bare.root / "inner", bare.capture)
    inner.root.mkdir()
    inner("init", "--here")
    supersede(inner)
    write(bare, "above.txt", COMMENT)
    write(inner, "sub/below.txt", COMMENT)
    assert places(inner) == [("sub/below.txt", 1, 44, "4.3 HOURS")]
    assert Shell(inner.root / "sub", bare.capture)("stale", expect=1).out.startswith("sub/below")


def test_without_a_repository_or_git_the_files_are_walked(
    ledger: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(ledger.root.parent))
    supersede(ledger)
    for name in ("a.sh", "sub/b.md", "node_modules/c.js", ".hidden/d.txt", "venv/pyvenv.cfg",
                 "venv/e.py", "claims/f.md", "x.provenance-note.json"):  # fmt: skip
        write(ledger, name, f"line\r\n{COMMENT}\r\n")
    write(ledger, "g.bin", f"{COMMENT}\n".encode() + b"\0")
    walked = places(ledger)
    assert [row[:3] for row in walked] == [("a.sh", 2, 44), ("sub/b.md", 2, 44)]
    assert "warning" not in ledger("stale", expect=1).err
    ledger.git("init", "-q")
    write(ledger, ".gitignore", "node_modules\nvenv\n.hidden\n")
    assert places(ledger) == walked
    monkeypatch.setenv("PATH", "")
    assert places(ledger) == walked
    ran = ledger("stale", expect=1)
    assert "warning: git could not run" in ran.err
    assert "read every file instead, ignored ones too" in ran.err


def test_a_figure_in_another_claims_name_is_weak(repo: Shell) -> None:
    write(repo, "a.txt", COMMENT)
    other = repo.claim("compiling the kernels takes 4.3 h")
    [row] = found(repo, expect=0)
    assert (row["strength"], row["why"]) == ("weak", f"{other} states it too")


def test_very_many_figures_are_found_as_well(repo: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    write(repo, "a.txt", f"{COMMENT}\nplain\nhalf a rebuild, four point three hours\n")
    write(repo, "b.txt", "nothing\n")
    few = places(repo)
    assert [row[1] for row in few] == [1, 3]
    monkeypatch.setattr(searching, "_MANY", 1)
    assert places(repo) == few


def test_the_audit_reports_strong_places_with_their_column(repo: Shell) -> None:
    write(repo, "a.sh", f"\n{COMMENT}\n")
    write(repo, "weak.txt", "it took 4.3 h\n")
    data = repo("audit", "--json", expect=1).data
    [finding] = [f for f in data["findings"] if f["slug"] == "stale-figure"]
    assert (finding["path"], finding["line"], finding["column"]) == ("a.sh", 2, 44)
    assert (finding["level"], finding["got"]) == ("warning", "4.3 HOURS")
    assert finding["expected"].startswith("“145.5 s on 32 workers")
    assert (
        "title=stale-figure::a.sh:2:44 still says"
        in repo("audit", "--format", "github", expect=1).out
    )
    past = repo("audit", "--as-of", "2026-01-01", "--json").data
    assert past["findings"] == []


def test_as_of_a_day_before_the_supersession_nothing_is_stale(repo: Shell) -> None:
    write(repo, "a.sh", COMMENT)
    assert found(repo, "--as-of", "2026-01-01", expect=0) == []


def test_measured_figures_without_a_date_are_advised_and_fail_nothing(ledger: Shell) -> None:
    ledger.git("init", "-q")
    measured = ledger.evidence("--taken-at", "2026-08-26", value="rebuild=145.5:s")
    claim = ledger.claim("the encode cache is rebuilt in 145.5 s", "--evidence", measured)
    bare = "The cache now takes 145.5 seconds."
    write(ledger, "doc.md", f"# Cache\n\n{bare}\n\nIn August 2026 the cache took 145.5 s.\n\n"
          f"The cache takes 145.5 s [{claim}].\n")  # fmt: skip
    write(ledger, "code.py", f"# {bare}\n")
    ran = ledger("stale")
    assert ran.out.splitlines() == [
        f"doc.md:3:21: 145.5 seconds  undated  {claim} measured",
        f'    write: "145.5 seconds, measured 2026-08-26 [{claim}]"',
        f"    > {bare}",
        f"    next: date doc.md:3:21: ledger show {claim} tells when",
    ]
    [row] = ledger("stale", "--json").data["undated"]
    assert (row["path"], row["line"], row["date"], row["evidence"]) == (
        "doc.md", 3, "2026-08-26", measured,
    )  # fmt: skip
    assert ledger("stale", "--format", "github").out.startswith(
        "::notice file=doc.md,line=3,col=21,"
    )


def test_a_stale_figure_is_not_advised_a_date_too(repo: Shell) -> None:
    measured = repo.evidence("--taken-at", "2026-08-26", value="sweep=258:min")
    repo.claim("the cache sweep is long", "--evidence", measured)
    write(repo, "doc.md", "The cache takes 258 min.\n")
    data = repo("stale", "--json", expect=1).data
    assert (len(data["stale"]), data["undated"]) == (1, [])
    repo.claim("the cache sweep takes 258 min", "--evidence", measured)
    data = repo("stale", "--json").data
    assert [row["strength"] for row in data["stale"]] == ["weak"]
    assert [row["text"] for row in data["undated"]] == ["258 min"]


def test_what_the_replacement_repeats_is_weak(ledger: Shell) -> None:
    claim = ledger.claim("the cache rebuild takes 4.3 h")
    ledger("supersede", claim, "--status", "WRONG", "--replaced-by", "145.5 s, and not 4.3 h")
    write(ledger, "a.sh", "# cache rebuild: 4.3 h\n")
    ran = ledger("stale", "--weak")
    assert "4.3 h  weak" in ran.out
    assert "what replaced it states it too" in ran.out


def test_what_an_arm_answered_is_its_answer(ledger: Shell) -> None:
    answer = "The step is bound by attention:\nit takes 65.2 % of “every” step."
    panel = {"question": "Where?", "arms": [{"arm": "a", "text": answer}]}
    write(ledger, "panel.json", json.dumps(panel, indent=1))
    write(ledger, "copy.json", json.dumps(panel, indent=1, ensure_ascii=False))
    consult = ledger("consult", "record", "panel.json").id
    claim = ledger.claim("attention takes 65.2 % of the step", "--consult", consult, by="a")
    ledger("supersede", claim, "--status", "WRONG")
    write(ledger, "run.sh", "# attention: 65.2 % of the step\n")
    rows = found(ledger)
    weak = {row["path"]: row["why"] for row in rows if row["strength"] == "weak"}
    assert weak == dict.fromkeys(
        ("panel.json", "copy.json"), f"an arm's answer, recorded in {consult}"
    )
    assert [row["path"] for row in rows if row["strength"] == "strong"] == ["run.sh"]


def test_an_artifact_with_a_note_is_not_to_be_corrected(ledger: Shell) -> None:
    write(ledger, "run.json", '{"cache_rebuild": "4.3 h"}')
    claim = ledger.claim("the cache rebuild takes 4.3 h", "--artifact", "run.json#/cache_rebuild")
    ledger("supersede", claim, "--status", "WRONG", "--replaced-by", "145.5 s")
    [row] = ledger("stale", "--json").data["stale"]
    assert (row["strength"], row["why"]) == ("weak", "an artifact with a note beside it")


def test_annotations_leave_weak_places_out_unless_asked(repo: Shell) -> None:
    write(repo, "a.txt", "it took 4.3 h\n")
    assert repo("stale", "--format", "github").out == ""
    assert repo("stale", "--format", "github", "--weak").out.startswith("::notice file=a.txt")
    assert "one of text, json, github" in repo("stale", "--format", "xml", expect=2).err


def test_the_founding_playbook_repeats_what_it_withdrew(ledger: Shell) -> None:
    source = shared() / "data/playbook/training-throughput-playbook.md"
    ledger.git("init", "-q")
    name = source.name
    (ledger.root / name).write_bytes(source.read_bytes())
    ledger("adopt", name, "--table", "6. Superseded claims", "--accept-loss")
    rows = found(ledger)
    strong = {(row["line"], row["text"]) for row in rows if row["strength"] == "strong"}
    assert {(5, "8.6%"), (35, "5 s"), (391, "68%")} <= set(strong)
    table = range(534, 549)
    assert not [row for row in rows if row["line"] in table]
    told = [row for row in rows if row["text"] == "4.3 HOURS"]
    assert [(row["strength"], row["why"]) for row in told] == [("weak", "beside what replaced it")]
    # Each of the others states the figure as if it held: none cites what superseded it or says so.
    assert len(strong) == 6
    claims = {row["line"]: row["claim"] for row in rows if row["strength"] == "strong"}
    lines = (ledger.root / name).read_text("utf-8").splitlines(keepends=True)
    for number, claim in claims.items():
        entry = ledger("show", claim, "--json").data["state"]["superseded"]["id"]
        lines[number - 1] = lines[number - 1].rstrip() + f" [{entry}]\n"
    (ledger.root / name).write_text("".join(lines), "utf-8")
    told = found(ledger, expect=0)
    assert {row["line"] for row in told if row["why"].startswith("told as history")} == {*claims}
    ledger("audit", expect=0)
