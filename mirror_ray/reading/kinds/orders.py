"""Things in an order: in brackets, between arrows or commas, or one per line."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mirror_ray.reading.grammar import LIST_REMARK
from mirror_ray.reading.kinds.kind import PICTURES, Kind
from mirror_ray.reading.plain_words import plain
from mirror_ray.reading.replies.statements import Statement

_LIST = re.compile(r"\[([^\[\]\n]*+)\]")
_SEPARATOR = re.compile(r"→|⟶|➔|->|=>|>|<|,(?>(?: and| then)?)(?= |\d)|;| \+ | then ")
_REMARK = re.compile(r" \([^()\n]*+\)")
_LEAD = re.compile(
    r"\A[^,;→>\n]{0,80}?(?:: | (?:is|are|was|were|be|gives|yields|leaves|becomes|makes|get) )"
    r"|\A(?:so|therefore|thus|hence|finally),? ",
    re.IGNORECASE,
)
_SPACED = re.compile(r"(?:[A-J]|-?\d{1,4})(?: (?:[A-J]|-?\d{1,4})){2,20}")
_LAST_AND = re.compile(r"(?<=, )and |(?<=\w) and (?=\S{1,20}\Z)")
_EXPLAINS = re.compile(r":| [–—-] |\(")
_VERBS = frozenset(
    ("is", "are", "was", "were", "because", "so", "it", "has", "have", "the", "gives", "gets")
)
_MOST_PART_WORDS = 4


@dataclass(frozen=True, slots=True)
class Orders(Kind):
    """An order, with its parts between commas.

    Args:
        parts: what is put in order, in plain form and in no order that tells; empty where the
            question does not name all of it.
        n_lists: how many lists in brackets are asked for, 1 where none are.
    """

    remark = LIST_REMARK

    parts: tuple[str, ...] = ()
    n_lists: int = 1

    def stated(self, piece: str, *, called: bool = False) -> str | None:
        """Return the whole order that a piece states."""
        text = PICTURES.sub("", piece).strip(" .*_`")
        lists: list[str] = _LIST.findall(text)
        if self.n_lists > 1:
            return " and ".join(f"[{one}]" for one in lists) if len(lists) == self.n_lists else None
        if len(lists) == 1:
            return self._whole([part.strip() for part in re.split("[,;]", lists[0])])
        if lists:
            return None
        text = _REMARK.sub("", text)
        if _SPACED.fullmatch(text):
            return self._whole(text.split())
        text = _LAST_AND.sub(", ", text)
        for each in (text, _LEAD.sub("", text, count=1)):
            parts = [part.strip(" .\"'“”()") for part in _SEPARATOR.split(each)]
            if len(parts) > 1 and all(map(_is_part, parts)):
                return self._whole(parts)
        return None

    def within(self, sentence: str) -> str | None:
        """Return the order in which a sentence names all parts, each once."""
        said = f" {plain(sentence)} "
        places = sorted((said.find(f" {part} "), part) for part in self.parts)
        if len(places) < 2 or places[0][0] < 0:
            return None
        if any(said.count(f" {part} ") != 1 for part in self.parts):
            return None
        return ", ".join(part for _, part in places) if _SEPARATOR.search(sentence) else None

    def listed(self, said: Sequence[Statement]) -> str | None:
        """Return the order of a reply's last list, with one part per item."""
        items: list[list[str | None]] = [[]]
        for each in said:
            if each.item and not each.row:
                items[-1].append(self._item(each))
            elif items[-1]:
                items.append([])
        whole = [run for run in items if len(run) > 1 and None not in run]
        found = [order for run in whole if (order := self._whole([str(part) for part in run]))]
        return found[-1] if found and all(one == found[0] for one in found) else None

    def same(self, one: str, other: str) -> bool:
        """Return whether two orders are equal."""
        return [plain(part) or part for part in one.split(",")] == [
            plain(part) or part for part in other.split(",")
        ]

    def _item(self, said: Statement) -> str | None:
        named = [part for part in self.parts if f" {part} " in f" {plain(said.text)} "]
        if len(named) == 1:
            return named[0]
        name = said.bold[0] if said.bold and said.text.startswith(said.bold[0]) else said.text
        name = PICTURES.sub("", _EXPLAINS.split(name, maxsplit=1)[0]).strip(" .,")
        return name if name and len(name.split()) <= _MOST_PART_WORDS else None

    def _whole(self, parts: Sequence[str]) -> str | None:
        is_whole = not self.parts or sorted(
            plain(one) or one.casefold() for one in parts
        ) == sorted(self.parts)
        return ", ".join(parts) if is_whole else None


def _is_part(part: str) -> bool:
    words = part.casefold().split()
    return 0 < len(words) <= _MOST_PART_WORDS and ":" not in part and not _VERBS & set(words)
