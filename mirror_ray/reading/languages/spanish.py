"""Spanish words of colours and of claims to one."""

from mirror_ray.reading.languages.lexicon import lexicon

_FORMS = {
    "red": "rojo|roja|rojos|rojas|colorado",
    "green": "verde|verdes",
    "blue": "azul|azules",
    "yellow": "amarillo|amarilla|amarillos|amarillas",
    "orange": "naranja|naranjas|anaranjado|anaranjada",
    "purple": "morado|morada|morados|moradas|púrpura|purpura|violeta",
    "pink": "rosa|rosas|rosado|rosada",
    "cyan": "cian|cyan",
    "brown": "marrón|marron|marrones|café|castaño|castaña|pardo",
    "white": "blanco|blanca|blancos|blancas",
    "gray": "gris|grises",
    "black": "negro|negra|negros|negras",
}
_SHADES = {
    "light": "claro|clara|claros",
    "dark": "oscuro|oscura|oscuros",
    "pale": "pálido|pálida",
    "deep": "profundo",
}
_COLORS = (
    {word: name for name, words in _FORMS.items() for word in words.split("|")}
    | {
        f"{word} {spanish}": f"{shade} {name}"
        for name, words in _FORMS.items()
        for word in words.split("|")
        for shade, some in _SHADES.items()
        for spanish in some.split("|")
    }
    | {
        "celeste": "sky blue",
        "azul celeste": "sky blue",
        "azul cielo": "sky blue",
        "azul marino": "navy",
        "turquesa": "turquoise",
        "azul turquesa": "turquoise",
        "verde azulado": "blue-green",
        "verde azulada": "blue-green",
        "azul verdoso": "green-blue",
        "verde lima": "lime",
        "verde oliva": "olive",
        "verde menta": "mint",
        "rojo vino": "burgundy",
        "rojo carmesí": "crimson",
        "azul rey": "royal blue",
        "azul real": "royal blue",
        "amarillo mostaza": "khaki",
        "verde amarillento": "yellow-green",
        "rojo anaranjado": "orange-red",
        "marrón rojizo": "reddish brown",
        "rojizo": "reddish",
        "azulado": "bluish",
        "verdoso": "greenish",
        "amarillento": "yellowish",
        "dorado": "golden",
        "dorada": "golden",
        "plateado": "silver",
        "plateada": "silver",
        "lila": "lavender",
        "granate": "maroon",
        "burdeos": "burgundy",
        "magenta": "magenta",
        "fucsia": "fuchsia",
        "beige": "beige",
        "crema": "cream",
        "salmón": "salmon",
        "coral": "coral",
    }
)

SPANISH = lexicon(
    _COLORS,
    {
        "not": (
            "no|ni|nunca|tampoco|ningún|ninguna|sin|en vez de|en lugar de|dudo|descarto|"
            "improbable|excepto|menos|salvo"
        ),
        "unknown": (
            "desconocido|desconocida|incierto|incierta|indeterminado|indeterminada|indefinido|"
            "no está claro|no visible|no es visible|no sé|no lo sé|no se ve|no puedo|no se puede|"
            "no identificado|no confirmado|no identificada|no confirmada|no determinado|"
            "no estoy seguro|no seguro|no estoy segura|sin determinar|sin identificar|"
            "sin confirmar|por ver|por determinar|por confirmar|ninguno|nada|pendiente|aún no|"
            "todavía no|dudoso|inseguro|no disponible|ni idea|poco claro"
        ),
        "denied": "descartado|descartada|queda descartado|queda descartada",
        "whether": "si soy|si es|si mi|si tengo",
        "others": (
            "otro|otra|otros|otras|dos|tres|cuatro|varios|varias|muchos|ambos|robots|humanoides|"
            "figuras|agentes|cuerpos|alguien|distractor|distractores"
        ),
        "surface": (
            "pared|paredes|suelo|piso|techo|habitación|sala|fondo|caja|cajas|marco|panel|"
            "superficie|muro"
        ),
        "own": "mi|mío|mía|propio|propia|mismo",
        "see": "veo|vi|hay|delante|enfrente|hacia|acerco|acercándome",
        "cube": "cubo|cubos",
        "stop": "sino|pero|aunque",
        "filler": "sin duda|sin dudas|rosa de los vientos",
    },
    surface_first=True,
)
