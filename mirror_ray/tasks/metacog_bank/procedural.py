"""Generated procedural questions: five subcategories, three levels (0 easy, 1 medium, 2 hard)."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType

from mirror_ray.tasks.metacog_bank.draws import Draws
from mirror_ray.tasks.metacog_bank.question import Draft, in_words, number, sequence
from mirror_ray.tasks.metacog_bank.words import NAMES, Template

_DISHES = (
    ("pancakes", (("flour", "g", 40), ("milk", "ml", 75), ("sugar", "g", 12))),
    ("lentil soup", (("lentils", "g", 60), ("stock", "ml", 250), ("carrots", "g", 48))),
    ("rice pudding", (("rice", "g", 56), ("milk", "ml", 220), ("raisins", "g", 16))),
    ("bread rolls", (("flour", "g", 84), ("water", "ml", 52), ("butter", "g", 8))),
    ("tomato sauce", (("tomatoes", "g", 180), ("onions", "g", 36), ("oil", "ml", 12))),
)  # fmt: skip

_PROTOCOLS = (
    ("start the pump", ("check the oil", "close the drain", "open the inlet", "switch on the power",
                        "read the gauge", "press start")),
    ("take a blood sample", ("confirm the name", "wash the hands", "label the tube",
                             "disinfect the skin", "insert the needle", "fill the tube")),
    ("launch the boat", ("read the forecast", "check the hull", "load the life vests",
                         "file the route", "test the radio", "cast off")),
    ("open the vault", ("log the time", "call the supervisor", "enter the first code",
                        "turn the key", "enter the second code", "pull the door")),
    ("release the software", ("run the tests", "raise the version", "write the notes",
                              "tag the commit", "build the package", "upload it")),
)  # fmt: skip

_TASKS = ("dig", "pour", "frame", "wire", "plaster", "paint", "tile", "roof", "glaze", "clean")


def _algorithm_execution(d: Draws, level: int) -> Draft:
    if level == 0:
        values = d.sample(range(3, 60), 5)
        after = list(values)
        for i in range(len(after) - 1):
            if after[i] > after[i + 1]:
                after[i], after[i + 1] = after[i + 1], after[i]
        return Draft(
            "One pass of bubble sort goes through a list once, from left to right, and swaps two "
            f"neighbours wherever the left one is larger. What does {_row(values)} become after "
            "one pass?",
            sequence(after),
        )
    if level == 1:
        a, b = d.integer(140, 400), d.integer(21, 139)
        rounds, x, y = 0, a, b
        while y:
            x, y, rounds = y, x % y, rounds + 1
        asked, value = d.pick(
            (("What is x in the end?", x), ("How many times is the pair replaced?", rounds))
        )
        return Draft(
            f"Begin with x = {a} and y = {b}. As long as y is not 0, replace the pair (x, y) by "
            f"(y, x mod y). {asked}",
            number(value),
        )
    stack = [d.integer(2, 30), d.integer(3, 31)]
    program = [f"push {value}" for value in stack]
    for _ in range(6):
        if len(stack) < 2 or d.integer(0, 1):
            stack.append(d.integer(2, 12))
            program.append(f"push {stack[-1]}")
            continue
        top, below = stack.pop(), stack.pop()
        name, left = d.pick(
            (("add", [below + top]), ("subtract", [below - top]), ("swap", [top, below]))
        )
        program.append(name)
        stack += left
    return Draft(
        "A stack machine begins with an empty stack. “add” takes the two topmost values off and "
        "pushes their sum; “subtract” takes both off and pushes the lower one minus the topmost; "
        f"“swap” exchanges them. It runs: {', '.join(program)}. Which value is on top in the end?",
        number(stack[-1]),
    )


def _row(values: Sequence[int]) -> str:
    return f"[{', '.join(map(str, values))}]"


def _recipe_following(d: Draws, level: int) -> Draft:
    dish, parts = d.pick(_DISHES)
    one, unit, each = d.pick(parts)
    base, people = d.sample(range(2, 26), 2)
    name = d.pick(NAMES)
    recipe = f"A recipe for {dish} for {base} people needs {each * base} {unit} of {one}"
    if level == 0:
        return Draft(
            f"{recipe}. {name} cooks for {people} people. How many {unit} of {one} are needed?",
            number(each * people),
        )
    two, unit_two, each_two = d.pick([part for part in parts if part[0] != one])
    recipe += f" and {each_two * base} {unit_two} of {two}"
    if level == 1:
        spare = d.integer(5, 60)
        return Draft(
            f"{recipe}. {name} has {each * people + spare} {unit} of {one} and uses as much of it "
            f"as {people} people need. How many {unit_two} of {two} go with that?",
            number(each_two * people),
        )
    step = d.integer(3, 12)
    return Draft(
        f"{recipe}. {name} cooks for {people} people, but first makes a trial for {step} people, "
        f"of which a quarter burns and is made again. How many {unit} of {one} are used in all?",
        number(each * people + each * step * Fraction(5, 4)),
    )


def _protocol_compliance(d: Draws, level: int) -> Draft:
    goal, steps = d.pick(_PROTOCOLS)
    name, witness = d.sample(NAMES, 2)
    n = 4 + level
    order = list(steps[6 - n :])
    done = list(order)
    if level == 0:
        i = d.integer(0, n - 2)
        done[i], done[i + 1] = done[i + 1], done[i]
    elif level == 1:
        moved = done.pop(d.integer(1, n - 1))
        done.insert(d.integer(0, order.index(moved) - 1), moved)
    else:
        done.pop(d.integer(0, n - 2))
    numbered = "; ".join(f"{i}. {step}" for i, step in enumerate(order, 1))
    wrong = next(i for i, step in enumerate(done) if step != order[i])
    asked = (
        f"Which step of the protocol should {name} have done instead of the first one that was out "
        "of turn? Answer with its number in the protocol."
        if level < 2
        else f"Which step did {name} leave out? Answer with its number in the protocol."
    )
    return Draft(
        f"To {goal}, the protocol says: {numbered}. {witness} reports that {name} did this, in "
        f"this order: {'; '.join(done)}. {asked}",
        number(wrong + 1),
    )


def _multistep_planning(d: Draws, level: int) -> Draft:
    n = 3 + level
    names = d.sample(_TASKS, n)
    days = [d.integer(2, 12) for _ in range(n)]
    # Every task but the first waits for one or two earlier ones.
    waits: list[list[int]] = [[]]
    for i in range(1, n):
        count = 1 if level == 0 else d.integer(1, min(2, i))
        waits.append(sorted(d.sample(range(i), count)))
    ends: list[int] = []
    for i in range(n):
        ends.append(max((ends[j] for j in waits[i]), default=0) + days[i])
    told = [
        f"“{names[i]}” takes {days[i]} days"
        + (f" and needs {in_words([f'“{names[j]}”' for j in waits[i]])} finished" if i else "")
        for i in range(n)
    ]
    return Draft(
        f"A building site has {n} tasks: {'; '.join(d.shuffled(told))}. Tasks that do not wait for "
        "each other may run at the same time. After how many days, at the earliest, is everything "
        "finished?",
        number(max(ends)),
    )


def _error_recovery(d: Draws, level: int) -> Draft:
    n = 4 + level
    level_l = d.integer(40, 120)
    changes = [d.integer(3, 30) * d.pick((1, 1, -1)) for _ in range(n)]
    saved, broken = d.integer(1, n - 2), n - 1
    told = "; ".join(
        f"step {i} {'adds' if change > 0 else 'removes'} {abs(change)} litres"
        for i, change in enumerate(changes, 1)
    )
    spilt = d.integer(2, 9)
    kept = level_l + sum(changes[:saved])
    story = (
        f"A tank holds {level_l} litres. In the plan, {told}. The level is saved after step "
        f"{saved}. During step {broken} an error occurs; the tank is set back to the saved level"
    )
    if level == 0:
        return Draft(
            f"{story}, and all steps after step {saved} are carried out again, this time without "
            "error. How many litres are in the tank in the end?",
            number(kept + sum(changes[saved:])),
        )
    skipped = d.integer(saved + 1, n)
    story += f", step {skipped} is struck from the plan, and the other steps after step {saved}"
    rest = sum(changes[saved:]) - changes[skipped - 1]
    if level == 1:
        return Draft(
            f"{story} are carried out. How many litres are in the tank in the end?",
            number(kept + rest),
        )
    times = n - saved - 1
    return Draft(
        f"{story} are carried out, each of them spilling {spilt} litres more. "
        "How many litres are in the tank in the end?",
        number(kept + rest - spilt * times),
    )


TEMPLATES: Mapping[str, Template] = MappingProxyType(
    {
        "algorithm_execution": _algorithm_execution,
        "recipe_following": _recipe_following,
        "protocol_compliance": _protocol_compliance,
        "multistep_planning": _multistep_planning,
        "error_recovery": _error_recovery,
    }
)
