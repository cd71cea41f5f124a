"""Linguistic questions at ten levels: five subcategories."""

from collections.abc import Callable, Mapping, Sequence

from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft, Key, lettered_options
from mirror_ray.families.metacog.bank.words import Template, one_of, question_texts
from mirror_ray.families.metacog.levels.linguistic_sentences import (
    agreement,
    clauses,
    named_by_place,
    translation,
)

_T = question_texts(__name__)
_VOWELS = "aeiou"


def _syllable(d: Draws) -> str:
    return str(d.pick(_T["onsets"]) + d.pick(_VOWELS))


def _stem(d: Draws, syllables: int) -> str:
    return "".join(_syllable(d) for _ in range(syllables)) + str(d.pick(_T["codas"]))


_Rule = tuple[str, Callable[[str], str]]


def _rules(d: Draws) -> list[_Rule]:
    a, b = d.sample(_VOWELS, 2)
    k, m = d.sample(_T["onsets"], 2)
    start, end, middle = (_syllable(d) for _ in range(3))
    return [
        (f"put “{start}” in front", lambda w: start + w),
        (f"add “{end}” at the end", lambda w: w + end),
        (f"turn every “{a}” into “{b}”", lambda w: w.replace(a, b)),
        (f"turn every “{k}” into “{m}”", lambda w: w.replace(k, m)),
        ("double the last letter", lambda w: w + w[-1]),
        ("leave out the first letter", lambda w: w[1:]),
        ("leave out the last letter", lambda w: w[:-1]),
        ("move the first letter to the end", lambda w: w[1:] + w[0]),
        ("move the last letter to the front", lambda w: w[-1] + w[:-1]),
        (f"put “{middle}” behind the first letter", lambda w: w[0] + middle + w[1:]),
        ("write the word backwards", lambda w: w[::-1]),
        ("swap the first two letters", lambda w: w[1] + w[0] + w[2:]),
        (
            f"add “{a}” at the end if the word ends with a consonant, else “{k}”",
            lambda w: w + (k if w[-1] in _VOWELS else a),
        ),
        ("repeat the first two letters in front of the word", lambda w: w[:2] + w),
    ]


def _derivation(d: Draws, level: int) -> Draft:
    """Ask for the word that results from level + 1 rules, applied one after another."""
    stem = _stem(d, 2 + (level + 1) // 3)
    what = d.pick(_T["forms"])
    rules: list[str] = []
    word, last = stem, ""
    while len(rules) < level + 1:
        said, rule = d.pick(_rules(d))
        if said.split()[0] == last or rule(word) == word or len(rule(word)) > 24:
            continue
        last = said.split()[0]
        rules.append(said)
        word = rule(word)
    steps = "; ".join(f"({i}) {said}" for i, said in enumerate(rules, 1))
    return _T.draft("derivation", Key(word, "text"), what=what, steps=steps, stem=stem)


def _segmentation(d: Draws, level: int) -> Draft:
    """Ask for the meaning of each part of a word, given words with their meanings."""
    n = min(6, 2 + level // 2)
    meanings = d.sample(_T["affixes"], n)
    parts: list[str] = []
    while len(parts) < n:
        if (part := _syllable(d)) not in parts:
            parts.append(part)
    stem, gloss = _stem(d, 2), d.pick(_T["stems"])

    def said(which: Sequence[int]) -> dict[str, str]:
        ordered = sorted(which)
        meant = " + ".join([gloss, *(meanings[j] for j in ordered)])
        return {"word": stem + "".join(parts[j] for j in ordered), "meant": meant}

    told = [_T.say("means", **said(()))]
    order = d.shuffled(range(n))
    shown: list[int] = []
    for i in order:
        shown = [*shown[-1:], i] if shown and d.integer(0, 1) else [i]
        told.append(_T.say("means", **said(shown)))
    asked = said(d.sample(range(n), min(n, 2 + level // 3)))
    listed_meanings = ", ".join(f"“{meaning}”" for meaning in meanings)
    words = {"meanings": listed_meanings, "told": "; ".join(told), "meant": asked["meant"]}
    return _T.draft("segmentation", Key(asked["word"], "text"), **words)


def _register(d: Draws, level: int) -> Draft:
    """Define a house style's informal words; ask which sentence has the most, or for the points."""
    n = min(7, 2 + (level + 1) // 2)
    most = 1 + (level + 1) // 2
    weights = {"slang word": 1, "contraction": 1, "exclamation mark": 1}
    if level > 4:
        weights = {name: d.integer(1, 3) for name in weights}
    while True:
        marks = [
            {name: d.integer(0, most if name == "slang word" else 2) for name in weights}
            for _ in range(n)
        ]
        points = [sum(weights[name] * k for name, k in each.items()) for each in marks]
        if len(set(points)) == n or (n > 5 and points.count(max(points)) == 1):
            break
    sentences = [_sentence(d, each) for each in marks]
    rule = _T["one_each"]
    if level > 4:
        rule = ", ".join(f"{_points(k)} for each {name}" for name, k in weights.items())
    lead = _T.say("house_style", rule=rule, slang=", ".join(_T["slang"]))
    how = d.integer(0, 2)
    if how == 0:
        which, top = d.integer(0, n - 1), points.index(max(points))
        sentences[which], sentences[top] = sentences[top], sentences[which]
        key = keys.letter(which, sentences)
        return _T.draft("least_formal", key, lead=lead, sentences=lettered_options(sentences))
    if how == 1:
        return _T.draft("points", sum(points), lead=lead, sentences=lettered_options(sentences))
    lowest = d.integer(1, max(2, *points))
    found = sum(each >= lowest for each in points)
    asked = {"points": _points(lowest), "sentences": lettered_options(sentences)}
    return _T.draft("at_least", found, lead=lead, **asked)


def _points(count: int) -> str:
    return f"{count} point{'s' if count > 1 else ''}"


def _sentence(d: Draws, marks: Mapping[str, int]) -> str:
    slang, contracted = list(_T["slang"].values()), _T["contracted"]
    parts = d.sample(slang, min(len(slang), marks["slang word"]))
    parts += d.sample(contracted, marks["contraction"])
    opening = d.pick(_T["plain"]).format(item=d.pick(_T["items"]))
    return "; ".join([opening, *d.shuffled(parts)]) + ("!" * marks["exclamation mark"] or ".")


KINDS: Mapping[str, Template] = {
    "morphology": one_of(_derivation, _derivation, _segmentation),
    "syntax_parsing": one_of(clauses, translation),
    "ambiguity_resolution": named_by_place,
    "grammar_correction": agreement,
    "register_formality": _register,
}
