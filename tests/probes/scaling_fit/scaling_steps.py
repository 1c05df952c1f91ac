"""Steps for the live tests: plain Python that costs about a·w + b·w², and a torch one."""

import os
from collections.abc import Callable


class BurnCpu:
    """A step that adds numbers; `about` is the documented hook."""

    def __init__(self, *, rounds: int, attn: str) -> None:
        self.rounds = rounds
        self.about = {"attn_implementation": attn, "dtype": "none"}

    def __call__(self) -> int:
        return sum(range(self.rounds))


def burn_cpu(*, seq_len: int, batch: int, device: str) -> BurnCpu:
    assert device == "cpu"
    return BurnCpu(rounds=batch * (20 * seq_len + seq_len**2 // 50), attn="none")


def changes_attention(*, seq_len: int, batch: int, device: str) -> BurnCpu:
    del batch, device
    return BurnCpu(rounds=seq_len, attn="flash" if seq_len > 20 else "math")


def prints(*, seq_len: int, batch: int, device: str) -> Callable[[], None]:
    del seq_len, batch, device
    return lambda: print("a step may print")


def raises_at_build(*, seq_len: int, batch: int, device: str) -> Callable[[], None]:
    del batch, device
    raise RuntimeError(f"no memory for {seq_len}\nsecond line")


def raises_in_step(*, seq_len: int, batch: int, device: str) -> Callable[[], None]:
    del batch, device

    def step() -> None:
        raise ValueError(f"bad shape {seq_len}")

    return step


def not_a_step(*, seq_len: int, batch: int, device: str) -> int:
    del batch, device
    return seq_len


def attention(*, seq_len: int, batch: int, device: str) -> Callable[[], None]:
    """Forward and backward of one projection and one attention layer."""
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    heads, head_dim = 4, 32
    weight = torch.randn(heads * head_dim, heads * head_dim, device=device, requires_grad=True)
    rows = torch.randn(batch, seq_len, heads * head_dim, device=device)

    def step() -> None:
        q = (rows @ weight).unflatten(-1, (heads, head_dim)).transpose(1, 2)
        scaled_dot_product_attention(q, q, q, is_causal=True).square().mean().backward()
        weight.grad = None

    step.about = {"attn_implementation": "sdpa"}  # type: ignore[attr-defined]
    return step


def exits_at_build(*, seq_len: int, batch: int, device: str) -> Callable[[], None]:
    del seq_len, batch, device
    raise SystemExit(0)


def exits_in_step(*, seq_len: int, batch: int, device: str) -> Callable[[], None]:
    del seq_len, batch, device

    def step() -> None:
        raise SystemExit(0)

    return step


def writes_to_the_descriptor(*, seq_len: int, batch: int, device: str) -> Callable[[], object]:
    del seq_len, batch, device
    return lambda: os.write(1, b"RAW\n")
