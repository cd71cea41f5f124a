"""Arithmetic and space, solved from the words: evaluation, brute force over cells, matrices."""

import re
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

Answer = object


def ints(text: str) -> list[int]:
    return [int(found) for found in re.findall(r"-?\d+", text)]


def _product(values: list[int]) -> int:
    result = 1
    for value in values:
        result *= value
    return result


def mental_calculation(q: str) -> Answer:
    found = re.search(r"[-(\d][-+×() \d]+", q)
    assert found
    return eval(found[0].strip().rstrip(".").replace("×", "*"))  # noqa: S307


def word_problems(q: str) -> Answer:
    if q.startswith("A price"):
        price = Fraction(ints(q)[0])
        for way, percent in re.findall(r"(raised|lowered) by (\d+)%", q):
            price += price * int(percent) / 100 * (1 if way == "raised" else -1)
        return price
    told, ask = q.rsplit(". ", 1)
    first, *events = re.split(r"\. (?:Then )?", told)
    has = {name: int(k) for name, k in re.findall(r"(\w+) has (\d+)", first)}
    for event in events:
        name = event.split()[0]
        k = ints(event)
        other = next((o for o in re.findall(r"[A-Z]\w+", event) if o != name), "")
        if " doubles " in event:
            has[name] += has[name]
        elif "sells half" in event:
            has[name] -= has[name] // 2
        elif "gives half" in event:
            half = has[name] // 2
            has[name], has[other] = has[name] - half, has[other] + half
        elif "as many" in event:
            has[name] += has[other]
        elif "share them equally" in event:
            has[name] = has[other] = (has[name] + has[other]) // 2
        elif "swap" in event:
            has[name], has[other] = has[other], has[name]
        elif re.search(r"gives \d+ to [A-Z]", event):
            has[name] -= k[0]
            has[other] += k[0]
        elif re.search(r"loses|sells|charity|throws", event):
            has[name] -= k[0]
        else:
            assert re.search(r"buys|finds|given|wins", event), event
            has[name] += k[0]
    named = [name for name in re.findall(r"[A-Z]\w+", ask) if name in has]
    if "in all" in ask:
        return sum(has.values())
    return has[named[0]] - has[named[1]] if "How many more" in ask else has[named[0]]


_SIZES = {
    "week": 604_800, "day": 86_400, "hour": 3_600, "minute": 60, "second": 1,
    "kilometre": 1_000_000, "metre": 1_000, "centimetre": 10, "millimetre": 1,
    "tonne": 1_000_000, "kilogram": 1_000, "gram": 1,
    "hectolitre": 100_000, "litre": 1_000, "centilitre": 10, "millilitre": 1,
}  # fmt: skip


def unit_conversion(q: str) -> Answer:
    if q.startswith("In an old system"):
        per: dict[tuple[str, str], Fraction] = {}
        for one, k, two in re.findall(r"1 (\w+) is (\d+) (\w+)", q):
            per[one, two] = Fraction(int(k))
        for k, two, one in re.findall(r"(\d+) (\w+) make 1 (\w+)", q):
            per[one, two] = Fraction(int(k))

        def in_units(amount: int, unit: str, goal: str) -> Fraction:
            if unit == goal:
                return Fraction(amount)
            nxt = next(two for one, two in per if one == unit)
            return in_units(amount, nxt, goal) * per[unit, nxt]

        if found := re.search(r"How many (\w+) are (\d+) (\w+) and (\d+) \w+ in all\?", q):
            return in_units(int(found[2]), found[3], found[1]) + int(found[4])
        found = re.search(
            r"many (\w+) are missing from (\d+) (\w+) and (\d+) (\w+) to make (\d+) (\w+)", q
        )
        assert found
        goal = found[1]
        have = in_units(int(found[2]), found[3], goal) + in_units(int(found[4]), found[5], goal)
        return in_units(int(found[6]), found[7], goal) - have
    if found := re.search(r"(\d+) [a-z ]+ every (\d+) seconds", q):
        made, every = int(found[1]), int(found[2])
        n = int(again[1]) if (again := re.search(r"(\d+) such", q)) else 1
        span = sum(int(k) * _SIZES[u] for k, u in re.findall(r"(\d+) (hour|minute|second)s?\b", q.rsplit(" another ", 1)[1]))  # fmt: skip  # noqa: E501
        before = int(re.search(r"(\d+) [a-z ]+ were done before", q)[1])  # type: ignore[index]
        return before + Fraction(made * n * span, every)
    amounts = re.findall(r"(\d+) (\w+?)s\b", q)
    goal = re.search(r"How many (\w+?)s are|in (\w+?)s[.?]$", q)
    assert goal
    unit = goal[1] or goal[2]
    return Fraction(sum(int(k) * _SIZES[u] for k, u in amounts), _SIZES[unit])


def estimation(q: str) -> Answer:
    sizes = {"ten": "1E1", "hundred": "1E2", "thousand": "1E3"}
    exact = rounded = Decimal(0)
    for sign, k, to in re.findall(r"([-+]?) ?(\d+) \(to the nearest (\w+)\)", q):
        value = Decimal(k)
        near = value.quantize(Decimal(sizes[to]), rounding=ROUND_HALF_UP)
        exact += -value if sign == "-" else value
        rounded += -near if sign == "-" else near
    if more := re.search(r"result plus (\d+)", q):
        return rounded + int(more[1])
    return abs(rounded - exact)


def numerical_reasoning(q: str) -> Answer:
    k = ints(q)
    if q.startswith("A sequence"):
        terms = k[:2]
        found = re.search(r"(?:(\d+) times )?the term before it, (plus|minus) .*?plus (\d+)", q)
        assert found
        limit = int(m[1]) if (m := re.search(r"division by (\d+)", q)) else 0
        code = f"{found[1] or 1} * b {'+' if found[2] == 'plus' else '-'} a + {found[3]}"
        while len(terms) < k[-1]:
            term = eval(code, {"a": terms[-2], "b": terms[-1]})  # noqa: S307
            terms.append(term % limit if limit else term)
        return terms[-1]
    if "common divisor" in q:
        return next(g for g in range(min(k), 0, -1) if not any(v % g for v in k))
    if "common multiple" in q:
        return next(m for m in range(max(k), _product(k) + 1, max(k)) if not any(m % v for v in k))
    if "smallest whole number" in q:
        pairs = re.findall(r"(\d+) on division by (\d+)", q)
        n = k[0] + 1
        while not all(n % int(m) == int(r) for r, m in pairs):
            n += 1
        return n
    if "to the power of" in q:
        value = 1
        for _ in range(k[1]):
            value = value * k[0] % k[2]
        return value
    if "remainder when" in q:
        return (k[0] * k[1] + k[2]) % k[3]
    low, high = k[:2]
    if "exactly one of" in q:
        fits = [n for n in range(low, high + 1) if [n % k[2], n % k[3]].count(0) == 1 and n % k[4]]
    elif "but not by" in q:
        fits = [n for n in range(low, high + 1) if n % k[2] == 0 and n % k[3] != 0]
    else:
        fits = [n for n in range(low, high + 1) if not n % k[2]]
    return len(fits) if q.startswith("How many") else max(fits)
