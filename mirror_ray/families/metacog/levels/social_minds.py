"""One mind within another: beliefs about beliefs, and words chosen to be understood."""

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft, in_words, letter, listed, text
from mirror_ray.families.metacog.bank.words import NAMES, THINGS

_PLACES = (
    "cupboard", "drawer", "wardrobe", "basket", "suitcase", "box", "locker", "trunk", "desk", "bag",
)  # fmt: skip


def belief(d: Draws, level: int) -> Draft:
    """A thing is moved about while people come and go: where does one think another thinks …?"""
    n = max(2, _depth(level)) + (level > 3)
    thing = d.pick([each for each in THINGS if each not in _PLACES])
    facts, ask, answer, places = moves(d, level, d.sample(NAMES, n), thing)
    return Draft(f"{facts} {ask}", text(answer, places))


def _depth(level: int) -> int:
    return 1 + level // 3 + (level > 9)


def moves(
    d: Draws, level: int, people: list[str], thing: str
) -> tuple[str, str, str, tuple[str, ...]]:
    """The story, the question, its answer and all places.

    Args:
        people: at least two; no mind within another that is not among them.
    """
    n = len(people)
    places = d.sample([place for place in _PLACES if place != thing], min(6, 3 + level // 3))
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
                lines.append(f"{people[gone]} leaves the room.")
            elif len(there) < n and d.integer(0, 3) == 0:
                back = d.pick([i for i in range(n) if i not in there])
                there.add(back)
                lines.append(f"{people[back]} comes back without looking into anything.")
            mover = d.pick(sorted(there))
            to = d.pick([place for place in places if place != at])
            lines.append(f"{people[mover]} moves the {thing} from the {at} to the {to}.")
            at = to
            seen.append((frozenset(there), at))
        answer = next(place for who, place in reversed(seen) if needed <= who)
        # Mostly, what is thought differs from what is so.
        if answer != at or d.integer(0, 9) == 0:
            break
    ask = f"In the end, where does {chain[0]} think "
    ask += "".join(f"that {name} thinks " for name in chain[1:]) + f"the {thing} is?"
    facts = (
        f"{in_words(people)} are in a room in which the {thing} lies in the {places[0]}; all of "
        f"them see it there. {' '.join(lines)} Whoever is in the room sees all that is done in it "
        "and who is there; nobody learns of it otherwise, looks into anything, or expects the "
        "others to. All of them know this of each other."
    )
    return facts, ask, answer, tuple(places)


_FEATURES = (
    ("red", "blue", "green", "yellow"),
    ("cup", "hat", "ball", "box"),
    ("large", "small", "tiny", "huge"),
)


def reference(d: Draws, level: int) -> Draft:
    """One word for one of several objects: which one must a speaker mean who could say others?"""
    n = min(7, 3 + level // 2)
    rounds = 1 if level < 4 else 2 if level < 8 else 3
    n_features = 2 if level < 6 else 3
    while True:
        shapes = [tuple(d.pick(values) for values in _FEATURES[:n_features]) for _ in range(n)]
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
    rule = (
        "A speaker who means one of them says one word that fits it, and chooses a word that fits "
        "no other whenever there is one."
    )
    if rounds > 1:
        rule += (
            " A word that is thereby left to one object counts from then on as fitting that object "
            "alone, and speakers make use of this in the same way, again and again. Both of them "
            "know all this."
        )
    options = d.shuffled(names)
    return Draft(
        f"On a table there are {n} objects: {in_words([f'a {name}' for name in names])}. {rule} "
        f"{speaker} says to {listener}: “{word.capitalize()}!” Which object does {speaker} mean? "
        f"Answer with a letter.\n{listed(options)}",
        letter(options.index(names[new[word]]), options),
    )


def _understood(shapes: list[tuple[str, ...]], rounds: int) -> dict[str, int]:
    """Word → the one object it must mean, after so many rounds beyond the literal meaning."""
    words = sorted({word for shape in shapes for word in shape})
    fits = {word: {i for i, shape in enumerate(shapes) if word in shape} for word in words}
    for _ in range(rounds):
        alone = {next(iter(who)) for who in fits.values() if len(who) == 1}
        fits = {
            word: (who - alone if len(who) > 1 and who - alone else who)
            for word, who in fits.items()
        }
    return {word: next(iter(who)) for word, who in fits.items() if len(who) == 1}
