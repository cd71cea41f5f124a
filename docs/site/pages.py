"""Hooks for MkDocs: turn links to files outside of docs/ into text, and write llms.txt, a list of
all pages for programs."""

import re
from pathlib import Path
from typing import Any

_OUTWARD = re.compile(r"\[([^\]]+)\]\(\.\./[^)]*\)")


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Return the page without links to files that the site does not have."""
    return _OUTWARD.sub(r"\1", markdown)


def on_env(env: Any, config: Any, files: Any) -> None:
    """Write llms.txt: each page with its address and first words (llmstxt.org)."""
    lines = [f"# {config['site_name']}", "", f"> {config['site_description']}", "", "## Pages", ""]
    pages = [file.page for file in files.documentation_pages()]
    lines += [f"- [{one.title}]({one.url}): {_first_paragraph(one.markdown)}" for one in pages]
    folder = Path(config["site_dir"])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "llms.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _first_paragraph(markdown: str) -> str:
    prose = (part for part in markdown.split("\n\n") if part and part[0].isalpha())
    return " ".join(next(prose, "").split())[:300]
