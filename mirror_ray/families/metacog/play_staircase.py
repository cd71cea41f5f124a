"""A staircase of one domain, in which earlier answers determine each question's level."""

from mirror_ray.core.types import Reply
from mirror_ray.families.metacog.bank.question import DOMAINS, Question
from mirror_ray.families.metacog.channels import read
from mirror_ray.families.metacog.episode_record import EpisodeRecord, MetacogRow, Script
from mirror_ray.families.metacog.levels.bank import question_in
from mirror_ray.families.metacog.levels.staircase import TRIALS, next_level
from mirror_ray.families.metacog.play_questions import truth_of
from mirror_ray.families.metacog.rows import step_row


def play_staircase(record: EpisodeRecord, seed: int) -> Script:
    """Ask `TRIALS` bare questions of one domain; its subcategories take turns.

    [Our decision] An unreadable reply counts as wrong for the next level; its row has NULL."""
    turn, place = divmod(seed, len(DOMAINS))
    domain = DOMAINS[place]
    record.fields |= {"domain": domain, "channel": "natural"}
    answers: list[tuple[int, bool]] = []
    for trial in range(TRIALS):
        level = next_level(answers)
        n = turn * TRIALS + trial
        question = question_in("staircase", domain, level, n)

        def note(reply: Reply, question: Question = question) -> MetacogRow:
            return step_row("answer", read("natural", reply, question.text, question.key), question)

        _, row = yield from record.asked(question.text, note, truth=truth_of(question))
        answers.append((level, bool(row.get("correct"))))
