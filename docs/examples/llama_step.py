"""A training step to time: `ledger probe run scaling-fit -i step=docs/examples/llama_step.py:step`.

A 191M-parameter Llama with random weights, bf16; forward with labels, backward, no optimizer. Put
your own model and loss here: the probe times what `step` returns, never a re-implementation.
"""

import functools
from collections.abc import Callable
from typing import Any


@functools.cache
def model(device: str) -> Any:
    """One model for all lengths: every length's step stays alive while they are timed in turn."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=32_000,
        hidden_size=1024,
        intermediate_size=3072,
        num_hidden_layers=8,
        num_attention_heads=16,
        num_key_value_heads=8,
        max_position_embeddings=32_768,
        use_cache=False,
    )
    return LlamaForCausalLM(config).to(device=device, dtype=torch.bfloat16)


def step(*, seq_len: int, batch: int, device: str) -> Callable[[], None]:
    """The step at one length; `about` on it says what the model resolved to."""
    import torch

    network = model(device)
    tokens = torch.randint(0, 32_000, (batch, seq_len), device=device)

    def run() -> None:
        network(input_ids=tokens, labels=tokens).loss.backward()
        network.zero_grad(set_to_none=True)

    run.about = {  # type: ignore[attr-defined]
        "attn_implementation": network.config._attn_implementation,  # noqa: SLF001
        "model": "llama-191M",
        "dtype": "bfloat16",
    }
    return run
