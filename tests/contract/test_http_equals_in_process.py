"""A sweep over real HTTP through litellm gives the rows of the same agents in process."""

from io import StringIO

import pyarrow.parquet as pq
import pytest
from rich.console import Console

from mirror_ray.engine.driver.run import play_plan
from mirror_ray.engine.episode_rows import row_schemas
from mirror_ray.records.manifest import read_manifest
from support.plans import CONDITIONS, hosted, plan_of, scripted
from support.shard_rows import assert_same_rows, rows_of, same_words

pytestmark = pytest.mark.thorough("providers/test_openai_endpoint.py, call by call")

AXES = (("max_steps", 12),)


@pytest.fixture(scope="module")
def played(tmp_path_factory, ray_session, loopback):
    out = tmp_path_factory.mktemp("run") / "out"
    models = [scripted("observer"), hosted(loopback, "observer"), scripted("blind")]
    plan = plan_of(out, [*models, hosted(loopback, "blind")], axes=AXES)
    before = loopback.stats()["calls"]
    summary = play_plan(plan, console=Console(file=StringIO()), plain=True)
    return plan, summary, out, loopback.stats()["calls"] - before


def of(rows, model):
    return [row for row in rows if row["model"] == model]


@pytest.mark.parametrize("kind", ["steps", "episodes"])
@pytest.mark.parametrize("agent", ["observer", "blind"])
def test_rows_are_the_same(played, kind, agent):
    _, _, out, _ = played
    rows = rows_of(out, kind)
    over_http, in_process = of(rows, f"local/{agent}"), of(rows, f"scripted/{agent}")
    assert {row["condition"] for row in over_http} == set(CONDITIONS)
    assert_same_rows(same_words(over_http), same_words(in_process))


def test_every_call_was_bought_once_and_counted(played):
    _, summary, out, calls = played
    steps = rows_of(out, "steps")
    paid = [row for row in steps if row["model"].startswith("local/")]
    assert len(paid) == calls
    assert (summary.steps, summary.exit_code) == (len(steps), 0)
    assert all(row["cost_usd"] > 0 and row["tokens_in"] > 0 for row in paid)
    assert summary.cost_usd == pytest.approx(sum(row["cost_usd"] for row in paid))


def test_shards_have_the_schema(played):
    _, _, out, _ = played
    for kind, schema in zip(("steps", "episodes"), row_schemas()["selfid"], strict=True):
        for shard in (out / kind).rglob("*.parquet"):
            assert pq.read_schema(shard).equals(schema)
            table = pq.read_table(shard, partitioning=None)
            for field in schema:
                assert field.nullable or table[field.name].null_count == 0


def test_the_manifest_says_where_it_was_drawn(played):
    _, _, out, _ = played
    (run_of_it,) = read_manifest(str(out))["runs"]
    ((_, host),) = run_of_it["hosts"].items()
    (drawn_on,) = host.pop("drawn_on")
    assert host == {"cpu": run_of_it["cpu"], "gl": run_of_it["gl"]}
    assert drawn_on["gpu_id"] == ""  # Ray gave it none
    assert drawn_on["device"]["is_software"]
    assert host["gl"]["renderer"]


def test_frames_are_a_function_of_the_scene(played):
    """Twins: the first frames of all models in one condition are the same pixels."""
    _, _, out, _ = played
    first = {}
    for row in rows_of(out, "steps"):
        if row["ask"] == 1:
            first.setdefault(row["condition"], set()).add(row["frame_sha"])
    assert {condition: len(shas) for condition, shas in first.items()} == dict.fromkeys(
        CONDITIONS, 1
    )
