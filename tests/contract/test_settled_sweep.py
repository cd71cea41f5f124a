"""A sweep with `until` from its file to its report: what is settled is said, and is no failure."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.cli import main
from mirror_ray.records.manifest import read_manifest
from mirror_ray.sweep.recorded import recorded_episodes

pytestmark = pytest.mark.thorough("stopping/ decides, analysis/test_settled.py shows it")

WORDS = (
    "mirrorqa",
    "models=scripted/oracle,scripted/first-option",
    "stages.0.conditions=sim",
    "stages.0.seeds=21",
    "stages.0.circular=false",
    "until.verdict=0.99",
)


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(list(words))
    return code, capsys.readouterr().out


@pytest.fixture(scope="module")
def played(tmp_path_factory, ray_env):
    out = tmp_path_factory.mktemp("settled") / "run"
    ran = subprocess.run(
        [sys.executable, "-m", "mirror_ray", "run", *WORDS, "--out", str(out), "--json"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **ray_env},
    )
    assert ran.returncode == 0, ran.stderr
    assert "1 comparisons of 2 models on 21 planned units" in " ".join(ran.stderr.split())
    return out, json.loads(ran.stdout)


def test_every_episode_is_done_or_settled(played):
    out, told = played
    assert told["episodes_planned"] == 42
    assert told["episodes_settled"] == 42 - told["episodes_done"] > 0
    assert len(recorded_episodes(str(out), read_manifest(str(out)))) == 42


def test_status_ends_well_and_counts_them(played, capsys):
    out, told = played
    code, text = said(capsys, "status", str(out), "--json")
    rows = json.loads(text)
    assert code == 0
    assert {row["state"] for row in rows} == {"finished"}
    assert sum(row["settled"] for row in rows) == told["episodes_settled"]
    code, text = said(capsys, "status", str(out))
    assert code == 0
    assert f"{told['episodes_settled']} settled, 0 to play" in text


def test_a_plan_of_it_lacks_what_is_settled(played, capsys):
    out, told = played
    code, text = said(capsys, "plan", *WORDS, "--out", str(out), "--json")
    planned = json.loads(text)
    assert code == 0
    assert planned["settled"] == told["episodes_settled"]
    assert planned["episodes"] == told["episodes_done"]
    assert planned["until"]["rule"] == "verdict"


def test_the_report_has_the_verdict_and_no_p(played, capsys):
    out, _ = played
    with open_run(str(out)) as connection:
        (found,) = connection.execute(
            "select told_apart, probability >= 0.99, p, p_holm, n_planned from contrast.pairs "
            "where metric = 'accuracy' and axis = 'model'"
        ).fetchall()
    assert found == (True, True, None, None, 21)
    assert said(capsys, "report", str(out))[0] == 0
    page = Path(out, "report", "index.html").read_text(encoding="utf-8")
    assert "What was settled early" in page
    assert "better" in page
