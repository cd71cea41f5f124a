"""Facts, looked up in tables of this module's own and related by counting."""

import re

from mirror_ray.families.metacog.bank.facts import CAPITALS, DATED_EVENTS, KNOWN_COUNTS, WORKS
from support.solvers_of_metacog.figures import Answer, ints
from support.solvers_of_metacog.space import ORDINALS

# The rows of the periodic table, written down apart from the bank's.
_PERIODIC = """
H hydrogen He helium Li lithium Be beryllium B boron C carbon N nitrogen O oxygen F
fluorine Ne neon Na sodium Mg magnesium Al aluminium Si silicon P phosphorus S sulfur Cl
chlorine Ar argon K potassium Ca calcium Sc scandium Ti titanium V vanadium Cr chromium Mn
manganese Fe iron Co cobalt Ni nickel Cu copper Zn zinc Ga gallium Ge germanium As arsenic
Se selenium Br bromine Kr krypton Rb rubidium Sr strontium Y yttrium Zr zirconium Nb
niobium Mo molybdenum Tc technetium Ru ruthenium Rh rhodium Pd palladium Ag silver Cd
cadmium In indium Sn tin Sb antimony Te tellurium I iodine Xe xenon Cs caesium Ba barium
La lanthanum Ce cerium Pr praseodymium Nd neodymium Pm promethium Sm samarium Eu europium
Gd gadolinium Tb terbium Dy dysprosium Ho holmium Er erbium Tm thulium Yb ytterbium Lu
lutetium Hf hafnium Ta tantalum W tungsten Re rhenium Os osmium Ir iridium Pt platinum Au
gold Hg mercury Tl thallium Pb lead Bi bismuth Po polonium At astatine Rn radon Fr
francium Ra radium Ac actinium Th thorium Pa protactinium U uranium Np neptunium Pu
plutonium Am americium Cm curium Bk berkelium Cf californium Es einsteinium Fm fermium Md
mendelevium No nobelium Lr lawrencium Rf rutherfordium Db dubnium Sg seaborgium Bh bohrium
Hs hassium Mt meitnerium Ds darmstadtium Rg roentgenium Cn copernicium Nh nihonium Fl
flerovium Mc moscovium Lv livermorium Ts tennessine Og oganesson
"""
_TABLE = _PERIODIC.split()
_SYMBOL = dict(zip(_TABLE[1::2], _TABLE[::2], strict=True))
_NUMBER = {name: z for z, name in enumerate(_TABLE[1::2], 1)}


def _lines(q: str) -> list[tuple[str, str]]:
    return re.findall(r"^([A-H])\) (.+)$", q, re.MULTILINE)


def science(q: str) -> Answer:
    names = [w for w in re.findall(r"[a-z]+", q) if w in _NUMBER]
    z = {name: _NUMBER[name] for name in names}
    if "sum of" in q or "add up to" in q:
        return sum(z.values())
    if "Put these" in q:
        return ", ".join(x for x, _ in sorted(_lines(q), key=lambda line: _NUMBER[line[1]]))
    if "chemical symbols" in q:
        return "".join(_SYMBOL[name] for name in names)
    if "exceed" in q or "far apart" in q:
        return max(z.values()) - min(z.values())
    if "how many" in q.lower():
        return sum(each > ints(q)[-1] for each in z.values())
    which = re.search(r"has the (?:(\w+)-)?highest", q)[1]  # type: ignore[index]
    above = ORDINALS.index(which) if which else 0
    return next(a for a in z if sum(z[b] > z[a] for b in z) == above)


_LAND = {capital: (country, continent) for country, capital, continent in CAPITALS}


def geography(q: str) -> Answer:
    if "paired" in q:
        pairs = re.findall(r"(?:\? |; )([^;?]+?) – ([^;]+)", q)
        right = [_LAND[capital][0] == country for country, capital in pairs]
        return ("yes" if all(right) else "no") if q.startswith("Is each") else right.count(True)
    if "is the capital of" in q:
        country = re.search(r"capital of (.+?)\?", q)[1]  # type: ignore[index]
        return next(x for x, city in _lines(q) if _LAND[city][0] == country)
    cities = [city for city in _LAND if re.search(rf"\b{re.escape(city)}\b", q)]
    if "alphabet" in q:
        n = next(i for i, word in enumerate(ORDINALS) if f" {word} " in q)
        names = [_LAND[city][0] for city in cities]
        return next(a for a in names if sum(b < a for b in names) == n)
    if "different continents" in q:
        return len({_LAND[city][1] for city in cities})
    if " letters" in q:
        return sum(letter.isalpha() for city in cities for letter in _LAND[city][0])
    continent = re.search(r"countries in ([\w ]+?)\?", q)[1]  # type: ignore[index]
    return sum(_LAND[city][1] == continent for city in cities)


_YEARS = {name.casefold(): year for name, year in DATED_EVENTS}
_YEARS |= {f"“{name}”".casefold(): year for name, _, year in WORKS}
_MAKERS = {name: maker for name, maker, _ in WORKS}


def dates(q: str) -> Answer:
    if "Who made" in q:
        work = re.search(r"made “(.+?)”", q)[1]  # type: ignore[index]
        return next(x for x, maker in _lines(q) if maker == _MAKERS[work])
    if " is by " in q:
        said = re.findall(r"“([^”]+)” is by ([^;]+?)(?:;|\.$)", q)
        right = [_MAKERS[work] == maker for work, maker in said]
        return right.count("are true" in q)
    low = q.casefold()
    found = sorted((low.index(name), name) for name in _YEARS if name in low)
    named = [
        name
        for at, name in found
        if not any(other != name and o <= at < o + len(other) for o, other in found)
    ]
    years = [_YEARS[name] for name in named]
    if "Which is the later" in q:
        asked = named[years.index(max(years))]
        start = low.index(asked)
        return q[start : start + len(asked)]
    lines = [(x, _YEARS[text.casefold()]) for x, text in _lines(q)]
    if "in order of time" in q:
        return ", ".join(x for x, _ in sorted(lines, key=lambda line: line[1]))
    if "earliest? Answer" in q:
        which = re.search(r"is the (?:(\w+)-)?earliest", q)[1]  # type: ignore[index]
        n = ORDINALS.index(which) if which else 0
        return next(x for x, year in lines if sum(y < year for _, y in lines) == n)
    if " the years " in q:
        first, last = map(int, re.search(r"years (\d+) to (\d+)", q).groups())  # type: ignore[union-attr]
        return sum(first <= year <= last for year in years)
    if " came " in q:
        true = 0
        for claim in q.split("true? ")[1].split("; "):
            one, two = re.split(r" came (?:before|after) ", claim.casefold())
            true += (_YEARS[one] < _YEARS[two]) == (" came before " in claim)
        if q.startswith("Is this"):
            return "yes" if true else "no"
        return true
    return "yes" if years == sorted(years) else "no"


def trivia(q: str) -> Answer:
    worth = dict(KNOWN_COUNTS)
    if lines := _lines(q):
        values = {x: worth[text.removeprefix("the number of ")] for x, text in lines}
        which = re.search(r"is the (?:(\w+)-)?largest", q)[1]  # type: ignore[index]
        n = ORDINALS.index(which) if which else 0
        return next(x for x in values if sum(v > values[x] for v in values.values()) == n)
    for what in sorted(worth, key=len, reverse=True):
        q = q.replace(f"the number of {what}", f"#{worth[what]}")
    values_in = [int(k) for k in re.findall(r"#(\d+)", q)]
    if q.startswith("Begin"):
        total = 0
        for verb, k in re.findall(r"(Begin with|add|subtract|multiply the result by) #(\d+)", q):
            total = {"B": int(k), "a": total + int(k), "s": total - int(k), "m": total * int(k)}[verb[0]]  # fmt: skip  # noqa: E501
        return total
    if "remainder" in q:
        return sum(values_in) % ints(q.rsplit("division by", 1)[1])[0]
    return sum(values_in)
