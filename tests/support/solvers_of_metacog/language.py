"""Language, solved from the words: strings rewritten, clauses taken apart, marks counted."""

import re

from support.solvers_of_metacog.figures import Answer, ints

_VOWELS = "aeiou"


def morphology(q: str) -> Answer:
    if "formed in these steps" not in q:
        return _endings(q)
    word = re.search(r"of “(\w+)”\?", q)[1]  # type: ignore[index]
    steps = re.search(r"one before it: (.+?)\. What is", q)[1]  # type: ignore[index]
    for step in steps.split("; "):
        marked = re.findall(r"“(\w+)”", step)
        if "in front of the word" in step:
            word = f"{word[0]}{word[1]}{word}"
        elif "in front" in step:
            word = marked[0] + word
        elif "if the word ends" in step:
            word += marked[1] if word.endswith(tuple(_VOWELS)) else marked[0]
        elif "at the end" in step:
            word += marked[0]
        elif "turn every" in step:
            word = "".join(marked[1] if c == marked[0] else c for c in word)
        elif "double the last" in step:
            word = re.sub(r"(.)$", r"\1\1", word)
        elif "leave out the first" in step:
            word = re.sub(r"^.", "", word)
        elif "leave out the last" in step:
            word = re.sub(r".$", "", word)
        elif "first letter to the end" in step:
            word = re.sub(r"^(.)(.*)$", r"\2\1", word)
        elif "last letter to the front" in step:
            word = re.sub(r"^(.*)(.)$", r"\2\1", word)
        elif "behind the first" in step:
            word = re.sub(r"^(.)", rf"\1{marked[0]}", word)
        elif "backwards" in step:
            word = "".join(reversed(word))
        else:
            assert "swap the first two" in step, step
            word = re.sub(r"^(.)(.)", r"\2\1", word)
    return word


def _endings(q: str) -> Answer:
    """Each known ending is struck from a word with two, until all are known."""
    known: dict[str, str] = {}
    pairs = re.findall(r"“(\w+)” is “([\w +]+)”", q)
    stem = pairs[0][0]
    while True:
        before = len(known)
        for word, meaning in pairs[1:]:
            parts = [word[len(stem) :][i : i + 2] for i in range(0, len(word) - len(stem), 2)]
            known |= dict(zip(meaning.split(" + ")[1:], parts, strict=True))
        if len(known) == before:
            break
    goal = re.search(r"say “([\w +]+)”\?", q)[1].split(" + ")[1:]  # type: ignore[index]
    return stem + "".join(known[each] for each in goal)


def syntax(q: str) -> Answer:
    if q.startswith("An invented"):
        return _translated(q)
    sentence = re.search(r"“(.+?)\.”", q)[1].lower()  # type: ignore[index]
    sentence = sentence.replace("was ", "was+").replace(" by the ", " ").replace("the ", "")
    waiting: list[str] = []
    did: list[tuple[str, str, str]] = []
    last = ""
    verb = ""
    for token in sentence.split():
        if token == "that":
            continue
        if token.endswith("ed"):
            if verb or len(waiting) < 2 or token.startswith("was+"):
                verb = token
            else:
                subject = waiting.pop()
                did.append((subject, token, waiting[-1]))
            if len(waiting) == 1 and not verb:
                verb = token
            continue
        if verb:
            subject = waiting.pop()
            passive = verb.startswith("was+")
            bare = verb.removeprefix("was+")
            did.append((token, bare, subject) if passive else (subject, bare, token))
            verb = ""
        waiting.append(token)
        last = token
    assert last
    ask = re.search(r"said to have (been )?(\w+)", q)
    assert ask
    ((who, _, whom),) = [each for each in did if each[1] == ask[2]]
    return whom if ask[1] else who


def _translated(q: str) -> Answer:
    entries = dict(re.findall(r"“(\w+)” is “(\w+)”", q.split("Its words:")[1]))
    sentence = re.search(r"Translate into it: “(.+?)\.”", q)[1].lower()  # type: ignore[index]
    rules = q.split("Its rules: ")[1].split(" Its words:", maxsplit=1)[0]

    def mark(pattern: str) -> str:
        found = re.search(pattern, rules)
        return found[1] if found else ""

    plural = mark(r"plural noun ends in “-(\w+)”")
    target = mark(r"last ending “-(\w+)”")
    past, no = mark(r"begins with “(\w+)-”"), mark(r"“not” is “(\w+)”")
    nouns = re.findall(r"the ((?:\w+ )?)(\w+?)(?: (?=sees?|carr|paint|call|dr[ae]w|saw|do|did)|$)", sentence)  # fmt: skip  # noqa: E501
    said = {}
    for role, (adjective, noun) in zip(("subject", "object"), nouns, strict=True):
        many = noun == "children" or (noun not in entries and noun.endswith("s"))
        stem = entries["child" if noun == "children" else noun.removesuffix("s") if many else noun]
        if many and "backwards" in rules:
            stem = stem[::-1]
        ends = (plural if many else "") + (target if role == "object" else "")
        words = [stem + ends]
        if adjective.strip():
            words.insert(0 if "before its noun" in rules else 1, entries[adjective.strip()] + ends)
        said[role] = " ".join(words)
    is_past = bool(re.search(r"\b(saw|carried|painted|called|drew|did)\b", sentence))
    base = next(w for w in entries if w in ("see", "carry", "paint", "call", "draw"))
    said["verb"] = (past if is_past else "") + entries[base]
    order = re.search(r"the order is (\w+), (\w+), (\w+)", rules).groups()  # type: ignore[union-attr]
    negated = [no] if " not " in sentence else []
    return " ".join([*(said[role] for role in order), *negated])


def swaps(q: str) -> Answer:
    body = re.sub(r"^.*?reads: “", "", q)
    lines = re.split(r"\. (?=To swap|\(To swap|[A-Z]\w+)|\.” ", body)
    first = lines[0]
    people, things = first.split(" have ")
    names = re.findall(r"[A-Z]\w+", people)
    has = dict(zip(names, re.findall(r"the (\w+)", things), strict=True))

    def swap(a: str, b: str) -> None:
        has.update({a: has[b], b: has[a]})

    for line in lines[1:]:
        n = [w for w in re.findall(r"\w+", line) if w in has]
        if "To swap" in line:
            break
        if "respectively" in line:
            swap(n[0], n[2])
            swap(n[1], n[3])
        elif "in the middle" in line:
            swap(n[1], n[2])
        elif "look on" in line:
            swap(*sorted(set(n[2:]) - set(n[:2])))
        elif "last-named" in line:
            swap(n[2], n[0])
        elif line.startswith("Not "):
            swap(n[1], n[2])
        elif " meet, " in line:
            swap(n[1] if "latter" in line else n[0], n[2])
        else:
            assert "swaps with" in line, line
            swap(n[0], n[1])
            swap(n[1] if "latter" in line else n[0], n[2])
    ask = q.rsplit(". ", 1)[1] if "According" not in q else q.rsplit("note, ", 1)[1]
    if found := re.search(r"what does (\w+)", ask, re.IGNORECASE):
        return has[found[1]]
    thing = re.search(r"the (\w+) in the end", ask)[1]  # type: ignore[index]
    return next(name for name, what in has.items() if what == thing)


def _is_plural(subject: str) -> bool:
    words = subject.split()
    if words[0] in ("Each", "One", "Every"):
        return False
    if words[0] in ("Both", "Several"):
        return True
    return words[1].rstrip(",").endswith("s")


def agreement(q: str) -> Answer:
    if "___" in q:
        one, many = re.search(r"“([\w ]+)” or “([\w ]+)”", q).groups()  # type: ignore[union-attr]
        subject = re.split(r"[?.] ", q, maxsplit=1)[1]
        return many if _is_plural(subject) else one
    lines = re.findall(r"^([A-H])\) (.+)$", q, re.MULTILINE)
    broken = {
        letter: _is_plural(text) != (re.search(r" (is|are) (?!.* (?:is|are) )", text)[1] == "are")  # type: ignore[index]
        for letter, text in lines
    }
    if "How many" in q:
        return sum(broken.values())
    return next(x for x, is_so in broken.items() if is_so == ("to break that rule" in q))


_SLANG = {"gonna", "kinda", "stuff", "dunno", "gotta", "yeah", "cool", "guys", "wanna", "loads"}


def register(q: str) -> Answer:
    rule, *rest = q.split("\n")
    weigh = {
        kind: int(found[1]) if (found := re.search(rf"(\d+) points? for each {kind}", rule)) else 1
        for kind in ("slang word", "contraction", "exclamation mark")
    }
    points = {}
    for line in rest:
        words = re.findall(r"[\w']+", line[3:].lower())
        points[line[0]] = (
            sum(word in _SLANG for word in words) * weigh["slang word"]
            + sum("'" in word for word in words) * weigh["contraction"]
            + line.count("!") * weigh["exclamation mark"]
        )
    if "in all" in rule:
        return sum(points.values())
    if "at least" in rule:
        return sum(p >= ints(rule.rsplit("at least", 1)[1])[0] for p in points.values())
    return max(points, key=points.__getitem__)
