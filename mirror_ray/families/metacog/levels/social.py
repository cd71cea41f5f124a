"""Social questions at ten levels: five subcategories."""

from collections.abc import Mapping, Sequence

from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft, in_words, lettered_options
from mirror_ray.families.metacog.bank.words import NAMES, THINGS, Template, question_texts
from mirror_ray.families.metacog.levels.orders import example_of

_T = question_texts(__name__)


def _implicature(d: Draws, level: int) -> Draft:
    """Ask how many of several roundabout replies mean yes."""
    asker = d.pick(NAMES)
    if level <= 2 and d.integer(0, 1):
        return _one_reply(d, asker)
    n = max(level, 2)
    wanted = d.integer(0, n)
    meant = d.shuffled([True] * wanted + [False] * (n - wanted))
    people = d.sample([name for name in NAMES if name != asker], n)
    lines = []
    for name, yes_meant, offer in zip(people, meant, d.sample(_T["offers"], n), strict=True):
        question, yes, no = offer
        # A contrary person means the opposite of what they say.
        contrary = level > 4 and d.integer(0, 2) == 0
        who = _T.say("contrary", name=name) if contrary else name
        reply = d.pick(yes if yes_meant != contrary else no)
        lines.append(_T.say("exchange", question=question, who=who, reply=reply))
    yes_wanted = bool(d.integer(0, 1))
    found = wanted if yes_wanted else n - wanted
    word = "yes" if yes_wanted else "no"
    return _T.draft("n_mean", found, asker=asker, n=n, told=_numbered(lines), wanted=word)


def _one_reply(d: Draws, asker: str) -> Draft:
    means_yes = bool(d.integer(0, 1))
    question, yes, no = d.pick(_T["offers"])
    reply, other = d.pick(yes if means_yes else no), d.pick([p for p in NAMES if p != asker])
    ask, asks_for_yes = d.pick(_T["means"])
    words = {"asker": asker, "other": other, "question": question, "reply": reply}
    lead = _T.say_one(d, "frames", Reply=reply[0].upper() + reply[1:], **words)
    return Draft(lead + ask.format_map(words), keys.yes_no(is_yes=means_yes == asks_for_yes))


def _sarcasm(d: Draws, level: int) -> Draft:
    """Ask about remarks on what happened to others, made by friends and rivals, informed or
    misled."""
    n = min(9, level)
    wanted = d.integer(0, n)
    people = d.sample(NAMES, 2 * n)
    turns = [d.shuffled(_T["bad_turns"]), d.shuffled(_T["good_turns"])]
    sincere = d.shuffled([False] * wanted + [True] * (n - wanted))
    lines = []
    for name, speaker, is_sincere in zip(people[::2], people[1::2], sincere, strict=True):
        friend = level < 3 or bool(d.integer(0, 1))
        misled = level > 4 and bool(d.integer(0, 1))
        # A cheer is sincere if the speaker believes that the desired event has happened.
        good = (is_sincere == friend) != misled
        what = turns[good].pop()
        who = _T.say("friend" if friend else "rival", name=name)
        told = "badly" if good else "well"
        news = _T.say("misled" if misled else "informed", news=told, name=name)
        words = {"name": name, "what": what, "speaker": speaker, "who": who, "news": news}
        lines.append(_T.say("remark", cheer=d.pick(_T["cheers"]), **words))
    if n == 1:
        options = ("sincere", "sarcastic")
        key = keys.text(options[not sincere[0]], options)
        return _T.draft("sincere_or_sarcastic", key, remark=lines[0], speaker=people[1])
    told = _numbered(lines)
    if d.integer(0, 1):
        return _T.draft("n_sarcastic", wanted, told=told, n=n)
    return _T.draft("n_sincere", n - wanted, told=told, n=n)


def _numbered(lines: Sequence[str]) -> str:
    return "\n".join(f"{i}. {line}" for i, line in enumerate(lines, 1))


def _norms(d: Draws, level: int) -> Draft:
    """State the rules of an invented people, with exceptions; ask who breaks one."""
    people = d.pick(_T["peoples"])
    n_rules, n_people = 1 + (level + 1) // 2, min(6, 3 + level // 3)
    acts = d.sample(_T["acts"], n_rules)
    pairs = _T["roles"][: 2 if level < 7 else 3]
    rules = []
    for _, act in acts:
        pair = d.pick(pairs)
        role = d.pick(pair)
        has_exception = level > 2 and d.integer(0, 1)
        other = d.pick(d.pick([p for p in pairs if p != pair])) if has_exception else ""
        rules.append((act, role, other))
    names = d.sample(NAMES, n_people)
    culprit = d.integer(0, n_people - 1)
    wanted_yes, how = d.integer(0, 1), d.integer(0, 2)
    while True:
        cast = [[d.pick(pair) for pair in pairs] for _ in names]
        doings = [d.integer(0, n_rules - 1) for _ in names]
        breaks = [_breaks(rules[doing], roles) for doing, roles in zip(doings, cast, strict=True)]
        fits = (
            [i for i, broken in enumerate(breaks) if broken] == [culprit],
            breaks[culprit] == bool(wanted_yes),
            sum(breaks) == (culprit + 1) % (n_people + 1),
        )
        if fits[how]:
            break
    told = " ".join(
        f"{name}, {in_words([_a(role) for role in roles])}, {acts[doing][0]}."
        for name, roles, doing in zip(names, cast, doings, strict=True)
    )
    said = "; ".join(_rule(*rule) for rule in rules)
    lead = _T.say("rules", people=people, rules=said, doings=told)
    if how == 0:
        return _T.draft(
            "who_breaks", keys.letter(culprit, names), lead=lead, options=lettered_options(names)
        )
    if how == 1:
        return _T.draft("does_break", bool(wanted_yes), lead=lead, name=names[culprit])
    return _T.draft("n_break", sum(breaks), lead=lead)


def _breaks(rule: tuple[str, str, str], roles: list[str]) -> bool:
    _, role, excepted = rule
    return role in roles and (not excepted or excepted not in roles)


def _a(role: str) -> str:
    return f"an {role}" if role[0] in "aeiou" else f"a {role}"


def _rule(act: str, role: str, excepted: str) -> str:
    return f"{_a(role)} must not {act}" + (f", unless also {_a(excepted)}" if excepted else "")


def _remarks(d: Draws, level: int) -> Draft:
    """Ask about indirect requests, and the acts that fulfil them."""
    n = min(6, level)
    acts = d.sample(_T["remarks"], n)
    listener, *speakers = d.sample(NAMES, n + 1)
    done = d.shuffled(range(n))
    told = " ".join(
        f"{speaker} says to {listener}: “{remark}”"
        for speaker, (remark, _) in zip(speakers, acts, strict=True)
    )
    if n == 1:
        right = acts[0][1]
        others = d.sample([wish for _, wish in _T["remarks"] if wish != right], 3)
        options = d.shuffled((right, *others))
        who = {"speaker": speakers[0], "listener": listener, "options": lettered_options(options)}
        return _T.draft("wants", keys.letter(options.index(right), options), told=told, **who)
    key = keys.sequence(["ABCDEFGH"[done.index(i)] for i in range(n)])
    menu = lettered_options([acts[i][1] for i in done])
    return _T.draft("want", key, told=told, example=example_of(n), options=menu)


def _pragmatic_inference(d: Draws, level: int) -> Draft:
    return _remarks(d, level) if level < 5 and d.integer(0, 1) else reference(d, level)


def belief(d: Draws, level: int) -> Draft:
    """Move a thing while people come and go; ask where one person thinks that another thinks it
    is."""
    n = max(2, _depth(level)) + (level > 3)
    thing = d.pick([each for each in THINGS if each not in _T["places"]])
    facts, ask, answer, places = moves(d, level, d.sample(NAMES, n), thing)
    return Draft(f"{facts} {ask}", keys.text(answer, places))


def _depth(level: int) -> int:
    return 1 + level // 3 + (level > 9)


def moves(
    d: Draws, level: int, people: list[str], thing: str
) -> tuple[str, str, str, tuple[str, ...]]:
    """Return the story, the question, its answer and all places. At least two people are needed;
    the question is about what some of them think."""
    n = len(people)
    places = d.sample([place for place in _T["places"] if place != thing], min(6, 3 + level // 3))
    chain = d.sample(people, min(_depth(level), n))
    needed = {people.index(name) for name in chain}
    while True:
        there = set(range(n))
        lines: list[str] = []
        at, seen = places[0], [(frozenset(there), places[0])]
        for _ in range(level + 1):
            leaves = d.integer(0, 2) == 0 or (len(there) == n and len(lines) > 1)
            if len(there) > 1 and leaves:
                gone = d.pick(sorted(there))
                there.remove(gone)
                lines.append(_T.say("leaves", name=people[gone]))
            elif len(there) < n and d.integer(0, 3) == 0:
                back = d.pick([i for i in range(n) if i not in there])
                there.add(back)
                lines.append(_T.say("comes_back", name=people[back]))
            mover = people[d.pick(sorted(there))]
            to = d.pick([place for place in places if place != at])
            lines.append(_T.say("moves", name=mover, thing=thing, source=at, target=to))
            at = to
            seen.append((frozenset(there), at))
        answer = next(place for who, place in reversed(seen) if needed <= who)
        # In most questions the belief differs from the fact.
        if answer != at or d.integer(0, 9) == 0:
            break
    thoughts = "".join(_T.say("thought", name=name) for name in chain[1:])
    ask = _T.say("where", name=chain[0], thoughts=thoughts, thing=thing)
    story = {"people": in_words(people), "place": places[0], "moves": " ".join(lines)}
    return _T.say("facts", thing=thing, **story), ask, answer, tuple(places)


def reference(d: Draws, level: int) -> Draft:
    """Name one of several objects by a word; ask which object a speaker with other words means."""
    n = min(7, 3 + level // 2)
    rounds = 1 if level < 4 else 2 if level < 8 else 3
    features = _T["features"][: 2 if level < 6 else 3]
    while True:
        shapes = [tuple(d.pick(values) for values in features) for _ in range(n)]
        if len(set(shapes)) < n:
            continue
        found = _understood(shapes, rounds)
        before = _understood(shapes, rounds - 1)
        new = {word: i for word, i in found.items() if word not in before}
        if new:
            break
    word = d.pick(sorted(new))
    names = [" ".join(reversed((shape[1], shape[0], *shape[2:]))) for shape in shapes]
    speaker, listener = d.sample(NAMES, 2)
    options = d.shuffled(names)
    return _T.draft(
        "reference",
        keys.letter(options.index(names[new[word]]), options),
        n=n,
        objects=in_words([f"a {name}" for name in names]),
        rule=_T.say("rule_of_rounds", rule=_T["rule"]) if rounds > 1 else _T["rule"],
        speaker=speaker,
        listener=listener,
        word=word.capitalize(),
        options=lettered_options(options),
    )


def _understood(shapes: list[tuple[str, ...]], rounds: int) -> dict[str, int]:
    """Return the object that each word must mean, after `rounds` steps beyond the literal
    meaning."""
    words = sorted({word for shape in shapes for word in shape})
    fits = {word: {i for i, shape in enumerate(shapes) if word in shape} for word in words}
    for _ in range(rounds):
        alone = {next(iter(who)) for who in fits.values() if len(who) == 1}
        fits = {
            word: (who - alone if len(who) > 1 and who - alone else who)
            for word, who in fits.items()
        }
    return {word: next(iter(who)) for word, who in fits.items() if len(who) == 1}


KINDS: Mapping[str, Template] = {
    "theory_of_mind": belief,
    "implicature": _implicature,
    "pragmatic_inference": _pragmatic_inference,
    "sarcasm_detection": _sarcasm,
    "social_norm_violation": _norms,
}
