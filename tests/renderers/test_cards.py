"""The card of a finished game: its rosette, and beside it winners, points, names, game and length."""

from functools import cache
from itertools import combinations, pairwise, product
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageStat

from kaleidobot.testing.looking import NAMES, ODD_NAMES, a_look, pixels, positions
from kaleidobot.testing.playing import games
from renderers import ALT_LONGEST, Look, SeatLook, Theme, card, card_text, cards, drawers
from renderers.cards import COLUMN, EYE, RADIUS, RIM, SIZE, name_lines
from renderers.contract import Drawer
from renderers.lettering import ELLIPSIS, fitted, width
from renderers.paint import Painter, painter
from renderers.palette import HUES, colours, contrast
from renderers.scene import Disc, Scene, Sprite, Stamp, Text, parts
from rules import GAMES
from rules.contract import Outcome
from texts import say

DAY = 24 * 60
READABLE = 4.5
LANGS = ("en", "de")


@cache
def finals() -> dict[str, Any]:
    """Return final positions of every game as spectators see them: golden ones, and those of some random games."""
    golden = {name: view for name, view in positions().items() if view.outcome is not None}
    played = {
        f"{game}/random-{k}": one.states[-1].view(None)
        for game in GAMES
        for k, one in enumerate(games(game)[:1])
        if one.states[-1].outcome is not None
    }
    return golden | played


OF_EACH_GAME = {name.split("/")[0]: name for name in finals()}


def look(view: Any, *names: str, **facts: Any) -> Look:
    return a_look(*(names or NAMES)[: view.seats], **{"turns": 42, "minutes": 3 * DAY, **facts})


def words(view: Any, own: Look) -> list[Text]:
    return [shape for shape in parts(cards.scene(view, own).shapes) if isinstance(shape, Text)]


def said(view: Any, own: Look) -> list[str]:
    return [text.text for text in words(view, own)]


@cache
def painted(name: str, theme: Theme = Theme.DARK) -> bytes:
    """Return the card of a final position."""
    view = finals()[name]
    return card(view, look(view, theme=theme))


@cache
def rosette(name: str) -> Image.Image:
    """Return the rosette on a black square."""
    return cut_out(pixels(painted(name)))


def cut_out(picture: Image.Image) -> Image.Image:
    """Return the rosette of a card on a black square, without its rim."""
    reach, shown = RADIUS - RIM, RADIUS - RIM - 8
    square = picture.crop((EYE[0] - reach, EYE[1] - reach, EYE[0] + reach, EYE[1] + reach))
    mask = Image.new("1", square.size)
    ImageDraw.Draw(mask).ellipse((reach - shown, reach - shown, reach + shown - 1, reach + shown - 1), 1)
    return Image.composite(square, Image.new("RGB", square.size), mask)


# Every game


def test_every_game_has_final_positions_to_look_at() -> None:
    assert set(OF_EACH_GAME) == set(GAMES)


@pytest.mark.parametrize("name", finals())
def test_a_card_is_wide_and_small_in_both_themes(name: str) -> None:
    for theme in Theme:
        assert pixels(painted(name, theme)).size == SIZE == (1000, 560)
        assert len(painted(name, theme)) <= 51_000


@pytest.mark.parametrize(("name", "lang"), [*product(finals(), LANGS)])
def test_it_names_game_players_points_and_length(name: str, lang: str) -> None:
    view = finals()[name]
    game, shown = name.split("/", maxsplit=1)[0], said(view, look(view, lang=lang))
    assert say(game, "name", lang) in shown
    assert {"en": "42 turns · 3 days", "de": "42 Züge · 3 Tage"}[lang] in shown
    for seat, person in enumerate(NAMES[: view.seats]):
        assert person in shown
        alone = view.outcome.winners == (seat,)
        if view.standing() is not None and not alone and len(view.outcome.winners) < 2:
            assert str(view.outcome.scores[seat]) in shown
    if view.standing() is not None:
        best = max(view.outcome.scores)
        key = "card.points" if len(view.outcome.winners) == 1 else "card.points.each"
        assert say("table", key, lang, n=best) in shown


@pytest.mark.parametrize("name", OF_EACH_GAME.values())
def test_its_lettering_can_be_read_on_the_ground(name: str) -> None:
    view = finals()[name]
    for theme in Theme:
        known = colours(theme)
        for hue in HUES:
            seats = tuple(SeatLook(person, hue) for person in NAMES[: view.seats])
            own = Look(seats, theme=theme, turns=42, minutes=DAY)
            for text in cards.scene(view, own).shapes:
                if isinstance(text, Text):
                    assert text.size >= 28
                    for ground in ("ground", "ground.light"):
                        assert contrast(known[text.colour], known[ground]) >= READABLE, text


@pytest.mark.parametrize("name", OF_EACH_GAME.values())
def test_a_rosette_is_twelve_times_the_same_wedge(name: str) -> None:
    whole = rosette(name)
    assert whole.transpose(Image.Transpose.FLIP_TOP_BOTTOM).tobytes() == whole.tobytes()
    assert whole.transpose(Image.Transpose.FLIP_LEFT_RIGHT).tobytes() == whole.tobytes()
    apart = ImageChops.difference(whole, whole.rotate(60, Image.Resampling.BICUBIC)).convert("L").histogram()
    assert sum(apart[64:]) < 0.05 * whole.width * whole.height


def test_no_game_has_the_rosette_of_another_one() -> None:
    for one, other in combinations(finals(), 2):
        if finals()[one] != finals()[other]:
            assert rosette(one).tobytes() != rosette(other).tobytes(), (one, other)


@pytest.mark.parametrize("name", OF_EACH_GAME.values())
def test_the_same_final_position_always_has_the_same_rosette(name: str) -> None:
    view = finals()[name]
    scene = cards.scene(view, look(view))
    assert Painter(Theme.DARK).paint(scene) == painted(name)
    german = pixels(card(view, look(view, *"UVWXYZ", lang="de", minutes=9 * DAY)))
    assert cut_out(german).tobytes() == rosette(name).tobytes()


@pytest.mark.parametrize("name", finals())
def test_a_rosette_has_no_lettering_and_no_panel(name: str) -> None:
    view = finals()[name]
    (own,) = cards.scene(view, look(view)).rosettes
    assert not any(isinstance(shape, Text) for shape in parts((*own.board.still, *own.board.shapes)))
    assert len(own.wedges) >= 20
    areas = drawers()[name.split("/", maxsplit=1)[0]].rosette_areas(view, look(view))
    for wedge in own.wedges:
        for x, y in (wedge.apex, *wedge.bow(30, 2)):
            assert any(area.x - 1 <= x <= area.right + 1 and area.y - 1 <= y <= area.bottom + 1 for area in areas), (
                wedge
            )


def test_a_game_from_outside_has_a_rosette_without_any_code() -> None:
    class Plain(Drawer[None]):
        def scene(self, view: None, look: Look) -> Scene:
            return Scene((1000, 800), (), (Disc((300, 300), 200, "red"), Text((300, 300), "a")))

        def alt_text(self, view: None, look: Look) -> str:
            return "a disc"

        def emblem(self) -> Sprite:
            return Sprite("dot", (5, 5), (Disc((0, 0), 5, "red"),))

    (area,) = Plain().rosette_areas(None, Look(()))
    assert (area.width, area.height) == (1000, 800)
    board = Plain().scene(None, Look(()))
    shown = pixels(
        painter(Theme.DARK).paint(
            Scene((400, 400), (), (), rosettes=(cards.mirrored(board, (area,), (200, 200), 180),))
        )
    )
    assert colours(Theme.DARK)["red"] in {colour for _, colour in shown.getcolors(1 << 20) or ()}


# Results


def six(outcome: Outcome, *names: str, **facts: Any) -> tuple[Any, Look]:
    view = positions()["kaleidoskop/six-full"]
    return view, look(view, *names, ended=outcome, **facts)


def names_in_order(view: Any, own: Look) -> list[str]:
    return [text for text in said(view, own) if text in NAMES]


def crowns(view: Any, own: Look) -> int:
    stamps = [shape for shape in cards.scene(view, own).shapes if isinstance(shape, Stamp)]
    return sum(stamp.sprite.name.startswith("crown") for stamp in stamps)


def test_winners_come_first_then_those_with_more_points() -> None:
    view, own = six(Outcome((3, 9, 15, 12, 0, 3), (2,), "x"))
    assert names_in_order(view, own) == [NAMES[seat] for seat in (2, 3, 1, 0, 5, 4)]
    assert crowns(view, own) == 1
    assert "15 points" in said(view, own)


@pytest.mark.parametrize("winners", [(0, 3), (0, 2, 4), tuple(range(6))])
def test_several_winners_share_one_crown(winners: tuple[int, ...]) -> None:
    scores = tuple(15 if seat in winners else seat for seat in range(6))
    view, own = six(Outcome(scores, winners, "x"), lang="de")
    assert names_in_order(view, own)[: len(winners)] == [NAMES[seat] for seat in winners]
    assert "je 15 Punkte" in said(view, own)
    assert crowns(view, own) == 1


def test_a_game_without_a_winner_says_so_and_has_no_crown() -> None:
    view, own = six(Outcome((3, 9, 15, 12, 0, 3), (), "ended"))
    assert "Nobody won" in " ".join(said(view, own))
    assert crowns(view, own) == 0
    assert names_in_order(view, own)[0] == NAMES[2]


def test_a_game_without_points_has_places_if_they_are_known() -> None:
    view = finals()[OF_EACH_GAME["kalejdoschach"]]
    three = positions()["kalejdoschach/three"]
    placed = said(three, look(three, ended=Outcome((0, 2, 4), (2,), "castle")))
    assert ["wins", NAMES[2], NAMES[1], NAMES[0]] == [text for text in placed if text in ("wins", *NAMES)]
    assert {"2nd", "3rd"} <= set(placed)
    ended = said(three, look(three, ended=Outcome((0, 0, 0), (1,), "resigned")))
    assert not {"2nd", "3rd", "0"} & set(ended)
    for reason, headline in (("agreed", "Remis"), ("castle", "geteilter Sieg")):
        drawn = look(view, ended=Outcome((0,) * view.seats, (0, 1), reason), lang="de")
        assert headline in said(view, drawn)


def test_a_card_counts_no_points_if_the_winner_has_fewer_after_a_resignation() -> None:
    view, own = six(Outcome((3, 9, 14, 18, 0, 3), (2,), "resigned"))
    assert "wins" in said(view, own)
    assert not {"14 points", "14", "18"} & set(said(view, own))


def test_a_game_of_unknown_length_has_no_line_for_it() -> None:
    view, own = six(Outcome((1,) * 6, (0,), "x"), turns=None, minutes=None)
    assert not [text for text in said(view, own) if "turn" in text or "–" in text]


# Names


def test_the_winners_name_is_as_large_as_fits_and_then_in_two_lines() -> None:
    room = COLUMN[1] - COLUMN[0]
    assert name_lines("Jo", room) == (76, ("Jo",))
    sizes = [name_lines(n * "n", room)[0] for n in range(3, 12)]
    assert sizes == sorted(sizes, reverse=True)
    for name in ("Wilhelmina von Hohenstein", "Wolfgang-Amadeus-Mozart", "Rechtsschutzversichert", "das Haus (mittel)"):
        size, lines = name_lines(name, room)
        assert size >= 34
        assert "".join(lines).replace(" ", "") == name.replace(" ", "")
        assert all(width(line, size) <= room for line in lines)


def test_names_that_are_cut_to_the_same_letters_end_in_their_numbers() -> None:
    long = [f"Maximiliane Wilhelmine von Hohenstein {n}" for n in "ab"]
    view, own = six(Outcome((9, 3, 3, 3, 3, 3), (5,), "x"), *long, *"CDEF")
    shown = [fitted(text.text, text.size, text.bold, text.room) for text in words(view, own)]
    assert [text[-5:] for text in shown if text.startswith("Maxi")] == ["… (1)", "… (2)"]
    assert len(set(shown)) == len(shown) - shown.count("3") + 1


@pytest.mark.parametrize("game", list(GAMES))
def test_the_card_of_a_game_without_a_turn_has_a_full_rosette(game: str) -> None:
    view = GAMES[game].start(GAMES[game].seats[0], seed=1).view(None)
    ended = Outcome((0,) * view.seats, (1,), "resigned")
    shown = cut_out(pixels(card(view, a_look(*NAMES[: view.seats], ended=ended))))
    assert ImageStat.Stat(shown.convert("L")).stddev[0] > 30


@pytest.mark.parametrize("name", ODD_NAMES)
@pytest.mark.parametrize("winners", [(), (0,), (0, 1), tuple(range(6))])
def test_any_names_fit_beside_the_rosette(name: str, winners: tuple[int, ...]) -> None:
    view, own = six(Outcome((120,) * 6, winners, "ended"), *6 * (name,), turns=12_345, minutes=365 * DAY, lang="de")
    left, right = COLUMN
    lines = sorted(
        (shape for shape in cards.scene(view, own).shapes if isinstance(shape, Text)), key=lambda text: text.at[1]
    )
    for text in lines:
        wide = width(fitted(text.text, text.size, text.bold, text.room), text.size, text.bold)
        start = text.at[0] - (wide if text.align == "right" else 0)
        assert left <= start <= start + wide <= right + 1
        assert text.at[1] - text.size / 2 > 0
        assert text.at[1] + text.size / 2 < SIZE[1]
    rows = [text for text in lines if text.align == "left"]
    assert all(lower.at[1] - upper.at[1] >= 0.42 * (upper.size + lower.size) for upper, lower in pairwise(rows))
    assert 0 < len(card_text(view, own)) <= ALT_LONGEST


def test_a_name_without_known_letters_is_the_players_number() -> None:
    view, own = six(Outcome((9, 3, 3, 3, 3, 3), (0,), "x"), "王小明", *"BCDEF")
    assert "Player 1" in said(view, own)
    assert "Player 1" in said(view, Look((), ended=own.ended))


# Words


def test_the_words_name_the_result_and_the_rosette() -> None:
    view, own = six(Outcome((3, 9, 15, 12, 0, 3), (2,), "x"))
    assert card_text(view, own) == (
        "The game is over: Chloé has won. Chloé 15, Dmitri 12, Benedikt 9, Anna 3, Finn 3, Eva-Maria 0. A card of "
        "Kaleidoskop with a rosette: a slice of the final board, mirrored twelve times. 42 turns · 3 days."
    )
    assert ELLIPSIS not in card_text(view, own)
    german = card_text(*six(Outcome((0,) * 6, (), "ended"), lang="de"))
    assert german.startswith("Die Partie ist vorbei. Anna, "), "a game without points has none"
