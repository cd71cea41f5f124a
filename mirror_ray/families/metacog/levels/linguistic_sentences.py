"""Sentences whose structure decides who did what, which form is right, and how it is said."""

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import (
    Draft,
    Key,
    in_words,
    letter,
    listed,
    number,
    text,
)
from mirror_ray.families.metacog.bank.words import JOBS, NAMES, THINGS

_VERBS = (
    "thanked", "followed", "helped", "greeted", "praised", "phoned", "watched", "visited",
    "warned", "admired", "teased", "invited",
)  # fmt: skip


def clauses(d: Draws, level: int) -> Draft:
    """Relative clauses within each other before the verb, and in a chain behind it."""
    inner = min(4, level // 3) if level > 1 else d.integer(0, 1)
    chain = 1 + level // 2 - inner // 2
    people = d.sample(JOBS, inner + chain + 1)
    verbs = d.sample(_VERBS, inner + chain)
    did: list[tuple[str, str, str]] = []
    subject = f"the {people[0]}"
    # Of nouns in a row, each is what the next one acts upon: the verbs come in reverse.
    for i in range(inner):
        subject += f" that the {people[i + 1]}"
        did.append((people[i + 1], verbs[i], people[i]))
    subject += "".join(f" {verbs[i]}" for i in reversed(range(inner)))
    words, last = subject, people[0]
    for j in range(chain):
        verb, other = verbs[inner + j], people[inner + 1 + j]
        that = " that" if j else ""
        if d.integer(0, 1):
            words += f"{that} {verb} the {other}"
            did.append((last, verb, other))
        else:
            words += f"{that} was {verb} by the {other}"
            did.append((other, verb, last))
        last = other
    who, verb, whom = d.pick(did)
    sentence = f"“{words[0].upper()}{words[1:]}.”"
    ask, answer = d.pick(
        (
            (f"Who is said to have {verb} somebody?", who),
            (f"Who is said to have been {verb}?", whom),
        )
    )
    return Draft(
        f"{sentence} Each “that” refers to the noun right before it. According to this sentence: "
        f"{ask}",
        text(answer, people),
    )


_NOUNS = ("baker", "river", "bird", "stone", "sailor", "horse", "tower", "child")
_ACTIONS = (
    ("see", "sees", "saw"), ("carry", "carries", "carried"), ("paint", "paints", "painted"),
    ("call", "calls", "called"), ("draw", "draws", "drew"),
)  # fmt: skip
_QUALITIES = ("old", "small", "red", "tired", "quiet", "green")
_ROLES = ("subject", "verb", "object")


def _word(d: Draws, taken: set[str]) -> str:
    while True:
        found = "".join(d.pick("bdfgklmnprstvz") + d.pick("aeiou") for _ in range(2)) + d.pick(
            ("", "n", "k", "s")
        )
        if found not in taken:
            taken.add(found)
            return found


def translation(d: Draws, level: int) -> Draft:
    """A sentence put into an invented language with rules of its own."""
    order = d.shuffled(_ROLES)
    one, two = d.sample(_NOUNS, 2)
    base, present, past = d.pick(_ACTIONS)
    taken: set[str] = set()
    quality = d.sample(_QUALITIES, 2)
    entries = {word: _word(d, taken) for word in (one, two, base)}
    marks = {what: _word(d, taken)[:2] for what in ("plural", "past", "object", "not")}
    while len(set(marks.values())) < 4:
        marks = {what: _word(d, taken)[:2] for what in marks}
    plural = [level > 1 and bool(d.integer(0, 1)), level > 2 and bool(d.integer(0, 1))]
    is_past = level > 3 and bool(d.integer(0, 1))
    negated = level > 5 and bool(d.integer(0, 1))
    described = [level > 4 and bool(d.integer(0, 1)), level > 6 and bool(d.integer(0, 1))]
    reversed_plural, before = level > 7, bool(d.integer(0, 1))
    rules = [f"the order is {', '.join(order)}"]
    if level > 1:
        rules.append(
            f"a plural noun ends in “-{marks['plural']}”"
            + (", and its stem is written backwards" if reversed_plural else "")
        )
    if level > 3:
        rules.append(f"a verb in the past begins with “{marks['past']}-”")
    if level > 2:
        rules.append(f"the object takes a last ending “-{marks['object']}”")
    if level > 4:
        rules.append(
            f"an adjective stands right {'before' if before else 'after'} its noun and takes the "
            "noun's endings, but nothing else of it changes"
        )
        entries |= {word: _word(d, taken) for word in quality}
    if level > 5:
        rules.append(f"“not” is “{marks['not']}” and is the last word of the sentence")

    def noun(which: int, word: str) -> tuple[str, str]:
        stem = entries[word]
        ends = marks["plural"] * plural[which]
        if which == 1 and level > 2:
            ends += marks["object"]
        said = (stem[::-1] if plural[which] and reversed_plural else stem) + ends
        english = f"the {word}{'s' if plural[which] else ''}".replace("childs", "children")
        if described[which]:
            adjective = entries[quality[which]] + ends
            said = f"{adjective} {said}" if before else f"{said} {adjective}"
            english = english.replace("the ", f"the {quality[which]} ")
        return said, english

    (subject, subject_e), (target, object_e) = noun(0, one), noun(1, two)
    verb = (marks["past"] if is_past else "") + entries[base]
    said = {"subject": subject, "verb": verb, "object": target}
    if negated:
        aux = "did not" if is_past else "do not" if plural[0] else "does not"
        verb_e = f"{aux} {base}"
    else:
        verb_e = past if is_past else base if plural[0] else present
    whole = " ".join(said[role] for role in order) + (f" {marks['not']}" if negated else "")
    words = "; ".join(f"“{word}” is “{entries[word]}”" for word in d.shuffled(list(entries)))
    return Draft(
        f"An invented language has no articles. Its rules: {'; '.join(rules)}. Its words: {words}. "
        f"Translate into it: “{subject_e[0].upper()}{subject_e[1:]} {verb_e} {object_e}.” Answer "
        "with the translated sentence alone, without capitals and marks.",
        Key(whole, "text"),
    )


def swaps(
    d: Draws, level: int, people: list[str], things: list[str]
) -> tuple[list[str], dict[str, str]]:
    """Who has what at first, and level + 1 swaps told by places in a list; who has what then."""
    has = dict(zip(people, things, strict=True))
    told = [
        f"{in_words(people)} have {in_words([f'the {thing}' for thing in things])}, respectively"
    ]
    for _ in range(level + 1):
        a, b, c, *rest = d.shuffled(people)
        forms = [
            (f"{a} and {b} meet, and the latter swaps with {c}", [(b, c)]),
            (f"{a} and {b} meet, and the former swaps with {c}", [(a, c)]),
            (f"{a} talks to {b} about {c}, and the last-named swaps with the first-named",
             [(c, a)]),
            (f"not {a} but {b} swaps with {c}", [(b, c)]),
            (f"{a} swaps with {b}, and then the latter with {c}", [(a, b), (b, c)]),
            (f"{a} swaps with {b}, and then the former with {c}", [(a, b), (a, c)]),
        ]  # fmt: skip
        if rest:
            e = rest[0]
            others = in_words(sorted((a, b, c, e)))
            forms += [
                (f"{a} and {b} swap with {c} and {e}, respectively", [(a, c), (b, e)]),
                (f"of {a}, {b}, {c} and {e}, the two named in the middle swap", [(b, c)]),
                (f"{a} and {b} look on while the other two of {others} swap", [(c, e)]),
            ]
        words, swapped = d.pick(forms)
        told.append(words)
        for one, two in swapped:
            has[one], has[two] = has[two], has[one]
    return [line[0].upper() + line[1:] for line in told], has


def named_by_place(d: Draws, level: int) -> Draft:
    """Who has what after swaps told by “the former”, “the latter”, “respectively”."""
    n = min(6, 3 + level // 3)
    people, things = d.sample(NAMES, n), d.sample(THINGS, n)
    lines, has = swaps(d, level, people, things)
    lead = f"{'. '.join(lines)}. To swap is to exchange what the two have at that moment."
    who = d.pick(people)
    if d.integer(0, 1):
        return Draft(f"{lead} What does {who} have in the end?", text(has[who], things))
    return Draft(f"{lead} Who has the {has[who]} in the end?", text(who, people))


_COUNTED = (
    ("key", "keys"), ("lamp", "lamps"), ("letter", "letters"), ("picture", "pictures"),
    ("chair", "chairs"), ("window", "windows"), ("bottle", "bottles"), ("ticket", "tickets"),
)  # fmt: skip
_PLACES = ("near", "behind", "beside", "above", "under", "next to")
_STATES = ("old", "new", "expensive", "broken", "missing", "of good quality", "in the way")


def agreement(d: Draws, level: int) -> Draft:
    """Subjects far from their verbs: which form is right, which sentences are wrong?"""
    if level < 3 or d.integer(0, 3) == 0:
        plural = bool(d.integer(0, 1))
        subject = _subject(d, level, plural)
        verbs = d.pick((("is", "are"), ("was", "were"), ("has been", "have been")))
        ask = d.pick(
            (
                "Which form is right in formal written English, “{}” or “{}”?",
                "By the rules of formal written English, does “{}” or “{}” fill the gap?",
            )
        )
        return Draft(
            f"{ask.format(*verbs)} {subject} ___ {d.pick(_STATES)}.", text(verbs[plural], verbs)
        )
    n = min(8, level)
    how = d.integer(0, 2)
    n_wrong = (d.integer(0, n), 1, n - 1)[how]
    wrong = d.shuffled([True] * n_wrong + [False] * (n - n_wrong))
    sentences = []
    for is_wrong in wrong:
        plural = bool(d.integer(0, 1))
        subject = _subject(d, level, plural)
        verb = ("is", "are")[plural != is_wrong]
        sentences.append(f"{subject} {verb} {d.pick(_STATES)}.")
    lead = "In formal written English, a verb agrees with its subject. "
    if how == 0:
        return Draft(
            f"{lead}How many of these sentences break that rule?\n{listed(sentences)}",
            number(n_wrong),
        )
    ask, place = (
        ("Which is the only one of these sentences to break that rule?", wrong.index(True))
        if how == 1
        else ("Which is the only one of these sentences to keep that rule?", wrong.index(False))
    )
    return Draft(
        f"{lead}{ask} Answer with a letter.\n{listed(sentences)}", letter(place, sentences)
    )


def _subject(d: Draws, level: int, plural: bool) -> str:
    """A subject of the number wanted, with other nouns behind it."""
    one, *nouns = d.sample(_COUNTED, 3 + level // 3)
    numbers = [d.integer(0, 1) for _ in nouns[1:]]
    if level < 4:
        numbers = [int(not plural)]
    others = [noun[number] for noun, number in zip(nouns[1:], numbers, strict=False)]
    tail = "".join(f" {d.pick(_PLACES)} the {other}" for other in others)
    aside = nouns[0]
    job = d.pick(JOBS)
    if plural:
        forms = [
            f"The {one[1]}{tail}",
            f"The {one[1]} that the {job} put{tail}",
            f"Both the {one[0]} and the {aside[0]}{tail}",
            f"Several of the {one[1]}{tail}",
            f"The {one[1]}, as well as the {job}'s {aside[0]},",
        ]
    else:
        forms = [
            f"The {one[0]}{tail}",
            f"The {one[0]} that the {job}s put{tail}",
            f"Each of the {one[1]}{tail}",
            f"One of the {one[1]}{tail}",
            f"The {one[0]}, together with the {job}s' {aside[1]},",
            f"Every {one[0]}{tail}",
        ]
    return d.pick(forms)
