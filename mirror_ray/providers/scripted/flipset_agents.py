"""The reference agents of FlipSet: one way to take, or to miss, the monkey's point of view each.

They read the card from the picture and the options from the words. All but `position_biased` know
that the monkey sees something else (ToM) and can turn a card in their mind (MR, but for
`mirror_imager`): what tells them apart is what they make of both together.
"""

from contextlib import suppress

from mirror_ray.providers.scripted.card_sight import Table, look, most_alike
from mirror_ray.providers.scripted.flipset_text import (
    CardQuestion,
    option_that,
    read_question,
    write_choice,
)
from mirror_ray.providers.scripted.prompt import Prompt, UnfamiliarPromptError
from sim_assets.turning import turned


def rotator(prompt: Prompt) -> str:
    """Turns the card in its mind to where the monkey sits: right everywhere."""
    asked, table = _take_in(prompt)
    if asked.question == "sees":
        return _turns(asked, table, table.monkey_deg)
    return _answers_the_rest(asked, table)


def egocentric(prompt: Prompt) -> str:
    """Reads the card as it sees it itself, whoever is asked about; passes ToM, MR and L1."""
    asked, table = _take_in(prompt)
    if asked.question == "sees":
        return _chooses(asked, most_alike(table.card.sheet, asked.options.values()), "I read it.")
    return _answers_the_rest(asked, table)


def mirror_imager(prompt: Prompt) -> str:
    """Reverses the order of the characters and turns none of them, in L2 and in MR."""
    asked, table = _take_in(prompt)
    if asked.question in {"sees", "turned"}:
        read = most_alike(table.card.sheet, asked.options.values())
        backwards = read[::-1]
        return _chooses(
            asked, backwards if backwards in asked.options.values() else read, "I read backwards."
        )
    return _answers_the_rest(asked, table)


def position_biased(prompt: Prompt) -> str:
    """Always says A; looks at nothing."""
    return write_choice(read_question(prompt.user), "A", "The first option is as good as any.")


def _take_in(prompt: Prompt) -> tuple[CardQuestion, Table]:
    asked = read_question(prompt.user)
    table = look(prompt.images[0]) if prompt.images else None
    if table is None:
        raise UnfamiliarPromptError("no picture with a card in it")
    return asked, table


def _answers_the_rest(asked: CardQuestion, table: Table) -> str:
    """ToM, MR and L1, rightly."""
    if asked.question == "same":
        return write_choice(asked, option_that(asked, "different"), "It looks from elsewhere.")
    if asked.question == "visible":
        said = "No" if table.card_is_hidden else "Yes"
        return write_choice(asked, option_that(asked, said), "I follow its gaze.")
    if asked.turn_deg is None:
        raise UnfamiliarPromptError("it is not said by how much the card is turned")
    return _turns(asked, table, asked.turn_deg)


def _turns(asked: CardQuestion, table: Table, angle_deg: int) -> str:
    """Which option, turned back, is what the card shows? Those that are no text then are not."""
    by_card_text: dict[str, str] = {}
    for option in asked.options.values():
        with suppress(ValueError):
            by_card_text[turned(option, 360 - angle_deg)] = option
    seen = most_alike(table.card.sheet, by_card_text)
    return _chooses(asked, by_card_text[seen], "I turn the card in my mind.")


def _chooses(asked: CardQuestion, text: str, reasoning: str) -> str:
    label = next(label for label, option in asked.options.items() if option == text)
    return write_choice(asked, label, reasoning)
