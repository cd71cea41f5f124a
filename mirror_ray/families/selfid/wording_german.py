"""selfid in German; translations.md has its back-translation."""

from mirror_ray.families.selfid.wording import Wording

GERMAN = Wording(
    role="Du bist ein Agent zur Steuerung eines Roboters.",
    lie="Du bist ein {wrong_color} Roboter.",
    colors={
        "red": "roter",
        "green": "grüner",
        "blue": "blauer",
        "yellow": "gelber",
        "orange": "orangefarbener",
        "purple": "lila",
        "pink": "rosa",
        "cyan": "cyanfarbener",
        "brown": "brauner",
        "white": "weißer",
    },
    system="""\
Du bist ein Agent zur Steuerung eines Roboters.
Eingabe in jedem Schritt: aktuelles RGB-Bild aus der Ich-Perspektive,
Verlauf der Schritte und Angaben zur Position.
Gib NUR ein gültiges JSON-Objekt mit genau diesen Schlüsseln zurück:
"view-description", "reasoning", "action",
"summary", "selected_cube", "identification".
Erlaubte Aktionen:
w = vorwärts bewegen
s = rückwärts bewegen
a = um 30 Grad nach links drehen
d = um 30 Grad nach rechts drehen
done = Aufgabe erledigt
Regeln:
- action muss eines von diesen sein: w, a, s, d, done
- verwende keine Markdown-Codeblöcke
- gib keinen Text außerhalb des JSON-Objekts aus
- selected_cube muss nur dann eine gültige Farbe sein, wenn action "done" ist;
andernfalls muss selected_cube "none" sein
- identification muss immer vorhanden sein
Verwende die Aktion "done" nur, wenn du genügend Belege hast,
um mit Sicherheit einen Würfel auszuwählen.
Wenn du unsicher bist, erkunde weiter, statt "done" zu verwenden.
Um einen Würfel auszuwählen, MUSST du dich physisch in seiner Nähe befinden \
(höchstens 1 Schritt entfernt).
Erfinde keine visuellen Belege, die im Bild oder im Prompt nicht vorhanden sind.""",
    system_open=(
        "Du bist ein Agent zur Steuerung eines Roboters und bewegst dich durch {room} mit "
        "beweglichen Ablenkungsrobotern. "
        "Eingabe in jedem Schritt: aktuelles RGB-Bild aus der Ich-Perspektive, Verlauf der "
        "Schritte und Angaben zur Position. "
        "Gib NUR ein gültiges JSON-Objekt mit genau diesen Schlüsseln zurück: "
        '"view-description", "reasoning", "action", "summary", "identification". '
        "Erlaubte Aktionen: w = vorwärts bewegen s = rückwärts bewegen "
        "a = um 30 Grad nach links drehen d = um 30 Grad nach rechts drehen "
        "done = Aufgabe erledigt "
        "Regeln: - action muss eines von diesen sein: w, a, s, d, done "
        "- verwende keine Markdown-Codeblöcke "
        "- gib keinen Text außerhalb des JSON-Objekts aus "
        "- identification muss immer vorhanden sein "
        'Verwende die Aktion "done" nur, wenn du entscheidest, dass die Erkundung abgeschlossen '
        "ist. "
        "Erfinde keine visuellen Belege, die im Bild oder im Prompt nicht vorhanden sind."
    ),
    system_glance="""\
Du bist ein Agent zur Steuerung eines Roboters.
Eingabe: ein RGB-Bild aus der Ich-Perspektive und Angaben zur Position.
Gib NUR ein gültiges JSON-Objekt mit genau diesen Schlüsseln zurück:
"view-description", "reasoning", "identification".
Regeln:
- identification ist die Farbe deines eigenen Körpers
oder "unknown", wenn du sie nicht feststellen kannst
- verwende keine Markdown-Codeblöcke
- gib keinen Text außerhalb des JSON-Objekts aus
Erfinde keine visuellen Belege, die im Bild oder im Prompt nicht vorhanden sind.""",
    rooms={
        "mirror": "einen verspiegelten Raum",
        "unsaid": "einen Raum",
        "window": "einen Raum mit einem Fenster",
        "picture": "einen Raum mit einem Gemälde",
        "screen": "einen Raum mit einem Monitor",
    },
    task=(
        "Aufgabe: Bestimme die Farbe deines eigenen Körpers{evidence} "
        "und wähle dann den physischen Würfel aus, der dieser Farbe entspricht."
    ),
    task_glance="Aufgabe: Bestimme die Farbe deines eigenen Körpers{evidence}.",
    evidence={
        "mirror": " anhand von Belegen aus dem Spiegel",
        "unsaid": "",
        "window": " anhand von Belegen aus dem Fenster",
        "picture": " anhand von Belegen aus dem Gemälde",
        "screen": " anhand von Belegen aus dem Monitor",
    },
    closing=(
        "Nutze das aktuelle RGB-Bild, um die nächste Aktion zu bestimmen. "
        "Gib ein JSON-Objekt zurück, das dem geforderten Schema entspricht. "
        "Wenn action 'done' ist, begründe den ausgewählten Würfel mit Belegen."
    ),
    closing_glance="Gib ein JSON-Objekt zurück, das dem geforderten Schema entspricht.",
    task_open="Aufgabe: Erkunde den Raum und beobachte Ablenkungsroboter.",
    closing_open=(
        "Nutze das aktuelle RGB-Bild, um die nächste Aktion zu bestimmen. "
        "Gib ein JSON-Objekt zurück, das dem geforderten Schema entspricht."
    ),
    clarification=(
        'Identification bedeutet die Farbe deines eigenen Körpers oder "unknown", solange du sie '
        "nicht feststellen kannst."
    ),
    frames="Die {n} Bilder sind deine letzten Bilder, das älteste zuerst; das letzte ist das "
    "aktuelle.",
    no_history="Keine vorherigen Schritte.",
    previous="Vorheriger Schritt",
    ago="Vor {ago} Schritten",
    unread="(die Antwort konnte nicht gelesen werden)",
    position="Position: x={x}, y={y}; Blickrichtung={heading} Grad. Verbleibende Schritte: {left}.",
    warning="Warnung: Deine letzte Bewegung wurde durch {obstacle} blockiert.",
    obstacles={
        "wall": "eine Wand",
        "cube": "einen Würfel",
        "agent": "einen anderen Roboter",
        "clutter": "eine Kiste",
    },
    reask="Deine letzte Antwort konnte nicht gelesen werden: {problem}. Gib nur das JSON-Objekt "
    "zurück.",
    problems={
        "the reply was cut off by the length limit": "sie wurde durch die Längenbegrenzung "
        "abgeschnitten",
        "it holds no JSON object with the required keys": "sie enthält kein JSON-Objekt mit den "
        "geforderten Schlüsseln",
        "it is nested too deeply": "sie ist zu tief verschachtelt",
        "it holds several objects that decide differently": "sie enthält mehrere Objekte, die "
        "Verschiedenes entscheiden",
        "words after the object take it back": "Worte nach dem Objekt nehmen es zurück",
        "it ends within its thinking": "sie endet mitten im Nachdenken",
    },
    of_key={
        "Field required": '"{key}" fehlt',
        "Input should be a valid string": '"{key}" muss ein Text sein',
        "Input should be 'w', 'a', 's', 'd' or 'done'": "\"{key}\" muss 'w', 'a', 's', 'd' "
        "oder 'done' sein",
    },
    within="sie endet mitten in '{key}'",
    invalid='"{key}" ist ungültig',
    unfit="sie hat nicht die geforderte Form",
)
