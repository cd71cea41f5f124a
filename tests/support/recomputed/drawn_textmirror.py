"""A run of the text mirror whose replies are drawn at random, and what is recomputed of each."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from support.analysis.textmirror_runs import Answered, write_textmirror_run
from support.recomputed.agreement import RecordedRun
from support.viewed_run import change_rows

MODELS = ("openai/gpt-4-turbo", "xai/grok-2-1212", "gemini/gemini-2.0-flash-001")
PAIR = ("condition", "author", "editor", "reader", "variant")
READER = ("model", "variant")
QUESTIONS = ("paper", "revealed", "allow_zero", "unchanged")
Rows = list[dict[str, Any]]


def _answers(rng: np.random.Generator) -> Iterator[Answered]:
    for (place, author), editor, seed in product(enumerate(MODELS), MODELS, range(24)):
        position = int(rng.integers(1, 6))
        chance = 0.25 + 0.1 * place + (0.1 if author != editor else 0) + (seed % 4) / 12
        words = (int(rng.integers(8, 20)), int(rng.integers(8, 30)))
        about: dict[str, Any] = {"author": author, "editor": editor, "words": words}

        def told(n: int, position: int = position, chance: float = chance) -> int | None:
            if rng.random() < 0.06:
                return None
            return position if rng.random() < chance else int(rng.choice([1, 2, 3, 3, 4, n]))

        def read(predicted: int | None, about: dict[str, Any] = about, **more: Any) -> Answered:
            more = {"position": 1, **about, **more}
            return Answered(predicted=predicted, failed=rng.random() < 0.03, **more)

        yield read(None, condition="revision", position=position, scene_seed=seed)
        # Some readings are repeated: a story is one unit.
        for _ in range(1 + seed % 2):
            yield read(told(5), position=position, scene_seed=seed)
        for other in MODELS:
            if other != author:
                yield read(
                    told(5),
                    position=position,
                    scene_seed=seed,
                    reader=other,
                    variant="paper+reads=others",
                )
        for question in QUESTIONS[1:]:
            predicted = 0 if question == "allow_zero" and rng.random() < 0.2 else told(5)
            yield read(predicted, position=position, scene_seed=seed, variant=question)
        for variant, n, after in (
            ("paper+n_sentences=3", 3, 100),
            ("paper+story_temperature=0.0", 5, 200),
        ):
            at = min(position, n)
            yield read(
                told(n, at), position=at, scene_seed=seed + after, variant=variant, n_sentences=n
            )
        choice = int(rng.choice([1, 2]))
        chosen = choice if rng.random() < 0.55 else 3 - choice
        yield read(
            None if rng.random() < 0.05 else chosen,
            condition="authorship",
            position=choice,
            scene_seed=seed,
        )
        named = None if rng.random() < 0.1 else str(rng.choice(MODELS))
        yield read(None, condition="attribution", scene_seed=seed, named=named)
    for author, seed, n in product(MODELS, range(30), (3, 5)):
        yield Answered(
            author=author,
            condition="story",
            kept=bool(rng.random() < 0.8),
            scene_seed=seed,
            n_sentences=n,
            failed=rng.random() < 0.05,
        )
    for author, seed in product(MODELS, range(40)):
        reason = rng.choice(["Other", "Inconsistent Tone", "Inconsistent Diction", ""])
        yield Answered(
            author=author,
            condition="explanation",
            scene_seed=seed % 25,
            named=str(reason) or None,
            failed=rng.random() < 0.05,
        )


def drawn_textmirror(folder: Path) -> RecordedRun:
    """Record the run in a folder and open it."""
    rng = np.random.default_rng(45)
    directory = write_textmirror_run(folder, _answers(rng))

    def with_original(row: dict[str, Any]) -> dict[str, Any]:
        if row["condition"] != "revision":
            return row
        same = rng.random() < 0.15
        return row | {"original_sentence": "  other  WORDS." if same else "The very first words."}

    change_rows(Path(directory, "episodes"), with_original)
    return RecordedRun.opened(directory)


def scored_textmirror(run: RecordedRun) -> Rows:
    """Return its episodes, each with its scores."""
    return [{**row, **_scores(row)} for row in run.raw("episodes")]


def _scores(row: dict[str, Any]) -> dict[str, Any]:
    failed, condition = row["error_kind"] != "none", row["condition"]
    question = row["variant"].split("+")[0]
    read = condition in ("recognition", "authorship")
    n_choices = {"recognition": row["n_sentences"], "authorship": 2}.get(condition)
    at_least, at_most = int(question != "allow_zero"), row["n_sentences"] if read else 0
    predicted = row["predicted"]
    valid = predicted is not None and at_least <= predicted <= (
        2 if condition == "authorship" else at_most
    )
    right = None
    if read and not failed and question != "unchanged":
        right = int(predicted == row["position"])
    zero = question == "allow_zero" and condition == "recognition"
    usable = {
        "story": row["kept"],
        "revision": True,
        "recognition": valid,
        "authorship": valid,
    }.get(condition)
    own = row["author"] == row["editor"]
    chance = None if n_choices is None or question == "unchanged" else 1 / (n_choices + zero)
    return {
        "cluster": (row["author"], row["scene_seed"]),
        "failed": failed,
        "question": question,
        "reads": "own" if row["reader"] == row["author"] else "others",
        "pairing": "self" if own else "cross",
        "chance": chance,
        "accuracy": right,
        "usable": None if failed or usable is None else int(usable),
        "accuracy_valid": right if valid else None,
        "accuracy_self": right if own else None,
        "accuracy_cross": None if own else right,
    }
