"""Thresholds that were planted are found, by the fit and through a run of agents."""

from math import log10

import numpy as np
import pytest

pytest.importorskip("psignifit", reason="of the extra psychometric")

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.families.selfid.agents.acuity import known_share
from mirror_ray.families.selfid.psychometric import DOSES, by_curve, fitted
from mirror_ray.families.selfid.sections.doses import section
from support.agents_at_play import play_agents
from support.plans import plan_of, scripted, together

SIDES_M = (0.12, 0.18, 0.25, 0.35, 0.5, 2.0)


def trials(axis, levels, threshold, *, guess=0.1, lapse=0.05, n=60, seed=0, steepness=8.0):
    """Answers of somebody whose curve is known."""
    rng = np.random.default_rng(seed)
    scale = log10 if DOSES[axis].spacing == "log" else float
    sign = 1 if DOSES[axis].helps else -1
    rows = []
    for level in levels:
        way = sign * steepness * (scale(level) - scale(threshold))
        share = guess + (1 - guess - lapse) / (1 + np.exp(-way))
        rows.append({"level": level, "n": n, "n_right": int(rng.binomial(n, share))})
    return rows


@pytest.mark.parametrize(
    ("axis", "levels", "threshold"),
    [
        ("mirror_side_m", (0.12, 0.25, 0.35, 0.5, 0.7, 1.0, 2.0), 0.4),
        ("mirror_blur_deg", (0.0, 1.0, 2.0, 3.0, 4.0, 6.0), 2.5),
    ],
)
def test_a_threshold_is_found_within_its_interval(axis, levels, threshold):
    fit = fitted(axis, trials(axis, levels, threshold, steepness=10.0 if "m" in axis[-2:] else 3.0))
    assert fit.low < threshold < fit.high
    assert fit.low < fit.threshold < fit.high
    assert fit.guess == pytest.approx(0.1, abs=0.08)
    assert fit.lapse == pytest.approx(0.05, abs=0.1)


@pytest.mark.parametrize(
    ("n_right", "note"), [(60, "succeeds throughout"), (0, "fails throughout")]
)
def test_who_never_changes_has_no_threshold(n_right, note):
    rows = [{"level": level, "n": 60, "n_right": n_right} for level in SIDES_M]
    fit = fitted("mirror_side_m", rows)
    assert (fit.threshold, fit.low, fit.high, fit.note) == (None, None, None, note)


def test_no_interval_covers_more_than_all_of_a_mirror():
    """As eight scenes a level came out: near the last level, whose interval reaches beyond 1."""
    counts = zip((0.0, 0.25, 0.5, 0.7, 0.8, 0.9), (8, 8, 8, 8, 7, 4), strict=True)
    rows = [{"level": level, "n": 8, "n_right": n_right} for level, n_right in counts]
    fit = fitted("mirror_cover", rows)
    assert 0 <= fit.low < fit.threshold < fit.high == 1.0


def test_three_levels_are_too_few():
    rows = trials("mirror_side_m", (0.2, 0.5, 1.0), 0.5)
    assert fitted("mirror_side_m", rows).note == "fewer than 4 levels"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    out = tmp_path_factory.mktemp("doses") / "out"
    plan = together(
        *(
            plan_of(
                out,
                [scripted("needs-pixels"), scripted("needs-light")],
                conditions=("glance",),
                seeds=20,
                axes=() if side_m == 2.0 else (("mirror_side_m", side_m),),
            )
            for side_m in SIDES_M
        )
    )
    play_agents(FAMILIES["selfid"], plan.episodes, out)
    with open_run(str(out)) as connection:
        yield Reading(connection)


def test_planted_acuity_is_what_the_table_says(run):
    curves = by_curve(run.rows("from metric.selfid_doses order by all"))
    rows = {key[1]: of_one for key, of_one in curves.items()}
    seen = {row["level"]: row["own_px"] for row in rows["scripted/needs-pixels"]}
    assert list(seen) == sorted(SIDES_M)
    # Where the evidence crosses what the agent needs.
    planted = np.interp(np.log10(400.0), np.log10(list(seen.values())), np.log10(list(seen)))
    fit = fitted("mirror_side_m", rows["scripted/needs-pixels"])
    assert log10(fit.low) - 0.05 < planted < log10(fit.high) + 0.05
    for row in rows["scripted/needs-pixels"]:
        know = known_share(row["own_px"], 400.0)
        expected = know + (1 - know) / 10
        assert abs(row["estimate"] - expected) < 4 * np.sqrt(0.25 / row["n"])
    assert fitted("mirror_side_m", rows["scripted/needs-light"]).note == "succeeds throughout"


def test_the_report_has_curves_and_thresholds(run):
    found = section(run)
    assert found is not None
    assert [part.name for part in found.parts] == ["selfid_doses", "selfid_thresholds_of_doses"]
    table = found.parts[1].data.to_pylist()
    assert {row["model"] for row in table} == {"scripted/needs-pixels", "scripted/needs-light"}
