"""German words of colours and of claims to one.

"purpur" is a red purple or a purple, and claims neither. "weiß" is white, and "(I) know".
"""

from mirror_ray.reading.languages.lexicon import lexicon

_STEMS = {
    "rot": "red",
    "grün": "green",
    "gruen": "green",
    "blau": "blue",
    "gelb": "yellow",
    "orange": "orange",
    "orangefarben": "orange",
    "orangen": "orange",
    "violett": "purple",
    "lila": "purple",
    "lilafarben": "purple",
    "rosa": "pink",
    "rosafarben": "pink",
    "rosan": "pink",
    "rosarot": "pink",
    "pink": "pink",
    "pinkfarben": "pink",
    "cyan": "cyan",
    "cyanfarben": "cyan",
    "zyan": "cyan",
    "braun": "brown",
    "weiß": "white",
    "grau": "gray",
    "schwarz": "black",
    "türkis": "turquoise",
    "türkisfarben": "turquoise",
    "tuerkis": "turquoise",
    "silbern": "silver",
    "golden": "golden",
    "beige": "beige",
    "magenta": "magenta",
    "rötlich": "reddish",
    "bläulich": "bluish",
    "grünlich": "greenish",
    "gelblich": "yellowish",
    "bräunlich": "brownish",
    "blaugrün": "blue-green",
    "grünblau": "green-blue",
    "gelbgrün": "yellow-green",
    "rotbraun": "red-brown",
    "rotorange": "red-orange",
    "blauviolett": "blue-purple",
}
_SHADES = {
    "hell": "light",
    "dunkel": "dark",
    "blass": "pale",
    "tief": "deep",
    "himmel": "sky",
    "pastell": "pastel",
    "königs": "royal",
}
_SHADED = ("rot", "grün", "blau", "gelb", "orange", "violett", "lila", "rosa", "braun", "grau")
_BRIGHT = ("", "knall", "leuchtend", "leucht", "rein", "kräftig")
_ENDINGS = ("", "e", "er", "es", "en", "em")
_COLORS = {
    f"{bright}{stem}{ending}": name
    for stem, name in _STEMS.items()
    for bright in _BRIGHT
    for ending in _ENDINGS
} | {
    f"{german}{stem}{ending}": f"{shade} {_STEMS[stem]}"
    for german, shade in _SHADES.items()
    for stem in _SHADED
    for ending in _ENDINGS
}

_OWN = "|".join(f"{word}{ending}" for word in ("mein", "eigen") for ending in _ENDINGS)
_OTHERS = "|".join(f"{word}{e}" for word in ("ander", "weiter", "fremd") for e in _ENDINGS)

GERMAN = lexicon(
    _COLORS | {"ich weiß bin": "white", "ich weiß war": "white"},
    {
        "not": "nicht|kein|keine|keinen|keiner|keinem|keines|nie|nein|weder|statt|anstatt|außer|"
        "unwahrscheinlich",
        "unknown": (
            "unbekannt|unbekannte|bezweifle|unklar|unsicher|ungewiss|unbestimmt|unbestätigt|"
            "unsichtbar|undefiniert|weiß nicht|nicht sicher|nichts|nicht sichtbar|nicht erkennbar|"
            "nicht bekannt|nicht bestimmbar|nicht klar|nicht zu erkennen|nicht bestätigt|"
            "keine ahnung|keine angabe|k. a.|noch offen|noch nicht|fraglich|ausstehend"
        ),
        "denied": "ausgeschlossen|scheidet aus",
        "whether": "ob",
        "others": (
            f"{_OTHERS}|zwei|drei|vier|mehrere|viele|einige|beide|ablenker|ablenkungsroboter|"
            "figuren|agenten|humanoiden|jemand"
        ),
        "surface": (
            "wand|wände|wänden|boden|decke|raum|zimmer|hintergrund|kiste|kisten|rahmen|paneel|"
            "spiegel|fläche|oberfläche|tafel"
        ),
        "own": f"{_OWN}|selbst",
        "see": "sehe|sieht|sehen|voraus|vor mir|in sicht|nähere|gehe|da",
        "cube": "würfel|würfels|würfeln|wuerfel|kubus",
        "stop": "sondern|aber|jedoch",
        # "Ich weiß" is no colour, nor is "purpur" one of the palette for sure.
        "filler": "ich weiß|weiß ich|wer weiß|man weiß|purpur|purpurn|purpurfarben|purpurrot",
    },
)
