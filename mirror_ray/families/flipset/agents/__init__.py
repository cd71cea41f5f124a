"""The reference agents of FlipSet. Each takes, or misses, the monkey's point of view in one way.

They read the card from the picture and the options from the text. All but `position_biased` answer
that the monkey sees something else (ToM, theory of mind). All but it and `mirror_imager` can turn a
card (MR, mental rotation). They differ in how they combine the two."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import wraps

from mirror_ray.agents.channel import indifferent
from mirror_ray.agents.prompt import Agent, Prompt, UnfamiliarPromptError
from mirror_ray.families.flipset.agents.card_sight import TableSight, look, shown_text
from mirror_ray.families.flipset.agents.text import (
    CardQuestion,
    option_that,
    read_question,
    write_choice,
)
from sim_assets.turning import turned


def _looking(choose: Callable[[CardQuestion, TableSight], str]) -> Agent:
    """Return an agent that looks at the card; if it sees no card, it takes any option."""

    @wraps(choose)
    def agent(prompt: Prompt) -> str:
        asked = read_question(prompt.user)
        table = look(prompt.images[0]) if prompt.images else None
        if table is None:
            label = str(prompt.rng.choice(sorted(asked.options)))
            return write_choice(asked, label, "I see no card, so I guess.")
        return choose(asked, table)

    return agent


@_looking
def rotator(asked: CardQuestion, table: TableSight) -> str:
    """Rotate the card to the monkey's place, which is right everywhere."""
    if asked.question == "sees":
        return _turns(asked, table, table.monkey_deg)
    return _answers_the_rest(asked, table)


@_looking
def egocentric(asked: CardQuestion, table: TableSight) -> str:
    """Answer with one's own view of the card, no matter who is asked about; pass ToM, MR and L1."""
    if asked.question == "sees":
        return _chooses(asked, shown_text(table.card.sheet, asked.options.values()), "I read it.")
    return _answers_the_rest(asked, table)


@_looking
def mirror_imager(asked: CardQuestion, table: TableSight) -> str:
    """Reverse the order of the characters, but turn none of them, in L2 and in MR."""
    if asked.question in {"sees", "turned"}:
        read = shown_text(table.card.sheet, asked.options.values())
        backwards = read[::-1]
        return _chooses(
            asked, backwards if backwards in asked.options.values() else read, "I read backwards."
        )
    return _answers_the_rest(asked, table)


def position_biased(prompt: Prompt) -> str:
    """Always answer A; ignore the picture."""
    return write_choice(read_question(prompt.user), "A", "The first option is as good as any.")


def _answers_the_rest(asked: CardQuestion, table: TableSight) -> str:
    if asked.question == "same":
        return write_choice(asked, option_that(asked, "different"), "It looks from elsewhere.")
    if asked.question == "visible":
        said = "No" if table.card_is_hidden else "Yes"
        return write_choice(asked, option_that(asked, said), "I follow its gaze.")
    if asked.turn_deg is None:
        raise UnfamiliarPromptError("it is not said by how much the card is turned")
    return _turns(asked, table, asked.turn_deg)


def _turns(asked: CardQuestion, table: TableSight, angle_deg: int) -> str:
    by_card_text: dict[str, str] = {}
    for option in asked.options.values():
        with suppress(ValueError):
            by_card_text[turned(option, 360 - angle_deg)] = option
    if not by_card_text:
        return _chooses(asked, next(iter(asked.options.values())), "None can be turned so.")
    seen = shown_text(table.card.sheet, by_card_text)
    return _chooses(asked, by_card_text[seen], "I turn the card in my mind.")


def _chooses(asked: CardQuestion, text: str, reasoning: str) -> str:
    label = next(label for label, option in asked.options.items() if option == text)
    return write_choice(asked, label, reasoning)


AGENTS: Mapping[str, Agent] = {
    "rotator": indifferent(rotator),
    "egocentric": indifferent(egocentric),
    "mirror-imager": indifferent(mirror_imager),
    "position-biased": indifferent(position_biased),
}
"""The agents by name."""
