"""Messages in pages: the list of games, rules, help."""

from collections.abc import Callable, Mapping
from functools import partial

from msgspec.structs import replace

import texts
from bot.chat import (
    Button,
    Person,
    Picture,
    PlaceId,
    Post,
    Reply,
    Role,
    Style,
    platform,
)
from bot.replies.buttons import button, close, in_rows, pager
from bot.replies.choices import against_house_button
from bot.replies.words import say, short
from bot.requests import Daily, Help, Learn, NewGame, PlayWith, Request, Rules, payload
from rules import GAMES


def games(lang: str, key: str = "newgame", invited: Person | None = None) -> Reply:
    """Return the list of games with a button each. *invited*: a person to play with."""
    account = None if invited is None else payload.parts(invited.id.partition(":")[2])
    lines = [say(key, lang, who=short(invited.name) if invited else "")] + [
        f"• {texts.say(game, 'name', lang)} – {texts.say(game, 'tagline', lang)} {texts.say(game, 'players', lang)}"
        for game in GAMES
    ]
    opening = [NewGame(game) if account is None else PlayWith(game, account) for game in GAMES]
    buttons = [
        button(request, lang, Style.MAIN, label=texts.say(game, "name", lang))
        for game, request in zip(GAMES, opening, strict=True)
    ]
    return Reply(text="\n".join(lines), rows=(*in_rows(buttons, 3), (close(lang),)), role=Role.MENU)


def rules_of(lang: str) -> Reply:
    """Return the question for which game's rules to open."""
    return Reply(
        text=say("rules.which", lang), rows=(*in_rows(_rules_buttons(lang), 2), (close(lang),)), role=Role.MENU
    )


def _rules_buttons(lang: str) -> list[Button]:
    return [
        button(Rules(game), lang, label=say("button.rules_of", lang, game=texts.say(game, "name", lang)))
        for game in GAMES
    ]


def rules(
    game: str,
    page: int,
    picture: Picture | None,
    lang: str,
    leaf: Callable[[int], Request] | None = None,
    back: Button | None = None,
) -> Reply:
    """Return a page of a game's rules; *page* counts from 0. *leaf*: shows another page, if it is not a `Rules`.
    *back*: the way back to the message in which the rules were opened."""
    pages = rules_pages(game)
    ends = page == pages - 1
    onward = Style.PLAIN if ends else Style.MAIN
    turn = (*pager(leaf or partial(Rules, game), page, pages, lang, onward), close(lang))
    ways: tuple[Button, ...] = (
        (back,)
        if back is not None
        else (against_house_button(game, lang, Style.MAIN if ends else Style.PLAIN), button(Learn(game), lang))
    )
    title = f"{texts.say(game, 'name', lang)} – {texts.say(game, f'rules.{page + 1}.title', lang)}"
    text = texts.say(game, f"rules.{page + 1}.text", lang)
    if ends:  # the page of our own additions, which has room for it
        text += "\n\n" + texts.say(game, "credits", lang)
    return Reply(
        title=title,
        text=text,
        picture=None if picture is None else replace(picture, alt=title),
        rows=(ways, turn),  # paging comes last
        role=Role.MENU,
    )


def rules_pages(game: str) -> int:
    """Return the number of pages of the rules of *game*."""
    pages = 0
    while texts.knows(game, f"rules.{pages + 1}.title"):
        pages += 1
    return pages


def welcome(lang: str, *, alone: bool) -> Reply:
    """Return three lines for a new person: the bot's name, how to begin, how to play. *alone*: in a private chat."""
    text = say("welcome.alone" if alone else "welcome", lang)
    return Reply(title=say("welcome.title", lang), text=text, rows=_first_steps(lang))


def greeting(lang: str) -> Post:
    """Return `welcome` as a post for a new place."""
    return Post(title=say("welcome.title", lang), text=say("welcome", lang), rows=_first_steps(lang))


def _first_steps(lang: str) -> tuple[tuple[Button, ...], ...]:
    return (*in_rows(_games(lang), 3), (button(Daily(), lang), button(Help(), lang)))


def _games(lang: str) -> list[Button]:
    return [button(NewGame(game), lang, Style.MAIN, label=texts.say(game, "name", lang)) for game in GAMES]


HELP: Mapping[str, tuple[str, ...]] = {
    "begin": ("newgame", "join", "leave", "start", "rules", "learn", "daily"),
    "play": ("move", "board", "view", "plan", "note", "hint", "undo", "draw", "substitute", "resign", "end", "rematch"),
    "look": ("games", "history", "replay", "stats", "top", "verify"),
    "own": ("settings", "block", "blocked", "privacy", "help"),
    "manage": (),
}
"""The pages of the help, each with its commands."""


def help_(page: int, place: PlaceId, lang: str, *, alone: bool = False) -> Reply:
    """Return a page of the help; the last one is for managers of the place. *page* counts from 0. *alone*: in a
    private chat."""
    page = min(max(page, 0), len(HELP) - 1)
    section = tuple(HELP)[page]
    lines = [say("help.begin.alone" if alone and section == "begin" else f"help.{section}", lang)]
    lines += [f"/{command} – {say(f'command.{command}.about', lang)}" for command in HELP[section]]
    if section == "manage":
        lines.append(texts.find(platform(place), "help.manage", lang) or "")
    games = in_rows(_games(lang), 3) + in_rows(_rules_buttons(lang), 3) if section == "begin" else ()
    turn = (*pager(Help, page, len(HELP), lang), close(lang))
    return Reply(
        title=say(f"help.{section}.title", lang),
        text="\n".join(filter(None, lines)),
        rows=(*games, turn),
        role=Role.MENU,
        secret=True,  # long, and only the reader asked
    )
