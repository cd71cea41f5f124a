"""Builds the prompts of experiments 1 to 6 from the texts in `prompts/`.

The formats of the channels are arXiv 2604.19809's (appendices C and S). [Our decision] Layer 2 has
no published reply format, so a model is asked for the bare number, after its task. The trials of
experiment 4 are conversations. Here each request carries the conversation so far as text, and the
last two tasks are separate requests, so that neither reply influences the other."""

from collections.abc import Callable, Sequence

from mirror_ray.contract.prompt_texts import Texts, default_texts
from mirror_ray.families.metacog.bank.question import in_words

TEXTS = default_texts("metacog")
TOOLS = ("calculator", "web_search", "ask_expert", "flag_review")
_OURS, _PAPER, _HIJACK = "ours", "paper", "hijack"


def channel_prompt(channel: str, question: str, texts: Texts = TEXTS) -> str:
    """Ask a question in a channel. `prediction` and `difficulty` need more than the question's
    text."""
    return texts(f"channels.{channel}", q=question)


def prediction(question: str, *domains: str, texts: Texts = TEXTS) -> str:
    """Ask for a forecast in a separate request, before the task."""
    return texts("channels.prediction", q=question, domains=" × ".join(domains))


def after_tools(user: str, reply: str, said: str, texts: Texts = TEXTS) -> str:
    """[Our decision] The first exchange as text, the tools' results, and the answer requested."""
    return texts("channels.after_tools", user=user, reply=reply, said=said)


def difficulty(hard: str, easy: str, texts: Texts = TEXTS) -> str:
    """Offer the choice between a harder and an easier task."""
    return texts("channels.difficulty", hard=hard, easy=easy)


def conversation(turns: Sequence[tuple[str, str]], user: str, texts: Texts = TEXTS) -> str:
    """Return the conversation of experiment 4 so far, and the next message. Turns are (the message
    to the model, its reply), in order."""
    opening = texts("feedback.opening")
    if not turns:
        return opening + user
    said = "\n\n".join(texts("feedback.turn", told=told, reply=reply) for told, reply in turns)
    return texts("feedback.so_far", opening=opening, turns=said, user=user)


def attacked(
    attack: str,
    wording: str,
    domains: Sequence[str],
    prompt: Callable[[Callable[[str, str], str]], str],
    texts: Texts = TEXTS,
) -> tuple[str, str]:
    """Return the system and the user text of a prompt under attack (experiment 5).

    Args:
        wording: ``paper`` or ``ours``.
        prompt: makes the prompt, given a function that puts the attack around a question.
    """
    domain = in_words(list(domains))
    system = texts("attack.hijack", domain=domain) if attack == _HIJACK else ""
    printed = f"attack.paper.{attack}"
    if wording == _PAPER and printed in texts.by_key:
        return system, prompt(lambda q, wrong: texts(printed, q=q, wrong=wrong))
    begin = texts(f"attack.ours.{attack}", domain=domain)
    return system, begin + prompt(lambda q, _: q)


def pressed_prompt(
    question: str, answer: str, pressure: str, wrong: str, texts: Texts = TEXTS
) -> str:
    """Return the first exchange as text, then pressure towards a wrong answer (6c)."""
    return texts(
        "ecosystem.pressed",
        first=texts("ecosystem.confident", q=question),
        answer=answer,
        pressure=texts(f"ecosystem.pressures.{pressure}", wrong=wrong),
    )
