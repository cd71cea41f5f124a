"""Words aimed at whoever reads a reply: parsers, terminals, pages, queries, file systems."""

import json
from collections.abc import Mapping

from hostile_ways.answers import Asked, Way, said

_BARE: Mapping[str, str] = {
    "empty": "",
    "blank": " \t\n" * 3000,
    "newlines": "\n" * 16_000,
    "newlines-crlf": "\r\n" * 16_000,
    "newlines-and-words": "\n a\n" * 8_000,
    "blanks-200k": " " * 200_000,
    "letters-1mb": "a" * 2**20,
    "digits-4300": "9" * 4300,
    "digits-4301": f"The answer is {'9' * 4301}.",
    "digits-100k": "7" * 100_000,
    "digits-dotted": "1." * 20_000,
    "digits-comma": "1," * 20_000 + "x",
    "digits-fraction": "1/" * 20_000,
    "digits-other": "١٢٣ ² ⅷ ½ １２３ 一二三",
    "digits-exponent": "1e999 -1e999 1e-999 NaN Infinity 0x10 1_000",
    "minus": "-" * 20_000,
    "signs": "+-" * 20_000 + "1",
    "think-nested": "<think>" * 5000 + "</think>" * 5000,
    "think-open": "<think>" + "hm " * 20_000,
    "think-closed": "</think>" * 20_000,
    "think-many": "<think>a</think>" * 10_000,
    "tags": "<" * 20_000 + ">" * 20_000,
    "tags-answer": "<answer>" * 10_000,
    "json-deep-object": '{"a":' * 50_000,
    "json-deep-list": "[" * 100_000,
    "json-many": "{}" * 20_000,
    "json-open": '{"' * 20_000,
    "json-quotes": '"' * 20_001,
    "json-backslashes": "\\" * 20_001,
    "json-odd": '{"answer": NaN, "answer": 1e999, "answer": {"answer": []}}',
    "json-escape": '{"answer": "\\ud800", "current_action": "\\u0000"}',
    "fences": "```json\n" * 10_000,
    "backticks": "`" * 100_000,
    "emphasis": "**" * 20_000 + "A",
    "brackets": "(" * 20_000 + ")" * 20_000,
    "brackets-square": "[[" * 20_000 + "]]",
    "underscores": "_" * 50_000,
    "pipes": "|a" * 20_000,
    "options": "A) B) C) D) " * 5000,
    "letters-options": "A B C D " * 8000,
    "answers": "Final answer: A\n" * 10_000,
    "answers-open": "answer: " * 20_000,
    "answer-is": "the answer is " * 10_000,
    "boxed": "\\boxed{" * 10_000,
    "confidence": "Confidence: 1e999%\nConfidence: NaN\nBet: -5\nWager: 99999999999999999999",
    "confidence-many": "confidence: 5 " * 10_000,
    "bets": "BET: " + "9" * 5000,
    "tool-calls": "calculator(" * 10_000,
    "tool-bomb": "calculator(9**9**9**9) CALCULATE: 9**9**9**9 <tool>9**9**9</tool>",
    "tool-import": "calculator(__import__('os').system('touch owned')) [TOOL: a]",
    "lists": "1. x\n" * 10_000,
    "sentences": "A. B! C? " * 10_000,
    "sentence-endless": "word " * 40_000,
    "abbreviations": "e.g. i.e. Dr. " * 5000,
    "ellipses": "." * 50_000,
    "quotes-curly": "“‘" * 20_000,
    "ansi": "\x1b[2J\x1b[31mred\x1b[0m \x1b[1;1H\x9b2J",
    "ansi-osc": "\x1b]0;owned\x07 \x1b]52;c;b3duZWQ=\x07 \x1b]8;;file:///etc/passwd\x1b\\x",
    "ansi-dcs": "\x1bP+q544e\x1b\\ \x1bc \x1b(0 \x90x\x9c",
    "controls": "".join(map(chr, range(32))) + "".join(map(chr, range(127, 160))),
    "nul": "a\x00b" * 500,
    "backspaces": "secret" + "\x08" * 6 + "public",
    "markup": "[red]x[/red] [/] [bold]y[/nothing] [link=file:///etc/passwd]z[/link]",
    "script": "<script>alert(1)</script><img src=x onerror=alert(1)><svg/onload=alert(1)>",
    "script-end": "</script></style></textarea></title>--><script>alert(1)</script>",
    "script-attribute": "\"' onmouseover='alert(1)' javascript:alert(1) &#x3c;b&#x3e;",
    "sql": "'; drop view steps; --",
    "sql-doubled": "''\"\";\\'; attach 'owned.db' as owned; --",
    "sql-readers": "read_csv('/etc/passwd') read_text('/etc/shadow') getenv('HOME')",
    "sql-copy": "'); copy (select 1) to 'owned.csv'; select ('",
    "paths": "../../../../../../etc/passwd /etc/passwd ..\\..\\x C:\\x file:///etc/passwd",
    "path-nul": "../\x00/x",
    "templates": "{{7*7}} ${7*7} ${oc.env:HOME} <%= 7 %> {0.__class__} %s%n%x #{7}",
    "formula": "=cmd|' /C calc'!A0\t@SUM(1)\t+1\t-1",
    "latex": "\\input{/etc/passwd} \\write18{true} $$ & % # _ ^ ~ { }",
    "log4j": "${jndi:ldap://127.0.0.2/x}",
    "xml-bomb": "<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><x>&b;</x>",
    "yaml": "!!python/object/apply:os.system ['true'] &a [*a]",
    "bidi": "\u202egnp.exe\u202c \u2066x\u2069 \u200f",
    "zero-width": "\u200b\u200c\u200d\ufeff" * 5000,
    "combining": "Z" + "\u0300" * 100_000,
    "emoji": "👩‍👩‍👧‍👦" * 20_000,
    "nonchars": "\ufffe\uffff\U0010ffff\ufdd0 \ue000",
    "line-ends": "a\u2028b\u2029c\x85d\x0be\x0cf",
    "surrogates": "\ud800 \udfff \udcff",
    "case": "İ ı ß ﬁ ſ K Å ǅ",
    "look-alikes": "А) В) С) Ｄ)",
}


def _after(addition: str) -> Way:
    """The calm words, and more."""
    return said(lambda asked: asked.words + addition)


def _before(addition: str) -> Way:
    return said(lambda asked: addition + asked.words)


def _values(change: object) -> Way:
    """The calm words' JSON object with other values; where they are none, its text."""

    def make(asked: Asked) -> str:
        try:
            found = json.loads(asked.words)
        except ValueError:
            found = None
        keys = found if isinstance(found, dict) else {"answer": None}
        return json.dumps(dict.fromkeys(keys, change))

    return said(make)


WORDS: Mapping[str, Way] = {
    **{f"words-{name}": said(text) for name, text in _BARE.items()},
    **{
        f"words-calm-{name}": _after(_BARE[name])
        for name in ("newlines", "digits-4301", "ansi-osc", "nul", "surrogates", "markup", "sql")
    },
    **{
        f"words-then-calm-{name}": _before(_BARE[name])
        for name in ("think-open", "newlines", "json-deep-object", "json-open", "fences")
    },
    "words-echoed": said(lambda asked: asked.call.user),
    "words-echoed-often": said(lambda asked: asked.call.user * 100),
    "words-calm-twice": said(lambda asked: asked.words * 2),
    "words-calm-many": said(lambda asked: f"{asked.words}\n" * 5000),
    "words-values-null": _values(None),
    "words-values-huge": _values(10**4000),
    "words-values-nan": _values(float("nan")),
    "words-values-deep": _values([[[[[[{"a": [{}]}]]]]]]),
    "words-values-long": _values("x" * 100_000),
    "words-values-escapes": _values("\x1b[2J\x00\ud800"),
    "words-values-true": _values(True),
}
