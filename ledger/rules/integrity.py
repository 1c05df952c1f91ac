"""Rules about the ledger's own files and references."""

from collections.abc import Iterator

from ledger.references import references
from ledger.rules.finding import Finding
from ledger.rules.view import View


def dangling(view: View) -> Iterator[Finding]:
    """An entry names another that is not there."""
    # A damaged file is reported as such; what names it has nothing to merge.
    damaged = " ".join(item.path for item in view.facts.damage)
    for i, entry in view.fold.entries.items():
        for reference in references(entry):
            if reference not in view.fold.entries and reference not in damaged:
                yield Finding(
                    slug="dangling",
                    level="error",
                    subject=i,
                    message=f"names {reference}, which is not in the ledger",
                    got="no such entry",
                    expected=reference,
                    fix="merge the branch that has it, or find it with git log --all -- claims; "
                    "then ledger verify",
                )


def damage(view: View) -> Iterator[Finding]:
    """A file of the ledger is unreadable, or is not what its name says."""
    for item in view.facts.damage:
        yield Finding(
            slug=item.slug,
            level="error",
            subject=item.path,
            message=item.message,
            got=item.got,
            expected=item.expected,
            fix=f"restore it, git checkout -- {item.path}, then ledger verify; a correction is a "
            "new entry",
            path=item.path,
        )
