"""One mind within another: beliefs about beliefs, and words chosen to be understood."""

from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft, in_words, lettered_options
from mirror_ray.families.metacog.bank.words import NAMES, THINGS, question_texts

_T = question_texts(__name__)


def belief(d: Draws, level: int) -> Draft:
    """Move a thing while people come and go; ask where one thinks that another thinks it is."""
    n = max(2, _depth(level)) + (level > 3)
    thing = d.pick([each for each in THINGS if each not in _T["places"]])
    facts, ask, answer, places = moves(d, level, d.sample(NAMES, n), thing)
    return Draft(f"{facts} {ask}", keys.text(answer, places))


def _depth(level: int) -> int:
    return 1 + level // 3 + (level > 9)


def moves(
    d: Draws, level: int, people: list[str], thing: str
) -> tuple[str, str, str, tuple[str, ...]]:
    """Return the story, the question, its answer and all places.

    Args:
        people: at least two; every mind of the question is one of theirs.
    """
    n = len(people)
    places = d.sample([place for place in _T["places"] if place != thing], min(6, 3 + level // 3))
    chain = d.sample(people, min(_depth(level), n))
    needed = {people.index(name) for name in chain}
    while True:
        there = set(range(n))
        lines: list[str] = []
        at, seen = places[0], [(frozenset(there), places[0])]
        for _ in range(level + 1):
            leaves = d.integer(0, 2) == 0 or (len(there) == n and len(lines) > 1)
            if len(there) > 1 and leaves:
                gone = d.pick(sorted(there))
                there.remove(gone)
                lines.append(_T.say("leaves", name=people[gone]))
            elif len(there) < n and d.integer(0, 3) == 0:
                back = d.pick([i for i in range(n) if i not in there])
                there.add(back)
                lines.append(_T.say("comes_back", name=people[back]))
            mover = people[d.pick(sorted(there))]
            to = d.pick([place for place in places if place != at])
            lines.append(_T.say("moves", name=mover, thing=thing, source=at, target=to))
            at = to
            seen.append((frozenset(there), at))
        answer = next(place for who, place in reversed(seen) if needed <= who)
        # In most questions the belief differs from the fact.
        if answer != at or d.integer(0, 9) == 0:
            break
    thoughts = "".join(_T.say("thought", name=name) for name in chain[1:])
    ask = _T.say("where", name=chain[0], thoughts=thoughts, thing=thing)
    story = {"people": in_words(people), "place": places[0], "moves": " ".join(lines)}
    return _T.say("facts", thing=thing, **story), ask, answer, tuple(places)


def reference(d: Draws, level: int) -> Draft:
    """Name one of several objects by a word; ask which one a speaker must mean who had
    other words.
    """
    n = min(7, 3 + level // 2)
    rounds = 1 if level < 4 else 2 if level < 8 else 3
    features = _T["features"][: 2 if level < 6 else 3]
    while True:
        shapes = [tuple(d.pick(values) for values in features) for _ in range(n)]
        if len(set(shapes)) < n:
            continue
        found = _understood(shapes, rounds)
        before = _understood(shapes, rounds - 1)
        new = {word: i for word, i in found.items() if word not in before}
        if new:
            break
    word = d.pick(sorted(new))
    names = [" ".join(reversed((shape[1], shape[0], *shape[2:]))) for shape in shapes]
    speaker, listener = d.sample(NAMES, 2)
    options = d.shuffled(names)
    return _T.draft(
        "reference",
        keys.letter(options.index(names[new[word]]), options),
        n=n,
        objects=in_words([f"a {name}" for name in names]),
        rule=_T.say("rule_of_rounds", rule=_T["rule"]) if rounds > 1 else _T["rule"],
        speaker=speaker,
        listener=listener,
        word=word.capitalize(),
        options=lettered_options(options),
    )


def _understood(shapes: list[tuple[str, ...]], rounds: int) -> dict[str, int]:
    """Return word → the one object it must mean, after so many rounds beyond the literal
    meaning.
    """
    words = sorted({word for shape in shapes for word in shape})
    fits = {word: {i for i, shape in enumerate(shapes) if word in shape} for word in words}
    for _ in range(rounds):
        alone = {next(iter(who)) for who in fits.values() if len(who) == 1}
        fits = {
            word: (who - alone if len(who) > 1 and who - alone else who)
            for word, who in fits.items()
        }
    return {word: next(iter(who)) for word, who in fits.items() if len(who) == 1}
