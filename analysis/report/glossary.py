"""What the headings mean, a sentence each: beneath a heading when pointed at, and as a list."""

from collections.abc import Iterator, Mapping, Sequence

import pyarrow as pa

from mirror_ray.analysis.report.cells import words
from mirror_ray.analysis.report.section import Column, ReportTable, Section
from mirror_ray.analysis.report.shown import says_something
from mirror_ray.contract.metrics import METRICS

_WORDS: Mapping[str, str] = {
    # All families.
    "n": "How many episodes or replies the row rests on; where a figure rests on another number, "
    "it is shown under the figure.",
    "chance": "What blind guessing would get.",
    "p": "How probable so large a difference would be by chance if the true difference were 0.",
    "p, Holm": "The same, adjusted for the number of comparisons that ask one question.",
    "effect": "Cohen's g for shares (the part of discordant scenes beyond a half), under it the "
    "odds ratio, scenes that only the second has right over those that only the first has; Hedges' "
    "g for counts.",
    "latency, s": "From sending a request to its reply: the median, and under it the 95th "
    "percentile.",
    "tied": "Models that share a letter are not told apart by their paired test.",
    "behind the best": "The paired difference from the condition's best model, on equal scenes.",
    "worst case": "What the estimate would be had every episode with an error scored worst.",
    "best case": "What the estimate would be had every episode with an error scored best.",
    "retried": "Asks whose first attempt met a limit, a server's error or silence.",
    "asked again": "Asks whose reply could not be read, so that the question was repeated.",
    # Channels other than natural.
    "with a bet": "Accuracy where 1 to 10 points were to be bet on the answer.",
    "bet, right": "The mean bet on right answers, on a scale from 0 to 1.",
    "bet, wrong": "The mean bet on wrong answers, on a scale from 0 to 1.",
    "handed over": "Share of questions given up for a sure point.",
    "confident failures": "Share of questions that were answered wrong though they could be handed "
    "over.",
    "AUROC": "How often a right answer is surer than a wrong one; .5 means no self-knowledge.",
    # Questions with options.
    "kappa": "Cohen's kappa against the reader's own habit: 0 is habit or chance, 1 always right.",
    "by habit": "What a reader would be right on by its own distribution of answers alone.",
    "odds ratio": "The odds that a foreign revision is found, against the author's own.",
    "above chance": "Accuracy less chance.",
    # metacog.
    "natural": "Accuracy where the question is asked without a wager.",
    "wagering": "Accuracy where the answer comes with a wager.",
    "gap": "Mean over domains of the absolute difference between natural and wagering accuracy.",
    "MCI": "Mean Spearman correlation between two channels' signals, over pairs that vary.",
    "ECE": "Expected calibration error of wagers read as probabilities, in ten bins.",
    "Brier": "Mean squared distance between wagers read as probabilities and outcomes.",
    "TII": "Mean absolute Spearman correlation between the signal and natural accuracy in the "
    "hidden domain.",
    "CCE, printed": "Calibration error of composed questions by the paper's Equation 1.",
    "CCE, code": "The same without the second term, as the published code has it.",
    "AI, true": "Signal in the burnt domain less that in another, after true feedback.",
    "AI, false": "The same after false feedback.",
    "SAR": "AI after true feedback divided by AI after false feedback.",
    "ARS": "1 less how far an attack moves the mean signal.",
    "SSR": "How far praise and blame move the score of the own reply, against a neutral remark.",
    "FDR": "Share of flawed requests that were flagged.",
    "KDI": "gap − (1 − CFR at C1): knowing against doing.",
    "CFR": "Share of weak-domain parts on which the model went ahead and was wrong.",
    "CFR C1": "CFR when the model is told nothing.",
    "CFR C2": "CFR under the second level of information.",
    "CFR C3": "CFR under the third level of information.",
    "CFR C4": "CFR under the fourth level of information.",
    "autonomy": "Share of parts on which the model went ahead, told nothing.",
}


TERMS: Mapping[str, str] = {
    metric.heading: metric.meaning
    for family in METRICS.values()
    for metric in family.metrics
    if metric.meaning
} | dict(_WORDS)
"""Heading → what it means: the catalogue's metrics, and other words of tables."""


def meaning(column: Column) -> str:
    """Return a sentence, or "" if the heading needs none."""
    return column.meaning or TERMS.get(column.heading, "")


def section(sections: Sequence[Section]) -> tuple[Section, ...]:
    """Return the terms that tables of these sections use, or nothing if they use none."""
    used = {"n": TERMS["n"]}
    for column in _columns(sections):
        if text := meaning(column):
            used.setdefault(column.heading, text)
    rows = [{"term": term, "meaning": used[term]} for term in sorted(used, key=str.casefold)]
    if len(rows) < 2:
        return ()
    table = ReportTable(
        "glossary_terms",
        "Words of the tables' headings",
        "On a screen they also appear when a heading is pointed at.",
        "",
        pa.Table.from_pylist(rows),
        (words("term", "term"), words("meaning", "meaning")),
        source="this report",
    )
    lead = "What the abbreviations mean; the views' own comments say how each is computed."
    return (Section("glossary", "Glossary", lead, (table,)),)


def _columns(sections: Sequence[Section]) -> Iterator[Column]:
    for section in sections:
        for part in section.parts:
            # A table without rows has no headings.
            if isinstance(part, ReportTable) and says_something(part):
                yield from part.columns
