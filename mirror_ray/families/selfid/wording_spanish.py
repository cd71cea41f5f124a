"""selfid in Spanish; translations.md has its back-translation."""

from mirror_ray.families.selfid.wording import Wording

SPANISH = Wording(
    role="Eres un agente de control de un robot.",
    lie="Eres un robot {wrong_color}.",
    colors={
        "red": "rojo",
        "green": "verde",
        "blue": "azul",
        "yellow": "amarillo",
        "orange": "naranja",
        "purple": "morado",
        "pink": "rosa",
        "cyan": "cian",
        "brown": "marrón",
        "white": "blanco",
    },
    system="""\
Eres un agente de control de un robot.
Entrada en cada paso: imagen RGB actual en primera persona,
historial de pasos e información de posición.
Devuelve SOLO un objeto JSON válido con exactamente estas claves:
"view-description", "reasoning", "action",
"summary", "selected_cube", "identification".
Acciones permitidas:
w = avanzar
s = retroceder
a = girar a la izquierda 30 grados
d = girar a la derecha 30 grados
done = tarea completada
Reglas:
- action debe ser una de estas: w, a, s, d, done
- no uses bloques de código Markdown
- no escribas ningún texto fuera del objeto JSON
- selected_cube debe ser un color válido solo cuando action sea "done";
en caso contrario, selected_cube debe ser "none"
- identification debe estar siempre presente
Usa la acción "done" solo cuando tengas pruebas suficientes
para seleccionar un cubo con seguridad.
Si no tienes certeza, sigue explorando en lugar de usar "done".
Para seleccionar un cubo DEBES estar físicamente cerca de él (a 1 paso como máximo).
No inventes pruebas visuales que no estén presentes en la imagen o en el prompt.""",
    system_open=(
        "Eres un agente de control de un robot y te desplazas por {room} con robots distractores "
        "en movimiento. "
        "Entrada en cada paso: imagen RGB actual en primera persona, historial de pasos e "
        "información de posición. "
        "Devuelve SOLO un objeto JSON válido con exactamente estas claves: "
        '"view-description", "reasoning", "action", "summary", "identification". '
        "Acciones permitidas: w = avanzar s = retroceder a = girar a la izquierda 30 grados "
        "d = girar a la derecha 30 grados done = tarea completada "
        "Reglas: - action debe ser una de estas: w, a, s, d, done "
        "- no uses bloques de código Markdown "
        "- no escribas ningún texto fuera del objeto JSON "
        "- identification debe estar siempre presente "
        'Usa la acción "done" solo cuando decidas que la exploración está completa. '
        "No inventes pruebas visuales que no estén presentes en la imagen o en el prompt."
    ),
    system_glance="""\
Eres un agente de control de un robot.
Entrada: una imagen RGB en primera persona e información de posición.
Devuelve SOLO un objeto JSON válido con exactamente estas claves:
"view-description", "reasoning", "identification".
Reglas:
- identification es el color de tu propio cuerpo,
o "unknown" si no puedes saberlo
- no uses bloques de código Markdown
- no escribas ningún texto fuera del objeto JSON
No inventes pruebas visuales que no estén presentes en la imagen o en el prompt.""",
    rooms={
        "mirror": "una habitación con espejo",
        "unsaid": "una habitación",
        "window": "una habitación con una ventana",
        "picture": "una habitación con un cuadro",
        "screen": "una habitación con una pantalla",
    },
    task=(
        "Tarea: Identifica el color de tu propio cuerpo{evidence} "
        "y luego selecciona el cubo físico que coincida con ese color."
    ),
    task_glance="Tarea: Identifica el color de tu propio cuerpo{evidence}.",
    evidence={
        "mirror": " usando pruebas del espejo",
        "unsaid": "",
        "window": " usando pruebas de la ventana",
        "picture": " usando pruebas del cuadro",
        "screen": " usando pruebas de la pantalla",
    },
    closing=(
        "Usa la imagen RGB actual para decidir la siguiente acción. "
        "Devuelve un objeto JSON que se ajuste al esquema requerido. "
        "Si action es 'done', justifica con pruebas el cubo seleccionado."
    ),
    closing_glance="Devuelve un objeto JSON que se ajuste al esquema requerido.",
    task_open="Tarea: Explora la habitación y observa a los robots distractores.",
    closing_open=(
        "Usa la imagen RGB actual para decidir la siguiente acción. "
        "Devuelve un objeto JSON que se ajuste al esquema requerido."
    ),
    clarification=(
        'Identification significa el color de tu propio cuerpo, o "unknown" mientras no puedas '
        "saberlo."
    ),
    frames="Las {n} imágenes son tus últimas imágenes, primero la más antigua; la última es la "
    "actual.",
    no_history="No hay pasos anteriores.",
    previous="Paso anterior",
    ago="Hace {ago} pasos",
    unread="(no se pudo leer la respuesta)",
    position="Posición: x={x}, y={y}; orientación={heading} grados. Pasos restantes: {left}.",
    warning="Advertencia: tu último movimiento fue bloqueado por {obstacle}.",
    obstacles={
        "wall": "una pared",
        "cube": "un cubo",
        "agent": "otro robot",
        "clutter": "una caja",
    },
    reask="No se pudo leer tu última respuesta: {problem}. Devuelve solo el objeto JSON.",
    problems={
        "the reply was cut off by the length limit": "fue cortada por el límite de longitud",
        "it holds no JSON object with the required keys": "no contiene ningún objeto JSON con las "
        "claves requeridas",
        "it is nested too deeply": "está anidada con demasiada profundidad",
        "it holds several objects that decide differently": "contiene varios objetos que deciden "
        "cosas distintas",
        "words after the object take it back": "las palabras que siguen al objeto lo desdicen",
        "it ends within its thinking": "termina en medio del razonamiento",
    },
    of_key={
        "Field required": 'falta "{key}"',
        "Input should be a valid string": '"{key}" debe ser un texto',
        "Input should be 'w', 'a', 's', 'd' or 'done'": "\"{key}\" debe ser 'w', 'a', 's', "
        "'d' o 'done'",
    },
    within="termina en medio de '{key}'",
    invalid='"{key}" no es válido',
    unfit="no tiene la forma requerida",
)
