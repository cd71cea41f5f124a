"""A run as records of Every Eval Ever (schema 0.3.0): aggregates, and their episodes one by one.

One JSON file per family and model has every metric of every condition, temperature and variant,
with our intervals. The JSONL file next to it has each episode with a score and at least one reply
that was read. Both are checked against the schema before they are written, in the datastore's
layout ``data/<collection>/<developer>/<model>/<uuid>.json``.

Undefined estimates are left out. An episode that ended with an error has no score and therefore no
row; the aggregate counts it (``n_failed``)."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import UUID

from jsonschema import Draft7Validator

from mirror_ray.analysis.export.eee_samples import VERSION, asks_by_model, result_id, samples_of
from mirror_ray.analysis.reading import Row
from mirror_ray.analysis.soundness import sound_run
from mirror_ray.contract.metric import Metric
from mirror_ray.contract.metrics import METRICS
from mirror_ray.core.plain_json import parse_json

SCHEMAS = Path(__file__).parent / "eee_schema"

_MODELS = """\
select
    model,
    coalesce(macro.model_family_lab(model), 'unknown') as developer,
    macro.lab_in_name(model) as org,
    split_part(model, '/', -1) as name,
    any_value(sweep) as sweep,
    max(finished_at) as finished_at,
    sum(n_asks)::bigint as n_asks,
    list(distinct cell_id order by cell_id) as cells
from stage.{family}_episodes
group by model
order by model"""
_ESTIMATES = """\
select * from metric.estimates
where family = $family and model = $model and estimate is not null
order by condition, temperature, variant, metric"""
_COUNTS = (
    *("n_episodes", "n_failed", "chance"),
    *("n_replies", "n_read", "low_if_unread", "high_if_unread"),
)
_PATH_CHARS = 60


@dataclass(frozen=True, slots=True)
class Subject:
    """One model in one family.

    Args:
        id: as in ``<developer>/<name>``.
        evaluation_id: family, model and the time of their last episode.
        uuid: names the files; equal for equal episodes.
        collection, developer, folder: the files' place below ``data``.
    """

    id: str
    evaluation_id: str
    uuid: UUID
    collection: str
    developer: str
    folder: str

    @property
    def path(self) -> str:
        """The path of the samples in the datastore."""
        place = f"data/{self.collection}/{self.developer}/{self.folder}"
        return f"{place}/{self.uuid}_samples.jsonl"


def write_eee(directory: str | Sequence[str], folder: Path, *, version: str) -> tuple[Path, ...]:
    """Write the records of every family and model that has an estimate.

    Returns:
        The files, each aggregate before its samples.

    Raises:
        NotADirectoryError: the run directory does not exist.
        OSError: a file cannot be written.
        jsonschema.ValidationError: a record does not fit the schema, which is a bug of this
            program.
    """
    whole, single = (
        Draft7Validator(parse_json((SCHEMAS / name).read_text(encoding="utf-8")))
        for name in ("eval.schema.json", "instance_level_eval.schema.json")
    )
    written: list[Path] = []
    with sound_run(directory, hold=True) as run:
        for family in run.families():
            models = {row["model"]: row for row in run.rows(_MODELS.format(family=family))}
            n_asks = {model: row["n_asks"] or 0 for model, row in models.items()}
            for model, requests in asks_by_model(run, family, n_asks):
                row = models[model]
                estimates = run.rows(_ESTIMATES, family=family, model=model)
                if not estimates:
                    continue
                subject = _subject(family, row)
                ids = {"evaluation_id": subject.evaluation_id, "model_id": subject.id}
                samples = list(samples_of(run, family, model, ids, requests))
                for sample in samples:
                    single.validate(sample)
                lines = "".join(f"{_json(sample)}\n" for sample in samples).encode()
                record = _record(family, row, subject, estimates)
                record["eval_library"] = {"name": "mirror-ray", "version": version}
                if samples:
                    record["detailed_evaluation_results"] = {
                        "format": "jsonl",
                        "file_path": subject.path,
                        "hash_algorithm": "sha256",
                        "checksum": sha256(lines).hexdigest(),
                        "total_rows": len(samples),
                    }
                whole.validate(record)
                path = folder / subject.path
                path.parent.mkdir(parents=True, exist_ok=True)
                aggregate = path.with_name(f"{subject.uuid}.json")
                aggregate.write_text(_json(record, indent=2) + "\n", encoding="utf-8")
                written.append(aggregate)
                if samples:
                    path.write_bytes(lines)
                    written.append(path)
    return tuple(written)


def _subject(family: str, row: Row) -> Subject:
    developer = row["org"] or row["developer"]
    name = f"{developer}/{row['name']}"
    digest = sha256(json.dumps([family, row["model"], row["cells"]]).encode()).digest()
    return Subject(
        id=name,
        evaluation_id=f"mirror-ray-{family}/{name}/{_epoch_s(row['finished_at'])}",
        uuid=UUID(bytes=digest[:16], version=4),
        collection=f"mirror-ray-{family}",
        developer=_component(developer),
        folder=_component(row["name"]),
    )


def _record(family: str, row: Row, subject: Subject, estimates: list[Row]) -> dict[str, Any]:
    return {
        "schema_version": VERSION,
        "evaluation_id": subject.evaluation_id,
        "evaluation_timestamp": row["finished_at"],
        "retrieved_timestamp": _epoch_s(row["finished_at"]),
        "source_metadata": {
            "source_name": row["sweep"],
            "source_type": "evaluation_run",
            "source_organization_name": "unknown",
            "evaluator_relationship": "third_party",
        },
        "model_info": {
            "name": row["model"],
            "id": subject.id,
            "developer": row["developer"],
            "additional_details": {"deployment_type": "unknown", "model_availability": "unknown"},
        },
        "evaluation_results": list(_results(family, estimates)),
    }


def _results(family: str, estimates: list[Row]) -> Iterator[dict[str, Any]]:
    metrics = {metric.name: metric for metric in METRICS[family].metrics}
    for row in estimates:
        metric = metrics.get(row["metric"])
        if metric is not None:
            yield {
                "evaluation_result_id": result_id(family, row, metric.name),
                "evaluation_name": f"{family}/{row['condition']}",
                "source_data": {"dataset_name": f"mirror-ray {family}", "source_type": "other"},
                "metric_config": _metric_config(metric),
                "score_details": _score_details(row),
                "generation_config": {
                    "generation_args": {"temperature": row["temperature"]},
                    "additional_details": {"variant": row["variant"]},
                },
            }


def _metric_config(metric: Metric) -> dict[str, Any]:
    config: dict[str, Any] = {
        "metric_id": metric.name,
        "metric_name": metric.heading,
        "metric_kind": metric.kind,
        "metric_unit": "steps" if metric.kind == "count" else "proportion",
        "lower_is_better": metric.direction == -1,
        "score_type": "continuous",
        "min_score": metric.low,
        "max_score": "Infinity" if metric.high is None else metric.high,
        "additional_details": {
            "direction": {1: "more is better", -1: "less is better", None: "neither"}[
                metric.direction
            ]
        },
    }
    if metric.meaning:
        config["evaluation_description"] = metric.meaning
    return config


def _score_details(row: Row) -> dict[str, Any]:
    uncertainty: dict[str, Any] = {"num_samples": row["n"]}
    if row["ci_low"] is not None and row["ci_high"] is not None:
        uncertainty["confidence_interval"] = {
            "lower": row["ci_low"],
            "upper": row["ci_high"],
            "confidence_level": 0.95,
            "method": row["method"] or "unknown",
        }
    if row["se"] is not None:
        uncertainty["standard_error"] = {"value": row["se"]}
    counts = {name: row[name] for name in _COUNTS}
    return {
        "score": row["estimate"],
        "uncertainty": uncertainty,
        "details": {name: str(value) for name, value in counts.items() if value is not None},
    }


def _epoch_s(finished_at: str) -> str:
    return f"{datetime.fromisoformat(finished_at).timestamp():.0f}"


def _component(name: str) -> str:
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "-" for c in name)
    return f"{plain[:_PATH_CHARS].strip('.-') or 'unnamed'}"


def _json(record: object, indent: int | None = None) -> str:
    return json.dumps(record, ensure_ascii=False, allow_nan=False, indent=indent)
