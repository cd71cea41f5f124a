"""The forms in which a reply commits itself to an answer, and what voids them.

docs/reading.md has the table with an example of each form, grammar.yaml the patterns. A form is
searched in one sentence or line at a time; the kind of answer reads its content."""

import re

from mirror_ray.core.shipped_files import shipped_yaml

_PATTERNS = shipped_yaml("mirror_ray.reading", "grammar.yaml")


def _pattern(name: str) -> re.Pattern[str]:
    return re.compile("".join(_PATTERNS[name]), re.IGNORECASE)


LABEL = _pattern("label")
"""Form 1, a labelled line: “ANSWER: 42”, “**Final answer:** B”, “Answer” above its own line."""

OUTRIGHT = _pattern("outright")
"""Form 4, a sentence that names its answer: “the answer is 42”, “I'll go with B”."""

IS_THE_ANSWER = _pattern("is_the_answer")
"""Form 5, words that call something the answer: “Canberra is the correct answer”."""

CONCLUDES = _pattern("concludes")
"""Form 9, a concluding sentence: “Therefore, 723 seats are free.”"""

SO = _pattern("so")
"""Where a sentence turns to its conclusion: “Olga is a liar, so no.”"""

FINAL = _pattern("final")
"""The last of several labelled lines counts only if it is called final."""

TAKEN_BACK = _pattern("taken_back")
"""Words by which a reply takes back what precedes them."""

REFUSED = _pattern("refused")
"""A sentence that declines or does not know."""

HANDED_OVER = _pattern("handed_over")
"""Words and markup of handing over a task, and of tools."""

SKIPPED = _pattern("skipped")
"""Words for leaving a question unanswered."""

NOT_OWN = _pattern("not_own")
"""Others' answers, answers at first sight, guesses among several, and hypothetical answers."""

ATTRIBUTED = _pattern("attributed")
"""An answer of another source: “my calculator says 42”, “according to Wolfram”."""

DENIED = _pattern("denied")
"""A sentence with a negation."""

ALTERNATIVE = _pattern("alternative")
"""After an answer, it names another one."""

REASON = _pattern("reason")
NUMBER_REMARK = _pattern("number_remark")
NEVER = re.compile(r"(?!)")
WORDS_REMARK = _pattern("words_remark")
LIST_REMARK = _pattern("list_remark")
"""The start of what follows an answer: a reason, a remark, a contrast."""

IT_IS = _pattern("it_is")
"""Words before a bare answer: “It is B”, “That leaves 42”, “Probably Canberra”."""

CONTRAST = _pattern("contrast")
"""The alternative that an answer is contrasted with: “west, not east”."""

CONDITION = _pattern("condition")
"""A clause before the main one: “If you double the recipe, …”."""

DECLINES_BUT = _pattern("declines_but")
"""“I can't use a calculator, but 6 × 7 = 42” answers."""

ASIDE = _pattern("aside")
"""A sentence around the answer: a greeting, an offer, a note, an announcement of steps."""

FUNCTION_WORDS = frozenset(" ".join(_PATTERNS["function_words"]).split())
"""English words that say nothing about the topic of a question."""
