"""Episodes as instances of Every Eval Ever: prompts, replies, the answer and its score.

Pictures are left out: a frame can be redrawn from the record, and `frame_sha` is its hash."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from mirror_ray.analysis.export.batches import (
    UNREAD_EPISODES,
    asks_sql,
    batches,
    by_episode,
    rows_by,
)
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.contract.metrics import METRICS

VERSION = "0.3.0"

_EPISODES = """\
select
    scores.episode_id,
    scores.condition,
    scores.temperature,
    scores.variant,
    scores.cluster,
    scores.run,
    scores.scene_seed,
    scores.{metric}::double as score,
    answers.gold,
    answers.answer
from episode.{family} as scores
left join metric.answers as answers using (episode_id)
where scores.model = $model and scores.{metric} is not null
    and scores.episode_id not in ({unread})
order by scores.condition, scores.temperature, scores.variant, scores.scene_seed, scores.run,
    scores.episode_id"""
_COLUMNS = (
    'model, episode_id, ask, system, "user", reply, reasoning, tokens_in, tokens_out, latency_s, '
    "frame_sha"
)


def result_id(family: str, row: Row, metric: str) -> str:
    """Return the id that joins an episode to the estimate that includes it. `row` is either of
    them, with condition, temperature and variant."""
    temperature = "default" if row["temperature"] is None else f"{row['temperature']:g}"
    return f"{family}/{row['condition']}/{temperature}/{row['variant']}/{metric}"


def asks_by_model(
    run: Reading, family: str, n_asks: Mapping[str, int]
) -> Iterator[tuple[str, Sequence[Row]]]:
    """Yield each model with the requests of its episodes' latest takes, in the order of the models.
    `n_asks` maps a model to its approximate number of requests."""
    for models in batches(n_asks):
        yield from rows_by(run, asks_sql(family, "model", _COLUMNS), "model", models).items()


def samples_of(
    run: Reading, family: str, model: str, ids: Mapping[str, str], rows: Sequence[Row]
) -> Iterator[dict[str, Any]]:
    """Return the episodes of a model that have the family's leading score and a reply that was
    read, or none if that metric is not a score.

    Args:
        ids: the record's and the model's: `evaluation_id`, `model_id`.
    """
    leading = next(
        (metric for metric in METRICS[family].scores if metric.name == METRICS[family].leading),
        None,
    )
    if leading is None or not run.has(f"episode.{family}", leading.name):
        return
    unread = UNREAD_EPISODES.format(family=family)
    sql = _EPISODES.format(family=family, metric=leading.name, unread=unread)
    episodes = {row["episode_id"]: row for row in run.rows(sql, model=model)}
    said = by_episode(rows)
    for episode_id, episode in episodes.items():
        yield _sample(family, leading.name, ids, episode, said.get(episode_id, []))


def _sample(
    family: str, metric: str, ids: Mapping[str, str], episode: Row, asks: Sequence[Row]
) -> dict[str, Any]:
    first = (asks[0]["user"] or "") if asks else ""
    reference = [episode["gold"]] if episode["gold"] is not None else []
    is_single = len(asks) == 1
    sample: dict[str, Any] = {
        "schema_version": VERSION,
        **ids,
        "evaluation_name": f"{family}/{episode['condition']}",
        "evaluation_result_id": result_id(family, episode, metric),
        "sample_id": f"{episode['condition']}/{episode['scene_seed']}.{episode['run']}",
        "sample_hash": sha256("\n".join([first, *reference]).encode()).hexdigest(),
        "interaction_type": "single_turn" if is_single else "multi_turn",
        "input": {"raw": first, "reference": reference},
        "answer_attribution": list(_attributed(episode, asks)),
        "evaluation": {
            "score": episode["score"],
            "is_correct": episode["score"] == 1,
            "num_turns": len(asks),
        },
        "metadata": {
            "episode_id": episode["episode_id"],
            "unit": str(episode["cluster"]),
            "metric": metric,
            "frames_sha": ",".join(ask["frame_sha"] for ask in asks if ask["frame_sha"]),
        },
    }
    if is_single:
        sample["output"] = {"raw": [asks[0]["reply"] or ""]}
        if asks[0]["reasoning"] is not None:
            sample["output"]["reasoning_trace"] = [asks[0]["reasoning"]]
    else:
        sample["messages"] = list(_messages(asks))
    if asks and all(ask["tokens_in"] is not None and ask["tokens_out"] is not None for ask in asks):
        tokens = [sum(int(ask[name]) for ask in asks) for name in ("tokens_in", "tokens_out")]
        sample["token_usage"] = {
            "input_tokens": tokens[0],
            "output_tokens": tokens[1],
            "total_tokens": sum(tokens),
        }
    if asks and all(ask["latency_s"] is not None for ask in asks):
        sample["performance"] = {"latency_ms": 1000 * sum(ask["latency_s"] for ask in asks)}
    return sample


def _messages(asks: Sequence[Row]) -> Iterator[dict[str, Any]]:
    """Yield the messages of all requests. Each request is a separate conversation; its system
    prompt is stated where it changes."""
    turn, system = 0, None
    for ask in asks:
        said = [("user", ask["user"]), ("assistant", ask["reply"])]
        if ask["system"] is not None and ask["system"] != system:
            said.insert(0, ("system", ask["system"]))
            system = ask["system"]
        for role, content in said:
            message: dict[str, Any] = {"turn_idx": turn, "role": role, "content": content}
            if role == "assistant" and ask["reasoning"] is not None:
                message["reasoning_trace"] = ask["reasoning"]
            yield message
            turn += 1


def _attributed(episode: Row, asks: Sequence[Row]) -> Iterator[dict[str, Any]]:
    """Return the answer that was read from the last reply; nothing if none was read."""
    if episode["answer"] is None or not asks:
        return
    is_single = len(asks) == 1
    last = 0 if is_single else sum(1 for _ in _messages(asks)) - 1
    yield {
        "turn_idx": last,
        "source": "output.raw" if is_single else f"messages[{last}].content",
        "extracted_value": str(episode["answer"]),
        "extraction_method": "custom",
        "is_terminal": True,
    }
