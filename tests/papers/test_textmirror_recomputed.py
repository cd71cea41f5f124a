"""The text mirror's tables, recomputed from replies drawn at random."""

from collections.abc import Iterator
from itertools import product
from math import exp, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from support.analysis.textmirror_runs import Answered, write_textmirror_run
from support.recomputed.agreement import RecordedRun
from support.recomputed.formulas import (
    Z,
    binomial_above,
    clustered_se,
    effective_n,
    groups,
    holm,
    kappa,
    mcnemar,
    mean,
    newcombe,
    ratio,
    share,
    units_of,
    wilson,
)
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


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RecordedRun]:
    rng = np.random.default_rng(45)
    directory = write_textmirror_run(tmp_path_factory.mktemp("textmirror"), _answers(rng))

    def with_original(row: dict[str, Any]) -> dict[str, Any]:
        if row["condition"] != "revision":
            return row
        same = rng.random() < 0.15
        return row | {"original_sentence": "  other  WORDS." if same else "The very first words."}

    change_rows(Path(directory, "episodes"), with_original)
    opened = RecordedRun.opened(directory)
    yield opened
    opened.connection.close()


@pytest.fixture(scope="module")
def scores(run: RecordedRun) -> Rows:
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


METRICS = ("accuracy", "accuracy_self", "accuracy_cross", "usable", "accuracy_valid")


def test_every_metric_and_its_interval(run: RecordedRun, scores: Rows) -> None:
    expected = {}
    for cell, rows in groups(scores, "condition", "model", "variant").items():
        failed = sum(row["failed"] for row in rows)
        for metric in METRICS:
            units = units_of(rows, metric)
            if not units:
                continue
            found = share(units)
            n, total = found["n_episodes"], sum(sum(unit) for unit in units.values())
            chances = [row["chance"] for row in rows if not row["failed"]]
            expected[*cell, metric] = {
                **found,
                "chance": None if metric == "usable" else mean(chances),
                "n_failed": failed,
                "low_if_failed": total / (n + failed),
                "high_if_failed": (total + failed) / (n + failed),
            }
    for (condition, _, _, metric), row in expected.items():
        assert metric == "usable" or row["estimate"] not in (0, 1), (condition, metric)
    run.agrees(
        "metric.textmirror", ("condition", "model", "variant", "metric"), expected, where="n > 0"
    )


def _pair(rows: Any) -> dict[str, Any]:
    units, valid = units_of(rows, "accuracy"), units_of(rows, "accuracy_valid")
    found, chance = share(units), rows[0]["chance"]
    told: dict[str, Any] = {
        "n": found["n"],
        "n_episodes": found["n_episodes"],
        "n_correct": sum(float(np.mean(unit)) for unit in units.values()),
        "accuracy": found["estimate"],
        "ci_low": found["ci_low"],
        "ci_high": found["ci_high"],
        "chance": chance,
        "accuracy_valid": share(valid)["estimate"],
        "n_valid": sum(row["usable"] or 0 for row in rows),
        "n_failed": sum(row["failed"] for row in rows),
        **dict.fromkeys(("p", "p_below", "p_valid", "p_valid_below", "p_holm")),
    }
    if units:
        told["p"], told["p_below"] = binomial_above(units, chance)
        told["p_valid"], told["p_valid_below"] = binomial_above(valid, chance)
    return told


def _pairs(scores: Rows) -> dict[tuple[Any, ...], dict[str, Any]]:
    readings = [row for row in scores if row["condition"] in ("recognition", "authorship")]
    pairs = {key: _pair(rows) for key, rows in groups(readings, *PAIR).items()}
    tables: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for (condition, author, _, reader, variant), row in pairs.items():
        if row["p"] is not None:
            tables.setdefault((condition, variant, author == reader), []).append(row)
    for rows in tables.values():
        for row, p in zip(rows, holm([row["p"] for row in rows]), strict=True):
            row["p_holm"] = p
    return pairs


def test_pairs_of_author_and_editor(run: RecordedRun, scores: Rows) -> None:
    pairs = _pairs(scores)
    where = "condition <> 'attribution'"
    run.agrees("metric.textmirror_pairs", PAIR, pairs, where=where, given=("n_sentences",))
    shown = ("n", "accuracy", "ci_low", "ci_high", "p", "p_below", "p_holm", "accuracy_valid")
    printed = (
        "reference", "n_reference", "reference_other", "n_reference_other", "p_reference"
    )  # fmt: skip
    for condition, view, more in (
        ("recognition", "paper.textmirror_recognition", ()),
        ("authorship", "paper.textmirror_authorship", ("n_valid",)),
    ):
        run.agrees(
            view,
            ("m1", "m2", "variant"),
            {
                (author, editor, variant): {name: row[name] for name in (*shown, *more)}
                for (of, author, editor, reader, variant), row in pairs.items()
                if of == condition and author == reader and "n_sentences=" not in variant
            },
            given=printed,
        )
    stories = [row for row in scores if row["condition"] == "story"]
    kept = {
        key: share(units_of(rows, "usable"))["estimate"]
        for key, rows in groups(stories, "author", "n_sentences").items()
    }
    shown = ("n", "accuracy", "ci_low", "ci_high", "chance")
    run.agrees(
        "paper.textmirror_sentences",
        ("m1", "m2", "variant"),
        {
            (author, editor, variant): {
                **{name: row[name] for name in shown},
                "retention": kept[author, 3 if "n_sentences=3" in variant else 5],
            }
            for (of, author, editor, reader, variant), row in pairs.items()
            if of == "recognition" and author == reader
        },
        given=("reference", "n_sentences"),
    )


def _places(scores: Rows) -> dict[tuple[Any, ...], dict[str, Any]]:
    read = [
        row for row in scores if row["condition"] == "recognition" and row["accuracy"] is not None
    ]
    expected = {}
    for whole in (False, True):
        some = [row | {"editor": None} for row in read] if whole else read
        for key, rows in groups(some, *PAIR[1:], "position").items():
            found = share(units_of(rows, "accuracy"))
            expected[key] = {
                "n": found["n"],
                "n_episodes": found["n_episodes"],
                "n_found": sum(row["accuracy"] for row in rows),
                "accuracy": found["estimate"],
                "se": found["se"],
                "ci_low": found["ci_low"],
                "ci_high": found["ci_high"],
            }
    return expected


def test_places_and_other_questions(run: RecordedRun, scores: Rows) -> None:
    places = _places(scores)
    view = "metric.textmirror_places"
    columns = {name for name, *_ in run.connection.execute(f"describe {view}").fetchall()}
    expected = {
        key: {name: value for name, value in row.items() if name in columns}
        for key, row in places.items()
    }
    run.agrees(view, (*PAIR[1:], "position"), expected, given=("n_sentences",))
    shown = ("n", "accuracy", "ci_low", "ci_high")
    questions = {
        (author, editor, variant, 0): {name: row[name] for name in shown}
        for (of, author, editor, reader, variant), row in _pairs(scores).items()
        if of == "recognition" and author == reader and "n_sentences=" not in variant
    }
    questions |= {
        (author, editor, variant, position): {name: row[name] for name in shown}
        for (author, editor, reader, variant, position), row in places.items()
        if editor and author == reader and "n_sentences=" not in variant
    }
    run.agrees(
        "paper.textmirror_questions",
        ("m1", "m2", "variant", "position"),
        questions,
        given=("reference", "reference_other"),
    )


def test_readers_above_chance(run: RecordedRun, scores: Rows) -> None:
    read = [row for row in scores if row["accuracy"] is not None]
    keys = ("condition", "model", "reads", "pairing", "variant")
    expected: dict[tuple[Any, ...], dict[str, Any]] = {}
    for pairing in ("self", "cross", "all"):
        some = read if pairing == "all" else [row for row in read if row["pairing"] == pairing]
        for key, rows in groups([row | {"pairing": pairing} for row in some], *keys).items():
            told = _pair(rows)
            chance = told["chance"]
            expected[key] = {
                **{name: told[name] for name in ("n", "n_episodes", "n_correct", "accuracy")},
                "chance": chance,
                "above_chance": told["accuracy"] - chance,
                "ci_low": told["ci_low"] - chance,
                "ci_high": told["ci_high"] - chance,
                "p": told["p"],
                "p_below": told["p_below"],
                "accuracy_valid": told["accuracy_valid"],
            }
    tables: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for (condition, _, *others), row in expected.items():
        tables.setdefault((condition, *others), []).append(row)
    for rows in tables.values():
        for row, p in zip(rows, holm([row["p"] for row in rows]), strict=True):
            row["p_holm"] = p
    run.agrees("metric.textmirror_above_chance", keys, expected, given=("n_sentences",))
    readers = {
        (model, variant): {
            **{name: row[name] for name in ("n", "accuracy", "p", "p_below")},
            "ci_low": row["ci_low"] + row["chance"],
            "ci_high": row["ci_high"] + row["chance"],
        }
        for (condition, model, reads, pairing, variant), row in expected.items()
        if (condition, reads, pairing) == ("recognition", "others", "all")
    }
    run.agrees("paper.textmirror_readers", ("m3", "variant"), readers, given=("reference",))


def test_accuracy_corrected_for_habits(run: RecordedRun, scores: Rows) -> None:
    read = [
        row for row in scores if row["condition"] == "recognition" and row["accuracy"] is not None
    ]
    expected = {}
    for pairing in ("self", "cross", "all"):
        some = read if pairing == "all" else [row for row in read if row["pairing"] == pairing]
        for key, rows in groups(some, *READER).items():
            units = units_of(rows, "accuracy")
            found, n = share(units), len(rows)
            told = [row["predicted"] if row["usable"] else "no number" for row in rows]
            actual = [row["position"] for row in rows]
            habit = sum(told.count(at) * actual.count(at) for at in set(actual)) / n**2
            agreement, accuracy = kappa(told, actual), found["estimate"]
            assert agreement is not None
            se = sqrt(accuracy * (1 - accuracy) / effective_n(units)) / (1 - habit)
            expected[*key, pairing] = {
                "n": found["n"],
                "n_episodes": n,
                "accuracy": accuracy,
                "by_habit": habit,
                "kappa": agreement,
                "se": se,
                "ci_low": max(-1, agreement - Z * se),
                "ci_high": min(1, agreement + Z * se),
            }
    run.agrees("metric.textmirror_corrected", (*READER, "pairing"), expected)


def test_positions_revised_and_named(run: RecordedRun, scores: Rows) -> None:
    read = [row for row in scores if row["condition"] == "recognition" and not row["failed"]]
    expected = {}
    for key, rows in groups(read, *READER).items():
        for place in range(rows[0]["n_sentences"] + 1):
            here = [row for row in rows if row["position"] == place and row["accuracy"] is not None]
            named = sum(row["predicted"] == place and row["usable"] == 1 for row in rows)
            if place == 0 and not named:
                continue
            units = units_of(here, "accuracy")
            hit = sum(row["accuracy"] for row in here)
            recall, precision = ratio(hit, len(here)), ratio(hit, named)
            low, high = wilson(recall, effective_n(units))
            f1 = None
            if recall is not None and precision is not None:
                f1 = 2 * recall * precision / (recall + precision) if hit else 0
            expected[*key, place] = {
                "n": len({row["cluster"] for row in rows}),
                "n_episodes": len(rows),
                "n_revised": len(units),
                "n_actual": len(here),
                "n_predicted": named,
                "n_hit": hit,
                "actual_share": len(here) / len(rows),
                "predicted_share": named / len(rows),
                "recall": recall,
                "recall_low": low,
                "recall_high": high,
                "precision_share": precision,
                "f1": f1,
            }
    given = ("n_sentences",)
    run.agrees("metric.textmirror_positions", (*READER, "position"), expected, given=given)
    names = {
        "n_actual": "n_actual", "actual_share": "actual_share", "accuracy": "recall",
        "predicted_share": "predicted_share", "ci_low": "recall_low", "ci_high": "recall_high",
        "precision_share": "precision_share", "f1": "f1",
    }  # fmt: skip
    run.agrees(
        "paper.textmirror_positions",
        (*READER, "position"),
        {
            key: {column: row[name] for column, name in names.items()}
            for key, row in expected.items()
            if key[-1] > 0 and "n_sentences=" not in key[1]
        },
        given=("reference", "n_reference"),
    )


def test_the_randomisation_of_positions(run: RecordedRun, scores: Rows) -> None:
    revised = [row for row in scores if row["condition"] == "revision" and row["usable"]]
    expected = {}
    # All pairs together add up the pairs' counts of stories.
    for key, rows in groups(revised, "author", "editor").items():
        expected[key] = [
            len({row["cluster"] for row in rows if row["position"] == place})
            for place in range(1, 6)
        ]
    expected[None, None] = [sum(counts) for counts in zip(*expected.values(), strict=True)]
    checked = {}
    for key, counts in expected.items():
        test = stats.chisquare(counts)
        told = {"n": sum(counts), "chi2": test.statistic, "df": 4, "p": test.pvalue}
        checked[key] = told
    given = ("n_sentences", "reference", "p_reference")
    run.agrees("metric.textmirror_randomisation", ("author", "editor"), checked, given=given)
    run.agrees("paper.textmirror_randomisation", ("m1", "m2"), checked, given=given)


def test_readers_against_authors(run: RecordedRun, scores: Rows) -> None:
    read = [
        row for row in scores if row["condition"] == "recognition" and row["accuracy"] is not None
    ]
    own = groups([row for row in read if row["reads"] == "own"], "parent_id", "question")
    met = [
        {**row, "by_author": one["accuracy"], "pairing": pairing}
        for row in read
        if row["reads"] == "others"
        for one in own.get((row["parent_id"], row["question"]), [])
        for pairing in (row["pairing"], "all")
    ]
    expected = {}
    for key, rows in groups(met, "author", "reader", "pairing").items():
        stories = groups(rows, "cluster").values()
        author = [float(np.mean([row["by_author"] for row in some])) for some in stories]
        reader = [float(np.mean([row["accuracy"] for row in some])) for some in stories]
        low, high = newcombe(author, reader)
        only = sum(a > b for a, b in zip(author, reader, strict=True))
        other = sum(a < b for a, b in zip(author, reader, strict=True))
        expected[key] = {
            "n": len(author),
            "by_author": float(np.mean(author)),
            "by_reader": float(np.mean(reader)),
            "difference": float(np.mean(author) - np.mean(reader)),
            "ci_low": low,
            "ci_high": high,
            "only_author": only,
            "only_reader": other,
            "p": mcnemar(only, other),
        }
    keys = ("author", "reader", "pairing")
    run.agrees("metric.textmirror_readers", keys, expected, given=("n_sentences",))


def test_lengths_of_sentences(run: RecordedRun, scores: Rows) -> None:
    read = [
        row for row in scores if row["condition"] == "recognition" and row["accuracy"] is not None
    ]
    expected = {}
    for whole in (False, True):
        some = [row | {"position": 0} for row in read] if whole else read
        for key, rows in groups(some, *READER, "editor", "position").items():
            longer = [row["revised_words"] - row["original_words"] for row in rows]
            found = [row["accuracy"] for row in rows]
            correlation = None
            if len(set(longer)) > 1 and len(set(found)) > 1:
                correlation = float(stats.pointbiserialr(found, longer).statistic)
            expected[key] = {
                "n": len({row["cluster"] for row in rows}),
                "n_episodes": len(rows),
                "original_words": mean(row["original_words"] for row in rows),
                "original_se": clustered_se(units_of(rows, "original_words")),
                "revised_words": mean(row["revised_words"] for row in rows),
                "revised_se": clustered_se(units_of(rows, "revised_words")),
                "words_if_found": mean(row["revised_words"] for row in rows if row["accuracy"]),
                "words_if_missed": mean(
                    row["revised_words"] for row in rows if not row["accuracy"]
                ),
                "correlation": correlation,
            }
    run.agrees("metric.textmirror_lengths", (*READER, "editor", "position"), expected)
    revised = [row for row in scores if row["condition"] == "revision" and row["usable"]]
    paper = {}
    for model in MODELS:
        original = mean(row["original_words"] for row in revised if row["author"] == model)
        new = mean(row["revised_words"] for row in revised if row["editor"] == model)
        assert original
        assert new
        told = {"original_words": original, "revised_words": new, "change": new / original - 1}
        paper[(model,)] = told
    run.agrees("paper.textmirror_lengths", ("model",), paper)


def test_retention_revisions_names_and_temperatures(run: RecordedRun, scores: Rows) -> None:
    retention, revisions, named, temperatures = {}, {}, {}, {}
    for key, rows in groups(
        [row for row in scores if row["condition"] == "story"], "author", "n_sentences"
    ).items():
        found = share(units_of(rows, "usable"))
        retention[key] = {
            "n": found["n"],
            "n_seeds": found["n"],
            "n_episodes": found["n_episodes"],
            "n_kept": sum(row["usable"] or 0 for row in rows),
            "n_failed": sum(row["failed"] for row in rows),
            "retention": found["estimate"],
            "ci_low": found["ci_low"],
            "ci_high": found["ci_high"],
        }
    for key, rows in groups(
        [row for row in scores if row["condition"] == "revision"], "author", "editor"
    ).items():
        done = [row for row in rows if not row["failed"]]
        same = sum(
            " ".join(row["original_sentence"].lower().split())
            == " ".join(row["revised_sentence"].lower().split())
            for row in done
        )
        revisions[key] = {
            "n_episodes": len(rows),
            "n": len(done),
            "n_unchanged": same,
            "unchanged": same / len(done),
            "n_failed": len(rows) - len(done),
        }
    for (reader, editor), rows in groups(
        [row for row in scores if row["condition"] == "attribution" and not row["failed"]],
        "reader", "editor",
    ).items():  # fmt: skip
        for (name,), some in groups(rows, "named").items():
            named[reader, editor, name] = {
                "n": len({row["scene_seed"] for row in some}),
                "n_episodes": len(some),
                "share": len(some) / len(rows),
            }
    read = [
        row | {"story_temperature": 0.0 if "story_temperature" in row["variant"] else 0.7}
        for row in scores
        if row["condition"] == "recognition" and row["accuracy"] is not None
        and row["reads"] == "own" and row["question"] == "paper" and row["n_sentences"] == 5
    ]  # fmt: skip
    for key, rows in groups(read, "author", "editor", "story_temperature").items():
        n = len({row["cluster"] for row in rows})
        temperatures[key] = {"n": n, "accuracy": mean(row["accuracy"] for row in rows)}
    run.agrees("metric.textmirror_retention", ("author", "n_sentences"), retention)
    given = ("n_sentences",)
    run.agrees("metric.textmirror_revisions", ("author", "editor"), revisions, given=given)
    run.agrees("metric.textmirror_named", ("reader", "editor", "named"), named)
    keys = ("m1", "m2", "story_temperature")
    given = ("revision_temperature", "reference")
    run.agrees("paper.textmirror_temperatures", keys, temperatures, given=given)


def test_the_reasons_of_step_4(run: RecordedRun) -> None:
    expected = {}
    told = [
        row
        for row in run.raw("episodes")
        if row["condition"] == "explanation" and row["error_kind"] == "none"
    ]
    for (model,), rows in groups(told, "model").items():
        for (reason,), some in groups(rows, "reason").items():
            expected[model, reason] = {
                "n": len({row["scene_seed"] for row in some}),
                "n_episodes": len(some),
                "share": len(some) / len(rows),
            }
    run.agrees("metric.textmirror_reasons", ("model", "reason"), expected)


def test_foreign_against_own_sentences(run: RecordedRun, scores: Rows) -> None:
    """Mantel-Haenszel over stories; the interval of Robins, Breslow and Greenland (1986)."""
    read = [
        row for row in scores if row["condition"] == "recognition" and row["accuracy"] is not None
    ]
    expected = {}
    for key, rows in groups(read, "variant", "reads").items():
        for author, editor in (
            ("all", "all"), *((one, "all") for one in MODELS), *(("all", one) for one in MODELS)
        ):  # fmt: skip
            some = [
                row
                for row in rows
                if author in ("all", row["author"])
                and (row["pairing"] == "self" or editor in ("all", row["editor"]))
            ]
            found = _odds(some)
            if found is not None:
                expected[*key, author, editor] = found
    run.agrees("metric.textmirror_stratified", ("variant", "reads", "author", "editor"), expected)


def _odds(rows: Rows) -> dict[str, Any] | None:
    tables = []
    for some in groups(rows, "reader", "cluster").values():
        cells = {"cross": [0.0, 0.0], "self": [0.0, 0.0]}
        for (pairing, _), of_editor in groups(some, "pairing", "editor").items():
            found = float(np.mean([row["accuracy"] for row in of_editor]))
            cells[pairing][0] += found
            cells[pairing][1] += 1 - found
        if sum(cells["cross"]) and sum(cells["self"]):
            tables.append((*cells["cross"], *cells["self"]))
    if not tables:
        return None
    a, b, c, d = np.array(tables).T
    n = a + b + c + d
    r, s, p, q = a * d / n, b * c / n, (a + d) / n, (b + c) / n
    ratio_found, log_se = (
        float(r.sum() / s.sum()),
        sqrt(
            (p * r).sum() / (2 * r.sum() ** 2)
            + (p * s + q * r).sum() / (2 * r.sum() * s.sum())
            + (q * s).sum() / (2 * s.sum() ** 2)
        ),
    )
    excess = float((a - (a + b) * (a + c) / n).sum())
    variance = float(((a + b) * (c + d) * (a + c) * (b + d) / (n**2 * (n - 1))).sum())
    chi2 = excess**2 / variance
    return {
        "n_strata": len(tables),
        "n": round(n.sum()),
        "n_cross": round((a + b).sum()),
        "n_self": round((c + d).sum()),
        "odds_ratio": ratio_found,
        "ci_low": ratio_found * exp(-Z * log_se),
        "ci_high": ratio_found * exp(Z * log_se),
        "chi2": chi2,
        "p": float(stats.chi2.sf(chi2, 1)),
    }
