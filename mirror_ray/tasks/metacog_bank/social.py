"""Generated social questions: five subcategories, three levels (0 easy, 1 medium, 2 hard)."""

from collections.abc import Mapping
from types import MappingProxyType

from mirror_ray.tasks.metacog_bank.draws import Draws
from mirror_ray.tasks.metacog_bank.question import Draft, letter, listed, text, yes_no
from mirror_ray.tasks.metacog_bank.words import NAMES, THINGS, Template

_PLACES = (
    "cupboard", "drawer", "wardrobe", "garage", "attic", "cellar", "locker", "trunk", "desk",
    "shed",
)  # fmt: skip

# Question, replies that mean yes, replies that mean no; from plain to roundabout.
_OFFERS = (
    ("Are you coming to the cinema tonight",
     ("I have already bought my ticket", "I would not miss it for the world"),
     ("I have to work until midnight", "my flight leaves in an hour")),
    ("Did you like the soup",
     ("I had three bowls of it", "I asked for the recipe"),
     ("let us say the bread was nice", "the dog seemed to enjoy mine")),
    ("Can you lend me your car",
     ("the keys are on the hook", "it is all yours until Monday"),
     ("it is at the garage without its engine", "my insurance covers nobody but me")),
    ("Is the new manager any good",
     ("the whole team wants to stay now", "I wish we had met years ago"),
     ("I have updated my application letters", "the old one had at least some manners")),
    ("Did the exam go well",
     ("I am choosing a frame for the certificate", "I finished early and checked it twice"),
     ("I have signed up for the next date", "at least I spelt my name correctly")),
    ("Will it be ready by Friday",
     ("you could have it on Thursday", "the last part went in this morning"),
     ("we are still waiting for the parts until next month", "ask me again after the holidays")),
    ("Do you play tennis",
     ("my racket is in the car", "I won the club cup twice"),
     ("I have not held a racket in my life", "my knees would never forgive me")),
)  # fmt: skip

# Situation, the wish behind the remark, three other wishes.
_REMARKS = (
    ("stands by an open window and hears: “It is getting rather cold in here.”",
     "close the window", ("describe the weather", "leave the room", "take off a jacket")),
    ("has the salt beside the plate and hears: “This soup could do with some salt.”",
     "pass the salt", ("cook another soup", "eat the soup", "praise the cook")),
    ("plays loud music at midnight and hears: “I have to be up at five tomorrow.”",
     "turn the music down", ("set an alarm", "play another song", "make breakfast")),
    ("carries the only umbrella and hears: “It has begun to rain, and I have a fitting at noon.”",
     "share the umbrella", ("cancel the fitting", "explain the rain", "buy a raincoat")),
    ("stands in front of the television and hears: “You would make a fine window.”",
     "step aside", ("clean the window", "buy curtains", "change the channel")),
    ("talks in a library and hears: “Some people come here to read.”",
     "be quiet", ("recommend a book", "read aloud", "return a book")),
    ("sits at the wheel and hears: “That was our exit, I believe.”",
     "turn back", ("park for the night", "sound the horn", "drive faster")),
)  # fmt: skip

# What happened, and whether it is good (1) or bad (0).
_TURNS = (
    ("missed the last train by ten seconds", 0), ("won the first prize", 1),
    ("spilt coffee over a new shirt", 0), ("was promoted after one month", 1),
    ("lost a phone in the lake", 0), ("found a lost ring again", 1),
    ("waited three hours at the counter", 0), ("was upgraded to first class", 1),
    ("failed the driving test for the fifth time", 0), ("was handed the keys to a new house", 1),
    ("burnt the whole dinner", 0), ("got every answer right", 1),
)  # fmt: skip
_CHEERS = ("What a wonderful day", "Lucky me", "I could not be happier", "This is simply perfect")

# A setting, what breaks its norms, what does not.
_SETTINGS = (
    ("at a funeral", ("tells jokes loudly", "takes cheerful selfies at the grave"),
     ("wears black", "speaks in a low voice", "brings flowers")),
    ("in a job interview", ("answers a private call", "puts both feet on the table"),
     ("asks about the team", "arrives five minutes early", "takes notes")),
    ("in a cinema", ("tells everyone the ending", "uses a bright phone screen"),
     ("eats popcorn", "laughs at a funny scene", "whispers an apology")),
    ("in a queue", ("walks straight to the front", "pushes the person ahead"),
     ("reads a book", "asks who is last", "lets someone with one item go first")),
    ("at a formal dinner", ("eats from a neighbour's plate", "burps on purpose"),
     ("waits until all are served", "thanks the host", "folds the napkin")),
    ("in a classroom", ("throws paper at the teacher", "copies a neighbour's test"),
     ("raises a hand", "asks a question", "shares a pencil")),
    ("in a hospital ward", ("plays a trumpet at night", "smokes beside an oxygen tank"),
     ("speaks softly", "washes hands", "asks a nurse for the time")),
)  # fmt: skip


def _theory_of_mind(d: Draws, level: int) -> Draft:
    owner, mover = d.sample(NAMES, 2)
    what = d.pick(THINGS)
    first, second = d.sample(_PLACES, 2)
    story = f"{owner} puts the {what} into the {first} and leaves. "
    if level == 0:
        if d.integer(0, 1):
            story += f"While {owner} is away, {mover} moves the {what} to the {second}. "
            believed = first
        else:
            story += f"{owner} comes back, watches {mover} move it to the {second}, leaves again. "
            believed = second
        return Draft(
            f"{story}Later {owner} returns. Where will {owner} look for the {what} first?",
            text(believed, (first, second)),
        )
    story += f"While {owner} is away, {mover} moves the {what} to the {second}. "
    seen = d.integer(0, 1)
    if level == 1:
        third = d.pick([place for place in _PLACES if place not in (first, second)])
        story += f"{owner} {'sees this through the window' if seen else 'sees nothing of this'}. "
        story += f"After {owner} has gone to sleep, {mover} moves the {what} on to the {third}. "
        return Draft(
            f"{story}In the morning, where does {owner} believe the {what} is?",
            text(second if seen else first, (first, second, third)),
        )
    story += f"Through the window, unnoticed by {mover}, {owner} "
    story += "sees it all. " if seen else "sees only the garden. "
    asked, answer = d.pick(
        (
            (f"Where does {mover} believe that {owner} will look for it?", first),
            (f"Where will {owner} look for it?", second if seen else first),
        )
    )
    return Draft(f"{story}{asked}", text(answer, (first, second)))


def _implicature(d: Draws, level: int) -> Draft:
    one, two = d.sample(NAMES, 2)
    question, yes, no = d.pick(_OFFERS)
    means_yes = bool(d.integer(0, 1))
    reply = d.pick(yes if means_yes else no)
    if level == 0:
        told = f"{one}: “{question}?” {two}: “Well, {reply}.”"
        ask = f"Does {two} mean yes?"
    elif level == 1:
        told = (
            f"When {one} asks, “{question}?”, {two} looks away and says: “All I say is, {reply}.”"
        )
        ask = f"Would it be right for {one} to take this for a no?"
        means_yes = not means_yes
    else:
        told = (
            f"{one} asks {two}: “{question}? Or am I wrong to hope so?” {two} answers: “{reply}.”"
        )
        ask = f"Is {one} wrong to hope so?"
        means_yes = not means_yes
    return Draft(f"{told[0].upper()}{told[1:]} {ask}", yes_no(holds=means_yes))


def _pragmatic_inference(d: Draws, level: int) -> Draft:
    listener, speaker = d.sample(NAMES, 2)
    scene, wish, others = d.pick(_REMARKS)
    options = d.shuffled((wish, *others))
    frame = (
        f"What does {speaker}, who says it, want {listener} to do?",
        f"{speaker} said it, and is annoyed when nothing happens. What was {listener} to do?",
        f"{speaker} said it; {listener} replies “I see” and does nothing of what {speaker} hoped "
        f"for. What did {listener} leave undone?",
    )[level]
    return Draft(
        f"{listener} {scene} {frame} Answer with a letter.\n{listed(options)}",
        letter(options.index(wish), options),
    )


def _sarcasm_detection(d: Draws, level: int) -> Draft:
    name, friend = d.sample(NAMES, 2)
    what, good = d.pick(_TURNS)
    said = d.pick(_CHEERS)
    options = ("sincere", "sarcastic")
    if level == 0:
        return Draft(
            f"{name} {what}. “{said}!” says {name} to {friend}. Is {name} sincere or sarcastic?",
            text(options[1 - good], options),
        )
    if level == 1:
        wanted = bool(d.integer(0, 1))
        context = "had hoped for exactly that" if wanted else "had dreaded exactly that"
        return Draft(
            f"{name} {what}. {friend}, a bitter rival, {context}. “{said}!” says {friend} when "
            f"alone. Is {friend} sincere or sarcastic?",
            text(options[0 if wanted else 1], options),
        )
    third = d.pick([person for person in NAMES if person not in (name, friend)])
    knows = bool(d.integer(0, 1))
    heard = (
        "has been told all of it" if knows else f"has been told the opposite and believes {name}"
    )
    opposite = "Everything went badly" if good else "Everything went well"
    lie = "" if knows else f" {name} had written: “{opposite}.”"
    happy = bool(good) == knows
    return Draft(
        f"{name} {what}.{lie} {friend}, a loyal friend of {name}, {heard} and says to {third}: "
        f"“{said} for {name}!” Is {friend} sincere or sarcastic?",
        text(options[0 if happy else 1], options),
    )


def _social_norm_violation(d: Draws, level: int) -> Draft:
    name = d.pick(NAMES)
    where, breaks, fits = d.pick(_SETTINGS)
    if level == 0:
        what, is_wrong = d.pick([(b, True) for b in breaks] + [(f, False) for f in fits])
        when = d.pick(("On Monday", "On Friday", "Last week", "In April", "One evening"))
        with_whom = d.pick([person for person in NAMES if person != name])
        return Draft(
            f"{when}, {where}, in the company of {with_whom}, {name} {what}. "
            "Does this break a common social norm of that setting?",
            yes_no(holds=is_wrong),
        )
    someone_does = level == 1 or bool(d.integer(0, 1))
    wrong = d.pick(breaks)
    acts = d.shuffled((wrong, *d.sample(fits, 2)) if someone_does else fits)
    people = d.sample([person for person in NAMES if person != name], 3)
    told = [f"{person} {act}" for person, act in zip(people, acts, strict=True)]
    if level == 2:
        told.append("none of them does")
    return Draft(
        f"{name} watches three people {where}. Who breaks a common norm of that setting? "
        f"Answer with a letter.\n{listed(told)}",
        letter(acts.index(wrong) if someone_does else 3, told),
    )


TEMPLATES: Mapping[str, Template] = MappingProxyType(
    {
        "theory_of_mind": _theory_of_mind,
        "implicature": _implicature,
        "pragmatic_inference": _pragmatic_inference,
        "sarcasm_detection": _sarcasm_detection,
        "social_norm_violation": _social_norm_violation,
    }
)
