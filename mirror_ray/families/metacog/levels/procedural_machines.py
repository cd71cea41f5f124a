"""Small machines to be run in the head: stack, registers, sorting, rewriting."""

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft, Key, number, sequence

_MOST = 500


def stack(d: Draws, level: int) -> Draft:
    """A stack machine with level + 3 instructions."""
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
    lead = (
        "A stack machine begins with an empty stack. “add” takes the two topmost values off and "
        "pushes their sum; “subtract” takes both off and pushes the lower one minus the topmost; "
        "“multiply” takes both off and pushes their product; “swap” exchanges the two topmost; "
        f"“copy” pushes the topmost once more. It runs: {', '.join(program)}. "
    )
    how = d.integer(0, 2)
    if how == 0:
        return Draft(
            f"{lead}What is the sum of all values on the stack in the end?", number(sum(values))
        )
    if how == 1:
        return Draft(f"{lead}How many values are on the stack in the end?", number(len(values)))
    return Draft(f"{lead}Which value is on top in the end?", number(values[-1]))


def sorting(d: Draws, level: int) -> Draft:
    """A list after some passes of a sorting method."""
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
        method = (
            "A pass of bubble sort goes through the whole list once, from left to right, and swaps "
            "two neighbours wherever the left one is larger."
        )
    else:
        for done in range(passes):
            least = min(range(done, n), key=lambda i: after[i])
            if least != done:
                after[done], after[least] = after[least], after[done]
                swaps += 1
        method = (
            "Pass number k of selection sort finds the smallest value from place k to the end of "
            "the list and swaps it with the value at place k, unless it is there already; places "
            "count from 1."
        )
    times = "one pass" if passes == 1 else f"{passes} passes"
    if d.integer(0, 2):
        return Draft(f"{method} What does {row} become after {times}?", sequence(after))
    return Draft(f"{method} How many swaps do {times} make in {row}?".replace(
        "do one pass make", "does one pass make"), number(swaps))  # fmt: skip


def registers(d: Draws, level: int) -> Draft:
    """Two or three registers changed by a loop."""
    x, y, rounds = d.integer(2, 30), d.integer(2, 25), level + 2
    a, b, limit = d.integer(2, 9), d.integer(1, 9), d.pick((20, 30, 50, 60, 97))
    form = d.integer(0, 2)
    start = f"x is {x} and y is {y}."
    if form == 0:
        body = (
            f"if x is even, halve x and add {a} to y; otherwise add y to x and then, if x is "
            f"greater than {limit}, subtract {limit} from it"
        )
        for _ in range(rounds):
            if x % 2 == 0:
                x, y = x // 2, y + a
            else:
                x += y
                x -= limit if x > limit else 0
    elif form == 1:
        body = (
            f"if x is greater than y, replace x by x minus y and add {b} to y; otherwise exchange "
            f"x and y and then add {a} to x"
        )
        for _ in range(rounds):
            if x > y:
                x, y = x - y, y + b
            else:
                x, y = y + a, x
    else:
        body = (
            f"replace x by the remainder of x times {a} plus y on division by {limit}, and then "
            f"add 1 to y if the new x is odd, otherwise add {b} to y"
        )
        for _ in range(rounds):
            x = (x * a + y) % limit
            y += 1 if x % 2 else b
    name, value = d.pick((("x", x), ("y", y), ("x plus y", x + y)))
    return Draft(
        f"At first {start} {rounds} times in a row, this is done: {body}. What is {name} in the "
        "end?",
        number(value),
    )


def rewriting(d: Draws, level: int) -> Draft:
    """A string of letters under rules, the leftmost place that fits first."""
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
    lead = (
        f"A string is rewritten by these rules: {told}. In each step the first rule of the list "
        "that fits anywhere is applied, once, at the leftmost place where it fits; if none fits, "
        f"nothing changes. It begins as {word}. "
    )
    many = "1 step" if steps == 1 else f"{steps} steps"
    if d.integer(0, 2):
        return Draft(f"{lead}What is it after {many}?", Key(now, "text"))
    what = d.pick(letters)
    return Draft(f"{lead}How many times does it contain {what} after {many}?",
                 number(now.count(what)))  # fmt: skip
