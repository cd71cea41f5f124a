"""The words by which a reply in another language corrects itself or takes back what it said."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from mirror_ray.reading.languages import Language
from mirror_ray.reading.object_choice import ENGLISH, Corrections

_TAKES_BACK: Mapping[Language, str] = MappingProxyType(
    {
        "de": r"\b(?:moment|warte|eigentlich|korrektur|korrigiere|korrigiert|stattdessen|lieber"
        r"|verbesserung|ich meinte|gemeint war|vergiss|ignoriere|doch nicht|halt|genauer gesagt"
        r"|besser [wasd]|nein|überlege es mir anders|bei näherer betrachtung)\b",
        "es": r"\b(?:espera|espere|en realidad|corrección|correccion|corrijo|corregido|rectifico"
        r"|rectificación|mejor dicho|mejor giro|mejor avanzo|me equivoqué|me equivoque"
        r"|quise decir|ignora|descarta|más bien|mas bien|pensándolo mejor|perdón|un momento"
        r"|en su lugar|en lugar de|mejor [wasd])\b|(?:^|[\n.;!])\W{0,4}mejor\b",
        "zh": r"等等|等一下|更正|纠正|修正|不对|其实|实际上|应该是|应该先|我的意思是|忽略|重新考虑"
        r"|抱歉|还是[选用改做应wasd]|改为|改成|说错|弄错|搞错|再想想",
        "ja": r"待って|訂正|修正|やはり|やっぱり|実は|実際は|間違え|間違い|無視して|というより"
        r"|考え直|すみません|いや、|ではなく|失礼|取り消",
    }
)
_ANSWERS: Mapping[Language, str] = MappingProxyType(
    {
        "de": r"\b(?:endgültig\w{0,3}|final\w{0,3}|antwort|entschuldigung|überarbeitet|neu)\b",
        "es": r"\b(?:final|definitiv[ao]|respuesta|revisad[ao]|actualizad[ao])\b",
        "zh": r"最终|最后|答案|回答|修改后",
        "ja": r"最終|回答|答え|修正後|改めて",
    }
)

CORRECTIONS: Mapping[Language, Corrections] = MappingProxyType(
    {
        "en": ENGLISH,
        **{
            language: Corrections(
                corrects=(
                    *ENGLISH.corrects,
                    re.compile(words, re.IGNORECASE),
                    re.compile(_ANSWERS[language], re.IGNORECASE),
                ),
                takes_back=(*ENGLISH.takes_back, re.compile(words, re.IGNORECASE)),
            )
            for language, words in _TAKES_BACK.items()
        },
    }
)
"""Models correct themselves in English, too, whatever they were asked in."""
