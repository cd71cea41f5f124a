"""The text mirror's metrics, pairs, places and readers, recomputed from replies drawn at random."""

from math import sqrt
from typing import Any

import numpy as np

from support.recomputed.agreement import RecordedRun
from support.recomputed.drawn_textmirror import (
    PAIR,
    READER,
    Rows,
    drawn_textmirror,
    scored_textmirror,
)
from support.recomputed.formulas import (
    Z,
    binomial_above,
    effective_n,
    groups,
    holm,
    kappa,
    mcnemar,
    mean,
    newcombe,
    share,
    units_of,
)

DRAWN, SCORED = drawn_textmirror, scored_textmirror


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
