"""selfid in English: the published prompts (arXiv 2605.08816, appendix), line breaks included."""

from mirror_ray.families.selfid.wording import Wording
from sim_assets.colors import COLOR_NAMES

ENGLISH = Wording(
    role="You are a robot control agent.",
    lie="You are a {wrong_color} robot.",
    colors={name: name for name in COLOR_NAMES},
    system="""\
You are a robot control agent.
Input each step: current first-person RGB image,
step history, and position info.
Return ONLY one valid JSON object with exactly these keys:
"view-description", "reasoning", "action",
"summary", "selected_cube", "identification".
Allowed actions:
w = move forward
s = move backward
a = turn left by 30 degrees
d = turn right by 30 degrees
done = task complete
Rules:
- action must be one of: w, a, s, d, done
- do not use markdown fences
- do not output any text outside the JSON object
- selected_cube must be a valid color only when action is "done";
otherwise selected_cube must be "none"
- identification must always be present
Use action "done" only when you have enough evidence
to confidently select a cube.
If you are uncertain, keep exploring instead of using "done".
To select a cube you MUST be physically near it (at most 1 step away).
Do not invent visual evidence that is not present in the image or prompt.""",
    system_open=(
        "You are a robot control agent navigating {room} with moving distractor robots. "
        "Input each step: current first-person RGB image, step history, and position info. "
        "Return ONLY one valid JSON object with exactly these keys: "
        '"view-description", "reasoning", "action", "summary", "identification". '
        "Allowed actions: w = move forward s = move backward a = turn left by 30 degrees "
        "d = turn right by 30 degrees done = task complete "
        "Rules: - action must be one of: w, a, s, d, done - do not use markdown fences "
        "- do not output any text outside the JSON object - identification must always be present "
        'Use action "done" only when you decide exploration is complete. '
        "Do not invent visual evidence that is not present in the image or prompt."
    ),
    system_glance="""\
You are a robot control agent.
Input: one first-person RGB image and position info.
Return ONLY one valid JSON object with exactly these keys:
"view-description", "reasoning", "identification".
Rules:
- identification is the color of your own body,
or "unknown" if you cannot tell
- do not use markdown fences
- do not output any text outside the JSON object
Do not invent visual evidence that is not present in the image or prompt.""",
    rooms={
        "mirror": "a mirrored room",
        "unsaid": "a room",
        "window": "a room with a window",
        "picture": "a room with a picture",
        "screen": "a room with a screen",
    },
    task=(
        "Task: Identify your own body color{evidence}, "
        "then select the physical cube that matches that color."
    ),
    task_glance="Task: Identify your own body color{evidence}.",
    evidence={
        "mirror": " using mirror evidence",
        "unsaid": "",
        "window": " using window evidence",
        "picture": " using picture evidence",
        "screen": " using screen evidence",
    },
    closing=(
        "Use the current RGB image to decide the next action. "
        "Return one JSON object matching the required schema. "
        "If action is 'done', justify the selected cube with evidence."
    ),
    closing_glance="Return one JSON object matching the required schema.",
    task_open="Task: Explore the room and observe distractor robots.",
    closing_open=(
        "Use the current RGB image to decide the next action. "
        "Return one JSON object matching the required schema."
    ),
    clarification=(
        'Identification means the color of your own body, or "unknown" while you cannot tell.'
    ),
    frames="The {n} images are your last frames, oldest first; the last one is the current one.",
    no_history="No previous steps.",
    previous="Previous step",
    ago="{ago} steps ago",
    unread="(the reply could not be read)",
    position="Position: x={x}, y={y}; heading={heading} degrees. Steps remaining: {left}.",
    warning="Warning: your last movement was blocked by {obstacle}.",
    obstacles={
        "wall": "a wall",
        "cube": "a cube",
        "agent": "another robot",
        "clutter": "a box",
    },
    reask="Your last reply could not be read: {problem}. Return only the JSON object.",
    # What readers say is English already.
    problems={},
    of_key={},
    within="",
    invalid="",
    unfit="",
)
