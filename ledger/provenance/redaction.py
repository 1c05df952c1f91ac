"""What should not be copied out of an artifact: people, machines and keys in recorded values.

Run records carry e-mail addresses, host names, home paths; run scripts carry API keys. A digest, a
model id `org/name`, a version such as `0.19.2.dev0@UNKNOWN` and a relative path are none of these.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

# Repetitions are bounded, so that a long value takes time linear in its length.
_LOOKS_LIKE: Mapping[str, str] = MappingProxyType({
    "a private key": r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY",
    "an API key": r"(?<![A-Za-z0-9_])(?:"
    r"sk-(?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9_-]{16}"
    r"|hf_[A-Za-z0-9]{16}"
    r"|gh[opsur]_[A-Za-z0-9]{16}|github_pat_[A-Za-z0-9_]{20}|glpat-[A-Za-z0-9_-]{16}"
    r"|(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])"
    r"|AIza[A-Za-z0-9_-]{30}|xox[abprs]-[A-Za-z0-9-]{10}|nvapi-[A-Za-z0-9_-]{20}"
    r"|eyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10}"
    r")|\b[Bb]earer\s{1,4}[A-Za-z0-9._~+/=-]{12}",
    "a secret": r"(?i)(?:(?:api|access|secret|auth|private|account)[_-]?(?:key|token)"
    r"|client[_-]?secret|passw(?:or)?d|hf[_-]token)[\"']?\s{0,4}[=:]\s{0,4}[\"']?"
    r"(?!none\b|null\b|true\b|false\b|unset\b)[A-Za-z0-9+/=_.!@#%^&-]{8}",
    "a URL with credentials": r"://(?!git@)[^\s/@\"'<>]{1,300}@[^\s/@]"
    r"|(?i:[?&](?:access_?token|token|api_?key|sig|signature|x-amz-signature)=)[^&\s]{8}",
    "an e-mail address": r"(?<![A-Za-z0-9._%+-])(?!git@)[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}"
    r"@(?:[A-Za-z0-9][A-Za-z0-9-]{0,62}\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9/])",
    "a home directory": r"(?<![\w./~-])(?:/[\w.+-]{1,255}){0,40}/(?:home|[Uu]sers)/[^\s/\"':,;)\]}]"
    r"|file:///(?:home|Users)/[^\s/]"
    r"|(?<![A-Za-z0-9])[A-Za-z]:[\\/]{1,4}(?i:Users|Documents and Settings)[\\/]{1,4}[^\\/\s]",
    # Without a dot a host is known by a dash or a number, which `model@main` and `pkg@v2` have not.
    "a user and a host": r"(?<![\w.@/+-])(?!git@)[a-z_][a-z0-9_.-]{0,31}"
    r"@(?!v[0-9])(?:[a-z][a-z0-9]{0,30}-[a-z0-9-]{1,60}|[a-z]{2,30}[0-9]{1,10})(?![\w.])",
})  # fmt: skip
"""By what it is called, the expression that finds it; the gravest first."""


def sensitive(value: Any) -> str | None:
    """What a value, or a text or key within it, looks like; None where nothing is suspicious."""
    stack = [value]
    while stack:
        here = stack.pop()
        if isinstance(here, str):
            for what, pattern in _LOOKS_LIKE.items():
                if re.search(pattern, here):
                    return what
        elif isinstance(here, dict):
            stack.extend((*here.values(), *here))
        elif isinstance(here, list | tuple):
            stack.extend(here)
    return None
