"""The worst texts for readers: repeated and nested pieces, within the syntax that readers parse.

Each is a piece, repeated up to a length, in a frame that leads a reader to it.
"""

PIECES: tuple[str, ...] = (
    "\n", " ", "\t", "\r", "\x1c", "\xa0", "\u2028", "\x00", "\ud800", "́", "\u202e", "é", "`",
    "```", "```\n", "``` ", '"', "'", "“", "\\", '\\"', ",", ";", "-", "–", "—", "*", "_", "**",
    "(", "[", "{", "[[", "{ ", '{"', '{"a":', '{"a":[', '{"a":1', '{"action":"w",', "{'a':", "[1,",
    "}", "<", "<think>", "</think>", "<think></think>", "<think ", "<!--", "&lt;", "0", "9", "٣",
    "𝟗", "²", "0.", "1.", "1, ", "1,111,", "111 ", "1 1", "1/1 ", "1/1/", "9**", "1+", "-1", "1e9 ",
    "9e9", "1:0", "12:30 ", "1 pm ", "5% ", "$1 ", "1a/", "a/", "1h", "1m2.5s", "1 s, ", "1a ", "a",
    "A", "A ", "A) ", "B. ", "a b ", "the ", "The option ", "left ", "left,", "left - front ", "'a",
    ". ", ".\n", ".) ", "? ", "!", "..", ". . ", "1'", "a'", " 'a", "“a” ", "answer", "answer ",
    "answer is ", "answer:", "ANSWER: ", "\nANSWER", "\nANSWER:\n", "final ", "\nSKIP", "skip ",
    "[skip", "\nPART 2", "part ", "step\n", "\nBET: 1", "\n- ", "\n1. a", "\n* ", "\\boxed{",
    "\\text {", "[USE_TOOL: calculator | ", "[USE_TOOL:a|", "[USE_TOOL", "[use_tool:a ", "i think ",
    "not ", "not entirely ", "is ", "because ", "i am ", "0 to ", "/ 100", "out of ", "sk-", "sk-a",
    "Bearer ", "bearer basic ", "api-key: ", "api_key=", "?key=", "&key=a", "AIza", "retryDelay",
    'retryDelay"', 'retryDelay": "1', "try again in ", "try again in 1s ", "retry after 1",
    "x-ratelimit-", "retry-after", "retry-after': '", 'x-ratelimit-a":"', "a=", ";a=1", "a;",
    "100;w=60,", "notes=", 'notes={"steps":', "Position: x=", "Position: x=1", "Question: ",
    ", Options: ", "A. a", "from 1-", "write me a story in exactly ", "A: a\nB: ",
    "word for word: ", "blocked by ", "2026-01-01T",
)  # fmt: skip


FRAMES: tuple[tuple[str, str], ...] = (
    ("", ""),
    ("", "x"),
    ("ANSWER: ", ""),
    ("\n", "ANSWER: 5\nBET: 5"),
    ("ANSWER: 5\nBET: 1", ".5"),
    ("[USE_TOOL: calculator | ", "\n"),
    ("```\n", "\nx"),
    ('{"view-description":"', '"'),
    ('{"view-description":"","reasoning":', ""),
    ('["a b", "', ""),
    ("The sum is 1", "x but B"),
    ("<think>", "</think>\nA"),
    ("PART 1\nANSWER: ", "\nPART 2\nANSWER: 1"),
    ("https://a.b/?key=sk-1", " "),
)


def worst_texts(n_chars: int) -> dict[str, str]:
    """Every piece in every frame, by a name; `n_chars` long, and the frame."""
    return {
        f"{head!r} + {piece!r}… + {tail!r}": head + repeated(piece, n_chars) + tail
        for piece in PIECES
        for head, tail in FRAMES
    }


def repeated(piece: str, n_chars: int) -> str:
    """Whole pieces, at least `n_chars` characters of them."""
    return piece * -(-n_chars // len(piece))
