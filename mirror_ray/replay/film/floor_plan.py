"""The room from above: walls, mirror, boxes, bodies, the ego's path so far and its gaze.

Coordinates are those of the scene: x east, y north, metres."""

from collections.abc import Sequence
from math import atan, cos, radians, sin, tan

from PIL import Image, ImageDraw

from mirror_ray.replay.film.style import (
    ACCENT,
    FILM_FAINT,
    FILM_INK,
    PANEL,
    FilmRgb,
    font,
    mixed,
    paint,
)
from mirror_ray.world.room.camera import reflector_axes, reflector_centre
from mirror_ray.world.room.scene import (
    BODY_RADIUS_M,
    REFLECTOR_WIDTH_M,
    ROOM_SIDE_M,
    Box,
    Pose,
    Scene,
)
from mirror_ray.world.room.view import EyeView

_FINER = 3
"""Supersampling factor, because Pillow draws lines without anti-aliasing."""
_READABLE_PX = 200
"""Smaller plans have no lettering."""
_WALL_M = 0.14
_SPAN_M = ROOM_SIDE_M + 4 * _WALL_M
_FLOOR: FilmRgb = (243, 241, 236)
_WALL: FilmRgb = (150, 145, 136)
_GLASS: FilmRgb = (72, 190, 214)
_SIGHT: FilmRgb = (255, 214, 90)


def floor_plan(
    view: EyeView, way: Sequence[Pose], side_px: int, *, density: int = 1
) -> Image.Image:
    """Draw the moment of a view as a square picture, north up.

    Args:
        way: the ego's positions so far, the current one last.
        density: pixels of the picture per one of the `side_px` it is laid out on, 1 to 3.
    """
    canvas = _Canvas(side_px * _FINER)
    canvas.room()
    canvas.sight(view)
    canvas.reflector(view.scene)
    for box in (*view.scene.clutter, *view.scene.cubes):
        canvas.box(box)
    canvas.way(way)
    for body, stance in zip(view.scene.others, view.others, strict=True):
        canvas.body(stance.pose, paint(body.color), FILM_INK)
    canvas.body(view.ego.pose, paint(view.scene.ego.color), ACCENT, is_ego=True)
    if side_px >= _READABLE_PX:
        canvas.scale()
    size_px = side_px * density
    return canvas.image.resize((size_px, size_px), Image.Resampling.LANCZOS)


class _Canvas:
    def __init__(self, side_px: int) -> None:
        self.image = Image.new("RGB", (side_px, side_px), PANEL)
        self._draw = ImageDraw.Draw(self.image)
        self._px_per_m = side_px / _SPAN_M

    def room(self) -> None:
        half, outer = ROOM_SIDE_M / 2, ROOM_SIDE_M / 2 + _WALL_M
        self._draw.rectangle((*self._at(-outer, outer), *self._at(outer, -outer)), fill=_WALL)
        self._draw.rectangle((*self._at(-half, half), *self._at(half, -half)), fill=_FLOOR)
        for metre in range(1 - int(half), int(half)):
            for ends in (((metre, -half), (metre, half)), ((-half, metre), (half, metre))):
                line = [self._at(*end) for end in ends]
                self._draw.line(line, fill=mixed(_FLOOR, _WALL, 0.18), width=_FINER)

    def sight(self, view: EyeView) -> None:
        """Draw the horizontal field of view, up to the walls."""
        half = atan(tan(radians(view.fov_deg) / 2) * view.width_px / view.height_px)
        steps = 240
        pose = view.ego.pose
        edge = [
            _at_wall(pose, radians(pose.yaw_deg) + half * (2 * step / steps - 1))
            for step in range(steps + 1)
        ]
        wedge = [self._at(pose.x_m, pose.y_m), *(self._at(*point) for point in edge)]
        veil = Image.new("L", self.image.size, 0)
        ImageDraw.Draw(veil).polygon(wedge, fill=80)
        self.image.paste(Image.new("RGB", self.image.size, _SIGHT), mask=veil)

    def reflector(self, scene: Scene) -> None:
        x_m, y_m, _ = reflector_centre(scene.reflector_wall)
        along, _, inward = reflector_axes(scene.reflector_wall).T[:, :2]
        half = REFLECTOR_WIDTH_M / 2
        corners = [
            self._at(
                x_m + side * half * along[0] - depth * inward[0],
                y_m + side * half * along[1] - depth * inward[1],
            )
            for side, depth in ((-1, 0), (1, 0), (1, _WALL_M), (-1, _WALL_M))
        ]
        if scene.reflector == "mirror":
            self._draw.polygon(corners, fill=_GLASS)
        else:
            self._draw.polygon(corners, fill=mixed(_WALL, PANEL, 0.45))

    def box(self, box: Box) -> None:
        c, s = cos(radians(box.yaw_deg)), sin(radians(box.yaw_deg))
        corners = []
        for side, end in ((1, 1), (1, -1), (-1, -1), (-1, 1)):
            u, v = side * box.width_m / 2, end * box.depth_m / 2
            corners.append(self._at(box.x_m + c * u - s * v, box.y_m + s * u + c * v))
        self._draw.polygon(
            corners, fill=paint(box.color), outline=mixed(FILM_INK, PANEL, 0.2), width=_FINER
        )

    def way(self, way: Sequence[Pose]) -> None:
        points = [self._at(pose.x_m, pose.y_m) for pose in way]
        if len(points) > 1:
            self._draw.line(points, fill=ACCENT, width=2 * _FINER, joint="curve")
        for point in points:
            self._disc(point, 3 * _FINER, ACCENT)
        self._disc(points[0], 5 * _FINER, PANEL, outline=ACCENT)

    def body(self, pose: Pose, color: FilmRgb, edge: FilmRgb, *, is_ego: bool = False) -> None:
        centre = self._at(pose.x_m, pose.y_m)
        radius_px = BODY_RADIUS_M * self._px_per_m
        yaw = radians(pose.yaw_deg)
        reach_m = BODY_RADIUS_M * (1.8 if is_ego else 1.45)
        nose = [
            self._at(pose.x_m + reach * cos(yaw + turn), pose.y_m + reach * sin(yaw + turn))
            for reach, turn in (
                (reach_m, 0.0),
                (BODY_RADIUS_M, radians(38)),
                (BODY_RADIUS_M, radians(-38)),
            )
        ]
        self._draw.polygon(nose, fill=edge)
        self._disc(centre, radius_px, color, outline=edge, width=(3 if is_ego else 2) * _FINER)

    def scale(self) -> None:
        """Draw a bar of one metre in the lower left corner, and an arrow to the north."""
        half = ROOM_SIDE_M / 2
        start, end = self._at(0.2 - half, 0.22 - half), self._at(1.2 - half, 0.22 - half)
        self._draw.line([start, end], fill=FILM_FAINT, width=2 * _FINER)
        lettering = font(12 * _FINER)
        above = ((start[0] + end[0]) / 2, start[1] - 3 * _FINER)
        self._draw.text(above, "1 m", fill=FILM_FAINT, font=lettering, anchor="mb")
        x_px, y_px = self._at(half - 0.25, half - 0.62)
        self._draw.text((x_px, y_px), "N", fill=FILM_FAINT, font=lettering, anchor="mt")
        tip = self._at(half - 0.25, half - 0.14)
        arrow = [
            tip,
            (x_px - 5 * _FINER, y_px - 4 * _FINER),
            (x_px + 5 * _FINER, y_px - 4 * _FINER),
        ]
        self._draw.polygon(arrow, fill=FILM_FAINT)

    def _disc(
        self,
        centre: tuple[float, float],
        radius_px: float,
        color: FilmRgb,
        *,
        outline: FilmRgb | None = None,
        width: int = 2 * _FINER,
    ) -> None:
        self._draw.circle(centre, radius_px, fill=color, outline=outline, width=width)

    def _at(self, x_m: float, y_m: float) -> tuple[float, float]:
        return (x_m + _SPAN_M / 2) * self._px_per_m, (_SPAN_M / 2 - y_m) * self._px_per_m


def pose_text(pose: Pose) -> str:
    """Return a pose in words."""
    return f"x {pose.x_m:.1f} m · y {pose.y_m:.1f} m · heading {round(pose.yaw_deg) % 360}°"


def _at_wall(pose: Pose, direction: float) -> tuple[float, float]:
    """Return where a ray from a pose meets the room's walls."""
    half = ROOM_SIDE_M / 2
    dx, dy = cos(direction), sin(direction)
    reaches = [
        (half * (1 if rate > 0 else -1) - start) / rate
        for start, rate in ((pose.x_m, dx), (pose.y_m, dy))
        if abs(rate) > 1e-9
    ]
    reach = max(0.0, min(reaches))
    return pose.x_m + reach * dx, pose.y_m + reach * dy
