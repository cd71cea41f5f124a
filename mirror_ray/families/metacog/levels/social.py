"""Social questions at ten levels: five subcategories."""

from collections.abc import Mapping
from types import MappingProxyType

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import (
    Draft,
    in_words,
    letter,
    listed,
    number,
    sequence,
    text,
    yes_no,
)
from mirror_ray.families.metacog.bank.words import NAMES
from mirror_ray.families.metacog.levels.kind import Kind
from mirror_ray.families.metacog.levels.social_minds import belief, reference
from mirror_ray.families.metacog.levels.social_phrases import CHEERS, OFFERS, TURNS

_ROLES = (("guest", "host"), ("elder", "youth"), ("singer", "drummer"))
_ACTS = (
    ("sits down before the meal", "sit down before the meal"),
    ("bows at the door", "bow at the door"),
    ("whistles", "whistle"),
    ("wears a hat indoors", "wear a hat indoors"),
    ("speaks first", "speak first"),
    ("leaves bread on the plate", "leave bread on the plate"),
    ("claps", "clap"),
    ("uses the left hand", "use the left hand"),
)
_PEOPLES = ("Oru", "Teval", "Minda", "Kasho", "Leru")


def _implicature(d: Draws, level: int) -> Draft:
    """How many of several roundabout replies mean yes."""
    n = 1 if level == 1 else level
    asker = d.pick(NAMES)
    if n <= 2 and d.integer(0, 1):
        means_yes = bool(d.integer(0, 1))
        question, yes, no = d.pick(OFFERS)
        reply, other = d.pick(yes if means_yes else no), d.pick([p for p in NAMES if p != asker])
        ask, holds = d.pick(
            (
                (f"Does {other} mean yes?", means_yes),
                (f"Does {other} mean no?", not means_yes),
                (f"Would {asker} be right to take this for a no?", not means_yes),
                (f"Would it be a mistake of {asker} to understand yes?", not means_yes),
            )
        )
        frame = d.pick(
            (
                "{a}: “{q}?” {b}: “Well, {r}.” ",
                "When {a} asks, “{q}?”, {b} smiles and says: “{c}.” ",
                "“{q}?” asks {a}. {b} only replies: “{c}.” ",
            )
        )
        lead = frame.format(a=asker, b=other, q=question, r=reply, c=reply[0].upper() + reply[1:])
        return Draft(lead + ask, yes_no(holds=holds))
    n = max(n, 2)
    wanted = d.integer(0, n)
    meant = d.shuffled([True] * wanted + [False] * (n - wanted))
    people = d.sample([name for name in NAMES if name != asker], n)
    lines = []
    for name, yes_meant, offer in zip(people, meant, d.sample(OFFERS, n), strict=True):
        question, yes, no = offer
        # What a contrary person says is the opposite of what is meant.
        contrary = level > 4 and d.integer(0, 2) == 0
        who = f"{name}, who today says the opposite of what is meant" if contrary else name
        lines.append(
            f"“{question}?” – {who}: “Well, {d.pick(yes if yes_meant != contrary else no)}.”"
        )
    yes_wanted = bool(d.integer(0, 1))
    told = "\n".join(f"{i}. {line}" for i, line in enumerate(lines, 1))
    return Draft(
        f"{asker} asks {n} people one question each.\n{told}\n"
        f"How many of them mean {'yes' if yes_wanted else 'no'}?",
        number(wanted if yes_wanted else n - wanted),
    )


def _sarcasm(d: Draws, level: int) -> Draft:
    """Remarks on what happened to others, by friends and rivals, informed or misled."""
    n = min(9, level)
    wanted = d.integer(0, n)
    people = d.sample(NAMES, 2 * n)
    turns = {kind: d.shuffled([what for what, good in TURNS if good == kind]) for kind in (0, 1)}
    lines = []
    sincere = d.shuffled([False] * wanted + [True] * (n - wanted))
    for i in range(n):
        name, speaker = people[2 * i], people[2 * i + 1]
        friend = level < 3 or bool(d.integer(0, 1))
        misled = level > 4 and bool(d.integer(0, 1))
        # A cheer is sincere if the speaker believes that what is wanted has happened.
        good = (sincere[i] == friend) != misled
        what = turns[good].pop()
        line = f"{name} {what}. {speaker}, "
        line += f"a loyal friend of {name}" if friend else f"who wishes {name} only ill"
        if misled:
            news = "badly" if good else "well"
            line += f", has wrongly been told that all went {news} for {name}"
        else:
            line += ", has heard of it"
        line += f" and says in private: “{d.pick(CHEERS)}!”"
        lines.append(line)
    if n == 1:
        options = ("sincere", "sarcastic")
        speaker = people[1]
        return Draft(
            f"{lines[0]} Is {speaker} sincere or sarcastic?",
            text(options[0 if sincere[0] else 1], options),
        )
    told = "\n".join(f"{i}. {line}" for i, line in enumerate(lines, 1))
    if d.integer(0, 1):
        return Draft(f"{told}\nHow many of these {n} remarks are sarcastic?", number(wanted))
    return Draft(f"{told}\nHow many of these {n} remarks are sincere?", number(n - wanted))


def _norms(d: Draws, level: int) -> Draft:
    """The rules of an invented people, with exceptions, and who breaks one."""
    people_name = d.pick(_PEOPLES)
    n_rules, n_people = 1 + (level + 1) // 2, min(6, 3 + level // 3)
    acts = d.sample(_ACTS, n_rules)
    rules = []
    for _, act in acts:
        pair = d.pick(_ROLES[: 2 if level < 7 else 3])
        role = d.pick(pair)
        if level > 2 and d.integer(0, 1):
            other = d.pick([p for p in _ROLES[: 2 if level < 7 else 3] if p != pair])
            rules.append((act, role, d.pick(other)))
        else:
            rules.append((act, role, ""))
    names = d.sample(NAMES, n_people)
    culprit = d.integer(0, n_people - 1)
    wanted_yes, how = d.integer(0, 1), d.integer(0, 2)
    while True:
        cast = [[d.pick(pair) for pair in _ROLES[: 2 if level < 7 else 3]] for _ in names]
        doings = [d.integer(0, n_rules - 1) for _ in names]
        breaks = [_breaks(rules[doing], roles) for doing, roles in zip(doings, cast, strict=True)]
        if how == 0 and [i for i, broken in enumerate(breaks) if broken] == [culprit]:
            break
        if how == 1 and breaks[culprit] == bool(wanted_yes):
            break
        if how == 2 and sum(breaks) == (culprit + 1) % (n_people + 1):
            break
    told_rules = "; ".join(_rule(*rule) for rule in rules)
    lead = (
        f"Among the {people_name}, these rules hold, and no others: {told_rules}. "
        + " ".join(
            f"{name}, {in_words([_a(role) for role in roles])}, {acts[doing][0]}."
            for name, roles, doing in zip(names, cast, doings, strict=True)
        )
        + " "
    )
    if how == 0:
        options = names
        return Draft(
            f"{lead}Who breaks a rule? Answer with a letter.\n{listed(options)}",
            letter(culprit, options),
        )
    if how == 1:
        return Draft(f"{lead}Does {names[culprit]} break a rule?", yes_no(holds=bool(wanted_yes)))
    return Draft(f"{lead}How many of these people break a rule?", number(sum(breaks)))


def _breaks(rule: tuple[str, str, str], roles: list[str]) -> bool:
    _, role, excepted = rule
    return role in roles and (not excepted or excepted not in roles)


def _a(role: str) -> str:
    return f"an {role}" if role[0] in "aeiou" else f"a {role}"


def _rule(act: str, role: str, excepted: str) -> str:
    return f"{_a(role)} must not {act}" + (f", unless also {_a(excepted)}" if excepted else "")


def _remarks(d: Draws, level: int) -> Draft:
    """Indirect requests, and the acts that settle them."""
    n = min(6, level)
    acts = d.sample(_REMARKS, n)
    people = d.sample(NAMES, n + 1)
    done = d.shuffled(range(n))
    told = " ".join(
        f"{speaker} says to {people[0]}: “{remark}”"
        for speaker, (remark, _) in zip(people[1:], acts, strict=True)
    )
    if n == 1:
        others = d.sample([wish for _, wish in _REMARKS if wish != acts[0][1]], 3)
        options = d.shuffled((acts[0][1], *others))
        return Draft(
            f"{told} What does {people[1]} want {people[0]} to do? Answer with a letter.\n"
            f"{listed(options)}",
            letter(options.index(acts[0][1]), options),
        )
    options = [acts[i][1] for i in done]
    keys = ["ABCDEFGH"[done.index(i)] for i in range(n)]
    return Draft(
        f"{told} Which act does each of them want? Answer with the letters in the order of the "
        f"speakers, as in {', '.join('CABDEF'[:3] if n > 2 else 'BA')}.\n{listed(options)}",
        sequence(keys),
    )


def _pragmatic_inference(d: Draws, level: int) -> Draft:
    return _remarks(d, level) if level < 5 and d.integer(0, 1) else reference(d, level)


_REMARKS = (
    ("It is getting rather cold with that window open.", "close the window"),
    ("This soup could do with some salt.", "pass the salt"),
    ("Some of us have to be up at five, and the music carries.", "turn the music down"),
    ("You would make a fine window, standing before the television.", "step aside"),
    ("My hands are full, and the door is shut.", "open the door"),
    ("The plants look thirsty.", "water the plants"),
    ("The dog has been sitting by its leash for an hour.", "walk the dog"),
    ("I can hardly read a word in this gloom.", "switch the light on"),
    ("There is a cup on the piano, and it leaves rings.", "move the cup"),
    ("I wonder whether anyone has noticed that the bin overflows.", "empty the bin"),
    ("My glass has been empty for a while.", "pour a drink"),
    ("That ladder does not look steady with me on it.", "hold the ladder"),
)


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "theory_of_mind": Kind(belief, "moves (level + 1), minds within minds (1 to 5)"),
        "implicature": Kind(_implicature, "replies (level), people who say the opposite"),
        "pragmatic_inference": Kind(
            _pragmatic_inference,
            "objects (3 to 8), rounds of inference (1 to 3); up to level 4 remarks (level)",
        ),
        "sarcasm_detection": Kind(_sarcasm, "remarks (1 to 9), rivals, the misled"),
        "social_norm_violation": Kind(_norms, "rules (2 to 6), people, exceptions"),
    }
)
