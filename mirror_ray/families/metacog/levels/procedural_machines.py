"""Small machines to be run in one's head: stack, registers, sorting, rewriting."""

from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft, Key
from mirror_ray.families.metacog.bank.words import question_texts

_T = question_texts(__name__)
_MOST = 500


def stack(d: Draws, level: int) -> Draft:
    """Run a stack machine with level + 3 instructions."""
    values: list[int] = []
    program = []
    for turn in range(level + 3):
        how = d.integer(0, 6) if len(values) > 1 else 0
        if how < 2 or (turn < 3 and len(values) < 2):
            values.append(d.integer(2, 20))
            program.append(f"push {values[-1]}")
            continue
        top, below = values.pop(), values.pop()
        if how == 6 and abs(top * below) > _MOST:
            how = 3
        name, left = (
            ("add", [below + top]),
            ("subtract", [below - top]),
            ("swap", [top, below]),
            ("copy", [below, top, top]),
            ("multiply", [below * top]),
        )[how - 2]
        program.append(name)
        values += left
    lead = _T.say("stack", program=", ".join(program))
    how = d.integer(0, 2)
    name = ("stack_sum", "stack_size", "stack_top")[how]
    return _T.draft(name, (sum(values), len(values), values[-1])[how], lead=lead)


def sorting(d: Draws, level: int) -> Draft:
    """Sort a list in several passes."""
    n, passes = 4 + level // 2, 1 + level // 4
    values = d.sample(range(3, 60), n)
    row = f"[{', '.join(map(str, values))}]"
    after, swaps = list(values), 0
    if d.integer(0, 1):
        for _ in range(passes):
            for i in range(n - 1):
                if after[i] > after[i + 1]:
                    after[i], after[i + 1] = after[i + 1], after[i]
                    swaps += 1
        method = _T["bubble_sort"]
    else:
        for done in range(passes):
            least = min(range(done, n), key=lambda i: after[i])
            if least != done:
                after[done], after[least] = after[least], after[done]
                swaps += 1
        method = _T["selection_sort"]
    times = "one pass" if passes == 1 else f"{passes} passes"
    if d.integer(0, 2):
        return _T.draft("sorted", keys.sequence(after), method=method, row=row, times=times)
    do = "does" if passes == 1 else "do"
    return _T.draft("n_swaps", swaps, method=method, do=do, times=times, row=row)


def registers(d: Draws, level: int) -> Draft:
    """Change two registers by a loop."""
    x, y, rounds = d.integer(2, 30), d.integer(2, 25), level + 2
    a, b, limit = d.integer(2, 9), d.integer(1, 9), d.pick((20, 30, 50, 60, 97))
    form = d.integer(0, 2)
    loop = _T["loops"][form].format(a=a, b=b, limit=limit)
    start = _T.say("start", x=x, y=y)
    if form == 0:
        for _ in range(rounds):
            if x % 2 == 0:
                x, y = x // 2, y + a
            else:
                x += y
                x -= limit if x > limit else 0
    elif form == 1:
        for _ in range(rounds):
            if x > y:
                x, y = x - y, y + b
            else:
                x, y = y + a, x
    else:
        for _ in range(rounds):
            x = (x * a + y) % limit
            y += 1 if x % 2 else b
    name, value = d.pick((("x", x), ("y", y), ("x plus y", x + y)))
    words = {"start": start, "rounds": rounds, "loop": loop, "name": name}
    return _T.draft("registers", value, **words)


def rewriting(d: Draws, level: int) -> Draft:
    """Rewrite a string of letters by rules, always at the leftmost place that fits."""
    letters = "AB" if level < 5 else "ABC"
    word = "".join(d.pick(letters) for _ in range(4 + level // 2))
    pairs = d.sample([a + b for a in letters for b in letters], min(4, 2 + level // 3))
    rules = [(pair, "".join(d.pick(letters) for _ in range(d.integer(1, 3)))) for pair in pairs]
    rules = [(left, right if right != left else left[::-1] + left[0]) for left, right in rules]
    told = "; ".join(f"({i}) {left} becomes {right}" for i, (left, right) in enumerate(rules, 1))
    now, steps = word, 1 + level
    for _ in range(steps):
        for left, right in rules:
            if left in now:
                now = now.replace(left, right, 1)
                break
    lead = _T.say("rewriting", rules=told, word=word)
    many = "1 step" if steps == 1 else f"{steps} steps"
    if d.integer(0, 2):
        return _T.draft("rewritten", Key(now, "text"), lead=lead, many=many)
    what = d.pick(letters)
    return _T.draft("n_letters", now.count(what), lead=lead, what=what, many=many)
