"""Right and wrong in the list are what the families' views say, and comparisons lead to scenes."""

from collections import Counter
from collections.abc import Iterator

import pytest

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.across.comparisons import Comparisons
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.contract.metrics import METRICS
from mirror_ray.viewer import live_state
from mirror_ray.viewer.filters import Filters, Order
from mirror_ray.viewer.index import EpisodeIndex
from mirror_ray.viewer.live_state import LiveReader
from support.analysis.hosted_runs import FAMILIES, write_hosted_run
from support.run_in_progress import with_verdicts
from support.whole import mostly_thorough


@pytest.fixture(scope="module", params=mostly_thorough(2, FAMILIES))
def played(request, tmp_path_factory) -> Iterator[tuple[str, str, EpisodeIndex]]:
    """The family, its run, and the run's index."""
    out = write_hosted_run(tmp_path_factory.mktemp(request.param) / "run", request.param)
    index = EpisodeIndex(out)
    assert index.classes_note(None) is None
    yield request.param, out, index
    index.close()


def test_verdicts_are_those_of_the_leading_score(played) -> None:
    family, out, index = played
    words = {"none": {None: "unscored", 0: "wrong", 1: "right"}}
    with open_run(out) as run:
        of_family = f"select {METRICS[family].leading}, error_kind from episode.{family}"  # noqa: S608
        found = run.sql(of_family)
        expected = Counter(
            words.get(kind, {}).get(score, "error") for score, kind in found.fetchall()
        )
    assert Counter(row["verdict"] for row in index.all()) == expected
    assert {"right", "wrong"} <= set(expected)
    (facet,) = [one for one in index.facets(Filters()) if one.name == "verdict"]
    assert dict(facet.values) == expected


def test_the_live_page_says_of_each_what_the_list_says(played, monkeypatch) -> None:
    _, out, index = played
    monkeypatch.setattr(live_state, "_LATEST", 10_000)
    listed = {row["episode_id"]: row for row in index.all()}
    latest = with_verdicts(LiveReader(out, {"sweep": {}})).latest
    assert len(latest) == len(listed)
    for row in latest:
        same = listed[row["episode_id"]]
        assert row["verdict"] is not None
        for name in ("verdict", "outcome", "score"):
            assert row[name] == same[name]


def test_right_answers_are_the_gold_ones_and_wrong_ones_are_not(played) -> None:
    family, _, index = played
    if family == "metacog":
        pytest.skip("its answers are compared as numbers and sets, not as texts")
    for row in index.all():
        if row["verdict"] == "right":
            assert row["answer"] == row["gold"] is not None
        if row["verdict"] == "wrong":
            assert row["answer"] != row["gold"]


def test_each_comparison_leads_to_the_scenes_that_it_counts(played) -> None:
    family, out, index = played
    with open_run(out) as connection:
        run = Reading(connection, pairs="{}.{}".format)
        comparisons = Comparisons(run, family)
        rows = run.rows(
            "from contrast.pairs where family = $family and metric = $metric",
            family=family,
            metric=METRICS[family].leading,
        )
        linked = [(row, comparisons.cell(row).href) for row in rows]
    assert linked
    n_differ = 0
    for row, href in linked:
        n = (row["only_baseline"] or 0) + (row["only_value"] or 0)
        if href is None:
            assert row["only_baseline"] is not None
            assert n == 0
            continue
        filters = Filters.of({"differ": href})
        found = index.page(filters, 1, Order("scene"))
        # A unit of several scenes, as of several runs, may differ in each of them.
        scenes = {one["scene"] for one in found.rows}
        assert len(scenes) >= min(n, 1)
        n_differ += len(scenes)
        for this, (of_a, of_b) in index.counterparts(filters, found.rows).items():
            pair = {one["episode_id"]: one for one in found.rows}
            assert this in (of_a, of_b)
            assert pair[of_a]["score"] != pair[of_b]["score"]
            assert [pair[of_a]["cell_id"], pair[of_b]["cell_id"]] == href.split(".")
    # By hand, no pair of these was made to differ.
    assert n_differ or family in ("mirrorqa", "textmirror")


def test_episodes_of_one_scene_know_each_other(played) -> None:
    _, _, index = played
    for row in index.all()[::40]:
        for other in index.same_scene(row):
            assert other["episode_id"] != row["episode_id"]
            assert (other["scene_seed"], other["run"]) == (row["scene_seed"], row["run"])
            assert row["episode_id"] in {one["episode_id"] for one in index.same_scene(other)}
