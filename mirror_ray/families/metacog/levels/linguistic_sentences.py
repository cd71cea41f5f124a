"""Sentences whose structure decides who did what, which form is right, or a translation."""

from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft, Key, in_words, lettered_options
from mirror_ray.families.metacog.bank.words import JOBS, NAMES, THINGS, capital, question_texts

_T = question_texts(__name__)


def clauses(d: Draws, level: int) -> Draft:
    """Nest relative clauses before the verb, and chain them behind it."""
    inner = min(4, level // 3) if level > 1 else d.integer(0, 1)
    chain = 1 + level // 2 - inner // 2
    people = d.sample(JOBS, inner + chain + 1)
    verbs = d.sample(_T["verbs"], inner + chain)
    did: list[tuple[str, str, str]] = []
    words = f"the {people[0]}"
    # Each of several nouns in a row is the object of the next one, so the verbs come in reverse.
    for i in range(inner):
        words += f" that the {people[i + 1]}"
        did.append((people[i + 1], verbs[i], people[i]))
    words += "".join(f" {verbs[i]}" for i in reversed(range(inner)))
    last = people[0]
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
    ask, answer = d.pick(tuple(zip(_T["who"], (who, whom), strict=True)))
    key = keys.text(answer, people)
    return _T.draft("clauses", key, sentence=capital(words), ask=ask.format(verb=verb))


def _word(d: Draws, taken: set[str]) -> str:
    while True:
        stem = "".join(d.pick("bdfgklmnprstvz") + d.pick("aeiou") for _ in range(2))
        found = stem + d.pick(("", "n", "k", "s"))
        if found not in taken:
            taken.add(found)
            return found


def translation(d: Draws, level: int) -> Draft:
    """Ask for a sentence in an invented language, by given rules."""
    order = d.shuffled(("subject", "verb", "object"))
    one, two = d.sample(_T["nouns"], 2)
    base, present, past = d.pick(_T["actions"])
    taken: set[str] = set()
    quality = d.sample(_T["qualities"], 2)
    entries = {word: _word(d, taken) for word in (one, two, base)}
    marks = {what: _word(d, taken)[:2] for what in ("plural", "past", "object", "not")}
    while len(set(marks.values())) < 4:
        marks = {what: _word(d, taken)[:2] for what in marks}
    plural = [level > 1 and bool(d.integer(0, 1)), level > 2 and bool(d.integer(0, 1))]
    is_past = level > 3 and bool(d.integer(0, 1))
    negated = level > 5 and bool(d.integer(0, 1))
    described = [level > 4 and bool(d.integer(0, 1)), level > 6 and bool(d.integer(0, 1))]
    reversed_plural, before = level > 7, bool(d.integer(0, 1))
    rules = [_T.say("order", order=", ".join(order))]
    if level > 1:
        backwards = _T["backwards"] if reversed_plural else ""
        rules.append(_T.say("plural", mark=marks["plural"], backwards=backwards))
    if level > 3:
        rules.append(_T.say("past", mark=marks["past"]))
    if level > 2:
        rules.append(_T.say("object", mark=marks["object"]))
    if level > 4:
        rules.append(_T.say("adjective", place="before" if before else "after"))
        entries |= {word: _word(d, taken) for word in quality}
    if level > 5:
        rules.append(_T.say("negation", mark=marks["not"]))

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
    forms = ("did not", "do not", "does not") if negated else (past, base, present)
    verb_e = forms[0 if is_past else 1 if plural[0] else 2] + (f" {base}" if negated else "")
    whole = " ".join(said[role] for role in order) + (f" {marks['not']}" if negated else "")
    words = "; ".join(f"“{word}” is “{entries[word]}”" for word in d.shuffled(list(entries)))
    sentence = f"{capital(subject_e)} {verb_e} {object_e}"
    given = {"rules": "; ".join(rules), "words": words, "sentence": sentence}
    return _T.draft("translation", Key(whole, "text"), **given)


def swaps(
    d: Draws, level: int, people: list[str], things: list[str]
) -> tuple[list[str], dict[str, str]]:
    """State who has what at first, and level + 1 swaps; return the lines and who has what in the
    end."""
    has = dict(zip(people, things, strict=True))
    the_things = in_words([f"the {thing}" for thing in things])
    told = [_T.say("have", people=in_words(people), things=the_things)]
    for _ in range(level + 1):
        named = dict(zip("abce", d.shuffled(people), strict=False))
        forms = _T["swaps"] + (_T["swaps_of_four"] if len(named) > 3 else [])
        words, swapped = d.pick(forms)
        told.append(words.format(others=in_words(sorted(named.values())), **named))
        for one, two in (map(named.__getitem__, pair) for pair in swapped):
            has[one], has[two] = has[two], has[one]
    return [capital(line) for line in told], has


def named_by_place(d: Draws, level: int) -> Draft:
    """Ask who has what after swaps described by “the former”, “the latter”, “respectively”."""
    n = min(6, 3 + level // 3)
    people, things = d.sample(NAMES, n), d.sample(THINGS, n)
    lines, has = swaps(d, level, people, things)
    lead = _T.say("swapped", lines=". ".join(lines))
    who = d.pick(people)
    if d.integer(0, 1):
        return _T.draft("has_what", keys.text(has[who], things), lead=lead, who=who)
    return _T.draft("who_has", keys.text(who, people), lead=lead, thing=has[who])


def agreement(d: Draws, level: int) -> Draft:
    """Put subjects far from their verbs; ask which form is right, or which sentences are wrong."""
    if level < 3 or d.integer(0, 3) == 0:
        plural = bool(d.integer(0, 1))
        subject = _subject(d, level, plural)
        verbs = d.pick(_T["verb_forms"])
        ask = _T.say_one(d, "which_form", one=verbs[0], two=verbs[1])
        words = f"{ask} {subject} ___ {d.pick(_T['states'])}."
        return Draft(words, keys.text(verbs[plural], verbs))
    n = min(8, level)
    how = d.integer(0, 2)
    n_wrong = (d.integer(0, n), 1, n - 1)[how]
    wrong = d.shuffled([True] * n_wrong + [False] * (n - n_wrong))
    sentences = []
    for is_wrong in wrong:
        plural = bool(d.integer(0, 1))
        subject = _subject(d, level, plural)
        verb = ("is", "are")[plural != is_wrong]
        sentences.append(f"{subject} {verb} {d.pick(_T['states'])}.")
    given = {"lead": _T["rule"], "sentences": lettered_options(sentences)}
    if how == 0:
        return _T.draft("n_breaks", n_wrong, **given)
    name, place = ("one_breaks", True) if how == 1 else ("one_keeps", False)
    return _T.draft(name, keys.letter(wrong.index(place), sentences), **given)


def _subject(d: Draws, level: int, plural: bool) -> str:
    one, aside, *nouns = d.sample(_T["counted"], 3 + level // 3)
    numbers = [d.integer(0, 1) for _ in nouns]
    if level < 4:
        numbers = [int(not plural)]
    others = [noun[number] for noun, number in zip(nouns, numbers, strict=False)]
    tail = "".join(f" {d.pick(_T['places'])} the {other}" for other in others)
    words = {"one": one[0], "ones": one[1], "aside": aside[0], "asides": aside[1], "tail": tail}
    job = d.pick(JOBS)
    return _T.say_one(d, "plural_subjects" if plural else "singular_subjects", job=job, **words)
