"""Bodies of regions: computed once each, with the artifacts beside the ledger at hand."""

from pathlib import Path

import pytest

from ledger import render, store
from ledger.render import Region
from ledger.render.views.view import Request, View, registry
from ledger.service.book import open_book
from ledger.service.documents.bodies import Bodies


def region(view: str, name: str, **options: str) -> Region:
    return Region(
        view=view, id=name, options=options, recorded=None, begin_line=1, end_line=2, body=""
    )


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What two views were asked for, one of which makes a body of its own for every id."""
    seen: list[str] = []

    def body(request: Request) -> str:
        seen.append(request.id)
        return repr(request.read("run.log"))

    views = (
        View(name="own", options=("tag",), columns=(), body=body),
        View(name="same", options=("tag",), columns=(), body=body, id_matters=lambda _: False),
    )
    monkeypatch.setattr(render, "VIEWS", registry(*views))
    return seen


def test_a_body_is_computed_once_for_equal_options(tmp_path: Path, asked: list[str]) -> None:
    store.init(tmp_path)
    bodies = Bodies(open_book(tmp_path))
    for name in ("a", "b", "a"):
        bodies.of(region("same", name))
        bodies.of(region("same", name, tag="x"))
    assert asked == ["a", "a"]
    asked.clear()
    for name in ("a", "b", "a"):
        bodies.of(region("own", name))
    assert asked == ["a", "b"]


@pytest.mark.usefixtures("asked")
def test_a_view_reads_artifacts_beside_the_ledger(tmp_path: Path) -> None:
    store.init(tmp_path)
    opened = open_book(tmp_path)
    assert Bodies(opened).of(region("own", "a")).body == "None"
    (tmp_path / "run.log").write_bytes(b"35.2\n")
    bodies = Bodies(opened)
    assert bodies.of(region("own", "a")).body == repr(b"35.2\n")
    (tmp_path / "run.log").unlink()
    assert bodies.of(region("own", "b")).body == repr(b"35.2\n")
