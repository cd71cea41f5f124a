"""A range in a name stands for many names, and a catalogue may have ten thousand."""

from pathlib import Path

import pytest
import yaml

from mirror_ray.core.errors import SweepError
from mirror_ray.providers.catalogue import load_catalogue
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.models import expand_models

ENTRY = {
    "target": "hosted_vllm/lab/m-{007..010}",
    "base_url": "http://127.0.0.1:9/v1",
    "api_key_env": "LAB_KEY_{007..010}",
    "rpm": 60,
    "extra": {"tags": ["no {007..010}", "{1..2}"]},
}

OTHER = {"target": "hosted_vllm/x", "base_url": "http://127.0.0.1:9/v1"}


def catalogue(tmp_path: Path, models: object) -> Path:
    path = tmp_path / "catalogue.yaml"
    path.write_text(yaml.safe_dump({"models": models}))
    return path


def test_a_range_makes_an_entry_for_each_number(tmp_path: Path) -> None:
    found = load_catalogue(catalogue(tmp_path, {"lab/m-{007..010}": ENTRY, "lab/x": OTHER}))
    assert found.match("lab/m-*") == ("lab/m-007", "lab/m-008", "lab/m-009", "lab/m-010")
    model = found.resolve("lab/m-008", "here")
    assert (model.target, model.api_key_env) == ("hosted_vllm/lab/m-008", "LAB_KEY_008")
    assert model.extra == {"tags": ["no 008", "{1..2}"]}
    names = expand_models(["lab/m-{007..008}", "lab/x"], found, "sweep.yaml")
    assert names == ("lab/m-007", "lab/m-008", "lab/x")


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("lab/m-{3..1}", "runs backwards"),
        ("lab/{1..2}-{1..2}", "several ranges"),
        ("lab/m-{a..c}", "letters or signs"),
        ("lab/{1..2}-{a..c}", "letters or signs"),
        ("lab/m-{-1..2}", "letters or signs"),
        ("lab/m-{1..200000}", "letters or signs"),
        ("lab/m-{0..99999}", "10,000 names"),
    ],
)
def test_what_is_no_range_is_refused(tmp_path: Path, name: str, what: str) -> None:
    with pytest.raises(SweepError, match=what) as caught:
        load_catalogue(catalogue(tmp_path, {name: ENTRY}))
    assert f"models.{name}" in str(caught.value)
    if "10,000" not in what:
        with pytest.raises(SweepError, match=what):
            expand_models([name], load_catalogue(), "sweep.yaml")


def test_a_catalogue_of_ten_thousand_spelled_out_entries_loads(tmp_path: Path) -> None:
    entry = "{target: hosted_vllm/%d, base_url: 'http://h/v1', api_key_env: K, rpm: 60, tpm: 9000}"
    path = tmp_path / "catalogue.yaml"
    path.write_text("models:\n" + "".join(f"  lab/{i}: {entry % i}\n" for i in range(10_000)))
    assert len(load_catalogue(path).match("lab/*")) == 10_000


def test_the_hundred_pretended_models_are_those_of_before() -> None:
    plan = load_plan("sweeps/scale.yaml", ["stages.0.seeds=1"])
    assert len(plan.models) == 100
    assert plan.models["mock/steady-30"].target == "hosted_vllm/mock/steady-30"
    assert plan.models["mock/brisk-01"].limits.rpm == 1000
    assert plan.models["mock/slow-60"].limits.concurrency == 16


def test_many_models_leave_room_for_few_defaults(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.yaml"
    defaults = "".join(f"  'x{i}/*': {{rpm: 1}}\n" for i in range(30))
    entry = "{agent: blind}"
    path.write_text(f"defaults:\n{defaults}models:\n  'm-{{0..9899}}': {entry}\n")
    with pytest.raises(SweepError, match="defaults") as caught:
        load_catalogue(path)
    assert "at most 80" in str(caught.value)
