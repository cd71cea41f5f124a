"""A run in other tools' formats, read back by those tools' own libraries.

These take seconds to import and a gigabyte of memory, and are imported where a test needs them.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

from mirror_ray.analysis.export import batches
from mirror_ray.analysis.export.croissant import write_croissant
from mirror_ray.analysis.export.dataset_card import write_dataset
from mirror_ray.analysis.export.inspect_logs import write_logs
from support.analysis.synthetic_runs import Moment, Played, moments, scenes, write_run

SAID = {
    "system": "You are a robot.", "system_sha": "5y5", "user": "What now?", "reply": '{"a": "é"}',
    "finish_reason": "stop", "tokens_in": 10, "tokens_out": 3, "cost_usd": 0.5, "attempts": 2,
    "latency_s": 1.5, "started_at": "2026-01-01T00:00:00+00:00", "parse_status": "strict",
    "failed_attempts": [{"started_at": None, "latency_s": 0.1, "error_kind": "rate_limit",
                         "error": "slow down", "cost_usd": None}],
}  # fmt: skip
REASKED = Moment("w", superseded=True)
RIGHT = Played(
    (REASKED, *moments("w unknown 60", "done red 60 red")), model="a/b:c", says_otherwise=SAID
)
FAILED = replace(RIGHT, scene_seed=9, error_kind="timeout")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> str:
    wrong = replace(RIGHT, moments=moments("done blue 0 blue"), scene_seed=5)
    other = replace(RIGHT, condition="E2", says_otherwise={"user": "Hm?", "reasoning": "Well."})
    return write_run(
        tmp_path_factory.mktemp("run"), [*scenes(RIGHT, 3), wrong, FAILED, *scenes(other, 2)]
    )


@pytest.fixture(scope="module")
def logs(run: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    from inspect_ai.log import read_eval_log

    paths = write_logs(run, tmp_path_factory.mktemp("logs"))
    assert [path.name.rsplit("_", 1)[0] for path in paths] == ["selfid_E1_a-b-c", "selfid_E2_a-b-c"]
    read = [read_eval_log(str(path)) for path in paths]
    return {log.eval.task: log for log in read}


def test_an_inspect_log_is_a_cell(logs: dict[str, Any]) -> None:
    assert sorted(logs) == ["selfid/E1", "selfid/E2"]
    log = logs["selfid/E1"]
    assert (log.eval.model, log.eval.model_generate_config.temperature) == ("a/b:c", 0.2)
    assert log.status == "error", "one of its episodes failed"
    assert log.results is not None
    assert (log.results.total_samples, log.results.completed_samples) == (5, 4)
    # 3 of the 4 whole episodes are right; of no episode SC is defined.
    means = {
        s.name: s.metrics["mean"].value if "mean" in s.metrics else None for s in log.results.scores
    }
    assert means["tsa"] == 0.75
    assert means["sc"] is None


def told(log: Any) -> list[Any]:
    """What its samples say; Inspect gives events ids of their own."""
    return [
        (sample.id, sample.scores, [(message.role, message.text) for message in sample.messages])
        for sample in log.samples
    ]


@pytest.mark.parametrize("most_asks", [1, 9])
def test_a_log_is_the_same_whatever_is_read_together(
    run: str, logs: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most_asks: int
) -> None:
    from inspect_ai.log import read_eval_log

    monkeypatch.setattr(batches, "MOST_ASKS", most_asks)
    for path in write_logs(run, tmp_path):
        log = read_eval_log(str(path))
        expected = logs[log.eval.task]
        assert log.results == expected.results
        assert told(log) == told(expected)


def test_an_episode_is_a_sample_with_all_its_asks(logs: dict[str, Any]) -> None:
    samples = {sample.id: sample for sample in logs["selfid/E1"].samples or []}
    sample = samples[RIGHT.episode_id]
    assert sample.target == "red"
    assert sample.scores is not None
    assert {name: sample.scores[name].value for name in ("tsa", "ttd", "mgd")} == {
        "tsa": 1.0,
        "ttd": 2.0,
        "mgd": 2.0,
    }
    assert "sc" not in sample.scores, "undefined is no score"
    assert [message.role for message in sample.messages] == ["system", *["user", "assistant"] * 3]
    assert sample.messages[2].text == '{"a": "é"}'
    assert sample.model_usage["a/b:c"].total_tokens == 39
    assert sample.model_usage["a/b:c"].total_cost == 1.5
    replies = [m for m in sample.messages if m.role == "assistant" and m.metadata]
    assert [m.metadata["superseded"] for m in replies if m.metadata] == [True, False, False]


def test_a_failed_episode_is_an_error_without_scores(logs: dict[str, Any]) -> None:
    samples = {sample.id: sample for sample in logs["selfid/E1"].samples or []}
    failed = samples[FAILED.episode_id]
    assert failed.error is not None
    assert failed.error.message == "timeout"
    assert failed.scores == {}


def test_unknown_usage_is_not_zero(logs: dict[str, Any]) -> None:
    (sample, *_) = logs["selfid/E2"].samples or []
    assert sample.model_usage == {}
    assert sample.output.empty, "without a reply there is no output"


def test_inspects_dataframes_read_the_logs(run: str, tmp_path: Path) -> None:
    from inspect_ai.analysis import messages_df, samples_df

    write_logs(run, tmp_path)
    samples = samples_df(str(tmp_path), quiet=True)
    assert len(samples) == 7
    assert samples["score_tsa"].dropna().astype(float).sum() == 5
    messages = messages_df(str(tmp_path), quiet=True)
    assert set(messages["sample_id"]) == set(samples["sample_id"])
    # Inspect takes messages of one wording for one message: each role is seen once or more.
    assert set(messages["role"]) == {"system", "user", "assistant"}
    assert set(messages[messages["role"] == "assistant"]["content"]) == {'{"a": "é"}'}


def test_a_dataset_folder_loads_as_its_card_says(
    run: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import datasets
    from huggingface_hub import DatasetCard

    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    card, *files = write_dataset(run, tmp_path / "folder", name='a: "b"')
    data = DatasetCard.load(card).data
    assert data.pretty_name == 'a: "b"'
    assert data.size_categories == ["n<1K"]
    named = {
        c["config_name"]: tmp_path / "folder" / c["data_files"][0]["path"] for c in data.configs
    }
    assert sorted(named.values()) == sorted(files)
    loaded: Any = datasets.load_dataset(
        str(tmp_path / "folder"), "selfid_scores", split="train", cache_dir=str(tmp_path / "cache")
    )
    assert sum(row["tsa"] or 0 for row in loaded) == 5
    assert {row["sc"] for row in loaded} == {None}


def test_croissant_describes_every_column(run: str, tmp_path: Path) -> None:
    import mlcroissant

    path, *files = write_croissant(run, tmp_path, name="a: b")
    dataset = mlcroissant.Dataset(jsonld=path)
    assert dataset.metadata.issues.errors == set()
    described = {record.name: record for record in dataset.metadata.record_sets}
    assert sorted(described) == sorted(file.stem for file in files)
    for file in files:
        columns = duckdb.execute(f"describe from '{file}'").fetchall()
        assert [f.name for f in described[file.stem].fields] == [name for name, *_ in columns]
    rows = list(dataset.records("selfid_scores"))
    assert sorted(row["selfid_scores/ttd"] for row in rows if row["selfid_scores/ttd"]) == [
        1, 2, 2, 2, 2, 2,
    ]  # fmt: skip
    steps = next(iter(dataset.records("selfid_steps")))
    assert b"slow down" in steps["selfid_steps/failed_attempts"]


def test_a_run_without_episodes_exports_nothing(tmp_path: Path) -> None:
    import mlcroissant

    (tmp_path / "run").mkdir()
    run = str(tmp_path / "run")
    assert write_logs(run, tmp_path / "logs") == ()
    assert write_dataset(run, tmp_path / "data", name="x") == (tmp_path / "data/README.md",)
    (path,) = write_croissant(run, tmp_path / "croissant", name="x")
    assert mlcroissant.Dataset(jsonld=path).metadata.issues.errors == set()
