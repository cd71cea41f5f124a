"""Generated linguistic questions: five subcategories, three levels (0 easy, 1 medium, 2 hard)."""

from collections.abc import Mapping
from types import MappingProxyType

from mirror_ray.tasks.metacog_bank.draws import Draws
from mirror_ray.tasks.metacog_bank.question import Draft, letter, listed, sequence, text
from mirror_ray.tasks.metacog_bank.words import JOBS, NAMES, THINGS, WOMEN, Template

# Verb, past tense, past participle, what is done to.
_VERBS = (
    (
        ("write", "wrote", "written", "a letter"), ("break", "broke", "broken", "a glass"),
        ("eat", "ate", "eaten", "an apple"), ("see", "saw", "seen", "a rainbow"),
        ("take", "took", "taken", "a photograph"), ("give", "gave", "given", "a speech"),
        ("drive", "drove", "driven", "a van"), ("speak", "spoke", "spoken", "the truth"),
        ("choose", "chose", "chosen", "a colour"), ("steal", "stole", "stolen", "a loaf"),
        ("draw", "drew", "drawn", "a map"), ("fly", "flew", "flown", "a kite"),
    ),
    (
        ("weave", "wove", "woven", "a carpet"), ("tear", "tore", "torn", "a page"),
        ("shake", "shook", "shaken", "the bottle"), ("forget", "forgot", "forgotten", "a name"),
        ("hide", "hid", "hidden", "a coin"), ("sew", "sewed", "sewn", "a dress"),
        ("mow", "mowed", "mown", "the lawn"), ("swell", "swelled", "swollen", "the budget"),
        ("wear", "wore", "worn", "a uniform"), ("ring", "rang", "rung", "the bell"),
        ("sow", "sowed", "sown", "a field"), ("shrink", "shrank", "shrunk", "a photograph"),
    ),
    (
        ("forsake", "forsook", "forsaken", "a friend"), ("slay", "slew", "slain", "a dragon"),
        ("smite", "smote", "smitten", "an enemy"), ("hew", "hewed", "hewn", "a log"),
        ("forswear", "forswore", "forsworn", "a habit"), ("stride", "strode", "stridden", "a mile"),
        ("tread", "trod", "trodden", "a path"), ("strew", "strewed", "strewn", "petals"),
        ("beget", "begot", "begotten", "an heir"), ("cleave", "clove", "cloven", "a rock"),
        ("shear", "sheared", "shorn", "a sheep"), ("bestride", "bestrode", "bestridden", "a horse"),
    ),
)  # fmt: skip

_WHEN = ("Yesterday", "Last week", "In May", "On Sunday", "At noon")
_LATELY = ("again", "at last", "for the third time", "without any help", "in secret")

_GROUPS = (
    ("keys", "box"), ("pages", "report"), ("flowers", "garden"), ("windows", "house"),
    ("mistakes", "essay"), ("rooms", "hotel"), ("chapters", "novel"), ("wheels", "cart"),
    ("photos", "album"), ("lamps", "hall"),
)  # fmt: skip

_REQUESTS = (
    ("{n}, gimme the file", "Could you send me the file, {n}?",
     "I should be grateful if you would forward the file, {n}."),
    ("Hey {n}, show up at nine, ok?", "{n}, please come at nine.",
     "You are kindly requested to attend at nine o'clock, {n}."),
    ("{n}, quit the racket", "{n}, please keep the noise down.",
     "We respectfully ask that noise be kept to a minimum, {n}."),
    ("Dunno, {n}, ask someone else", "Sorry, {n}, I don't know; please ask a colleague.",
     "I regret that I am unable to answer, {n}, and would refer you to a colleague."),
    ("{n}, the gig's off", "{n}, the concert has been cancelled.",
     "We regret to inform you, {n}, that the concert will not take place."),
    ("Thanks a bunch, {n}!", "Thank you for your help, {n}.",
     "Please accept my sincere gratitude for your assistance, {n}."),
    ("Grab a seat, {n}", "Please have a seat, {n}.",
     "May I invite you to be seated, {n}?"),
    ("{n}, that idea is rubbish", "I don't think that idea works, {n}.",
     "With respect, {n}, I would question the viability of the proposal."),
    ("Gotta dash, {n}", "I have to go now, {n}.",
     "I am afraid I must take my leave, {n}."),
)  # fmt: skip


def _morphology(d: Draws, level: int) -> Draft:
    name, (verb, past, participle, what) = d.pick(NAMES), d.pick(_VERBS[level])
    if d.integer(0, 1):
        blank = f"{d.pick(_WHEN)} {name} ___ ({verb}) {what}."
        form, answer, other = "past tense", past, participle
    else:
        blank = f"{name} has ___ ({verb}) {what} {d.pick(_LATELY)}."
        form, answer, other = "past participle", participle, past
    return Draft(
        f"Put the verb in brackets into the {form}, in its irregular or traditional form where "
        f"there is one: {blank} Answer with that one word.",
        text(answer, (answer, other, verb)),
    )


def _syntax_parsing(d: Draws, level: int) -> Draft:
    one, two, three, four = d.sample(JOBS, 4)
    did, was = d.sample(("thanked", "followed", "helped", "greeted", "praised", "phoned"), 2)
    everyone = (one, two, three, four)
    if level == 0:
        asked, answer = d.pick(((f"{did} the {one}", two), (f"{was} the {four}", three)))
        return Draft(
            f"“The {one} was {did} by the {two}, while the {three} {was} the {four}.” "
            f"According to this sentence, who {asked}?",
            text(answer, everyone),
        )
    if level == 1:
        asked, answer = d.pick(((f"{did} the {three}", one), (f"{was} the {one}", two)))
        return Draft(
            f"“The {one} that the {two} {was} {did} the {three} near the {four}.” Who {asked}?",
            text(answer, everyone),
        )
    last = d.pick(("left", "smiled", "slept"))
    asked, answer = d.pick(((f"{was} the {one}", two), (f"{did} the {two}", three), (last, one)))
    return Draft(
        f"“The {one} that the {two} that the {three} {did} {was} {last} before the {four} came.” "
        f"Who {asked}?",
        text(answer, everyone),
    )


def _ambiguity_resolution(d: Draws, level: int) -> Draft:
    if level == 0:
        name, what = d.pick(NAMES), d.pick(THINGS)
        place = d.pick(("cupboard", "crate", "cabinet", "chest", "trunk", "bag"))
        size, answer = d.pick((("large", what), ("small", place)))
        return Draft(
            f"{name} cannot put the {what} into the {place} because it is too {size}. "
            f"What is too {size}?",
            text(answer, (what, place)),
        )
    giver, taker = d.sample(WOMEN, 2)
    what = d.pick(THINGS)
    if level == 1:
        because, answer = d.pick(
            (
                ("no longer needed it", giver),
                ("had begged for it", taker),
                ("was moving out and had no room for it", giver),
                ("had admired it for years", taker),
            )
        )
        return Draft(
            f"{giver} gave {taker} the {what} because she {because}. Who {because}?",
            text(answer, (giver, taker)),
        )
    third = d.pick([name for name in WOMEN if name not in (giver, taker)])
    verb, because, answer = d.pick(
        (
            ("apologised to", "had broken", giver),
            ("forgave", "had broken", taker),
            ("scolded", "had dropped", taker),
            ("confessed to", "had lost", giver),
            ("thanked", "had repaired", taker),
            ("envied", "had won", taker),
        )
    )
    return Draft(
        f"{third} watched as {giver} {verb} {taker} because she {because} the {what}. "
        f"Who most likely {because} the {what}?",
        text(answer, (giver, taker, third)),
    )


def _grammar_correction(d: Draws, level: int) -> Draft:
    many, holder = d.pick(_GROUPS)
    one_more = d.pick(JOBS)
    name = d.pick(NAMES)
    if level == 0:
        subject, answer = d.pick(
            ((f"The {holder} with the {many}", "is"), (f"The {many} in the {holder}", "are"))
        )
        sentence = f"{subject} ___ important to {name} the {one_more}."
        options = ("is", "are")
    elif level == 1:
        other = d.pick([job for job in JOBS if job != one_more])
        subject, answer = d.pick(
            (
                (f"Neither the {one_more}s nor the {other}", "has"),
                (f"Neither the {one_more} nor the {other}s", "have"),
                (f"Each of the {one_more}s and {other}s", "has"),
                (f"Both the {one_more} and the {other}", "have"),
            )
        )
        sentence = f"{subject} ___ seen the {many} {name} hid."
        options = ("has", "have")
    else:
        subject, answer = d.pick(
            (
                (f"{name} is one of those {one_more}s who", "know"),
                (f"{name} is the only one of the {one_more}s who", "knows"),
                (f"It is {name}, not the other {one_more}s, who", "knows"),
                (f"A number of {one_more}s, {name} among them,", "know"),
                (f"The number of {one_more}s, by {name}'s count, suggests that nobody", "knows"),
            )
        )
        sentence = f"{subject} ___ where the {many} of the {holder} are."
        options = ("know", "knows")
    return Draft(
        f"Which form is right by the rules of formal written English, “{options[0]}” or "
        f"“{options[1]}”? {sentence}",
        text(answer, options),
    )


def _register_formality(d: Draws, level: int) -> Draft:
    name = d.pick(NAMES)
    writer = d.pick([person for person in NAMES if person != name])
    rows = d.sample(_REQUESTS, 3)
    if level == 0:
        picked = [rows[0][2], rows[1][0], d.pick((rows[0][0], rows[2][1]))]
        ask = "most formal"
    elif level == 1:
        tone = d.integer(0, 1)
        picked = [rows[0][tone], rows[1][1 - tone], rows[2][1 - tone]]
        ask = ("least formal", "most formal")[tone]
    else:
        picked = [row[tone] for tone, row in enumerate(rows)]
        ask = "order"
    shown = d.shuffled(picked)
    choices = listed([sentence.format(n=name) for sentence in shown])
    if ask == "order":
        return Draft(
            f"{writer} wrote these sentences on different days. Put them in order from the least "
            f"to the most formal. Answer with the letters, as in C, A, B.\n{choices}",
            sequence(["ABC"[shown.index(sentence)] for sentence in picked]),
        )
    return Draft(
        f"Which of these sentences by {writer} is the {ask}? Answer with its letter.\n{choices}",
        letter(shown.index(picked[0]), [sentence.format(n=name) for sentence in shown]),
    )


TEMPLATES: Mapping[str, Template] = MappingProxyType(
    {
        "morphology": _morphology,
        "syntax_parsing": _syntax_parsing,
        "ambiguity_resolution": _ambiguity_resolution,
        "grammar_correction": _grammar_correction,
        "register_formality": _register_formality,
    }
)
