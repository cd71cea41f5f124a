import io
import json
import sys

import pytest
from rich.table import Table
from rich.text import Text

from mirror_ray.cli import main, show, show_what_cannot_be_encoded
from mirror_ray.core.terminal import Terminal, say

HOSTILE = [
    "[/red]x",
    "[bold]x[/bold] [link=http://a.example]y[/link]",
    ":smile:",
    "\x1b[31mred\x1b]0;title\x07",
    "\x9b2J\x00\x08\x7f",
    "half \ud83d of a pair",
    "\u202egnp.exe",
]


def printed(renderable):
    file = io.StringIO()
    Terminal(file).print(renderable, soft_wrap=True)
    return file.getvalue()


def table_of(text):
    table = Table(text, title=text, caption=text)
    table.add_row(text)
    table.add_row(Text(text, style="bold"))
    return table


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("renderable", [str, Text, table_of], ids=["line", "text", "table"])
def test_text_from_outside_is_inert_wherever_it_stands(renderable, text):
    shown = printed(renderable(text))
    shown.encode("utf-8")
    assert not {c for c in shown if not c.isprintable()} - {"\n"}
    inert = text.translate(dict.fromkeys([*range(32), *range(0x7F, 0xA0), 0xD83D, 0x202E], "�"))
    shown = shown.replace("\n", "").replace(" ", "")
    # rich drops a few control characters of its own accord.
    assert inert.replace("�", "").replace(" ", "") in shown.replace("�", "")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_any_encoding_of_the_output_takes_any_text(encoding, monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", stream)
    show_what_cannot_be_encoded()
    Terminal().print(table_of("– € \ud83d 日本"))
    show.print_json({"text": "– € \ud83d 日本 \U0001f600 \x1b[31m\x9b\x00\u202e"})
    stream.flush()
    said = stream.buffer.getvalue().decode(encoding)
    told = json.loads(said[said.index('{\n  "text"') :])
    assert told == {"text": "– € \ud83d 日本 \U0001f600 \x1b[31m\x9b\x00\u202e"}
    assert not {c for c in said if not c.isprintable()} - {"\n"}


def test_an_error_message_is_printable(capsys):
    assert main(["status", "runs/\x1b[31mno\udc80such"]) == 2
    said = capsys.readouterr().err
    assert "mirror-ray status:" in said
    assert not {c for c in said if not c.isprintable()} - {"\n"}


PROSE = "90 episodes, 0 with an error, 1,271 pictures drawn, 723 reused, at least $0.25. Data: "
PATH = f"/srv/{'a-long-folder/' * 12}run"


@pytest.mark.parametrize("width", [60, 80, 100, 160])
def test_prose_is_broken_between_words_and_a_path_never(width, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    file = io.StringIO()
    say(Terminal(file), f"{PROSE}{PATH} is done.")
    lines = file.getvalue().splitlines()
    assert " ".join(line.strip() for line in lines) == f"{PROSE}{PATH} is done."
    assert len(lines) > 2
    assert all(len(line) <= width or PATH in line for line in lines)


def test_in_a_pipe_a_line_of_prose_stays_a_line(monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    file = io.StringIO()
    say(Terminal(file), f"{PROSE}{PATH}")
    assert file.getvalue() == f"{PROSE}{PATH}\n"
