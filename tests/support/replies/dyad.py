"""Replies to dyad's prompts in the styles of chat models, with what each comes to where they talk:
action, selected cube, identification, and what is told."""

WHOLE = (
    '{"view-description": "a mirror", "reasoning": "why", "action": "w", "summary": "so far",'
    ' "selected_cube": "none", "identification": "unknown", "tell": "blue"}'
)
DONE = WHOLE.replace('"w"', '"done"').replace('"none"', '"red"').replace("unknown", "red")

REPLIES: dict[str, tuple[str, str, str | None, str | None] | None] = {
    WHOLE: ("w", "none", "unknown", "blue"),
    DONE: ("done", "red", "red", "blue"),
    f"```json\n{WHOLE}\n```": ("w", "none", "unknown", "blue"),
    f'<think>I could be red. "action": "done"</think>\n{WHOLE}': ("w", "none", "unknown", "blue"),
    f"Let me think about what I see.\n\n{DONE}": ("done", "red", "red", "blue"),
    WHOLE.replace('"blue"', '"Blue"'): ("w", "none", "unknown", "blue"),
    WHOLE.replace('"blue"', '"the blue robot"'): ("w", "none", "unknown", "blue"),
    WHOLE.replace('"blue"', '"unknown"'): ("w", "none", "unknown", "none"),
    WHOLE.replace('"tell": "blue"', '"Tell": "blue"'): ("w", "none", "unknown", "blue"),
    # What cannot be told is told to nobody, and never costs the action.
    WHOLE.replace(', "tell": "blue"', ""): ("w", "none", "unknown", None),
    WHOLE.replace('"tell": "blue"', '"tell": ["blue", "red"]'): ("w", "none", "unknown", None),
    WHOLE.replace('"tell": "blue"', '"tell": null'): ("w", "none", "unknown", None),
    WHOLE.replace('"blue"', '"blue or red"'): ("w", "none", "unknown", "blue or red"),
    # An identification stays in the model's words; a cube before done binds nobody.
    WHOLE.replace('"unknown"', '"likely red"'): ("w", "none", "likely red", "blue"),
    WHOLE.replace('"none"', '"red"'): ("w", "none", "unknown", "blue"),
    DONE.replace('"selected_cube": "red"', '"selected_cube": "the red cube"'): (
        "done",
        "red",
        "red",
        "blue",
    ),
    DONE.replace('"selected_cube": "red"', '"selected_cube": "gray"'): (
        "done",
        "gray",
        "red",
        "blue",
    ),
    WHOLE.replace('"action": "w"', '"action": "move forward"'): ("w", "none", "unknown", "blue"),
    "**Action:** a\n**Identification:** red\n**Tell:** blue": ("a", "none", "red", "blue"),
    "**Action:** turn left": ("a", "none", None, None),
    # Nothing that could be counted on.
    "I would walk on, or turn left.": None,
    "I'm sorry, I can't help with that.": None,
    WHOLE.replace('"w"', '"w or a"'): None,
    WHOLE + "\n" + WHOLE.replace('"w"', '"s"'): None,
    "<think>The action should be w": None,
    "": None,
}
