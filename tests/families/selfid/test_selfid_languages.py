"""selfid in other languages: prompts say what the English ones say, and ask again in the same."""

import re
from dataclasses import fields, replace
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from mirror_ray.contract.family_files import axes_of
from mirror_ray.contract.prompt_texts import filled
from mirror_ray.core.errors import SweepError
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.text_length import prose_chars
from mirror_ray.core.types import Observation, Reply, Turn
from mirror_ray.families.selfid.actions import PastStep
from mirror_ray.families.selfid.conditions import CONDITIONS
from mirror_ray.families.selfid.family import FAMILY
from mirror_ray.families.selfid.play import play
from mirror_ray.families.selfid.prompts import (
    TEXTS,
    history_text,
    position_text,
    problem_text,
    reask_prompt,
    system_prompt,
    user_prompt,
    warning_text,
)
from mirror_ray.families.selfid.settings import MirrorCalled
from mirror_ray.families.selfid.wording import Wording, wording_of
from mirror_ray.reading.languages import Language
from mirror_ray.sweep.load import load_plan
from mirror_ray.world.room.motion import Obstacle
from mirror_ray.world.room.scene import Pose
from sim_assets.colors import COLOR_NAMES

WORDINGS = {language: wording_of(TEXTS, language) for language in get_args(Language)}
OTHERS: tuple[Language, ...] = ("de", "es", "zh", "ja")
MIRRORS = {"de": r"spiegel", "es": r"espej|reflej", "zh": r"镜|鏡|反射", "ja": r"鏡|ミラー|映|反射"}
CALLED: dict[str, dict[str, str]] = {
    "de": {"window": "Fenster", "picture": "Gemälde", "screen": "Monitor"},
    "es": {"window": "ventana", "picture": "cuadro", "screen": "pantalla"},
    "zh": {"window": "窗", "picture": "挂画", "screen": "屏幕"},
    "ja": {"window": "窓", "picture": "絵", "screen": "スクリーン"},
}
COLORS = {
    "de": r"\b(?:rot|grün|blau|gelb|lila|rosa|braun|weiß)",
    "es": r"\b(?:roj|verde|azul|amarill|morad|rosa|marrón|blanc)",
    "zh": r"红|绿|蓝|黄|橙|紫|粉|青|棕|白",
    "ja": r"赤|緑|青|黄|橙|紫|桃|茶|白",
}
PROTOCOL = re.compile(
    r'"view-description"|"?reasoning"?=?|"?action"?=?|"?summary"?=?|selected_cube|"?identification"?'
    r"|Identification|\bdone\b|\bnone\b|\bunknown\b|\b[wasd]\b|\b[xy]=|RGB|JSON|Markdown|Prompt|prompt"
)
ENGLISH = re.compile(
    r"\b(?:the|you|your|is|are|and|with|of|to|step|steps|task|image|images|robot control|turn|move"
    r"|must|use|return|position|evidence|color|cube|could|read|wall|box|last)\b",
    re.IGNORECASE,
)
SAME_IN_BOTH = {"de": {"position"}, "es": {"color"}, "zh": set(), "ja": set()}
PAST = (PastStep("w", "R", "S"), PastStep(None, "", ""), PastStep("a", "R", "S"))


def prompts(
    condition: str,
    language: Language,
    *,
    called: MirrorCalled = "mirror",
    variant: str = "paper",
    obstacle: Obstacle | None = None,
    wrong_color: str | None = None,
) -> str:
    """Both prompts of a step."""
    one = CONDITIONS[condition]
    user = user_prompt(
        one,
        variant,
        history=history_text(PAST, 5, language),
        position=position_text(Pose(1.0, -0.5, 90.0), 87, language),
        warning=warning_text(one, variant, obstacle, language=language),
        mirror_called=called,
        n_frames=4,
        language=language,
    )
    return f"{system_prompt(one, wrong_color, called, language)}\n{user}"


def every_prompt(language: Language) -> list[str]:
    return [
        prompts(condition, language, called=called, variant=variant, obstacle=obstacle)
        for condition, called, variant, obstacle in product(
            ("E1", "E5", "glance"),
            get_args(MirrorCalled),
            FAMILY.variants,
            (None, *get_args(Obstacle)),
        )
    ]


def test_every_language_has_a_file_of_prompts() -> None:
    assert axes_of("selfid")["language"].choices == get_args(Language)
    files = {key.partition(".")[0] for key in TEXTS.by_key}
    assert files == {"english", "german", "spanish", "chinese", "japanese", "channel"}
    assert axes_of("selfid")["language"].default == "en"


@pytest.mark.parametrize("language", OTHERS)
def test_every_slot_of_the_english_wording_has_its_counterpart(language: Language) -> None:
    english, other = WORDINGS["en"], WORDINGS[language]
    for field in fields(Wording):
        ours, theirs = getattr(english, field.name), getattr(other, field.name)
        if field.name in ("problems", "of_key", "within", "invalid", "unfit"):
            continue
        if isinstance(ours, str):
            slots = re.compile(r"\{\w+\}")
            assert sorted(slots.findall(ours)) == sorted(slots.findall(theirs))
            assert ours != theirs
        else:
            assert ours.keys() == theirs.keys()
    assert other.role in other.system
    assert set(other.colors) == set(COLOR_NAMES)
    assert len(set(other.colors.values())) == len(COLOR_NAMES)


@pytest.mark.parametrize("language", OTHERS)
def test_nothing_but_the_protocols_words_stays_english(language: Language) -> None:
    for text in every_prompt(language):
        left = {word.lower() for word in ENGLISH.findall(PROTOCOL.sub(" ", text))}
        assert left <= SAME_IN_BOTH[language], text


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("condition", ["E1", "E5", "glance"])
def test_keys_actions_and_literals_are_the_protocols(language: Language, condition: str) -> None:
    literal = re.compile(r'"[\w-]+"|\bx=[\d.-]+|\by=[\d.-]+|(?<![A-Za-z])[wasd] =|done =|\d+')
    english, other = prompts(condition, "en"), prompts(condition, language)
    assert sorted(literal.findall(other)) == sorted(literal.findall(english))
    assert other.count("\n") == english.count("\n")


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("condition", ["E1", "E5", "glance"])
def test_the_mirror_is_said_where_english_says_it_and_nowhere_else(
    language: Language, condition: str
) -> None:
    mirror = re.compile(MIRRORS[language], re.IGNORECASE)
    assert len(mirror.findall(prompts(condition, language))) == 1
    words = WORDINGS[language]
    for said in (*words.problems.values(), *words.of_key.values(), words.within, words.reask):
        assert not mirror.search(said)
    calls: tuple[MirrorCalled, ...] = get_args(MirrorCalled)
    for called in calls[1:]:
        text = prompts(condition, language, called=called)
        assert not mirror.search(text)
        for name, word in CALLED[language].items():
            assert text.count(word) == (name == called), (called, word)


@pytest.mark.parametrize("language", OTHERS)
def test_no_prompt_names_a_colour_but_the_lie(language: Language) -> None:
    color = re.compile(COLORS[language])
    assert not any(color.search(text) for text in every_prompt(language))
    for wrong in COLOR_NAMES:
        honest = prompts("E3", language).splitlines()
        lying = prompts("E3", language, wrong_color=wrong).splitlines()
        assert WORDINGS[language].colors[wrong] in lying[0]
        assert (honest[0], honest[1:]) != (lying[0], honest[1:])
        assert honest[1:] == lying[1:]


@pytest.mark.parametrize("language", OTHERS)
def test_what_was_wrong_with_a_reply_is_said_in_the_same_language(language: Language) -> None:
    words = WORDINGS[language]
    said = [problem_text(problem, words) for problem in words.problems]
    assert len(set(said)) == len(words.problems) == 6
    for problem, key in (
        ('"action": Field required', "action"),
        ("\"action\": Input should be 'w', 'a', 's', 'd' or 'done'", "action"),
        ('"summary": Input should be a valid string', "summary"),
        ('"summary": whatever pydantic may say next', "summary"),
        ("it ends within 'selectedcube'", "selected_cube"),
    ):
        said.append(problem_text(problem, words))
        assert key in said[-1]
    said.append(problem_text("what nobody thought of", words))
    for one in said:
        line = reask_prompt("P", one, language).partition("\n")[2]
        assert not ENGLISH.search(PROTOCOL.sub(" ", line))
    assert len(set(said)) == len(said)


@pytest.mark.parametrize("language", axes_of("selfid")["language"].choices)
def test_a_reply_that_cannot_be_read_is_asked_for_again_in_its_language(language: Language) -> None:
    axes = () if language == "en" else (("language", language),)
    spec = EpisodeSpec(Cell("selfid", "E1", (("subject", "m"),), 0.2, "paper", axes), 0, 0)
    playing = play(spec, np.random.default_rng(0))
    first = next(playing)
    seen = Observation((), None, {})
    again = playing.send(Turn(seen, Reply('{"action": "fly"}', finish_reason="stop")))
    line = again.user.removeprefix(f"{first.user}\n")
    assert line == filled(
        WORDINGS[language].reask,
        problem={
            "en": "\"action\": Input should be 'w', 'a', 's', 'd' or 'done'",
            "de": "\"action\" muss 'w', 'a', 's', 'd' oder 'done' sein",
            "es": "\"action\" debe ser 'w', 'a', 's', 'd' o 'done'",
            "zh": "\"action\"必须是'w'、'a'、's'、'd'或'done'",
            "ja": "\"action\"は'w'、'a'、's'、'd'、'done'のいずれかでなければなりません",
        }[language],
    )


@pytest.mark.parametrize("language", OTHERS)
def test_the_documentation_has_every_text(language: Language) -> None:
    page = files("mirror_ray.families.selfid").joinpath("translations.md").read_text("utf-8")
    for field in fields(Wording):
        if field.name in ("system_open", "closing_glance", "closing_open"):
            continue
        value = getattr(WORDINGS[language], field.name)
        texts = [value] if isinstance(value, str) else value.values()
        for line in (line for text in texts for line in text.splitlines()):
            assert line.strip() in page or not PROTOCOL.sub("", line).strip('", .'), field.name


def test_english_is_no_part_of_an_identity_and_another_language_is() -> None:
    cell = Cell("selfid", "E1", (("subject", "m"),), 0.2, "paper")
    assert cell.cell_id == "24cc31bc7e35f540"
    assert replace(cell, axes=(("language", "de"),)).cell_id != cell.cell_id


def test_how_sure_a_model_is_is_asked_in_english_alone(tmp_path: Path) -> None:
    assert FAMILY.apart["language"].keys() == {"channel"}
    sweep = tmp_path / "s.yaml"
    sweep.write_text(
        "name: s\nmodels: [scripted/observer]\nout: x\nstages:\n  - {family: selfid, seeds: 1, "
        "conditions: [E1], language: [en, de], channel: wager}\n"
    )
    with pytest.raises(SweepError, match=r"language: de together with channel: wager"):
        load_plan(str(sweep))
    assert len(load_plan(str(sweep), ["stages.0.language=en"]).cells) == 1
    assert len(load_plan(str(sweep), ["stages.0.channel=natural"]).cells) == 2


def test_a_wide_character_counts_as_a_word_of_english() -> None:
    assert prose_chars("Position: x=1.0") == 15
    assert prose_chars("Größe – naïve") == 13
    assert prose_chars("位置：x=1") == 3 + 4 * 3
