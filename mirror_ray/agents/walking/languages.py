"""The words of selfid's prompts and replies in each language, as far as agents know them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from sim_assets.colors import COLOR_NAMES, UNKNOWN

_NUMBER = r"(-?\d{1,9}(?:\.\d{1,9})?)"


@dataclass(frozen=True, slots=True)
class Speech:
    """One language.

    Args:
        position: where the agent is, in three groups: x, y, heading.
        remaining: how many steps are left.
        claim: the colour that a system prompt ascribes to the robot.
        recalls: text in a prompt that recalls steps, or that says that no steps precede it.
        claims: a colour as such a claim writes it → its English name.
        says: an English name, or "unknown" → the word of a reply.
    """

    position: re.Pattern[str]
    remaining: re.Pattern[str]
    claim: re.Pattern[str]
    recalls: re.Pattern[str]
    claims: Mapping[str, str]
    says: Mapping[str, str]


def _speech(position: str, remaining: str, claim: str, recalls: str, words: str) -> Speech:
    """Return the speech with a word for each colour of the palette and "unknown": in a claim, then
    in a reply.
    """
    pairs = [pair.split("=") for pair in words.split()]
    names = (*COLOR_NAMES, UNKNOWN)
    return Speech(
        re.compile(position.format(n=_NUMBER)),
        re.compile(remaining.format(n=r"(\d{1,9})")),
        re.compile(claim),
        re.compile(recalls),
        {said[0]: name for said, name in zip(pairs, COLOR_NAMES, strict=False)},
        {name: said[-1] for said, name in zip(pairs, names, strict=True)},
    )


SPEECHES: Mapping[str, Speech] = {
    "en": _speech(
        "Position: x={n}, y={n}; heading={n} degrees",
        "Steps remaining: {n}",
        r"You are an? (\w+) robot\.",
        "revious step",
        " ".join((*COLOR_NAMES, UNKNOWN)),
    ),
    "de": _speech(
        "Position: x={n}, y={n}; Blickrichtung={n} Grad",
        "Verbleibende Schritte: {n}",
        r"Du bist ein (\w+) Roboter\.",
        "orherige",
        "roter=rot grüner=grün blauer=blau gelber=gelb orangefarbener=orange lila rosa "
        "cyanfarbener=cyan brauner=braun weißer=weiß unbekannt",
    ),
    "es": _speech(
        "Posición: x={n}, y={n}; orientación={n} grados",
        "Pasos restantes: {n}",
        r"Eres un robot (\w+)\.",
        "anterior",
        "rojo verde azul amarillo naranja morado rosa cian marrón blanco desconocido",
    ),
    "zh": _speech(
        "位置：x={n}, y={n}；朝向={n}度",
        "剩余步数：{n}",
        r"你是一个(\w{1,3})的机器人。",
        "没有之前的步骤|上一步",
        "红色 绿色 蓝色 黄色 橙色 紫色 粉色 青色 棕色 白色 未知",
    ),
    "ja": _speech(
        "位置：x={n}, y={n}；向き={n}度",
        "残りステップ数：{n}",
        r"あなたは(\w{1,7})ロボットです。",
        "これまでのステップ|前のステップ",
        "赤い=赤 緑色の=緑 青い=青 黄色い=黄色 オレンジ色の=オレンジ 紫色の=紫 "
        "ピンク色の=ピンク シアン色の=シアン 茶色い=茶色 白い=白 不明",
    ),
}
