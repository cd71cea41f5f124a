"""Actions and keys of a walk as models put them in other languages than English.

A prompt in any language asks for the protocol's own keys and letters. [Our decision] What a model
translates nevertheless is read where its meaning is beyond doubt.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from mirror_ray.reading.key_names import folded
from mirror_ray.reading.languages import Language
from mirror_ray.reading.languages.lexicon import prepared

_DEGREES = re.compile(r"(?:\bum |\bde )?(?<!\d)30(?!\d) ?(?:grados\b|grad\b|°|度)?")
_WORD = re.compile(r"[^\W_]+")
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class ReplyWords:
    """A language's words.

    Args:
        actions: prepared words → action, without degrees.
        keys: folded name → key of the protocol.
    """

    actions: Mapping[str, str]
    keys: Mapping[str, str]

    def action_of(self, written: str) -> str | None:
        """The one action that is named and nothing else; None where it is not clear."""
        if len(written) > _LONGEST:
            return None
        said = " ".join(_WORD.findall(_DEGREES.sub("", prepared(written))))
        return self.actions.get(said)


def _reply_words(actions: Mapping[str, str], keys: Mapping[str, str]) -> ReplyWords:
    """Of phrases and names with ``|`` between them."""
    said: dict[str, str] = {}
    for letter, phrases in actions.items():
        said[letter] = letter
        for phrase in map(prepared, phrases.split("|")):
            said |= dict.fromkeys((phrase, f"{letter} {phrase}", f"{phrase} {letter}"), letter)
    return ReplyWords(
        MappingProxyType(said),
        MappingProxyType(
            {folded(name): key for key, names in keys.items() for name in names.split("|")}
        ),
    )


def _turns(side: str, forms: Sequence[str]) -> str:
    return "|".join(form.format(side=side) for form in forms)


_GERMAN_TURNS = (
    *("{side}", "nach {side}", "{side} drehen", "nach {side} drehen", "{side}drehung"),
    *("drehe nach {side}", "dreh nach {side}", "drehe dich nach {side}", "drehung nach {side}"),
    *(
        "{side}herum",
        "mich nach {side} drehen",
        "drehe mich nach {side}",
        "sich nach {side} drehen",
    ),
)
_SPANISH_TURNS = (
    *("{side}", "a la {side}", "girar a la {side}", "gira a la {side}", "giro a la {side}"),
    *("girar {side}", "giro {side}", "girar hacia la {side}", "gira hacia la {side}"),
    *("rotar a la {side}", "hacia la {side}", "doblar a la {side}"),
)
_CHINESE_TURNS = (
    *("{side}转", "向{side}转", "向{side}转动", "向{side}旋转", "{side}旋转", "{side}", "向{side}"),
    *("{side}轉", "向{side}轉", "往{side}转", "{side}拐", "向{side}转身"),
)
_JAPANESE_TURNS = (
    *("{side}", "{side}回転", "{side}に回転", "{side}に回転する", "{side}へ回転", "{side}に回る"),
    *("{side}に曲がる", "{side}を向く", "{side}に向く", "{side}に旋回", "{side}旋回", "{side}折"),
    *("{side}へ", "{side}へ曲がる", "{side}に回転します"),
)

REPLY_WORDS: Mapping[Language, ReplyWords] = MappingProxyType(
    {
        "de": _reply_words(
            {
                "w": (
                    "vorwärts|vorwaerts|vorwärts bewegen|vorwärts gehen|nach vorne|nach vorn|"
                    "nach vorne gehen|nach vorne bewegen|geradeaus|vor|geradeaus gehen|"
                    "gehe vorwärts|geh vorwärts|bewege dich vorwärts|einen schritt vorwärts|"
                    "ein schritt vorwärts|vorwärtsbewegung"
                ),
                "s": (
                    "rückwärts|rueckwaerts|rückwärts bewegen|rückwärts gehen|zurück|nach hinten|"
                    "nach hinten gehen|gehe rückwärts|zurückgehen|einen schritt zurück|"
                    "ein schritt zurück|rückwärtsbewegung"
                ),
                "a": _turns("links", _GERMAN_TURNS),
                "d": _turns("rechts", _GERMAN_TURNS),
                "done": (
                    "fertig|erledigt|aufgabe erledigt|abgeschlossen|beenden|"
                    "aufgabe abgeschlossen|aufgabe beendet|beendet|aufgabe gelöst"
                ),
            },
            {
                "view-description": (
                    "Ansicht|Sicht|Beschreibung|Sichtbeschreibung|Bildbeschreibung|"
                    "Ansichtsbeschreibung|Beschreibung der Ansicht"
                ),
                "reasoning": "Begründung|Überlegung|Argumentation|Gedanken",
                "action": "Aktion|Handlung|Nächste Aktion",
                "summary": "Zusammenfassung",
                "selected_cube": "Ausgewählter Würfel|Gewählter Würfel|Würfel",
                "identification": "Identifikation|Identifizierung|Selbstidentifikation",
            },
        ),
        "es": _reply_words(
            {
                "w": (
                    "avanzar|avanza|avanzo|adelante|hacia adelante|recto|moverse hacia adelante|"
                    "mover hacia adelante|avanzar hacia adelante|ir hacia adelante|ir adelante|"
                    "seguir recto|mover adelante|moverse adelante|muévete hacia adelante|"
                    "dar un paso adelante|un paso adelante"
                ),
                "s": (
                    "retroceder|retrocede|retrocedo|atrás|hacia atrás|moverse hacia atrás|"
                    "mover hacia atrás|ir hacia atrás|ir atrás|dar un paso atrás|un paso atrás|"
                    "muévete hacia atrás"
                ),
                "a": _turns("izquierda", _SPANISH_TURNS),
                "d": _turns("derecha", _SPANISH_TURNS),
                "done": (
                    "hecho|listo|terminado|tarea completada|tarea completa|completado|completada|"
                    "finalizado|tarea finalizada|terminar|tarea terminada|finalizar|tarea hecha"
                ),
            },
            {
                "view-description": (
                    "Descripción|Descripción de la vista|Vista|Descripcion|"
                    "Descripcion de la vista|Descripción visual"
                ),
                "reasoning": "Razonamiento|Justificación|Justificacion|Razones",
                "action": "Acción|Accion|Siguiente acción|Próxima acción",
                "summary": "Resumen",
                "selected_cube": "Cubo seleccionado|Cubo elegido|Cubo",
                "identification": "Identificación|Identificacion|Autoidentificación",
            },
        ),
        "zh": _reply_words(
            {
                "w": "前进|前進|向前|向前走|向前移动|向前移動|往前走|直行|前|向前进|向前一步|前行",
                "s": "后退|後退|向后|向后走|向后移动|向後移動|往后退|向后退|后|向后一步",
                "a": _turns("左", _CHINESE_TURNS),
                "d": _turns("右", _CHINESE_TURNS),
                "done": "完成|任务完成|完成任务|已完成|任務完成|结束",
            },
            {
                "view-description": "视图描述|视野描述|画面描述|视觉描述|图像描述",
                "reasoning": "推理|理由|推理过程|思考",
                "action": "动作|行动|操作|動作|下一个动作|下一步动作",
                "summary": "总结|摘要|小结|總結",
                "selected_cube": "选择的立方体|选定的立方体|所选立方体|选中的立方体|立方体",
                "identification": "识别|身份|身份识别|自我识别|识别结果|識別|身份认定|自身识别",
            },
        ),
        "ja": _reply_words(
            {
                "w": (
                    "前進|前進する|前に進む|前へ進む|前に移動|前へ移動|直進|前|前に移動する|"
                    "前方に移動|前へ|一歩前進|一歩前へ|前に進みます"
                ),
                "s": (
                    "後退|後退する|後ろに下がる|後ろへ下がる|後ろに移動|後ろ|後ろへ移動|下がる|"
                    "後方に移動|バック|一歩後退"
                ),
                "a": _turns("左", _JAPANESE_TURNS),
                "d": _turns("右", _JAPANESE_TURNS),
                "done": "完了|タスク完了|終了|完成|任務完了|タスク終了",
            },
            {
                "view-description": "視界の説明|視覚説明|画像の説明|視点の説明|視界|画面の説明",
                "reasoning": "推論|理由|思考|根拠",
                "action": "行動|アクション|動作|次の行動",
                "summary": "要約|まとめ|概要",
                "selected_cube": "選択したキューブ|選択した立方体|選択キューブ|キューブ",
                "identification": "識別|自己識別|識別結果|同定|自己同定|特定",
            },
        ),
    }
)
