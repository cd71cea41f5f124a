"""Parts of two-part tasks, solved from the scene and the part's words."""

import re
from datetime import datetime, timedelta

from support.solvers_of_metacog import facts, language, logic, machines, minds
from support.solvers_of_metacog.figures import Answer, ints


def arithmetic(scene: str, ask: str) -> Answer:
    till = {name: int(k) for name, k in re.findall(r"(\w+) has \$(\d+) in the till", scene)}
    events = re.search(r"in this order: (.+?)\.(?: |$)", scene)[1]  # type: ignore[index]
    for event in events.split("; "):
        names = [w for w in re.findall(r"\w+", event) if w in till]
        k = ints(event)
        if "sells" in event:
            till[names[0]] += k[0] * k[1]
        elif "pays" in event:
            till[names[0]] -= k[0]
            till[names[1]] += k[0]
        elif "share it equally" in event:
            till[names[0]] = till[names[1]] = (till[names[0]] + till[names[1]]) // 2
        elif "lends" in event:
            half = till[names[0]] // 2
            till[names[0]] -= half
            till[names[1]] += half
        else:
            till[names[0]] += k[0]
    asked = [w for w in re.findall(r"\w+", ask) if w in till]
    return sum(till[name] for name in asked) if asked else sum(till.values())


def spatial(scene: str, ask: str) -> Answer:
    steps = {"north": 1j, "south": -1j, "east": 1, "west": -1}
    links = {}
    for who, base, legs in re.findall(
        r"(\w+)'s \w+ is reached from (the gate|\w+)(?:'s \w+)? by going ([\w ]+)", scene
    ):
        moves = re.findall(r"(\d+) m (\w+)", legs)
        links[who] = (base, sum(int(far) * complex(steps[way]) for far, way in moves))

    def place(name: str) -> complex:
        return 0 if name == "the gate" else place(links[name][0]) + links[name][1]

    named = [w for w in re.findall(r"\w+", ask) if w in links]
    apart = place(named[0]) - (place(named[1]) if len(named) > 1 else 0)
    if "at least" in ask:
        return abs(apart.real) + abs(apart.imag)
    return apart.imag if "further north" in ask else apart.real


def temporal(scene: str, ask: str) -> Answer:
    late = int(found[1]) if (found := re.search(r"takes place (\d+) minutes later", scene)) else 0
    over: dict[str, datetime] = {}
    shows = re.findall(r"the show of the (\w+), given by \w+, begins (\d+) minutes after (?:(\d\d:\d\d)|the show of the (\w+) is over) and takes (\d+) minutes", scene)  # fmt: skip  # noqa: E501
    for show, pause, clock, before, length in shows:
        begin = datetime.strptime(clock, "%H:%M") if clock else over[before]
        over[show] = begin + timedelta(minutes=int(pause) + int(length))
    show = re.search(r"show of the (\w+)", ask)[1]  # type: ignore[index]
    return f"{over[show] + timedelta(minutes=late):%H:%M}"


def logical(scene: str, ask: str) -> Answer:
    rules, fact = re.search(r"These rules hold: (.+?)\. Today (.+?)\.(?: |$)", scene).groups()  # type: ignore[union-attr]  # fmt: skip

    def literal(text: str) -> tuple[str, bool]:
        name = re.sub(r"^the ", "", text.strip()).split()[0]
        return name, " not " not in text

    clauses = []
    for rule in rules.split("; "):
        if rule.startswith("if "):
            one, two = rule[3:].split(", ")
        elif " only if " in rule:
            one, two = rule.split(" only if ")
        else:
            two, one = rule.split(" whenever ")
        clauses.append((literal(one), literal(two)))
    known, asked = literal(fact), literal(ask.removeprefix("Is it so that "))[0]
    names = sorted({name for clause in clauses for name, _ in clause} | {known[0], asked})
    values = {
        world[asked]
        for world in logic._worlds(names)
        if world[known[0]] == known[1]
        and all(world[a] != a_is or world[b] == b_is for (a, a_is), (b, b_is) in clauses)
    }
    assert len(values) == 1
    return "yes" if values.pop() else "no"


def factual(scene: str, ask: str) -> Answer:
    signs = re.search(r"signs shows a[\w ]+: (.+?)\. They", scene)[1]  # type: ignore[index]
    has = dict(re.findall(r"([A-Z]\w+) has ([^,]+?)(?=, [A-Z]\w+ has| and [A-Z]\w+ has|$)", signs))
    by_number = "chemical" in scene
    rank = {
        who: facts._NUMBER[what] if by_number else facts._LAND[what][0] for who, what in has.items()
    }
    n = next(i for i, word in enumerate(facts.ORDINALS) if f" {word} " in ask)
    return sorted(rank, key=rank.__getitem__)[n]  # type: ignore[arg-type]


def social(scene: str, ask: str) -> Answer:
    return minds.belief(scene[scene.index("Before the opening, ") :] + " " + ask)


def linguistic(scene: str, ask: str) -> Answer:
    return language.swaps(scene[scene.index("A note on") :] + " " + ask)


def procedural(scene: str, ask: str) -> Answer:
    return machines.plan(scene[scene.index("To prepare the exhibits") :] + " " + ask)


PARTS = {
    "arithmetic": arithmetic, "spatial": spatial, "temporal": temporal, "logical": logical,
    "factual": factual, "social": social, "linguistic": linguistic, "procedural": procedural,
}  # fmt: skip
