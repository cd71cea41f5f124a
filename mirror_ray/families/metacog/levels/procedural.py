"""Procedural questions at ten levels: five subcategories."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft, in_words
from mirror_ray.families.metacog.bank.words import NAMES, Template, capital, one_of, question_texts
from mirror_ray.families.metacog.levels.procedural_machines import (
    registers,
    rewriting,
    sorting,
    stack,
)

_T = question_texts(__name__)


def _recipe(d: Draws, level: int) -> Draft:
    """Ask for amounts in a recipe that is changed step by step; all remain whole grams."""
    dish, parts = d.pick(_T["dishes"])
    people = base = 24 * d.integer(1, 3)
    now = {part: Fraction(base * d.integer(3, 20)) for part in parts}
    shown = in_words([f"{amount} g of {part}" for part, amount in now.items()])
    name = d.pick(NAMES)
    told = []
    for _ in range(level):
        part = d.pick(parts)
        other = d.pick([each for each in parts if each != part])
        how = d.integer(0, 5)
        new = d.pick([n for n in (12, 24, 36, 48, 60, 72) if n != people])
        if how == 0 and all(amount * new % people == 0 for amount in now.values()):
            now = {each: amount * new / people for each, amount in now.items()}
            people = new
            told.append(_T.say("scaled", new=new))
        elif how == 1 and now[part] % 2 == 0:
            now[part] /= 2
            told.append(_T.say("halved", part=part))
        elif how == 2:
            now[part] *= 2
            told.append(_T.say("doubled", part=part))
        elif how == 3 and now[part] % 4 == 0:
            quarter = now[part] / 4
            now[part] -= quarter
            now[other] += quarter
            told.append(_T.say("replaced", part=part, other=other))
        elif how == 4 and now[part] > 60:
            k = 5 * d.integer(2, 9)
            now[part] -= k
            told.append(_T.say("left_out", k=k, part=part))
        else:
            k = 5 * d.integer(2, 15)
            now[part] += k
            told.append(_T.say("added", k=k, part=part))
    steps = " ".join(f"{i}. {capital(step)}." for i, step in enumerate(told, 1))
    lead = _T.say("recipe", name=name, dish=dish, people=base, shown=shown, steps=steps)
    part = d.pick(parts)
    if d.integer(0, 1):
        return _T.draft("grams_of_part", now[part], lead=lead, part=part)
    return _T.draft("grams_in_all", sum(now.values(), Fraction()), lead=lead)


def _protocol(d: Draws, level: int) -> Draft:
    """State rules about the order of steps and a log; ask where, or how often, the log breaks
    them."""
    steps = d.sample(_T["steps"], min(len(_T["steps"]), 4 + level // 2))
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
    said = " ".join(f"({i}) {_T.say(kind, a=a, b=b)}." for i, (kind, a, b) in enumerate(rules, 1))
    lead = _T.say("protocol", rules=said, log="; ".join(log))
    if how == 0:
        return _T.draft("n_broken", wanted, lead=lead)
    if how == 1:
        return _T.draft("which_broken", kept.index(False) + 1, lead=lead)
    return _T.draft("n_kept", n_rules - wanted, lead=lead)


def _contradicts(rule: tuple[str, str, str], rules: Sequence[tuple[str, str, str]]) -> bool:
    """Return whether no log of all steps could obey both rules."""
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


def waiting_tasks(
    d: Draws, names: Sequence[str], lengths: Sequence[int], unit: str, *, waits_for: tuple[int, int]
) -> tuple[list[list[int]], list[int], str]:
    """Return which tasks each task waits for, when each ends, and both in words. `waits_for` has
    the fewest and the most tasks that a task may wait for."""
    fewest, most = waits_for
    waits = [
        sorted(d.sample(range(i), d.integer(fewest, min(most, i)))) if i else []
        for i in range(len(names))
    ]
    ends: list[int] = []
    for own, length in zip(waits, lengths, strict=True):
        ends.append(max((ends[j] for j in own), default=0) + length)
    told = []
    for name, length, own in zip(names, lengths, waits, strict=True):
        needs = in_words([f"“{names[j]}”" for j in own]) if own else ""
        told.append(f"“{name}” takes {length} {unit}" + f" and needs {needs} finished" * bool(own))
    return waits, ends, "; ".join(d.shuffled(told))


def _plan(d: Draws, level: int) -> Draft:
    n = min(len(_T["tasks"]), 3 + level)
    names = d.sample(_T["tasks"], n)
    days = [d.integer(2, 12) for _ in range(n)]
    waits_for = 0 if level > 2 else 1, 3 if level > 5 else 2
    waits, ends, told = waiting_tasks(d, names, days, "days", waits_for=waits_for)
    whole = max(ends)
    latest = [whole] * n
    for i in reversed(range(n)):
        for j in waits[i]:
            latest[j] = min(latest[j], latest[i] - days[i])
    lead = _T.say("plan", n=n, told=told)
    how = d.integer(0, 2)
    if how == 0:
        return _T.draft("all_done", whole, lead=lead)
    which = d.integer(n // 2, n - 1)
    if how == 1:
        return _T.draft("one_done", ends[which], lead=lead, name=names[which])
    latest_start = latest[which] - days[which]
    return _T.draft("latest_start", latest_start, lead=lead, name=names[which])


def _recovery(d: Draws, level: int) -> Draft:
    """Show a tank's log with saves, returns to a saved state, and undone steps."""
    start = saved = litres = d.integer(60, 160)
    undoable: list[int] = []
    log: list[str] = []
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
        else:
            change = -k if how > 1 and litres > k + 5 else k
            litres += change
            undoable.append(change)
            log.append(f"{'remove' if change < 0 else 'add'} {k}")
    lead = _T.say("tank", litres=start, log="; ".join(log))
    if d.integer(0, 3):
        return _T.draft("litres_left", litres, lead=lead)
    return _T.draft("litres_saved", saved, lead=lead)


def _inventory(d: Draws, level: int) -> Draft:
    """Change a row of boxes by instructions that name places."""
    n = min(9, 4 + level // 2)
    letters = "ABCDEFGHJ"[:n]
    row = d.shuffled(letters)
    start, told = ", ".join(row), []
    for _ in range(level + 1):
        i, j = sorted(d.sample(range(n), 2))
        how = d.integer(0, 4)
        one = two = ""
        if how == 0:
            row[i], row[j] = row[j], row[i]
        elif how == 1:
            row.append(row.pop(i))
        elif how == 2:
            row.insert(0, row.pop(j))
        elif how == 3:
            row[i : j + 1] = row[i : j + 1][::-1]
        else:
            one, two = d.sample(row, 2)
            row.remove(one)
            row.insert(row.index(two) + 1, one)
        name = ("swap", "to_the_right", "to_the_left", "reverse", "beside")[how]
        told.append(_T.say(name, i=i + 1, j=j + 1, one=one, two=two))
    lead = _T.say("boxes", row=start, told="; ".join(told))
    if d.integer(0, 1):
        return _T.draft("row", keys.sequence(row), lead=lead, example=", ".join(letters))
    place = d.integer(1, n)
    return _T.draft("place", place, lead=lead, box=row[place - 1])


KINDS: Mapping[str, Template] = {
    "algorithm_execution": one_of(stack, sorting, registers, rewriting),
    "recipe_following": _recipe,
    "protocol_compliance": _protocol,
    "multistep_planning": _plan,
    "error_recovery": one_of(_recovery, _inventory),
}
