"""Replies to contingency's prompts in the styles of chat models, each with what it comes to."""

WHOLE = '{"view": "three people", "reasoning": "why", "move": "up", "answer": "unsure"}'

REPLIES: dict[str, tuple[str, str] | None] = {
    WHOLE: ("up", "unsure"),
    f"```json\n{WHOLE}\n```": ("up", "unsure"),
    f"<think>The left one moved, answer: left.</think>\n{WHOLE}": ("up", "unsure"),
    f"Let me look at the screens first.\n\n{WHOLE}\n\nI will watch what happens.": ("up", "unsure"),
    '{"view": "", "reasoning": "", "move": "stay", "answer": "left"}': ("stay", "left"),
    '{"view": "", "reasoning": "", "move": "stay", "answer": "Left screen"}': ("stay", "left"),
    '{"view": "", "reasoning": "", "move": "stay", "answer": "the middle one"}': ("stay", "middle"),
    '{"view": "", "reasoning": "", "move": "stay", "answer": "center"}': ("stay", "middle"),
    '{"view": "", "reasoning": "", "move": "stay", "answer": "The right screen."}': (
        "stay",
        "right",
    ),
    '{"view": "", "reasoning": "", "move": "none", "answer": "none of them"}': ("stay", "none"),
    '{"view": "", "reasoning": "", "move": "", "answer": "Neither"}': ("stay", "none"),
    '{"view": "", "reasoning": "", "move": "left", "answer": "not sure yet"}': ("left", "unsure"),
    '{"view": "", "reasoning": "", "move": "Move hand to the left", "answer": "UNSURE"}': (
        "left",
        "unsure",
    ),
    '{"View": "x", "Reasoning": "y", "Move": "Down", "Answer": "unsure"}': ("down", "unsure"),
    '{"answer": "right"}': ("stay", "right"),
    '{"move": ["right"], "answer": ["unsure"]}': ("right", "unsure"),
    # The answer decides; what the reasons say of screens does not.
    '{"view": "", "reasoning": "Not the left screen.", "move": "stay", "answer": "middle"}': (
        "stay",
        "middle",
    ),
    "**Move:** up\n**Answer:** unsure": ("up", "unsure"),
    "I raised my hand and the picture on the right followed.\n\nAnswer: right": ("stay", "right"),
    "Final answer: middle": ("stay", "middle"),
    "left": None,
    "None of the screens.": ("stay", "none"),
    # Nothing that could be counted on.
    "I think it could be the left or the middle screen.": None,
    '{"view": "", "reasoning": "", "move": "up", "answer": "left or middle"}': None,
    '{"view": "", "reasoning": "", "move": "up"}': None,
    '{"view": "", "reasoning": "", "move": "up", "answer": "not the left one"}': None,
    "Answer: left\nAnswer: right": None,
    "Answer: left. No, wait": None,
    "I'm sorry, I cannot tell who anybody in a picture is.": None,
    "<think>The left one moves as I do. Answer: left": None,
    "": None,
}
