"""Procedural questions at ten levels: five subcategories."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft, in_words, number, sequence
from mirror_ray.families.metacog.bank.words import NAMES
from mirror_ray.families.metacog.levels.kind import Kind, one_of
from mirror_ray.families.metacog.levels.procedural_machines import (
    registers,
    rewriting,
    sorting,
    stack,
)

_DISHES = (
    ("pancakes", ("flour", "milk", "sugar")),
    ("lentil soup", ("lentils", "stock", "carrots")),
    ("rice pudding", ("rice", "milk", "raisins")),
    ("bread rolls", ("flour", "water", "butter")),
    ("tomato sauce", ("tomatoes", "onions", "oil")),
)
_STEPS = (
    "check the oil", "close the drain", "open the inlet", "switch on the power", "read the gauge",
    "press start", "log the time", "test the alarm", "wipe the lens", "call the desk",
)  # fmt: skip
_TASKS = (
    "dig", "pour", "frame", "wire", "plaster", "paint", "tile", "roof", "glaze", "clean", "plant",
    "fence", "insulate",
)  # fmt: skip


def _recipe(d: Draws, level: int) -> Draft:
    """Amounts of a recipe, changed step by step; all of them stay whole grams."""
    dish, parts = d.pick(_DISHES)
    base = 24 * d.integer(1, 3)
    amounts = {part: base * d.integer(3, 20) for part in parts}
    shown = in_words([f"{amount} g of {part}" for part, amount in amounts.items()])
    lead = f"{d.pick(NAMES)}'s recipe for {dish} for {base} people needs {shown}. "
    told = []
    people = base
    now = {part: Fraction(amount) for part, amount in amounts.items()}
    for _ in range(level):
        part = d.pick(parts)
        other = d.pick([each for each in parts if each != part])
        how = d.integer(0, 5)
        new = d.pick([n for n in (12, 24, 36, 48, 60, 72) if n != people])
        if how == 0 and all(amount * new % people == 0 for amount in now.values()):
            now = {each: amount * new / people for each, amount in now.items()}
            people = new
            told.append(f"all amounts are changed in proportion, to serve {new} people")
        elif how == 1 and now[part] % 2 == 0:
            now[part] /= 2
            told.append(f"the amount of {part} is halved")
        elif how == 2:
            now[part] *= 2
            told.append(f"the amount of {part} is doubled")
        elif how == 3 and now[part] % 4 == 0:
            quarter = now[part] / 4
            now[part] -= quarter
            now[other] += quarter
            told.append(
                f"a quarter of the amount of {part} is replaced by the same weight of {other}"
            )
        elif how == 4 and now[part] > 60:
            k = 5 * d.integer(2, 9)
            now[part] -= k
            told.append(f"{k} g of {part} are left out")
        else:
            k = 5 * d.integer(2, 15)
            now[part] += k
            told.append(f"{k} g of {part} are added")
    steps = " ".join(f"{i}. {step[0].upper()}{step[1:]}." for i, step in enumerate(told, 1))
    lead += f"It is changed in this order: {steps} "
    part = d.pick(parts)
    if d.integer(0, 1):
        return Draft(f"{lead}How many grams of {part} does it need in the end?", number(now[part]))
    return Draft(
        f"{lead}How many grams do all three ingredients weigh in the end?",
        number(sum(now.values(), Fraction())),
    )


def _protocol(d: Draws, level: int) -> Draft:
    """Rules about the order of steps, a log, and where, or how often, it breaks them."""
    n_steps = min(len(_STEPS), 4 + level // 2)
    steps = d.sample(_STEPS, n_steps)
    n_rules = min(7, 1 + level)
    how, wanted = d.integer(0, 2), d.integer(0, n_rules)
    while True:
        rules: list[tuple[str, str, str]] = []
        while len(rules) < n_rules:
            a, b = d.sample(steps, 2)
            kind = d.pick(("before", "right", "once", "not_next", "last"))
            rule = (kind, a, "" if kind in ("once", "last") else b)
            if rule not in rules and not _contradicts(rule, rules):
                rules.append(rule)
        log = d.shuffled(steps)
        for _ in range(level // 3):
            log.insert(d.integer(0, len(log)), d.pick(steps))
        kept = [_kept(rule, log) for rule in rules]
        if kept.count(False) == (wanted if how != 1 else 1):
            break
    told_rules = " ".join(f"({i}) {_rule(rule)}." for i, rule in enumerate(rules, 1))
    lead = f"A protocol has these rules: {told_rules} The log says: {'; '.join(log)}. "
    if how == 0:
        return Draft(f"{lead}How many of the rules does the log break?", number(wanted))
    if how == 1:
        return Draft(
            f"{lead}Exactly one rule is broken. What is its number?",
            number(kept.index(False) + 1),
        )
    return Draft(f"{lead}How many of the rules does the log keep?", number(n_rules - wanted))


def _contradicts(rule: tuple[str, str, str], rules: Sequence[tuple[str, str, str]]) -> bool:
    """No log of all steps could keep both rules."""
    kind, a, b = rule
    for other, c, e in rules:
        if kind == other == "last" or (kind == other == "right" and a == c):
            return True
        if kind == other == "before" and (a, b) == (e, c):
            return True
        if {kind, other} == {"right", "not_next"} and (a, b) == (c, e):
            return True
        if {kind, other} == {"right", "last"} and a == c:
            return True
    return False


def _kept(rule: tuple[str, str, str], log: list[str]) -> bool:
    kind, a, b = rule
    after = list(pairwise(log))
    match kind:
        case "before":
            return b not in log or a in log[: log.index(b)]
        case "right":
            return all(two == b for one, two in after if one == a) and log[-1] != a
        case "once":
            return log.count(a) <= 1
        case "not_next":
            return (a, b) not in after
        case _:
            return log[-1] == a


def _rule(rule: tuple[str, str, str]) -> str:
    kind, a, b = rule
    return {
        "before": f"Before “{b}” is done for the first time, “{a}” must have been done",
        "right": f"Every “{a}” must be followed at once by “{b}”",
        "once": f"“{a}” must not be done more than once",
        "not_next": f"“{b}” must never come right after “{a}”",
        "last": f"“{a}” must be the last step",
    }[kind]


def _plan(d: Draws, level: int) -> Draft:
    """Tasks that wait for others: the earliest end, or how long one of them may be late."""
    n = min(len(_TASKS), 3 + level)
    names = d.sample(_TASKS, n)
    days = [d.integer(2, 12) for _ in range(n)]
    waits: list[list[int]] = [[]]
    for i in range(1, n):
        count = d.integer(0 if level > 2 else 1, min(3 if level > 5 else 2, i))
        waits.append(sorted(d.sample(range(i), count)))
    ends: list[int] = []
    for i in range(n):
        ends.append(max((ends[j] for j in waits[i]), default=0) + days[i])
    whole = max(ends)
    latest = [whole] * n
    for i in reversed(range(n)):
        for j in waits[i]:
            latest[j] = min(latest[j], latest[i] - days[i])
    told = [
        f"“{names[i]}” takes {days[i]} days"
        + (
            f" and needs {in_words([f'“{names[j]}”' for j in waits[i]])} finished"
            if waits[i]
            else ""
        )
        for i in range(n)
    ]
    lead = (
        f"A building site has {n} tasks: {'; '.join(d.shuffled(told))}. Tasks that do not wait for "
        "each other may run at the same time. "
    )
    how = d.integer(0, 2)
    if how == 0:
        return Draft(
            f"{lead}After how many days, at the earliest, is everything finished?", number(whole)
        )
    which = d.integer(n // 2, n - 1)
    if how == 1:
        return Draft(
            f"{lead}All tasks begin as early as they can. After how many days is “{names[which]}” "
            "finished?",
            number(ends[which]),
        )
    return Draft(
        f"{lead}If “{names[which]}” begins as late as it can without making the end of the whole "
        "later than it need be, how many days after the start of the work does it begin?",
        number(latest[which] - days[which]),
    )


def _recovery(d: Draws, level: int) -> Draft:
    """A tank's log with saves, returns to what was saved, and steps undone."""
    litres = d.integer(60, 160)
    lead = (
        f"A tank holds {litres} litres, and that level counts as saved. “Save” stores the present "
        "level in place of the one stored before; “restore” sets the tank to the stored level; "
        "“undo” reverses the effect of the last “add” or “remove” that has not been undone or "
        "overtaken by a restore, and does nothing if there is none. The log: "
    )
    undoable: list[int] = []
    log: list[str] = []
    saved = litres
    for turn in range(level + 3):
        how = d.integer(0, 6) if turn else 0
        k = d.integer(3, 40)
        if how == 4:
            saved = litres
            log.append("save")
        elif how == 5:
            litres, undoable = saved, []
            log.append("restore")
        elif how == 6 and (log[-1] != "undo" or level > 5):
            if undoable:
                litres -= undoable.pop()
            log.append("undo")
        elif how > 1 and litres > k + 5:
            litres -= k
            undoable.append(-k)
            log.append(f"remove {k}")
        else:
            litres += k
            undoable.append(k)
            log.append(f"add {k}")
    lead += f"{'; '.join(log)}. "
    if d.integer(0, 3):
        return Draft(f"{lead}How many litres are in the tank in the end?", number(litres))
    return Draft(f"{lead}Which level, in litres, is stored in the end?", number(saved))


def _inventory(d: Draws, level: int) -> Draft:
    """A row of boxes under instructions that name places."""
    n = min(9, 4 + level // 2)
    row = d.shuffled("ABCDEFGHJ"[:n])
    lead = f"Boxes stand in a row: {', '.join(row)}. These instructions are carried out in turn: "
    told = []
    for _ in range(level + 1):
        i, j = sorted(d.sample(range(n), 2))
        how = d.integer(0, 4)
        if how == 0:
            row[i], row[j] = row[j], row[i]
            told.append(f"swap the boxes at places {i + 1} and {j + 1}")
        elif how == 1:
            row.insert(n - 1, row.pop(i))
            told.append(f"take the box at place {i + 1} out and put it at the right end")
        elif how == 2:
            row.insert(0, row.pop(j))
            told.append(f"take the box at place {j + 1} out and put it at the left end")
        elif how == 3:
            row[i : j + 1] = row[i : j + 1][::-1]
            told.append(f"reverse the order of places {i + 1} to {j + 1}")
        else:
            one, two = d.sample(row, 2)
            row.remove(one)
            row.insert(row.index(two) + 1, one)
            told.append(f"take box {one} out and put it directly to the right of box {two}")
    lead += f"{'; '.join(told)}. Places are counted from the left, beginning with 1. "
    if d.integer(0, 1):
        return Draft(
            f"{lead}What is the row in the end? Answer with the letters in order, as in "
            f"{', '.join('ABCDEFGHJ'[:n])}.",
            sequence(row),
        )
    place = d.integer(1, n)
    return Draft(f"{lead}At which place is box {row[place - 1]} in the end?", number(place))


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "algorithm_execution": Kind(
            one_of(stack, sorting, registers, rewriting), "instructions, values, rounds (level + 3)"
        ),
        "recipe_following": Kind(_recipe, "changes (level)"),
        "protocol_compliance": Kind(_protocol, "rules (level + 1, to 7), steps (4 to 9)"),
        "multistep_planning": Kind(_plan, "tasks (level + 3), what each waits for"),
        "error_recovery": Kind(one_of(_recovery, _inventory), "entries of a log, instructions"),
    }
)
