"""Procedures, solved from the words: programs run by Python, plans by longest paths."""

import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache

from support.solvers_of_metacog.figures import Answer, ints


def algorithm(q: str) -> Answer:
    if q.startswith("A stack machine"):
        return _stack(q)
    if "sort" in q:
        return _sorted(q)
    if q.startswith("A string"):
        return _rewritten(q)
    return _loop(q)


def _stack(q: str) -> Answer:
    program = re.search(r"It runs: (.+?)\. ", q)[1].split(", ")  # type: ignore[index]
    pile: list[int] = []
    does: dict[str, Callable[[int, int], list[int]]] = {
        "add": lambda a, b: [a + b], "subtract": lambda a, b: [a - b],
        "multiply": lambda a, b: [a * b], "swap": lambda a, b: [b, a],
        "copy": lambda a, b: [a, b, b],
    }  # fmt: skip
    for step in program:
        if step.startswith("push"):
            pile.append(ints(step)[0])
        else:
            pile[-2:] = does[step](*pile[-2:])
    if "sum of all" in q:
        return sum(pile)
    return len(pile) if "How many values" in q else pile[-1]


def _sorted(q: str) -> Answer:
    row = ints(re.search(r"\[(.+?)\]", q)[1])  # type: ignore[index]
    found = re.search(r"(one|\d+) pass(?:es)?(?: make| in|\?)|does one pass|do (\d+) passes", q)
    assert found
    n = int(found[1]) if (found[1] or "").isdigit() else int(found[2] or 1)
    swaps = 0
    for k in range(n):
        if "bubble" in q:
            for i in range(1, len(row)):
                if row[i] < row[i - 1]:
                    row.insert(i - 1, row.pop(i))
                    swaps += 1
        else:
            i = row.index(min(row[k:]))
            swaps += i != k
            row[k], row[i] = row[i], row[k]
    return swaps if "How many swaps" in q else ", ".join(map(str, row))


def _rewritten(q: str) -> Answer:
    rules = re.findall(r"\(\d\) (\w+) becomes (\w+)", q)
    now = re.search(r"begins as (\w+)\.", q)[1]  # type: ignore[index]
    for _ in range(int(re.search(r"after (\d+) steps?\?", q)[1])):  # type: ignore[index]
        for left, right in rules:
            head, found, tail = now.partition(left)
            if found:
                now = head + right + tail
                break
    if what := re.search(r"contain (\w) after", q):
        return sum(letter == what[1] for letter in now)
    return now


def _loop(q: str) -> Answer:
    x, y, rounds = ints(q)[:3]
    body = q.split("this is done: ")[1].split(". What is", maxsplit=1)[0]
    k = ints(body)
    if body.startswith("if x is even"):
        code = f"if x % 2 == 0:\n  x, y = x // 2, y + {k[0]}\nelse:\n  x = x + y\n  if x > {k[1]}: x = x - {k[2]}"  # noqa: E501
    elif body.startswith("if x is greater"):
        code = f"if x > y:\n  x, y = x - y, y + {k[0]}\nelse:\n  x, y = y, x\n  x = x + {k[1]}"
    else:
        code = f"x = (x * {k[0]} + y) % {k[1]}\nif x % 2 == 1: y = y + {k[2]}\nelse: y = y + {k[3]}"
    state = {"x": x, "y": y}
    exec("for _ in range(" + str(rounds) + "):\n" + re.sub("(?m)^", "  ", code), {}, state)  # noqa: S102
    asked = re.search(r"What is (x plus y|x|y) in the end", q)[1]  # type: ignore[index]
    return sum(state[name] for name in asked.split(" plus "))


def recipe(q: str) -> Answer:
    lead, steps = q.split(" It is changed in this order: ")
    people = Fraction(re.search(r"for (\d+) people", lead)[1])  # type: ignore[index]
    has = {part: Fraction(k) for k, part in re.findall(r"(\d+) g of (\w+)", lead)}
    told, ask = re.split(r" (?=How many grams)", steps)
    for step in re.split(r" ?\d+\. (?=[A-Z]|\d+ g)", told)[1:]:
        parts = [w for w in re.findall(r"\w+", step) if w in has]
        k = ints(step)
        if "in proportion" in step:
            factor, people = k[0] / people, Fraction(k[0])
            has = {part: amount * factor for part, amount in has.items()}
        elif "quarter" in step:
            moved = has[parts[0]] / 4
            has[parts[0]] -= moved
            has[parts[1]] += moved
        elif "halved" in step:
            has[parts[0]] /= 2
        elif "doubled" in step:
            has[parts[0]] *= 2
        else:
            has[parts[0]] += k[0] if "added" in step else -k[0]
    return sum(has.values()) if "all three" in ask else has[re.search(r"of (\w+)", ask)[1]]  # type: ignore[index]


def protocol(q: str) -> Answer:
    told, rest = q.split(" The log says: ")
    log = [f"“{step}”" for step in rest.split(". ", 1)[0].split("; ")]
    kept = []
    text = "".join(log)
    for rule in re.split(r" ?\(\d+\) ", told)[1:]:
        names = re.findall(r"“.+?”", rule)
        a, b = names[0], names[-1]
        if rule.startswith("Before"):
            kept.append(a not in log or b in log[: log.index(a)])
        elif rule.startswith("Every"):
            kept.append(text.count(a) == text.count(a + b))
        elif "more than once" in rule:
            kept.append(text.count(a) < 2)
        elif "never come right after" in rule:
            kept.append(b + a not in text)
        else:
            kept.append(text.endswith(a))
    if "What is its number" in q:
        return kept.index(False) + 1
    return kept.count("does the log keep" in q)


def plan(q: str) -> Answer:
    takes = {name: int(k) for name, k in re.findall(r"“([\w ]+)” takes (\d+) ", q)}
    needs = {
        name: re.findall(r"“([\w ]+)”", after)
        for name, after in re.findall(r"“([\w ]+)” takes \d+ \w+ and needs (.+?) finished", q)
    }

    @cache
    def end(name: str) -> int:
        return takes[name] + max(map(end, needs.get(name, ())), default=0)

    whole = max(map(end, takes))
    named = re.findall(r"“([\w ]+)”", q.rsplit(". ", 1)[1])
    if not named:
        return whole

    def tail(name: str) -> int:
        after = [other for other, before in needs.items() if name in before]
        return takes[name] + max(map(tail, after), default=0)

    return whole - tail(named[0]) if "as late as it can" in q else end(named[0])


def recovery(q: str) -> Answer:
    if q.startswith("Boxes"):
        return _boxes(q)
    # Every state is kept, so that nothing has to be reckoned back.
    level = stored = ints(q)[0]
    past: list[int] = []
    for entry in re.search(r"The log: (.+?)\. ", q)[1].split("; "):  # type: ignore[index]
        if entry == "save":
            stored = level
        elif entry == "restore":
            level, past = stored, []
        elif entry == "undo":
            level -= past.pop() if past else 0
        else:
            change = ints(entry)[0] * (1 if entry.startswith("add") else -1)
            past.append(change)
            level += change
    return stored if "stored in the end" in q else level


def _boxes(q: str) -> Answer:
    row = re.search(r"in a row: (.+?)\. ", q)[1].split(", ")  # type: ignore[index]
    steps = re.search(r"carried out in turn: (.+?)\. Places", q)[1]  # type: ignore[index]
    for step in steps.split("; "):
        k = [n - 1 for n in ints(step)]
        if step.startswith("swap"):
            row[k[0]], row[k[1]] = row[k[1]], row[k[0]]
        elif "right end" in step:
            row = row[: k[0]] + row[k[0] + 1 :] + [row[k[0]]]
        elif "left end" in step:
            row = [row[k[0]], *row[: k[0]], *row[k[0] + 1 :]]
        elif "reverse" in step:
            row = row[: k[0]] + list(reversed(row[k[0] : k[1] + 1])) + row[k[1] + 1 :]
        else:
            one, two = re.findall(r"box ([A-J])\b", step)
            row = [each for box in row if box != one for each in ([box, one] if box == two else [box])]  # fmt: skip  # noqa: E501
    if found := re.search(r"is box (\w) in the end", q):
        return row.index(found[1]) + 1
    return ", ".join(row)
