"""Which of several lettered options a reply commits to, however it is put.

Knows where a reply commits: what options are called is the family's (`OptionWords`). A committed
letter stands: what is said of it afterwards explains it, and makes no other option of it. Two
commitments that differ are none, unless the later one corrects the earlier or is called final; nor
is a letter beside another option's words, two letters joined by "or", or one that is taken back.
It never raises, and takes time in proportion to the text.

What may commit, the surest first; nothing of a later kind is read where an earlier one is found:

1. what is marked as the answer, boxed, chosen in so many words, or opens or closes the reply;
2. what is bold, where one option alone is;
3. an option's words in prose, where one option alone is named or the last sentence concludes so.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mirror_ray.reading.choices.one_form import in_one_form
from mirror_ray.reading.choices.option_claims import (
    DISAGREE,
    NONE_NAMED,
    SEVERAL,
    TAKEN_BACK,
    Claim,
    Options,
    OptionWords,
)
from mirror_ray.reading.choices.option_phrases import (
    AFFIRMS,
    AFTER_COMMA,
    BOLD,
    CHANGES,
    CHOOSES,
    CONDITIONAL,
    CORRECTS,
    DENIAL,
    DENIES_NEXT,
    ENDS_WITH,
    HEADINGS,
    LEAD,
    LONE_LETTER,
    MARKER,
    MENU,
    NEW_CLAUSE,
    OR_ANOTHER,
    OTHER_EYES,
    RECANTS,
    STRONGLY,
    SUPPOSES,
    TAKES_BACK,
    THEREFORE,
    TURNED,
    TURNS,
    TYPOGRAPHY,
    UNSURE,
    WAS_CHANGED,
    WRAPPING,
)
from mirror_ray.reading.choices.prose import named_in_prose, only_letter
from mirror_ray.reading.choices.sentences import Sentence, sentences_said
from mirror_ray.reading.replies.own_turn import own_turn
from mirror_ray.reading.thinking import without_thinking

MOST_CHARS = 65_536
"""Of a longer text only the end is read: an answer comes last."""

_BEFORE_CHARS, _PIECE_CHARS = 200, 400
"""How far a mark is read: many of them in one long line must not each read all of it."""
_MARKED = "took what is marked as the answer"
_CORRECTED = "took what it corrects itself to"
_CHOSEN = "took what it says it chooses"
_OPENS = "took off the wrapping"
_BOLD = "took what is bold"
_ONLY = "took the one letter that it names, with which it ends"
_NAMED = "took the option that its words name"


@dataclass(frozen=True, slots=True)
class Commitment:
    """How a reply was read.

    Args:
        letter: of the option; None where it commits to none beyond doubt.
        by_words: it was named by its words alone.
        notes: what was taken off or picked out; without a letter the last one says why.
        said: the words by which it was named; "" where it was a letter.
    """

    letter: str | None
    by_words: bool = False
    notes: tuple[str, ...] = ()
    said: str = ""


def committed(text: str, letters: str, words: OptionWords) -> Commitment:
    """The option that a reply commits to.

    Args:
        letters: of the options that were offered, e.g. "ABCD".
        words: what they are called.
    """
    notes: list[str] = []
    kept = text[-MOST_CHARS:]
    whole = kept == text
    if kept != text:
        notes.append(f"kept the last {MOST_CHARS} characters")
    without = without_thinking(kept)
    if without != kept:
        notes.append("removed thinking")
    own = own_turn(without)
    if own != without:
        found = _committed(own, letters, words, (*notes, "left out what it asks itself"), whole)
        if found.letter is not None or found.notes[-1] != NONE_NAMED:
            return found
    return _committed(without, letters, words, tuple(notes), whole)


def _committed(
    text: str, letters: str, words: OptionWords, notes: tuple[str, ...], whole: bool
) -> Commitment:
    """As `committed`, of a text without thinking; `whole` says that its beginning is there."""
    says_no = words.stated("No") or words.stated("Yes")
    marked = in_one_form(text, "" if says_no else letters)
    body = TYPOGRAPHY.sub("", marked)
    reader = _Reader(Options(letters, words), body, sentences_said(body, letters), whole)
    claims = sorted(reader.claims(), key=lambda claim: claim.begin)
    if claims:
        return _settled(claims, reader, notes)
    in_bold = {claim.letter: claim for claim in reader.bold(marked)}
    if len(in_bold) == 1:
        return _settled([*in_bold.values()], reader, notes)
    letter, said = named_in_prose(reader.sentences, words)
    alone = only_letter(reader.sentences, letters)
    if alone is not None and (letter is None or letter == alone):
        return Commitment(alone, notes=(*notes, _ONLY))
    if alone is not None:
        return Commitment(None, notes=(*notes, DISAGREE))
    if letter is None:
        return Commitment(None, notes=(*notes, said))
    return Commitment(letter, True, (*notes, _NAMED), said)


def _settled(claims: Sequence[Claim], reader: "_Reader", notes: tuple[str, ...]) -> Commitment:
    """The claim that stands; claims are in the order of the text."""
    body = reader.body
    turn = max((place for place, claim in enumerate(claims) if claim.corrects), default=0)
    claims = claims[turn:]
    last = next((claim for claim in reversed(claims) if claim.is_final), claims[-1])
    if last.letter is None:
        return Commitment(None, notes=(*notes, last.note))
    # What is thought on the way, "I think B", gives way to a last line that is marked.
    weak = _CHOSEN if last.note == _MARKED and last.end >= len(body.rstrip()) else ""
    others = [one for one in claims if one.letter != last.letter and one.note != weak]
    if others and not last.is_final:
        between = max(claim.begin for claim in others)
        if between > last.begin or not CORRECTS.search(body, between, last.end):
            problem = next((one.note for one in others if one.letter is None), SEVERAL)
            return Commitment(None, notes=(*notes, problem))
    problem_after = reader.against(last)
    if problem_after is not None:
        return Commitment(None, notes=(*notes, problem_after))
    return Commitment(last.letter, bool(last.said), (*notes, last.note), last.said)


@dataclass(frozen=True, slots=True)
class _Reader:
    """One body of text, read for what commits it; `whole` says that its beginning is there."""

    options: Options
    body: str
    sentences: Sequence[Sentence]
    whole: bool

    def claims(self) -> Iterator[Claim]:
        """What is marked, chosen, or opens or closes the reply."""
        is_announced = False
        begun = not self.whole
        for index, sentence in enumerate(self.sentences):
            text = sentence.text
            if text.endswith("?") or MENU.search(text[:_PIECE_CHARS]):
                is_announced = False
                continue
            claims = [*self._marked(sentence), *self._corrected(sentence)]
            claims = claims or [*self._concluded(sentence)]
            yield from claims
            opens, begun = not begun, True
            closes = index == len(self.sentences) - 1 or sentence.opens_last_line
            if not claims and not sentence.is_listed and (opens or closes or is_announced):
                how = _MARKED if is_announced else _OPENS
                led = LEAD.match(text)
                start = led.end() if led else 0
                lead = self.options.claim(text[start:], sentence.begin + start, how)
                if lead is not None:
                    yield lead
            mark = MARKER.search(text)
            is_announced = mark is not None and not text[mark.end() :].strip(WRAPPING)
            is_announced = is_announced or text.strip(WRAPPING + "#").lower() in HEADINGS

    def bold(self, marked: str) -> Iterator[Claim]:
        """What is set in bold and was not denied just before.

        Args:
            marked: the text with its typography.
        """
        for span in BOLD.finditer(marked):
            if DENIES_NEXT.search(marked[max(0, span.start() - 24) : span.start()]):
                continue
            piece = (span[1] or span[2]).strip(WRAPPING)
            claim = self.options.claim(piece, 0, _BOLD, alone=True)
            if claim is not None:
                # Its place is one of another text: it is read last, and nothing is behind it.
                yield replace(claim, end=len(self.body))

    def against(self, claim: Claim) -> str | None:
        """Why what follows a claim undoes it: it is taken back, or the end concludes otherwise."""
        if OR_ANOTHER.match(self.body, claim.end):
            return SEVERAL
        if TAKES_BACK.search(self.body, claim.end):
            return TAKEN_BACK
        recants = RECANTS.search(self.body, claim.end)
        if recants is not None:
            rest = self.body[recants.end() : recants.end() + _PIECE_CHARS]
            named = {*LONE_LETTER.findall(rest), *self.options.words.mentioned(rest)}
            if UNSURE.search(rest) or named & set(self.options.letters) - {claim.letter}:
                return TAKEN_BACK
        end = self.sentences[-1]
        if end.begin < claim.end or end.is_listed or not THEREFORE.search(end.text):
            return None
        if OTHER_EYES.search(end.text) or DENIAL.search(end.text) or SUPPOSES.search(end.text):
            return None
        named = set(self.options.words.mentioned(end.text))
        return DISAGREE if named and claim.letter not in named else None

    def _corrected(self, sentence: Sentence) -> Iterator[Claim]:
        """What stands right behind a "no,", a "sorry," or the like."""
        for turn in TURNS.finditer(sentence.text):
            piece = sentence.text[turn.end() : turn.end() + _PIECE_CHARS]
            led = LEAD.match(piece)
            start = led.end() if led else 0
            begin = sentence.begin + turn.end() + start
            claim = self.options.claim(piece[start:], begin, _CORRECTED)
            if claim is not None and claim.letter is not None:
                yield replace(claim, corrects=True)

    def _concluded(self, sentence: Sentence) -> Iterator[Claim]:
        """What a sentence ends with behind a "so", an arrow or a reason."""
        text = sentence.text.rstrip(" .!")[-_PIECE_CHARS:]
        found = ENDS_WITH.search(text)
        if found is None or sentence.is_listed:
            return
        before = NEW_CLAUSE.split(text[: found.start("said")])[-1]
        ours = OTHER_EYES.search(before) and not TURNED.search(before)
        if SUPPOSES.search(before) or ours or DENIES_NEXT.search(found[0]):
            return
        begin = sentence.begin + len(sentence.text) - len(found["said"])
        claim = self.options.claim(found["said"], begin, _MARKED, alone=True)
        if claim is not None and claim.letter is not None:
            yield replace(claim, corrects=RECANTS.match(sentence.text) is not None)

    def _marked(self, sentence: Sentence) -> Iterator[Claim]:
        """What is marked as the answer, or else what is said to be chosen."""
        text, marks = sentence.text, 0
        for mark in MARKER.finditer(text):
            before = text[max(0, mark.start() - _BEFORE_CHARS) : mark.start()]
            before = NEW_CLAUSE.split(before)[-1]
            if SUPPOSES.search(before) or OTHER_EYES.search(before):
                continue
            if WAS_CHANGED.search(mark[0]) and CHANGES.search(text, mark.end()):
                continue
            piece = text[mark.end() : mark.end() + _PIECE_CHARS]
            led = LEAD.match(piece)
            piece = piece[led.end() :] if led else piece
            claim = self.options.claim(piece, sentence.begin + mark.end(), _MARKED)
            if claim is not None:
                marks += 1
                end = sentence.begin + len(text)
                yield replace(claim, end=end, is_final=mark[0].lower().startswith("final"))
        if marks:
            return
        for affirmed in AFFIRMS.finditer(text):
            before = text[max(0, affirmed.start() - _BEFORE_CHARS) : affirmed.start()]
            if CONDITIONAL.search(NEW_CLAUSE.split(before)[-1]):
                continue
            before = AFTER_COMMA.split(before)[-1]
            if not any(one.search(before) for one in (SUPPOSES, OTHER_EYES, DENIES_NEXT)):
                begin = sentence.begin + affirmed.start()
                yield Claim(affirmed["letter"], begin, sentence.begin + len(text), _CHOSEN)
        for verb in CHOOSES.finditer(text):
            before = text[max(0, verb.start() - _BEFORE_CHARS) : verb.end()]
            before = NEW_CLAUSE.split(before)[-1]
            if any(one.search(before) for one in (SUPPOSES, OTHER_EYES, DENIES_NEXT)):
                continue
            piece = text[verb.end() : verb.end() + _PIECE_CHARS]
            begin = sentence.begin + verb.end()
            by_letter = STRONGLY.search(verb[0]) is None
            claim = self.options.claim(piece, begin, _CHOSEN, by_letter=by_letter)
            if claim is not None:
                yield claim
