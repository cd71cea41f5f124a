"""Finds the colour that free words in another language than English commit to.

The rules are those for English words when a record is analysed (the SQL macro `claim`), applied to
the terms of a lexicon."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from mirror_ray.reading.languages import Language
from mirror_ray.reading.languages.lexicon import Lexicon, Term, lexicon_of, prepared
from mirror_ray.reading.languages.words import TRANSLATED, color_words
from sim_assets.colors import COLOR_NAMES, UNKNOWN

SOMETHING_ELSE = "something else"

_BESIDE = frozenset({"own", "filler", "stop", "surface"})
"""Terms that may precede "unknown" at the beginning."""


def in_english(words: str, language: Language) -> str | None:
    """Return, in English words, what an identification commits to.

    A colour of the palette; one off it ("gray", "light blue"); "unknown", if no colour is claimed
    yet or one is denied; "something else", if several colours are named, or somebody else's. None
    if the words are only English. Under an English prompt, a colour of the palette if it is the
    only word."""
    if language == "en":
        word = prepared(words).strip(" .!")
        found = {color_words(each).get(word) for each in TRANSLATED} & {*COLOR_NAMES}
        return found.pop() if len(found) == 1 and word not in COLOR_NAMES else None
    text = prepared(words)
    lexicon = lexicon_of(language)
    terms = list(lexicon.terms(text))
    if not any(term.is_native for term in terms):
        return None
    return _claim(terms, text, lexicon)


def cube_in(words: str, language: Language) -> str | None:
    """Return the palette's colour that a selection commits to, or "none"; None if neither."""
    claim = in_english(words, language)
    if language == "en" or claim in COLOR_NAMES:
        return claim
    terms = lexicon_of(language).terms(prepared(words))
    names_color = any(term.kind == "color" for term in terms)
    return "none" if claim == UNKNOWN and not names_color else None


def _claim(terms: Sequence[Term], text: str, lexicon: Lexicon) -> str:
    clauses = list(_clauses(terms))
    out = _of_surfaces(terms, text, lexicon)
    denied = {term for clause in clauses for term in _denied(clause)}
    colors = [t for t in terms if t.kind == "color" and t not in out and t not in denied]
    unsaid = bool(denied) or any(term.kind in ("unknown", "not", "whether") for term in terms)
    first = next((term for term in terms if term.kind not in _BESIDE and term not in out), None)
    begins_unknown = first is not None and (
        first.kind == "unknown" or (first.kind == "not" and not denied)
    )
    if begins_unknown or any(_says_own_unknown(clause) for clause in clauses):
        return UNKNOWN
    if any(_is_of_scene(clause) for clause in clauses):
        return SOMETHING_ELSE
    named = {term.color for term in colors}
    if len(named) == 1 and not any(term.kind == "others" for term in terms):
        return named.pop()
    return UNKNOWN if not named and unsaid else SOMETHING_ELSE


def _clauses(terms: Sequence[Term]) -> Iterator[list[Term]]:
    clause: list[Term] = []
    for term in terms:
        if term.kind == "stop":
            yield clause
            clause = []
        else:
            clause.append(term)
    yield clause


def _of_surfaces(terms: Sequence[Term], text: str, lexicon: Lexicon) -> set[Term]:
    found = set()
    for one, following in pairwise(terms):
        is_joined = text[one.end : following.start].strip() in lexicon.joins
        if is_joined and one.kind == "color" and following.kind == "surface":
            found.add(one)
        elif is_joined and lexicon.surface_first and _kinds(one, following) == "surface color":
            found.add(following)
    return found


def _kinds(one: Term, following: Term) -> str:
    return f"{one.kind} {following.kind}"


def _denied(clause: Sequence[Term]) -> Iterator[Term]:
    if any(term.kind == "whether" for term in clause):
        yield from (term for term in clause if term.kind == "color")
        return
    before: list[Term] = []
    denies = False
    for term in clause:
        if term.kind == "color":
            before.append(term)
            if denies:
                yield term
        elif term.kind == "denied":
            yield from before
            before = []
        elif term.kind == "not":
            denies = True
    last_not = max((n for n, term in enumerate(clause) if term.kind == "not"), default=None)
    if last_not is not None and not any(term.kind == "color" for term in clause[last_not:]):
        # "Rot bin ich nicht."
        yield from before


def _says_own_unknown(clause: Sequence[Term]) -> bool:
    kinds = [term.kind for term in clause]
    return "own" in kinds and "unknown" in kinds[kinds.index("own") :]


def _is_of_scene(clause: Sequence[Term]) -> bool:
    """Return whether a clause is about the scene, as in "I see a red cube", and names no owner."""
    kinds = {term.kind for term in clause}
    return {"see", "cube"} <= kinds and "own" not in kinds
