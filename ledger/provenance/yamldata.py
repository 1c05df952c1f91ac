"""YAML as JSON data: plain scalars, sequences and mappings, keys as text, numbers as written.

Built from nodes, so that a scalar keeps its text. Which words are null and true is YAML 1.1, as
PyYAML and with it most training tools read it (`yes` is true, `5e-5` is text).
"""

from typing import TYPE_CHECKING, Any

from ledger import canonical
from ledger.errors import LedgerError
from ledger.provenance.reading import DEEPEST, FLATTER, unreadable

if TYPE_CHECKING:
    from yaml import MappingNode, Node, ScalarNode

_TAG = "tag:yaml.org,2002:"
_MOST_REPEATED = 10_000
"""Values that aliases may repeat; ten lines of YAML can ask for a billion."""


def load(text: str, *, name: str) -> Any:
    """The one document in a text. Raises LedgerError "bad-input" as `reading.read` does."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        root = yaml.compose(text, Loader=loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        what = getattr(error, "problem", None) or str(error).partition("\n")[0]
        raise unreadable(
            name,
            f"not YAML: {what}",
            fix="name a file that holds one JSON or YAML document",
            line=mark.line + 1 if mark else None,
        ) from None
    except RecursionError:
        raise unreadable(name, f"nested more than {DEEPEST} deep", fix=FLATTER) from None
    if root is None:
        raise unreadable(name, "holds no document", fix="name a JSON or YAML file with content")
    data = _Builder(name).value(root)
    try:
        canonical.canonical(data)
    except ValueError as error:
        raise unreadable(name, str(error), fix="name a file that is valid Unicode") from None
    return data


class _Builder:
    """Turns nodes into data, counting what aliases repeat."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.seen: set[int] = set()
        self.open: set[int] = set()
        self.repeated = 0

    def value(self, node: "Node") -> Any:
        import yaml

        if id(node) in self.open:
            raise self._refused(node, "contains itself", fix="name a file without such an alias")
        if len(self.open) > DEEPEST:
            raise self._refused(node, f"nested more than {DEEPEST} deep", fix=FLATTER)
        if id(node) in self.seen:
            self.repeated += 1
            if self.repeated > _MOST_REPEATED:
                what = f"aliases repeat more than {_MOST_REPEATED:,} values"
                raise self._refused(node, what, fix="write out what is needed in a file of its own")
        self.seen.add(id(node))
        self.open.add(id(node))
        try:
            match node:
                case yaml.ScalarNode():
                    return self._scalar(node)
                case yaml.SequenceNode() if node.tag == _TAG + "seq":
                    return [self.value(item) for item in node.value]
                case yaml.MappingNode() if node.tag == _TAG + "map":
                    return self._mapping(node)
                case _:
                    raise self._tagged(node)
        finally:
            self.open.discard(id(node))

    def _scalar(self, node: "ScalarNode") -> Any:
        text: str = node.value
        match node.tag.removeprefix(_TAG):
            case "null":
                return None
            case "bool":
                return text.lower() in {"yes", "true", "on"}
            case "int" | "float":
                try:
                    return canonical.number(text)
                except ValueError:
                    return text
            case "str" | "timestamp" | "value" | "binary" | "merge":
                return text
            case _:
                raise self._tagged(node)

    def _mapping(self, node: "MappingNode") -> dict[str, Any]:
        own: dict[str, Any] = {}
        merged: dict[str, Any] | None = None
        for key, item in node.value:
            text = self._key(key)
            merges = key.tag == _TAG + "merge"
            if text in own or (merges and merged is not None):
                raise self._refused(
                    key, f"key {text[:120]!r} is there twice", fix="keep one of them"
                )
            if merges:
                merged = self._merge(item)
            else:
                own[text] = self.value(item)
        return {**(merged or {}), **own}

    def _key(self, node: "Node") -> str:
        import yaml

        if not isinstance(node, yaml.ScalarNode):
            what = "a key that is itself a sequence or mapping"
            raise self._refused(node, what, fix="a JSON pointer needs keys that are text")
        text: str = node.value
        return text

    def _merge(self, node: "Node") -> dict[str, Any]:
        """What `<<` brings in; of several mappings the first wins."""
        value = self.value(node)
        sources = value if isinstance(value, list) else [value]
        found: dict[str, Any] = {}
        for source in sources:
            if not isinstance(source, dict):
                raise self._refused(node, "<< needs a mapping", fix="merge mappings alone")
            found = {**source, **found}
        return found

    def _tagged(self, node: "Node") -> LedgerError:
        what = f"tag {node.tag[:120]!r} is more than plain data"
        return self._refused(node, what, fix="name a file of plain scalars, lists and mappings")

    def _refused(self, node: "Node", what: str, *, fix: str) -> LedgerError:
        return unreadable(self.name, what, fix=fix, line=node.start_mark.line + 1)
