"""Keys that were pasted wrongly are named before the start, and never shown."""

from pathlib import Path

import pytest

from mirror_ray.cli import main
from mirror_ray.providers.credentials import fault_of_base_url, fault_of_key

GOOD = "sk-proj-Ab0_9-xyz"
BAD = (
    *(f"{GOOD}\n", f"{GOOD}\r\n", f"\n{GOOD}", f" {GOOD}", f"{GOOD}\t", f"\ufeff{GOOD}"),
    *(f'"{GOOD}"', f"'{GOOD}'", f"{GOOD}'", f"“{GOOD}”", f"`{GOOD}`", f"Bearer {GOOD}"),
    *(f"bearer {GOOD}", f"Authorization: {GOOD}", f"{GOOD[:5]}\u200b{GOOD[5:]}", f"{GOOD}é"),
    *(f"OPENAI_API_KEY={GOOD}", f"export OPENAI_API_KEY={GOOD}", f"{GOOD} # mine"),
    *("$OPENAI_API_KEY", "${OPENAI_API_KEY}"),
    *("sk-...", "...", "<your key>", "your-api-key-here", "YOUR_API_KEY", f"a\x00{GOOD}"),
)


@pytest.mark.parametrize(
    "value", [GOOD, "EMPTY", "none", "x", "token-abc123", "a b", "AIza" * 9, "YWJjZA==", "dGVzdA=="]
)
def test_good_ones_and_those_of_own_servers_pass(value: str) -> None:
    assert fault_of_key(value) is None


@pytest.mark.parametrize("value", BAD)
def test_bad_ones_are_told_without_the_key(value: str) -> None:
    fault = fault_of_key(value)
    assert fault is not None
    assert GOOD not in fault


@pytest.mark.parametrize("value", [f"{GOOD}\n", f'"{GOOD}"', f"\ufeff{GOOD}"])
def test_a_run_ends_before_it_starts(
    value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", value)
    words = ["quickstart", "models=openai/gpt-5.1", "stages.0.runs=1", "--out", str(tmp_path / "r")]
    assert main(["run", *words]) == 2
    said = capsys.readouterr().err
    assert "environment: OPENAI_API_KEY" in said
    assert GOOD not in said
    assert not (tmp_path / "r").exists()
    main(["doctor", *words, "--json"])
    said = capsys.readouterr().out
    assert "its value" in said
    assert GOOD not in said


@pytest.mark.parametrize(
    ("address", "hint"),
    [
        ("http://h:8000/v1", None),
        ("http://h:8000/v1/", None),
        ("https://h/openai/v1", None),
        ("https://h/api/v3", None),
        ("http://h:8000/v1/models", "end it after"),
        ("http://h:8000/v1/responses", "end it after"),
        ("http://h:8000/v1/v1", "end it after"),
        ("http://h:8000", "/v1"),
        ("http://h:8000/", "/v1"),
        ("http://h:8000/v1/chat/completions", "end it after"),
        ("http://h:8000/v1/chat/completions/", "end it after"),
    ],
)
def test_addresses_that_look_cut_short(address: str, hint: str | None) -> None:
    found = fault_of_base_url(address)
    assert (found is None) if hint is None else (found is not None and hint in found)
