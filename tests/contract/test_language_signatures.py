"""Who understands a language plays in it, who does not is told from them on equal scenes."""

from pathlib import Path

import pytest

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.contract.family_files import axes_of
from mirror_ray.contract.registry import FAMILIES
from support.agents_at_play import play_agents
from support.plans import plan_of, scripted, together

pytestmark = pytest.mark.thorough(
    "families/selfid/test_selfid_speech.py reads every language's prompts, "
    "families/selfid/test_selfid_spoken.py its replies"
)

SCENES = 3


@pytest.fixture(scope="module")
def differences(
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[tuple[str, str], tuple[float, ...]]:
    """(model, language) → task success in English, in it, and the paired difference."""
    out = tmp_path_factory.mktemp("languages") / "out"
    models = [scripted("observer"), scripted("english-reader")]
    plans = [
        plan_of(
            out,
            models,
            conditions=("E1",),
            seeds=SCENES,
            axes=() if language == "en" else (("language", language),),
        )
        for language in axes_of("selfid")["language"].choices or ()
    ]
    play_agents(FAMILIES["selfid"], together(*plans).episodes, Path(out))
    with open_run(str(out)) as connection:
        assert connection.execute("from metric.selfid_violations").fetchall() == []
        rows = connection.execute(
            "select model, value, n, baseline_estimate, estimate, difference from contrast.pairs "
            "where axis = 'language' and baseline = 'en' and metric = 'tsa'"
        ).fetchall()
        curve = connection.execute(
            "select count(*) from ablation.curves where axis = 'language' and metric = 'tsa'"
        ).fetchone()
    assert curve == (2 * len(axes_of("selfid")["language"].choices or ()),)
    return {(model, value): tuple(rest) for model, value, *rest in rows}


@pytest.mark.parametrize("language", ["de", "es", "zh", "ja"])
def test_the_tables_tell_who_understands(
    language: str, differences: dict[tuple[str, str], tuple[float, ...]]
) -> None:
    assert differences["scripted/observer", language] == (SCENES, 1.0, 1.0, 0.0)
    n, before, after, difference = differences["scripted/english-reader", language]
    assert (n, before) == (SCENES, 1.0)
    assert after <= 2 / 3
    assert difference < 0
