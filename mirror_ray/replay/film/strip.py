"""An episode in one picture: a tile for each step, with what was seen, where, and the answer.

For a long episode, evenly spaced steps are shown, including the first and the last."""

import numpy as np
from PIL import Image, ImageDraw

from mirror_ray.replay.episode import DrawnStep, RecordedEpisode
from mirror_ray.replay.film.evidence import outlined
from mirror_ray.replay.film.floor_plan import floor_plan
from mirror_ray.replay.film.style import (
    FILM_FAINT,
    FILM_GAP_PX,
    FILM_INK,
    LINE,
    MARGIN_PX,
    PANEL,
    PAPER,
)
from mirror_ray.replay.film.text_layout import fitted_text, wrapped_lines, write

MAX_TILES = 60
_COLUMNS = 5
_TILE_PX = 400
_PLAN_PX = 144
_HEADER_PX = 74
_TITLE, _TEXT, _SMALL = 26, 15, 13
_LINE_PX = 19
_LINES = 3
_CAPTION_PX = 32 + 2 * _LINES * _LINE_PX + 8
_MAX_SHORT_CHARS = 16


class Strip:
    """Gathers an episode's steps."""

    def __init__(self, recording: RecordedEpisode) -> None:
        self._recording = recording
        self._texts = recording.text_columns
        asks = len(recording.steps)
        chosen = np.linspace(1, asks, min(asks, MAX_TILES)).round().astype(int).tolist()
        self._chosen = frozenset(chosen)
        self._tiles: list[Image.Image] = []

    def add(self, drawn_step: DrawnStep) -> None:
        """Add a step; in a long episode only evenly spaced steps are kept."""
        if drawn_step.row["ask"] in self._chosen:
            self._tiles.append(self._tile(drawn_step))

    def picture(self) -> Image.Image:
        """Return all tiles in rows, under a title."""
        columns = min(_COLUMNS, max(1, len(self._tiles)))
        rows = -(-len(self._tiles) // columns)
        tall_px = max((tile.height for tile in self._tiles), default=0)
        width_px = 2 * MARGIN_PX + columns * _TILE_PX + (columns - 1) * FILM_GAP_PX
        height_px = _HEADER_PX + rows * (tall_px + FILM_GAP_PX) + MARGIN_PX
        picture = Image.new("RGB", (width_px, height_px), PAPER)
        self._header(ImageDraw.Draw(picture), width_px - 2 * MARGIN_PX)
        for index, tile in enumerate(self._tiles):
            row, column = divmod(index, columns)
            x_px = MARGIN_PX + column * (_TILE_PX + FILM_GAP_PX)
            picture.paste(tile, (x_px, _HEADER_PX + row * (tall_px + FILM_GAP_PX)))
        return picture

    def _header(self, draw: ImageDraw.ImageDraw, room_px: int) -> None:
        spec = self._recording.spec
        title = f"{spec.cell.family} {spec.cell.condition} · {spec.cell.model}"
        about = f"{spec.cell.variant_label} · seed {spec.scene_seed} · run {spec.run} · episode "
        write(draw, (MARGIN_PX, 16), fitted_text(title, _TITLE, room_px), _TITLE, FILM_INK)
        line = fitted_text(f"{about}{spec.episode_id}", _SMALL, room_px)
        write(draw, (MARGIN_PX, 48), line, _SMALL, FILM_FAINT)

    def _tile(self, drawn_step: DrawnStep) -> Image.Image:
        frame = _frame(drawn_step)
        tile = Image.new("RGB", (_TILE_PX, frame.height + _CAPTION_PX), PANEL)
        tile.paste(frame, (0, 0))
        room_px = _TILE_PX - 20
        if (eye := drawn_step.eye) is not None:
            plan = floor_plan(eye, drawn_step.way, _PLAN_PX)
            tile.paste(plan, (_TILE_PX - _PLAN_PX - 8, frame.height + 8))
            room_px -= _PLAN_PX + 8
        draw = ImageDraw.Draw(tile)
        self._caption(draw, drawn_step, frame.height + 8, room_px)
        draw.rectangle((0, 0, _TILE_PX - 1, tile.height - 1), outline=LINE)
        return tile

    def _caption(
        self, draw: ImageDraw.ImageDraw, drawn_step: DrawnStep, y_px: int, room_px: int
    ) -> None:
        row = drawn_step.row
        said = [str(row[name]) for name in self._texts if row.get(name)]
        short = [text for text in said if len(text) <= _MAX_SHORT_CHARS]
        long = [text for text in said if len(text) > _MAX_SHORT_CHARS] or [row["reply"] or ""]
        head = " · ".join(short) or str(row["parse_status"] or row["error_kind"])
        write(draw, (10, y_px), str(row["step"]), _TEXT, FILM_FAINT)
        write(draw, (40, y_px), fitted_text(head, _TEXT, room_px - 30), _TEXT, FILM_INK)
        y_px += 24
        # Two passages at most, because with a third each would have a single line.
        for text in long[:2]:
            for line in wrapped_lines(text, _SMALL, room_px, _LINES):
                write(draw, (10, y_px), line, _SMALL, FILM_FAINT)
                y_px += _LINE_PX


def _frame(drawn_step: DrawnStep) -> Image.Image:
    if not drawn_step.seen:
        return Image.new("RGB", (_TILE_PX, 1), PANEL)
    # The question is about the last picture; examples come before it.
    seen = drawn_step.seen[-1]
    rgb = seen.rgb if seen.identities is None else outlined(seen.rgb, *seen.identities)
    height_px = round(rgb.shape[0] * _TILE_PX / rgb.shape[1])
    return Image.fromarray(rgb).resize((_TILE_PX, height_px), Image.Resampling.LANCZOS)
