"""Social questions, solved from the words: beliefs kept for every chain of minds, rules applied."""

import re
from itertools import permutations

from support.solvers_of_metacog.figures import Answer

_GOOD = re.compile(
    r"won|promoted|found a lost|upgraded|keys to a new|every answer|beat|sold|cheered"
)
_YES = re.compile(
    r"already bought|not miss it|three bowls|the recipe|on the hook|all yours|wants to stay|hired "
    r"her|a frame for|every single|on Thursday|finished this|racket is in|won the club|come out of "
    r"it|last customers|page nine|all its mistakes|your barber|ten years younger|wet to the|take "
    r"the umbrella|eat a horse|nothing since|carrying the cup|nobody else scored|crossed the lake|"
    r"teaches it|key to my safe|my last coin|four times since|wanted to go home"
)


def belief(q: str) -> Answer:
    """Each chain of minds has its own idea of the place, changed by what all of it see."""
    people = re.match(r"(?:Before the opening, )?(.+?) are in a room", q)[1]  # type: ignore[index]
    names = re.findall(r"[A-Z]\w+", people)
    first = re.search(r"lies in the (\w+);", q)[1]  # type: ignore[index]
    ask = q.rsplit("where does ", 1)[1]
    chain = tuple(re.findall(r"[A-Z]\w+", ask))
    minds = {each: first for k in range(1, len(chain) + 1) for each in permutations(names, k)}
    there = set(names)
    for name, what, to in re.findall(r"(\w+) (leaves the room|comes back|moves the \w+ from the \w+ to the (\w+))", q):  # fmt: skip  # noqa: E501
        if what == "leaves the room":
            there.discard(name)
        elif what == "comes back":
            there.add(name)
        else:
            for each in minds:
                if there.issuperset(each):
                    minds[each] = to
    return minds[chain]


def implicature(q: str) -> Answer:
    if "asks" in q and "people one question" in q:
        n_yes = n = 0
        for line in q.split("\n")[1:-1]:
            n += 1
            says_yes = bool(_YES.search(line.split("–")[1]))
            n_yes += says_yes != ("the opposite" in line)
        return n_yes if q.endswith("mean yes?") else n - n_yes
    means_yes = bool(_YES.search(q))
    ask = q.rsplit("”", 1)[1]
    for_no = re.search(r"mean no|for a no|mistake", ask)
    return "yes" if means_yes != bool(for_no) else "no"


def reference(q: str) -> Answer:
    options = dict(re.findall(r"^([A-H])\) (.+)$", q, re.MULTILINE))
    if (" says to " in q and "What does" in q) or "Which act" in q:
        wishes = {
            "window open": "close the window", "salt": "pass the salt",
            "at five": "turn the music down",
            "fine window": "step aside", "door is shut": "open the door",
            "thirsty": "water the plants",
            "leash": "walk the dog", "gloom": "switch the light on", "rings": "move the cup",
            "overflows": "empty the bin", "glass": "pour a drink", "ladder": "hold the ladder",
        }  # fmt: skip
        letters = {text: letter for letter, text in options.items()}
        said = re.findall(r"says to \w+: “(.+?)”", q)
        return ", ".join(
            letters[next(wish for mark, wish in wishes.items() if mark in remark)]
            for remark in said
        )
    word = re.search(r"“(\w+)!”", q)[1].lower()  # type: ignore[index]
    things = {letter: set(text.split()) for letter, text in options.items()}
    again = "again and again" in q

    def meant(word: str, depth: int) -> set[str]:
        """What a word may still stand for, once words of lesser depth are spoken for."""
        fits = {letter for letter, words in things.items() if word in words}
        if depth == 0 or len(fits) == 1:
            return fits
        before = meant(word, depth - 1)
        if len(before) == 1:
            return before
        every = set().union(*things.values())
        spoken = {
            next(iter(found)) for other in every if len(found := meant(other, depth - 1)) == 1
        }
        return (before - spoken) or before

    for depth in range(1, 6 if again else 2):
        found = meant(word, depth)
        if len(found) == 1:
            return found.pop()
    raise AssertionError(q)


def sarcasm(q: str) -> Answer:
    sincere = []
    for line in re.findall(r"[^\n]*says in private: “.+?”", q):
        happened, attitude = (
            line.split(". ", 2)[-2:] if re.match(r"\d", line) else line.split(". ", 1)
        )
        news = bool(_GOOD.search(happened))
        if "wrongly been told" in attitude:
            news = "all went well" in attitude
        sincere.append(news == ("loyal friend" in attitude))
    if "sincere or sarcastic?" in q:
        return "sincere" if sincere[0] else "sarcastic"
    return sincere.count("sarcastic" not in q.rsplit("remarks are", 1)[1])


def norms(q: str) -> Answer:
    rules = []
    for rule in re.search(r"no others: (.+?)\. [A-Z]", q)[1].split("; "):  # type: ignore[index]
        found = re.match(r"an? (\w+) must not (.+?)(?:, unless also an? (\w+))?$", rule)
        assert found
        rules.append(found.groups())
    broken = {}
    story = q.split("no others: ")[1].split(". ", 1)[1]
    for name, roles, act in re.findall(r"(\w+), (an? [\w, ]+?), ([a-z][a-z ]+?)\.", story):
        # “whistles” is “whistle”: the verb's ending aside.
        done = re.sub(r"^(\w+?)s\b", r"\1", act)
        broken[name] = any(
            forbidden == done
            and re.search(rf"\b{role}\b", roles)
            and not (excepted and re.search(rf"\b{excepted}\b", roles))
            for role, forbidden, excepted in rules
        )
    if "Who breaks" in q:
        letters = {
            name: letter for letter, name in re.findall(r"^([A-H])\) (\w+)$", q, re.MULTILINE)
        }
        (culprit,) = [name for name, is_so in broken.items() if is_so]
        return letters[culprit]
    if "How many" in q:
        return sum(broken.values())
    return "yes" if broken[re.search(r"Does (\w+) break", q)[1]] else "no"  # type: ignore[index]
