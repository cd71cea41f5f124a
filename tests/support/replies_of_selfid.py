"""selfid's replies in the styles of chat models, each with what it commits to.

The ego is red and stands in front of the mirror. Half of the replies name it rightly, half do not.
"""

import json
from dataclasses import dataclass
from typing import Any

TRUTH = "red"


@dataclass(frozen=True, slots=True)
class Styled:
    """A reply and what it commits to.

    Args:
        action: None where it commits to none: nothing may be read then.
        cube: the selected cube; "none" where none is.
        claim: the colour that its identification commits to, on the palette or off it.
        finish_reason: the provider's.
    """

    style: str
    text: str
    action: str | None
    cube: str = "none"
    claim: str | None = None
    finish_reason: str = "stop"


def _object(action: str, claim: Any, cube: str = "none", **more: Any) -> dict[str, Any]:
    return {
        "view-description": "A mirror on the wall shows a humanoid; a cube stands to its left.",
        "reasoning": "The figure in the mirror moves as I do, so it should be me.",
        "action": action,
        "summary": "Turned twice, found the mirror.",
        "selected_cube": cube,
        "identification": claim,
        **more,
    }


def _json(action: str, claim: Any, cube: str = "none", **more: Any) -> str:
    return json.dumps(_object(action, claim, cube, **more), indent=2)


def _pair(style: str, wrap: str, action: str, cube: str = "none") -> list[Styled]:
    """The same style twice: naming the own colour, and another."""
    return [
        Styled(style, wrap.replace("@", _json(action, claim, cube)), action, cube, claim)
        for claim in ("red", "blue")
    ]


def _without_json(style: str, wrap: str, action: str, cube: str = "none") -> list[Styled]:
    return [
        Styled(style, wrap.replace("@", claim), action, cube, claim) for claim in ("red", "green")
    ]


_THOUGHT = 'I might turn: {"action": "a", "identification": "pink"}. No, the mirror is ahead.'

STYLED: tuple[Styled, ...] = (
    *_pair("as asked", "@", "w"),
    *_pair("in a fence", "```json\n@\n```", "w"),
    *_pair("in a bare fence", "```\n@\n```", "d"),
    *_pair("with a preamble", "Here is my response:\n\n@", "a"),
    *_pair("answer first, reasons after", "@\n\nI move on because the mirror is ahead of me.", "w"),
    *_pair("reasons first", "The mirror is ahead, so walking on gives a better look.\n\n@", "w"),
    *_pair("closing remarks", "@\n\n**Note:** the cube on the left may match.", "s"),
    *_pair("headed", "## Decision\n\n@\n\n---", "d"),
    *_pair("thinking, whole", f"<think>{_THOUGHT}</think>\n@", "w"),
    *_pair("thinking, opening tag swallowed", f"{_THOUGHT}</think>\n\n@", "w"),
    *_pair("thinking by another name", f"<reasoning>{_THOUGHT}</reasoning>@", "d"),
    *_pair("thinking that ends with the answer", "<think>The mirror is ahead.\n@", "w"),
    *_pair("self-correction", f"{_json('a', 'pink')}\n\nWait, that turns away. Corrected:\n@", "w"),
    *_pair("draft, then final answer", f"Draft: {_json('s', 'white')}\n**Final answer:**\n@", "d"),
    *_pair("said twice", "@\n@", "w"),
    *_pair("wrapped", '{"response": @}', "w"),
    *_pair("an array of one", "[@]", "a"),
    *_pair("done", "@", "done", "red"),
    *_pair("done in a fence", "I am sure now.\n```json\n@\n```", "done", "blue"),
    *_without_json(
        "labels in bold",
        "**View-description:** a mirror\n**Reasoning:** it moves as I do\n**Action:** w\n"
        "**Summary:** walked\n**Selected_cube:** none\n**Identification:** @",
        "w",
    ),
    *_without_json("labels", "Reasoning: mirror ahead.\nAction: d\nIdentification: @", "d"),
    *_without_json(
        "a list", "- reasoning: near the mirror\n- action: `a`\n- identification: `@`", "a"
    ),
    *_without_json("boxed", "identification: @\nAction: $\\boxed{w}$", "w"),
    *_without_json("LaTeX text", "Identification: @\n**Final action:** \\boxed{\\text{s}}", "s"),
    *_without_json("a numbered list", "1. Action: turn right\n2. Identification: @", "d"),
    *_without_json(
        "done in labels", "Action: done\nSelected cube: red\nIdentification: @", "done", "red"
    ),
    *_without_json("full-width colons", "action：w\nidentification：@", "w"),
    *_without_json("single quotes", "{'action': 'w', 'identification': '@'}", "w"),
    *_without_json("keys without quotes", '{action: "d", identification: "@"}', "d"),
    *_without_json("typographic quotes", "{“action”: “w”, “identification”: “@”}", "w"),
    *_without_json("full-width JSON", "{“action”： “a”， “identification”： “@”}", "a"),
    *_without_json("a comma at the end", '{"action": "w", "identification": "@",}', "w"),
    *_without_json("comments", '{"action": "w", // on\n "identification": "@"}', "w"),
    *_without_json("Python's None", "{'action': 's', 'summary': None, 'identification': '@'}", "s"),
    *_without_json("other keys' case", '{"Action": "W", "Identification": "@"}', "w"),
    *_without_json("a phrase", '{"action": "move forward", "identification": "@"}', "w"),
    *_without_json(
        "a key and its meaning", '{"action": "d (turn right)", "identification": "@"}', "d"
    ),
    *_without_json("a hedge", '{"action": "w", "identification": "likely @"}', "w"),
    *_without_json("a sentence", '{"action": "w", "identification": "I am the @ robot"}', "w"),
    *_without_json("a body", '{"action": "w", "identification": "a @ humanoid"}', "w"),
    *_without_json("an array of words", '{"action": ["w"], "identification": ["@"]}', "w"),
    *_without_json("an object", '{"action": "w", "identification": {"color": "@"}}', "w"),
    *_without_json("no closing brace", '{"action": "w", "identification": "@"', "w"),
    # Nothing yet, off the palette, or no statement of one's own colour: the action stands.
    Styled("not visible", _json("a", "not visible"), "a"),
    Styled("unclear", _json("d", "unclear"), "d"),
    Styled("cannot say", _json("a", "I cannot determine my color yet"), "a"),
    Styled("null", _json("a", None), "a"),
    Styled("off the palette", _json("w", "gray"), "w", claim="gray"),
    Styled("a shade", _json("w", "light blue"), "w", claim="light blue"),
    Styled("two colours", _json("w", "red or orange"), "w"),
    Styled("others", _json("w", "two blue distractor robots"), "w"),
    Styled("a cube off the palette", _json("done", "red", "teal"), "done", "teal", "red"),
    # These commit to no action, or to two.
    Styled("refusal", "I'm sorry, but I can't help with controlling a robot.", None),
    Styled("hedging", "It might be best to move forward, though turning left is possible.", None),
    Styled("two actions", _json("w or d", "red"), None),
    Styled("a template", _json("w/a/s/d/done", "red"), None),
    Styled("a plan of two steps", f"First:\n{_json('a', 'red')}\nNext:\n{_json('w', 'red')}", None),
    Styled("an array of two", f"[{_json('a', 'red')}, {_json('w', 'red')}]", None),
    Styled(
        "two identifications",
        f"{_json('done', 'red', 'red')}\n{_json('done', 'blue', 'blue')}",
        None,
    ),
    Styled("a key twice", '{"action": "w", "identification": "red", "action": "d"}', None),
    Styled("a quoted key twice", "{'action': 'w', 'action': 'd'}", None),
    Styled("taken back", f"{_json('w', 'red')}\nActually, I should turn left first.", None),
    Styled("taken back in labels", "Action: w\nWait, I should rather turn left.", None),
    Styled("two labels", "Action: w\nAction: d\nIdentification: red", None),
    Styled("cut off", _json("w", "red")[:-30], None, finish_reason="length"),
    Styled("cut off in thinking", f"<think>{_THOUGHT} So I will", None),
    Styled("prose in thinking", "<think>\nAction: w\nor maybe", None),
    Styled("another language", "Acción: avanzar. Identificación: rojo", None),
    Styled("empty", "", None),
)
