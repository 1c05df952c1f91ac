"""The three laws a step time may follow, as cones of shapes over the measured lengths.

With x = seq_len / longest and times relative to the longest one:

- polynomial: fixed + linear·x + quadratic·x²;
- floor: z = max(x, bend), linear·z + quadratic·z² — launches that run ahead of the device are
  hidden behind it, so that the host's time is a floor and not a summand;
- window: linear·x + quadratic·x·min(x, bend) / bend — attention that stops growing at a window.

For a bend between two neighbouring lengths each law is a convex cone, exactly: its rays are the
terms with the bend at either end. A region of shares ("quadratic >= 0.12") cuts it to a smaller
cone, and the nearest point of a cone is one non-negative least-squares problem over its rays.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Law = Literal["polynomial", "floor", "window"]

ON_FLOOR = 0.95
"""A floor of at least this share of the longest time: device work could gain under 5 % there."""


@dataclass(frozen=True, kw_only=True)
class Piece:
    """One convex cone; every ray is 1 at the longest length, and everything is linear in them."""

    law: Law
    rays: "Floats"
    """Shape (lengths, rays)."""
    fixed: "Floats"
    linear: "Floats"
    quadratic: "Floats"
    """Shape (rays,): the shares at the longest length; the three add up to 1."""
    floor: "Floats"
    """Shape (rays,): the time at the shortest length."""
    excess: "Floats"
    """Shape (rays,): 1 - (t/w at the shortest) / (t/w at the longest), visibly not linear."""
    on_floor: int = 0
    """How many of the shortest lengths lie on the floor; 0 for the other laws."""
    unbent: "Floats | None" = None
    """Shape (rays,), window with its bend between the last two lengths: the time at the longest
    length had attention gone on growing."""
    saturated: bool = False
    """Window only: the bend is at or below the second longest length."""

    def cut(self, keep: "Floats") -> "Piece":
        """The part where the linear functional `keep`, shape (rays,), is >= 0; may have no rays."""
        import numpy as np

        inside = np.flatnonzero(keep >= 0)
        columns = [np.eye(len(keep))[:, i] for i in inside]
        for i in np.flatnonzero(keep > 0):
            for j in np.flatnonzero(keep < 0):
                mix = np.zeros(len(keep))
                mix[i], mix[j] = -keep[j], keep[i]
                columns.append(mix / mix.sum())
        mixing = np.array(columns).T if columns else np.zeros((len(keep), 0))
        return replace(
            self,
            rays=self.rays @ mixing,
            fixed=self.fixed @ mixing,
            linear=self.linear @ mixing,
            quadratic=self.quadratic @ mixing,
            floor=self.floor @ mixing,
            excess=self.excess @ mixing,
            unbent=None if self.unbent is None else self.unbent @ mixing,
        )


def pieces(lengths: Sequence[int]) -> tuple[Piece, ...]:
    """Every cone of the three laws over these lengths, which ascend; at least three."""
    import numpy as np

    x = np.array(lengths, dtype=np.float64) / lengths[-1]
    return (_polynomial(x), *_floors(x), *_windows(x))


def _piece(
    law: Law, x: "Floats", columns: "list[Floats]", shares: list[tuple[int, int, int]]
) -> Piece:
    import numpy as np

    rays = np.array(columns).T
    table = np.array(shares, dtype=np.float64)
    return Piece(
        law=law,
        rays=rays,
        fixed=table[:, 0],
        linear=table[:, 1],
        quadratic=table[:, 2],
        floor=rays[0],
        excess=1 - rays[0] / x[0],
    )


_FIXED, _LINEAR, _QUADRATIC = (1, 0, 0), (0, 1, 0), (0, 0, 1)


def _polynomial(x: "Floats") -> Piece:
    return _piece("polynomial", x, [x**0, x, x**2], [_FIXED, _LINEAR, _QUADRATIC])


def _floors(x: "Floats") -> list[Piece]:
    import numpy as np

    found = []
    for j in range(1, len(x)):
        ends = [np.maximum(x, x[j - 1]), np.maximum(x, x[j])]
        columns = [*ends, *(end**2 for end in ends)]
        whole = _piece("floor", x, columns, [_LINEAR, _LINEAR, _QUADRATIC, _QUADRATIC])
        found.append(replace(whole.cut(ON_FLOOR - whole.floor), on_floor=j))
        flat = whole.cut(whole.floor - ON_FLOOR)
        ones = np.ones(flat.rays.shape[1])
        if len(ones):
            found.append(
                replace(flat, fixed=ones, linear=0 * ones, quadratic=0 * ones, on_floor=len(x))
            )
    return found


def _windows(x: "Floats") -> list[Piece]:
    import numpy as np

    found = []
    for j in range(1, len(x)):
        columns = [x, *(x * np.minimum(x, bend) / bend for bend in (x[j - 1], x[j]))]
        piece = _piece("window", x, columns, [_LINEAR, _QUADRATIC, _QUADRATIC])
        last = j == len(x) - 1
        unbent = np.array([1, 1 / x[j - 1], 1]) if last else None
        found.append(replace(piece, saturated=not last, unbent=unbent))
    return found
