import json
from typing import Any

import pytest
from command_line import shared

from ledger.provenance.reading import read
from ledger.provenance.redaction import sensitive

KEY = "aB3dE5fG7hJ9kL1mN2pQ"


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ("ann.lee+runs@example.org", "an e-mail address"),
        ("by Ann <ann@mail.example.co.uk>, 2026", "an e-mail address"),
        ("/home/ann/runs/erp-1", "a home directory"),
        ("--out=/home/ann", "a home directory"),
        ("node7:/home/ann/x", "a home directory"),
        ("file:///home/ann/x", "a home directory"),
        ("/mnt/lustre/users/ann/ckpt", "a home directory"),
        ("/Users/ann/models", "a home directory"),
        ("C:\\Users\\ann\\models", "a home directory"),
        ("d:/Users/ann", "a home directory"),
        ("ann@gpu-node-07", "a user and a host"),
        ("ssh ann@node12 nvidia-smi", "a user and a host"),
        ("ann@workstation.local", "an e-mail address"),
        (f"sk-{KEY}", "an API key"),
        (f"sk-proj-{KEY}-{KEY}", "an API key"),
        (f"export HF_TOKEN=hf_{KEY}", "an API key"),
        (f"ghp_{KEY}", "an API key"),
        (f"github_pat_{KEY}_{KEY}", "an API key"),
        ("AKIAABCDEFGHIJKLMNOP", "an API key"),
        (f"Authorization: Bearer {KEY}", "an API key"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nabc", "a private key"),
        (f"WANDB_API_KEY={KEY}", "a secret"),
        ("password: hunter2hunter2", "a secret"),
        ("https://ann:pw@git.example.org/x", "a URL with credentials"),
        (f"https://{KEY}@huggingface.co/x", "a URL with credentials"),
        (f"https://x.blob.example.net/a?sv=1&sig={KEY}", "a URL with credentials"),
        (["fine", {"x": {"deep": "/home/ann/x"}}], "a home directory"),
        ({"ann@example.org": 1}, "an e-mail address"),
        (("ann@example.org",), "an e-mail address"),
    ],
)
def test_people_machines_and_keys_are_seen(value: Any, what: str) -> None:
    assert sensitive(value) == what


@pytest.mark.parametrize(
    "value",
    [
        "8f22c7756823e1404dee0fc19b2980bd2363dc46bdf6ba465567fdd63cd77fe6",
        "02571596c6c64f9165daa54dbb8d9b68.dir",
        "meta-llama/Llama-3.2-3B",
        "meta-llama/Llama-3.2-3B@5d602fdb",
        "0.19.2.dev0@UNKNOWN",
        "peft@main",
        "peft@v2",
        "actions/checkout@v4",
        "torch==2.9.0+cu128",
        "./outputs/out",
        "data/home/ann.json",
        "../home/x",
        "~/runs",
        "/data/tokens",
        "/root/.cache/huggingface",
        "https://example.org/home/index.html",
        "https://github.com/huggingface/peft",
        "git@github.com:huggingface/peft.git",
        "ssh://git@github.com/huggingface/peft",
        "git+https://github.com/huggingface/peft@v0.19.2",
        "model.layers.[\\d]+.(mlp|cross_attn|self_attn).(up|down|gate|q|k|v|o)_proj",
        "python train.py --data tokens --out ckpt",
        "pad_token=<|endoftext|>",
        "token: last",
        "max_new_tokens=300",
        "api_key=$WANDB_API_KEY",
        "API_KEY=None",
        "sk-learn",
        "task-specific-instruction-tuning",
        "hf_transfer",
        "@property",
        "a @ b",
        "2026-07-14T16:22:55+00:00",
        "",
        5e-5,
        None,
        True,
        [],
    ],
)
def test_what_a_record_is_made_of_is_fine(value: Any) -> None:
    assert sensitive(value) is None


def test_nothing_in_the_given_files_is_sensitive() -> None:
    folder = shared() / "data" / "provenance"
    for name in json.loads((folder / "expected.json").read_text()):
        assert sensitive(read((folder / name).read_bytes(), name=name).data) is None, name
