"""Linguistic questions at ten levels: five subcategories."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft, Key, letter, listed, number
from mirror_ray.families.metacog.levels.kind import Kind, one_of
from mirror_ray.families.metacog.levels.linguistic_sentences import (
    agreement,
    clauses,
    named_by_place,
    translation,
)

_VOWELS = "aeiou"
_ONSETS = ("b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z")


def _stem(d: Draws, syllables: int) -> str:
    return "".join(d.pick(_ONSETS) + d.pick(_VOWELS) for _ in range(syllables)) + d.pick(
        ("k", "l", "m", "n", "r", "s", "t")
    )


_Rule = tuple[str, Callable[[str], str]]


def _rules(d: Draws) -> list[_Rule]:
    a, b = d.sample(_VOWELS, 2)
    k, m = d.sample(_ONSETS, 2)
    start, end, middle = (d.pick(_ONSETS) + d.pick(_VOWELS) for _ in range(3))
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
        (
            "repeat the first two letters in front of the word",
            lambda w: w[:2] + w,
        ),
    ]


def _derivation(d: Draws, level: int) -> Draft:
    """A word through level + 1 rules, each applied to what the one before it left."""
    stem = _stem(d, 2 + (level + 1) // 3)
    what = d.pick(("plural", "past tense", "diminutive", "polite form", "negative", "superlative"))
    rules: list[str] = []
    word = stem
    last = ""
    while len(rules) < level + 1:
        said, rule = d.pick(_rules(d))
        if said.split()[0] == last or rule(word) == word or len(rule(word)) > 24:
            continue
        last = said.split()[0]
        rules.append(said)
        word = rule(word)
    steps = "; ".join(f"({i}) {said}" for i, said in enumerate(rules, 1))
    return Draft(
        f"In an invented language the {what} of a word is formed in these steps, each applied to "
        f"the result of the one before it: {steps}. What is the {what} of “{stem}”? Answer with "
        "that one word.",
        Key(word, "text"),
    )


_AFFIXES = (
    "plural", "past", "small", "not", "again", "toward", "without", "my", "very", "almost",
)  # fmt: skip


def _segmentation(d: Draws, level: int) -> Draft:
    """Which meaning each part of a word has, from words whose meanings are told."""
    n = min(6, 2 + level // 2)
    meanings = d.sample(_AFFIXES, n)
    parts: list[str] = []
    while len(parts) < n:
        part = d.pick(_ONSETS) + d.pick(_VOWELS)
        if part not in parts:
            parts.append(part)
    stem, gloss = _stem(d, 2), d.pick(("house", "river", "song", "stone", "bird", "road"))
    told = [f"“{stem}” is “{gloss}”"]
    order = d.shuffled(range(n))
    shown: list[int] = []
    for i in order:
        shown = [*shown[-1:], i] if shown and d.integer(0, 1) else [i]
        word = stem + "".join(parts[j] for j in sorted(shown))
        meant = " + ".join([gloss, *(meanings[j] for j in sorted(shown))])
        told.append(f"“{word}” is “{meant}”")
    asked = sorted(d.sample(range(n), min(n, 2 + level // 3)))
    word = stem + "".join(parts[j] for j in asked)
    meant = " + ".join([gloss, *(meanings[j] for j in asked)])
    listed_meanings = ", ".join(f"“{meaning}”" for meaning in meanings)
    return Draft(
        "In an invented language, endings of two letters are added to a stem, each with one "
        f"meaning, always in this order of meanings: {listed_meanings}. {'; '.join(told)}. "
        f"How does one say “{meant}”? Answer with that one word.",
        Key(word, "text"),
    )


_SLANG = {
    "gonna": "they are gonna cheer", "kinda": "it looked kinda odd", "stuff": "we moved the stuff",
    "dunno": "dunno when", "gotta": "you have gotta see this", "yeah": "yeah", "cool": "cool",
    "guys": "thank you, guys", "wanna": "all of us wanna come", "loads": "there was loads to do",
}  # fmt: skip
_CONTRACTED = {
    "can't": "we can't wait", "won't": "she won't mind", "it's": "it's late",
    "we've": "we've paid", "isn't": "the door isn't shut", "they'll": "they'll call",
    "don't": "do not ask, or don't ask twice", "I'm": "I'm in the hall",
}  # fmt: skip
_PLAIN = (
    "The {x} has arrived", "The {x} was sent on Monday", "Nobody has seen the {x}",
    "The {x} is in the office", "We shall return the {x}", "A reader has found the {x}",
)  # fmt: skip
_ITEMS = ("report", "parcel", "letter", "painting", "contract", "key", "piano", "ledger")


def _register(d: Draws, level: int) -> Draft:
    """A house style counts what is informal: which sentence has most, how many points are there?"""
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
    if len(set(weights.values())) == 1 and level < 5:
        rule = "a point for each slang word, each contraction and each exclamation mark"
    else:
        rule = ", ".join(
            f"{k} point{'s' if k > 1 else ''} for each {name}" for name, k in weights.items()
        )
    lead = (
        f"By a newspaper's house style a sentence gets {rule}; the slang words are "
        f"{', '.join(_SLANG)}, and a contraction is a word with an apostrophe. The more points, "
        "the less formal. "
    )
    how = d.integer(0, 2)
    if how == 0:
        which = d.integer(0, n - 1)
        sentences[which], sentences[points.index(max(points))] = (
            sentences[points.index(max(points))],
            sentences[which],
        )
        return Draft(
            f"{lead}Which of these sentences is the least formal? Answer with a letter.\n"
            f"{listed(sentences)}",
            letter(which, sentences),
        )
    if how == 1:
        return Draft(
            f"{lead}How many points do these sentences get in all?\n{listed(sentences)}",
            number(sum(points)),
        )
    lowest = d.integer(1, max(2, *points))
    return Draft(
        f"{lead}How many of these sentences get at least {lowest} point{'s' if lowest > 1 else ''}?"
        f"\n{listed(sentences)}",
        number(sum(each >= lowest for each in points)),
    )


def _sentence(d: Draws, marks: Mapping[str, int]) -> str:
    parts = [_SLANG[word] for word in d.sample(list(_SLANG), min(len(_SLANG), marks["slang word"]))]
    parts += [_CONTRACTED[word] for word in d.sample(list(_CONTRACTED), marks["contraction"])]
    opening = d.pick(_PLAIN).format(x=d.pick(_ITEMS))
    return "; ".join([opening, *d.shuffled(parts)]) + ("!" * marks["exclamation mark"] or ".")


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "morphology": Kind(
            one_of(_derivation, _derivation, _segmentation), "rules (level + 1), endings (2 to 6)"
        ),
        "syntax_parsing": Kind(one_of(clauses, translation), "clauses (2 to 7), words, rules"),
        "ambiguity_resolution": Kind(named_by_place, "sentences (level + 1), people (3 to 6)"),
        "grammar_correction": Kind(agreement, "sentences (level), words between subject and verb"),
        "register_formality": Kind(_register, "sentences (3 to 7), marks, weights"),
    }
)
