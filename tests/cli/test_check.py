"""`models` and `models --check` as a person meets them, against a picky loopback server."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
import yaml

from mirror_ray.cli import main
from mirror_ray.cli.show import console
from support.loopback import PROGRAM, Loopback, loopback_server


@pytest.fixture(scope="module")
def picky() -> Iterator[Loopback]:
    program = PROGRAM.with_name("picky_server.py")
    with loopback_server("--latency-s", "0.2", program=program) as server:
        yield server


@pytest.fixture
def catalogue(tmp_path: Path, picky: Loopback) -> Callable[..., str]:
    def write(*names: str, **keys: object) -> str:
        entries = {
            name: {"target": f"hosted_vllm/{name}", "base_url": picky.base_url, **keys}
            for name in names
        }
        path = tmp_path / "models.yaml"
        path.write_text(yaml.safe_dump({"models": entries}))
        return str(path)

    return write


@pytest.fixture
def only_these(monkeypatch: pytest.MonkeyPatch) -> Callable[[Mapping[str, str]], None]:
    """Sets variables of the clouds, and unsets all others of theirs."""

    def set_them(environ: Mapping[str, str]) -> None:
        for name in list(os.environ):
            if name.startswith(("AWS_", "AZURE_", "GOOGLE_")):
                monkeypatch.delenv(name)
        for name, value in environ.items():
            monkeypatch.setenv(name, value)

    return set_them


def test_the_list_fits_a_hundred_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console, "_width", 200)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert main(["models"]) == 0
    told = capsys.readouterr().out
    table = told[: told.index("json:")]
    assert "openai/gpt-5.1" in table
    assert max(map(len, table.splitlines())) <= 100
    assert "OPENAI_API_KEY is not set: 1 of these models need it." in told


def test_a_name_that_only_a_default_serves_may_be_asked_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "set")
    for name in ("AWS_SECRET_ACCESS_KEY", "AWS_PROFILE", "AWS_BEARER_TOKEN_BEDROCK"):
        monkeypatch.delenv(name, raising=False)
    assert main(["models", "bedrock/us.anthropic.claude-opus-4-7", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["env_missing"] == ["AWS_SECRET_ACCESS_KEY"]
    assert (row["sends_temperature"], row["sends_schema"], row["vision"]) == (False, False, True)
    assert main(["models", "nobody/model"]) == 2
    assert main(["models", "nobody/*"]) == 2


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("vertex_ai/gemini-2.5-flash", ({}, "GOOGLE_APPLICATION_CREDENTIALS")),
        ("bedrock/us.amazon.nova-pro-v1:0", ({"AWS_ROLE_ARN": "x"}, "AWS_PROFILE")),
        ("bedrock/us.amazon.nova-pro-v1:0", ({"AWS_ACCESS_KEY_ID": "x"}, "AWS_SECRET_ACCESS_KEY")),
        ("azure/mine", ({"AZURE_API_KEY": "x"}, "AZURE_API_BASE")),
    ],
)
def test_what_a_cloud_lacks_is_said_before_anything_starts(
    only_these: Callable[[Mapping[str, str]], None],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    model: str,
    expected: tuple[Mapping[str, str], str],
) -> None:
    environ, missing = expected
    only_these(environ)
    out = tmp_path / "run"
    sweep = ["run", "sweeps/quickstart.yaml", f"models=['{model}']", "--out", str(out)]
    assert main(sweep) == 2
    assert f"{model} without {missing}\n" in capsys.readouterr().err
    assert not out.exists()


def test_a_fine_model_and_one_to_mend(
    catalogue: Callable[..., str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(console, "_width", 60)
    file = catalogue("seer", "seer~no-seed", sends_seed=True, usd_per_mtok_in=1, usd_per_mtok_out=2)
    check = ["models", "seer*", "--check", "--catalogue", file]
    assert main(check) == 1
    told = capsys.readouterr().out
    announced = " ".join(told.splitlines()[:2])
    assert "2 calls, and up to 3 more" in announced
    assert "at most $0.0" in announced
    (mend,) = [line for line in told.splitlines() if "in a catalogue file: " in line]
    mended = tmp_path / "mended.yaml"
    mended.write_text(mend.partition("in a catalogue file: ")[2])
    assert main([*check, "--catalogue", str(mended)]) == 0


def test_json_says_it_all_and_nothing_else(
    catalogue: Callable[..., str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    file = catalogue("seer", sends_seed=True)
    keyed = catalogue("seer-keyed", api_key_env="NO_SUCH_KEY")
    both = Path(keyed)
    entries = yaml.safe_load(both.read_text())["models"]
    entries["seer"] = {**entries["seer-keyed"], "target": "hosted_vllm/seer", "api_key_env": None}
    both.write_text(yaml.safe_dump({"models": entries}))
    assert main(["models", "seer*", "--check", "--json", "--catalogue", file]) == 1
    told = capsys.readouterr()
    asked, unasked = json.loads(told.out)
    assert (asked["model"], asked["ok"], asked["picture"], asked["schema"]) == (
        "seer",
        True,
        True,
        True,
    )
    assert (asked["seed"], asked["temperature"]) == (None, True)
    assert (asked["tokens_in"], asked["cost_usd"], asked["price"]) == (60, None, None)
    assert asked["quota"]["rpm"] == 500
    assert unasked == {"model": "seer-keyed", "ok": False, "error": "NO_SUCH_KEY not set"}
    assert "prices are unknown" in told.err


def test_no_more_than_so_many_at_once(
    catalogue: Callable[..., str], picky: Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    file = catalogue(*(f"seer~{number}" for number in range(6)))
    calls = picky.stats()["calls"]
    assert main(["models", "seer~[0-9]", "--check", "--at-once", "2", "--catalogue", file]) == 0
    assert picky.stats()["calls"] - calls == 6
    assert picky.stats()["most_at_once"] <= 2
    capsys.readouterr()


def test_agents_are_not_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "scripted/*", "--check"]) == 1
    assert "0 calls" in capsys.readouterr().out


def test_a_model_that_only_a_run_serves_is_not_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "own.yaml"
    path.write_text("models: {own-m: {serve: {engine: vllm, weights: a/b}}}")
    assert main(["models", "own-m", "--catalogue", str(path), "--check", "--json"]) == 1
    (row,) = json.loads(capsys.readouterr().out)
    assert row["error"] == "not asked: only a run starts its server (mirror-ray run)"
