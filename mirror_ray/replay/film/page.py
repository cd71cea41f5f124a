"""One page of a film: what was seen, the evidence in it, where the ego is, and the model's answer.

A view supplies its own pictures, and a family its own texts: its text columns, short ones as
badges, long ones as paragraphs. Text from models is only drawn as pixels."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pyarrow as pa
from PIL import Image, ImageDraw

from mirror_ray.core.identity import Cell
from mirror_ray.replay.episode import DrawnStep, DrawnView, RecordedEpisode
from mirror_ray.replay.film.evidence import LegendEntry, overlay
from mirror_ray.replay.film.floor_plan import floor_plan, pose_text
from mirror_ray.replay.film.style import (
    ACCENT,
    ALERT,
    FILM_FAINT,
    FILM_GAP_PX,
    FILM_INK,
    LINE,
    MARGIN_PX,
    PANEL,
    PAPER,
    FilmRgb,
    is_color,
    mixed,
    paint,
)
from mirror_ray.replay.film.text_layout import (
    fitted_text,
    shares,
    text_width_px,
    wrapped_lines,
    write,
)
from mirror_ray.world.room.view import EyeView

WIDTH_PX = 1200
_COLUMN_PX = (WIDTH_PX - 3 * MARGIN_PX) // 2
_HEADER_PX = 76
_CAPTION_PX = 26
_LEGEND_PX = 26
_PLAN_PX = 372
_TITLE, _TEXT, _SMALL = 22, 16, 13
_LINE_PX = 22
_BADGE_PX = 30
_BADGE_CHARS = 16


@dataclass(frozen=True, slots=True)
class _Picture:
    title: str
    image: Image.Image
    width_px: int
    legend: tuple[LegendEntry, ...] = ()


class Pages:
    """Composes an episode's steps as pages, all of the first page's size."""

    def __init__(self, recording: RecordedEpisode) -> None:
        self._recording = recording
        self._texts = recording.text_columns
        self._flags = [
            field.name for field in recording.family.step_columns if field.type == pa.bool_()
        ]
        # Fixed for the whole episode, so that no part of the page moves.
        self._short = {
            name
            for name in self._texts
            if all(len(row.get(name) or "") <= _BADGE_CHARS for row in recording.steps)
        }
        self._height_px: int | None = None

    def page(self, drawn_step: DrawnStep) -> Image.Image:
        """Return the page of a drawn step: 1200 pixels wide, of even height."""
        viewer = _viewer(self._recording.spec.cell, drawn_step.row["role"])
        pictures = [picture for seen in drawn_step.seen for picture in _pictures(seen, viewer)]
        rows = [pictures[index : index + 2] for index in range(0, len(pictures), 2)]
        top_px = _HEADER_PX + sum(map(_row_height_px, rows))
        wanted_px = top_px + FILM_GAP_PX + _PLAN_PX + _CAPTION_PX + MARGIN_PX
        wanted_px += wanted_px % 2
        page = Image.new("RGB", (WIDTH_PX, wanted_px), PAPER)
        draw = ImageDraw.Draw(page)
        self._header(draw, drawn_step)
        y_px = _HEADER_PX
        for row in rows:
            for column, picture in enumerate(row):
                _put(page, draw, picture, MARGIN_PX + column * (_COLUMN_PX + MARGIN_PX), y_px)
            y_px += _row_height_px(row)
        x_px = MARGIN_PX
        y_px += FILM_GAP_PX
        if (eye := drawn_step.eye) is not None:
            plan = _Picture(
                pose_text(eye.ego.pose), floor_plan(eye, drawn_step.way, _PLAN_PX), _PLAN_PX
            )
            _put(page, draw, plan, x_px, y_px)
            x_px += _PLAN_PX + MARGIN_PX
        self._words(draw, drawn_step, (x_px, y_px, WIDTH_PX - MARGIN_PX, wanted_px - MARGIN_PX))
        self._height_px = self._height_px or wanted_px
        return _of_height(page, self._height_px)

    def _header(self, draw: ImageDraw.ImageDraw, drawn_step: DrawnStep) -> None:
        cell, spec = self._recording.spec.cell, self._recording.spec
        title = fitted_text(f"{cell.family} {cell.condition} · {cell.model}", _TITLE, 800)
        temperature = "" if cell.temperature is None else f"temperature {cell.temperature:g} · "
        about = f"{cell.variant_label} · {temperature}seed {spec.scene_seed} · run {spec.run}"
        write(draw, (MARGIN_PX, 18), title, _TITLE, FILM_INK)
        line = fitted_text(f"{about} · episode {spec.episode_id}", _SMALL, 800)
        write(draw, (MARGIN_PX, 47), line, _SMALL, FILM_FAINT)
        right = WIDTH_PX - MARGIN_PX
        steps = self._recording.episode["n_steps"]
        write(
            draw,
            (right, 18),
            f"step {drawn_step.row['step']} of {steps}",
            _TITLE,
            FILM_INK,
            anchor="ra",
        )
        if drawn_step.is_last:
            write(draw, (right, 47), self._ending(), _SMALL, FILM_FAINT, anchor="ra")
        share = (drawn_step.row["ask"]) / len(self._recording.steps)
        draw.rectangle((0, 0, WIDTH_PX, 4), fill=LINE)
        draw.rectangle((0, 0, WIDTH_PX * share, 4), fill=ACCENT)

    def _ending(self) -> str:
        episode = self._recording.episode
        if episode["error_kind"] != "none":
            return f"error: {episode['error_kind']}"
        return "came to its end" if episode["terminated"] else "cut off at its last step"

    def _words(
        self, draw: ImageDraw.ImageDraw, drawn_step: DrawnStep, box: tuple[int, int, int, int]
    ) -> None:
        left, top, right, bottom = box
        badges = [*self._badges(drawn_step)]
        y_px = _put_badges(draw, badges, left, top, right) if badges else top
        row = drawn_step.row
        paragraphs = [
            (name, row[name]) for name in self._texts if name not in self._short and row.get(name)
        ]
        if not badges and not paragraphs:
            paragraphs = [("reply", row["reply"] or "")]
        if not drawn_step.seen:
            paragraphs.insert(0, ("asked", row["user"] or ""))
        if row["error"]:
            paragraphs.append(("error", row["error"]))
        _put_paragraphs(draw, paragraphs, (left, y_px, right, bottom))

    def _badges(self, drawn_step: DrawnStep) -> Iterable[tuple[str, str, FilmRgb]]:
        row = drawn_step.row
        for name in self._texts:
            if name in self._short and row.get(name):
                yield name, str(row[name]), FILM_INK
        for name in self._flags:
            if row.get(name):
                yield "", name, ALERT
        if row["superseded"]:
            yield "", "asked again", ALERT
        if row["parse_status"] not in (None, "strict"):
            yield "reply", row["parse_status"], ALERT
        if row["error_kind"] != "none":
            yield "error", row["error_kind"], ALERT


def _of_height(page: Image.Image, height_px: int) -> Image.Image:
    if page.height == height_px:
        return page
    framed = Image.new("RGB", (page.width, height_px), PAPER)
    if page.height > height_px:
        page = page.resize((round(page.width * height_px / page.height), height_px))
    framed.paste(page, ((framed.width - page.width) // 2, 0))
    return framed


def _viewer(cell: Cell, role: str) -> str:
    return f"{role}, {cell.model_of(role)}," if cell.beside else ""


def _pictures(seen: DrawnView, viewer: str) -> Iterable[_Picture]:
    kind = "agent" if isinstance(seen.view, EyeView) else "model"
    title = f"what the {viewer or kind} sees"
    yield _Picture(title, Image.fromarray(seen.rgb), _COLUMN_PX)
    if seen.identities is not None:
        marked = overlay(seen.rgb, *seen.identities)
        yield _Picture("evidence", Image.fromarray(marked.rgb), _COLUMN_PX, marked.legend)


def _row_height_px(row: Sequence[_Picture]) -> int:
    tallest = max(picture.image.height * picture.width_px / picture.image.width for picture in row)
    has_legend = any(picture.legend for picture in row)
    return _CAPTION_PX + round(tallest) + (_LEGEND_PX if has_legend else 0) + FILM_GAP_PX


def _put(
    page: Image.Image, draw: ImageDraw.ImageDraw, picture: _Picture, x_px: int, y_px: int
) -> None:
    image = picture.image
    if image.width != picture.width_px:
        size = picture.width_px, round(image.height * picture.width_px / image.width)
        image = image.resize(size, Image.Resampling.LANCZOS)
    write(draw, (x_px, y_px + 4), picture.title, _SMALL, FILM_FAINT)
    page.paste(image, (x_px, y_px + _CAPTION_PX))
    below = y_px + _CAPTION_PX + image.height
    draw.rectangle((x_px, y_px + _CAPTION_PX, x_px + image.width - 1, below - 1), outline=LINE)
    for entry in picture.legend:
        draw.rectangle((x_px, below + 9, x_px + 11, below + 20), fill=entry.color)
        label = f"{entry.label} {entry.pixels:,} px"
        write(draw, (x_px + 17, below + 7), label, _SMALL, FILM_INK)
        x_px += 17 + text_width_px(label, _SMALL) + 18


def _put_badges(
    draw: ImageDraw.ImageDraw,
    badges: Sequence[tuple[str, str, FilmRgb]],
    left: int,
    top: int,
    right: int,
) -> int:
    """Draw badges in lines; return the y at which the lines end."""
    x_px, y_px = left, top + _CAPTION_PX
    for name, value, color in badges:
        label = fitted_text(name.replace("_", " "), _SMALL, 200)
        text = fitted_text(value, _TEXT, 260)
        swatch = paint(value) if is_color(value) else None
        label_px = text_width_px(label, _SMALL) + 8 if label else 0
        wide_px = 24 + label_px + text_width_px(text, _TEXT) + (22 if swatch else 0)
        if x_px + wide_px > right and x_px > left:
            x_px, y_px = left, y_px + _BADGE_PX + 8
        frame = (x_px, y_px, x_px + wide_px, y_px + _BADGE_PX)
        draw.rounded_rectangle(frame, radius=8, fill=PANEL, outline=mixed(color, LINE, 0.75))
        at = x_px + 12
        middle = y_px + _BADGE_PX // 2
        if label:
            write(draw, (at, middle), label, _SMALL, FILM_FAINT, anchor="lm")
            at += label_px
        if swatch:
            draw.circle((at + 7, middle), 7, fill=swatch, outline=mixed(FILM_INK, PANEL, 0.4))
            at += 22
        write(draw, (at, middle), text, _TEXT, color, anchor="lm")
        x_px += wide_px + 10
    return y_px + _BADGE_PX + FILM_GAP_PX


def _put_paragraphs(
    draw: ImageDraw.ImageDraw, paragraphs: Sequence[tuple[str, str]], box: tuple[int, int, int, int]
) -> None:
    left, y_px, right, bottom = box
    heads_px = len(paragraphs) * (_LINE_PX + 6)
    lines = max(len(paragraphs), (bottom - y_px - heads_px) // _LINE_PX)
    whole = [wrapped_lines(text, _TEXT, right - left, lines) for _, text in paragraphs]
    given = shares([len(one) for one in whole], lines)
    for (name, text), share in zip(paragraphs, given, strict=True):
        write(
            draw, (left, y_px), fitted_text(name.replace("_", " "), _SMALL, 400), _SMALL, FILM_FAINT
        )
        y_px += _LINE_PX - 2
        for line in wrapped_lines(text, _TEXT, right - left, share) if share else ():
            write(draw, (left, y_px), line, _TEXT, FILM_INK)
            y_px += _LINE_PX
        y_px += 8
