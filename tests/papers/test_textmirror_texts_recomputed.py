"""The text mirror's tables of positions, lengths, temperatures and reasons, recomputed."""

from math import exp, sqrt
from typing import Any

import numpy as np
from scipy import stats

from support.recomputed.agreement import RecordedRun
from support.recomputed.drawn_textmirror import (
    MODELS,
    READER,
    Rows,
    drawn_textmirror,
    scored_textmirror,
)
from support.recomputed.formulas import (
    Z,
    clustered_se,
    effective_n,
    groups,
    mean,
    ratio,
    share,
    units_of,
    wilson,
)

DRAWN, SCORED = drawn_textmirror, scored_textmirror


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
