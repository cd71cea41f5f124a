"""The list: filters count what they promise, pages follow each other, the latest take is shown."""

import json
from pathlib import Path

import pytest

from mirror_ray.core.errors import SweepError
from mirror_ray.core.types import Reply, Request
from mirror_ray.viewer import index as index_module
from mirror_ray.viewer.filters import Filters
from mirror_ray.viewer.index import EpisodeIndex
from mirror_ray.viewer.listed import episode_shards
from support.recorded_run import plan_for, record_run
from support.viewed_run import change_rows

RUNS = 3


def says(request: Request) -> Reply:
    """Turns the head and says nothing."""
    decided = {
        "view-description": "",
        "reasoning": "",
        "action": "a",
        "summary": "",
        "selected_cube": "none",
        "identification": "unknown",
    }
    return Reply(json.dumps(decided), tokens_in=10, tokens_out=1)


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Three conditions in three scenes each; of E1 all come to an end, the others are cut off."""
    folder = tmp_path_factory.mktemp("listed") / "out"
    record_run(plan_for(folder, conditions=("E1", "E2", "E3"), runs=RUNS), says)

    def ended(row):
        fails = row["condition"] == "E3" and row["run"] == 0
        return row | {
            "truncated": row["condition"] != "E1" and not fails,
            "terminated": row["condition"] == "E1",
            "error_kind": "server" if fails else "none",
        }

    change_rows(folder / "episodes", ended)
    return str(folder)


@pytest.fixture(scope="module")
def listed(out: str):
    index = EpisodeIndex(out)
    index.classes_note(None)
    yield index
    index.close()


def test_facets_count_under_the_other_filters(listed):
    facets = {facet.name: dict(facet.values) for facet in listed.facets(Filters())}
    assert facets["condition"] == {"E1": 3, "E2": 3, "E3": 3}
    assert facets["outcome"] == {"cut off": 5, "failed": 1, "finished": 3}
    # One family, one model: nothing to choose.
    assert "model" not in facets
    narrowed = {f.name: dict(f.values) for f in listed.facets(Filters(condition="E3"))}
    assert narrowed["condition"] == {"E1": 3, "E2": 3, "E3": 3}
    assert narrowed["outcome"] == {"cut off": 2, "failed": 1}


def test_every_facet_value_lists_as_many_as_it_counts(listed):
    for facet in listed.facets(Filters()):
        for value, n in facet.values:
            assert listed.page(Filters(**{facet.name: value}), 1).total == n


def test_failure_classes_come_from_the_family_s_view(listed):
    facets = {facet.name: dict(facet.values) for facet in listed.facets(Filters())}
    # The head turns and nothing is ever said: who is not done has not finished.
    assert facets["failure"] == {"never finished": 8}
    (first, *_) = listed.page(Filters(failure="never finished"), 1).rows
    assert first["failure"] == "never finished"


def test_pages_partition_the_list(out, monkeypatch):
    monkeypatch.setattr(index_module, "PAGE_ROWS", 4)
    index = EpisodeIndex(out)
    pages = [index.page(Filters(), number) for number in (1, 2, 3, 4)]
    assert [len(page.rows) for page in pages] == [4, 4, 1, 0]
    assert {page.total for page in pages} == {9}
    ids = [row["episode_id"] for page in pages for row in page.rows]
    assert ids == [row["episode_id"] for row in index.all()]
    assert len(set(ids)) == 9
    index.close()


def test_neighbours_are_those_of_the_narrowed_list(listed):
    filters = Filters(condition="E2")
    rows = listed.page(filters, 1).rows
    ids = [row["episode_id"] for row in rows]
    around = [listed.neighbours(filters, row["episode_id"]) for row in rows]
    assert around == [(None, ids[1]), (ids[0], ids[2]), (ids[1], None)]
    # An episode that the filters leave out has neighbours all the same.
    (outside, *_) = listed.page(Filters(condition="E1"), 1).rows
    assert listed.neighbours(filters, outside["episode_id"]) == (None, ids[0])


def test_values_of_filters_are_values_only(listed):
    assert listed.page(Filters(model="x' or 1=1 --"), 1).total == 0
    assert Filters.of({"model": "", "nonsense": "1", "id": "ab"}) == Filters(id="ab")


def test_where_keeps_what_it_says_and_nothing_else(out):
    index = EpisodeIndex(out, "condition = 'E3' and outcome = 'failed'")
    (row,) = index.all()
    assert (row["condition"], row["error_kind"]) == ("E3", "server")
    index.close()
    by_class = EpisodeIndex(out, "failure is null")
    assert len(by_class.all()) == 1
    by_class.close()


@pytest.mark.parametrize("where", ["condition == == 1", "nonsense = 1"])
def test_where_that_is_no_condition_is_bad_input(out, where):
    with pytest.raises(SweepError, match="--where"):
        EpisodeIndex(out, where)


def test_latest_take_is_listed_with_its_shard(out, tmp_path: Path):
    copy = tmp_path / "out"
    for path in Path(out).rglob("*"):
        if path.is_file():
            (copy / path.relative_to(out)).parent.mkdir(parents=True, exist_ok=True)
            (copy / path.relative_to(out)).write_bytes(path.read_bytes())
    before = episode_shards(str(copy))
    old = min((copy / "episodes").rglob("*.parquet"))
    new = old.with_name("part-000099.parquet")
    new.write_bytes(old.read_bytes())
    change_rows(new, lambda row: row | {"take": 2, "n_steps": 77})
    assert episode_shards(str(copy)) != before
    index = EpisodeIndex(str(copy))
    assert len(index.all()) == 9
    again = [row for row in index.all() if row["take"] == 2]
    assert again
    assert {row["n_steps"] for row in again} == {77}
    assert {row["shard"] for row in again} == {"family=selfid/part-000099.parquet"}
    index.close()


def test_run_in_an_object_store_is_listed_and_scored(out, bucket):
    from mirror_ray.records.storage import storage_of

    fs, root = storage_of(bucket)
    for path in Path(out).rglob("*.parquet"):
        with fs.open_output_stream(f"{root}/run/{path.relative_to(out)}") as stream:
            stream.write(path.read_bytes())
    index = EpisodeIndex(f"{bucket}/run")
    assert index.classes_note(None) is None
    (first, *others) = index.all()
    assert len(others) == 8
    assert index.scores("selfid", first["episode_id"])["tsa"] == 0
    assert index.scores("unheard-of", first["episode_id"]) == {}
    index.close()
