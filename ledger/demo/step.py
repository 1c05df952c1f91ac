"""A small transformers model with random weights, as the step of a live scaling fit."""

from collections.abc import Callable
from typing import Any


def small_llama(*, seq_len: int, batch: int, device: str) -> Callable[[], None]:
    """Forward with labels and backward of a randomly initialised 2-layer Llama.

    The returned callable has `about`, the configuration as the model resolved it.
    """
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=1024,
        hidden_size=128,
        intermediate_size=256,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=4,
        max_position_embeddings=max(seq_len, 2048),
        use_cache=False,
    )
    model: Any = LlamaForCausalLM(config).to(device)
    tokens = torch.randint(0, config.vocab_size, (batch, seq_len), device=device)

    def step() -> None:
        model(input_ids=tokens, labels=tokens).loss.backward()
        model.zero_grad(set_to_none=True)

    step.about = {  # type: ignore[attr-defined]
        "model": "llama, 2 layers, hidden 128, random weights",
        "attn_implementation": model.config._attn_implementation,  # noqa: SLF001
    }
    return step
