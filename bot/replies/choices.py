"""Lobbies and their menus: seats and options before a game, and the settings of a place and of a person."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

import texts
from bot.chat import (
    MOST_CHOICES,
    Button,
    Call,
    Choice,
    Expiry,
    Person,
    PersonId,
    Post,
    PublicPicture,
    Reply,
    Role,
    Select,
    Style,
    row_lengths,
)
from bot.house.levels import Level
from bot.replies import blocks, linking
from bot.replies.buttons import button, close, onward
from bot.replies.times import city
from bot.replies.words import fair, game_name, host_name, names, option_value, say, short
from bot.requests import (
    ChooseCalls,
    ChooseClock,
    ChooseColour,
    ChooseLevel,
    ChooseOption,
    ChooseVoting,
    Close,
    DailyThread,
    Invite,
    Join,
    Learn,
    Leave,
    NewGame,
    Options,
    Privacy,
    Request,
    Rules,
    SeatChannel,
    Set,
    Settings,
    Start,
    WarmUp,
)
from bot.requests.registry import select_payload
from bot.runtime.clock import from_ms
from bot.tables.anonymous import is_house
from bot.tables.banks import bank
from bot.tables.daily import number_of
from bot.tables.deadlines import FIRST
from bot.tables.preferences import (
    CLOCK,
    DAILY,
    OF_PERSON,
    OF_PLACE,
    ON_TIMEOUT,
    PINGS,
    VOTING,
    ZONE,
    Setting,
    chosen,
    hours,
)
from bot.tables.seating import awaited_opener, guests, is_open, may_start, missing, own_text, places
from bot.tables.table import Phase, Seat, Table, time_of
from rules import GAMES
from rules.beginning import leaves_open
from rules.puzzles import has_puzzles

SELECTS = 4  # per page of options; one row remains for paging
ROWS = 12  # per page, unless one select alone has more: platforms without selects show buttons
LAST_PAGE = 99
HOUSE, LEVEL = "house", "level"
"""Names of the selects for the number of seats that the house plays, and for its strength."""


def pages_of(heights: Iterable[int]) -> list[int]:
    """Return the page of each list, given the rows that the lists need without selects.

    >>> pages_of([3, 2, 5, 3, 3, 25, 9])
    [0, 0, 0, 1, 1, 2, 3]
    """
    pages = list[int]()
    page = lists = rows = 0
    for height in heights:
        if lists == SELECTS or (lists and rows + height > ROWS):
            page, lists, rows = page + 1, 0, 0
        lists, rows = lists + 1, rows + height
        pages.append(page)
    return pages


def _height(labels: Sequence[str]) -> int:
    """Return the rows that a list needs without selects: its label, and its choices, one of them marked."""
    return 1 + len(row_lengths([f"• {label}" for label in labels], MOST_CHOICES))


def lobby(table: Table, picture: PublicPicture, lang: str) -> Post:
    """Return the post of a lobby: the seats, the game's options, and the buttons to join and start. In a rematch, and
    if the game plays on, people know it."""
    visiting = (say("lobby.visiting", lang),) if table.replies_only else ()
    lines = [
        *(() if table.order or table.origin is not None else (texts.say(table.game, "tagline", lang),)),
        say("lobby.seats", lang, names="  ".join(_seat_in_lobby(table, n, lang) for n in range(len(table.seats)))),
        *_chosen(table, lang),
        *from_where(table, lang),
        *_invited(table, lang),
        " ".join((*_begins(table, lang), _waits(table, lang), *_about_clock(table, lang), *visiting)),
    ]
    return Post(
        title=say("lobby.title", lang, game=game_name(table.game, lang)),
        text="\n".join(lines),
        small=fair(lang),
        picture=picture,
        rows=lobby_rows(table, lang),
    )


def inviting(seats: Sequence[Seat], lang: str) -> Call | None:
    """Return the line that calls the first of *seats* to a lobby, or None if *seats* is empty."""
    if not seats:
        return None
    return Call(
        Person(seats[0].person, short(seats[0].name), seats[0].lang), say("lobby.call", lang, person="{person}")
    )


def lobby_rows(table: Table, lang: str) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons under a lobby, or under a lobby that ended before its game began."""
    if table.phase == Phase.OVER:
        anew = button(NewGame(table.game), lang, label=say("button.new_table", lang))
        return ((anew, button(NewGame(), lang)),)
    if table.twin is not None:
        return linking.lobby_rows(table, lang)
    at_it = tuple(seat.person for seat in table.seats)
    join = replace(button(Join(table.id), lang, Style.MAIN), done=at_it)
    starters = tuple(person for person in dict.fromkeys((table.host, *at_it)) if may_start(table, person))
    buttons = (
        *(() if table.alone else (join,)),
        replace(button(Start(table.id), lang, Style.MAIN), whose=starters),
        button(Options(table.id), lang),
        button(Leave(table.id), lang),
    )
    day = number_of(from_ms(table.created_ms).date())
    warm_up = (button(WarmUp(table.game), lang),) if has_puzzles(table.game, day) else ()
    crowd = (button(SeatChannel(table.id), lang),) if _may_seat_channel(table) and not table.has_channel else ()
    return (
        buttons,
        (*crowd, button(Learn(table.game), lang), *warm_up, button(Rules(table.game), lang)),
    )


def _may_seat_channel(table: Table) -> bool:
    return not table.alone and not table.replies_only and is_open(table.game, table.options)


def against_house_button(game: str, lang: str, style: Style = Style.MAIN) -> Button:
    """Return the button that starts *game* against the house in a free place."""
    return button(NewGame(game, house=True), lang, style, label=say("button.against_house", lang))


def _invited(table: Table, lang: str) -> tuple[str, ...]:
    """Return the line that names the people of a rematch who have not joined yet, or ()."""
    if not table.invited:
        return ()
    people = [short(seat.name) or say("somebody", lang) for seat in table.invited]
    return (say("lobby.invited", lang, names=texts.listed(people, lang)),)


def from_where(table: Table, lang: str) -> tuple[str, ...]:
    """Return the line that says from which position the game plays on, or ()."""
    if table.origin is None:
        return ()
    view = GAMES[table.game].decode(table.origin.view)
    key = "origin.anew" if leaves_open(view) else "origin"
    return (say(key, lang, turn=view.turns(table.origin.turns) + 1),)


def _begins(table: Table, lang: str) -> tuple[str, ...]:
    """Return the lines that say who begins, if the game has a text for it or the opener of a rematch is awaited."""
    own = (texts.say(table.game, "lobby.begins", lang),) if texts.knows(table.game, "lobby.begins") else ()
    return (*own, *_awaited(table, lang))


def _awaited(table: Table, lang: str) -> tuple[str, ...]:
    """Return the line that says what only the opener of a rematch may do, or () if no opener is awaited."""
    opener = awaited_opener(table)
    if opener is None:
        return ()
    return (say("lobby.opener", lang, who=short(opener.name) or say("somebody", lang)),)


def _waits(table: Table, lang: str) -> str:
    """Return the line that says for whom the lobby waits."""
    return linking.waits(table, lang) or _free(table, lang)


def _free(table: Table, lang: str) -> str:
    """Return the line that says how many people can join and what is missing to start."""
    if table.alone:
        return say("lobby.free.alone", lang)
    house = guests(table)
    free = places(table)[-1] - len(table.seats) + house
    waits = "house" if house and not missing(table) else "missing" if missing(table) else "ready"
    starts = "again" if table.order else "free"  # a rematch can start at once
    return say(f"lobby.{starts}.{waits}", lang, n=free, least=places(table)[0])


def begun_lobby(table: Table, picture: PublicPicture, lang: str) -> Post:
    """Return the lobby's post after the game has begun: the seats, the options and the hash."""
    seats = "  ".join(_seat_in_lobby(table, number, lang) for number in range(len(table.seats)))
    lines = [
        say("lobby.seats", lang, names=seats),
        *_chosen(table, lang),
        *from_where(table, lang),
        say("lobby.begun", lang),
    ]
    return Post(title=game_name(table.game, lang), text="\n".join(lines), small=fair(lang), picture=picture)


def closed_lobby(table: Table, picture: PublicPicture, lang: str) -> Post:
    """Return the post of a lobby that ended before its game began."""
    return Post(
        title=game_name(table.game, lang),
        text=say("lobby.closed", lang),
        picture=picture,
        rows=lobby_rows(table, lang),
    )


def _chosen(table: Table, lang: str) -> list[str]:
    """Return one line with the options that differ from the defaults, and with the clock, or none."""
    options = {
        option.name: choice
        for option in GAMES[table.game].options
        if (choice := table.options.get(option.name, option.default)) != option.default
    }
    of_table = [] if table.replies_only or table.twin is not None else [(CLOCK, table.clock)]
    if hours(table.clock) is not None and table.on_timeout != ON_TIMEOUT.choices[0]:
        of_table.append((ON_TIMEOUT, table.on_timeout))
    if not table.pings and not table.replies_only:
        of_table.append((PINGS, "off"))
    if table.has_channel:
        of_table.append((VOTING, table.voting))
    named = [
        (texts.say(table.game, f"option.{name}", lang), option_value(table.game, name, choice, lang))
        for name, choice in options.items()
    ] + [(_label(setting, lang, "place"), _choice(setting, value, lang, "place")) for setting, value in of_table]
    line = " · ".join(f"{label} ▸ {choice}" for label, choice in named)
    return [line] if line else []


def _about_clock(table: Table, lang: str) -> tuple[str, ...]:
    """Return the lines about unused time, about a long clock's first moves, and about silent players without a clock.
    No other message says this beforehand."""
    saves, length = table.seats and bank(table, 0) is not None, hours(table.clock)
    if table.twin is not None:  # the clock is for people
        return ()
    asks = length is None and not table.replies_only and not table.alone
    is_long = length is not None and length > FIRST and not table.alone
    keys = {"lobby.bank": saves, "lobby.first": is_long, "lobby.no_clock": asks}
    return tuple(say(key, lang) for key, applies in keys.items() if applies)


def _seat_in_lobby(table: Table, number: int, lang: str) -> str:
    seat = table.seats[number]
    host, name = "★" if seat.person == table.host else "•", names(table, lang)[number]
    if seat.is_channel:
        host = "👥"
    if not seat.colour:
        return f"{host} {name}"
    colour = say(f"colour.{seat.colour}", lang)
    if is_house(seat.person):  # the name already ends with the strength in brackets
        return f"{host} {name.removesuffix(')')}, {colour})"
    return f"{host} {name} ({colour})"


def options(table: Table, person: PersonId, page: int | str, lang: str) -> Reply:
    """Return the options that *person* may change before the game begins: all of them for the host, the colour for
    other players, who read the values of the rest. *page*: a number, or the payload of a select on that page."""
    of_house = (_house_select(table, lang), _level_select(table, lang))
    clock = () if table.replies_only else _clock_selects(table, lang)  # no clock runs there
    calls = () if table.replies_only else (_calls_select(table, lang),)
    of_game = _option_selects(table, lang)
    of_table = (*_channel_selects(table, lang), *(() if table.twin is not None else (*clock, *of_house, *calls)))
    of_host = of_table if awaited_opener(table) or table.origin is not None else (*of_game, *of_table)
    if table.twin is not None and table.twin.table:
        of_host = ()
    selects = [*(of_host if person == table.host else ()), *_colour_select(table, person, lang)]
    on = pages_of(_height([choice.label for choice in select.choices]) for select in selects)
    pages = on[-1] + 1 if on else 1
    if isinstance(page, str):
        page = next((number for number, select in zip(on, selects, strict=True) if select.payload == page), 0)
    page = min(max(page, 0), pages - 1)
    rows: list[Select | tuple[Button, ...]] = [
        select for number, select in zip(on, selects, strict=True) if number == page
    ]
    turn = button(Options(table.id, (page + 1) % pages), lang, label=onward(page, pages, lang))
    rows.append((*((turn,) if pages > 1 else ()), button(Close(table.id), lang)))
    key = "options.host" if person == table.host else "options.guest" if selects else "options.none"
    more = _awaited(table, lang) if person == table.host else _values((*of_game, *of_table))
    lines = (say(key, lang, who=host_name(table, lang)), *more)
    return Reply(text="\n".join(lines), rows=tuple(rows), role=Role.MENU, expires=Expiry(time_of(table)))


def _values(selects: Iterable[Select]) -> tuple[str, ...]:
    """Return a line with each option and its value, for those who cannot change them."""
    return tuple(f"{select.label} ▸ {choice.label}" for select in selects for choice in select.choices if choice.chosen)


def _option_selects(table: Table, lang: str) -> tuple[Select, ...]:
    """Return the options with something to choose. A text that the host gave with the command can only be dropped."""
    selects = []
    for number, option in enumerate(GAMES[table.game].options):
        own = bool(own_text(table, option))
        choices = [*option.choices, *(["own"] if own else [])]
        selects.append(
            Select(
                texts.say(table.game, f"option.{option.name}", lang),
                select_payload(ChooseOption(table.id, number, 0)),
                tuple(
                    Choice(
                        texts.say(table.game, f"option.{option.name}.{choice}", lang),
                        ChooseOption(table.id, number, index).payload,
                        chosen=own if choice == "own" else table.options.get(option.name, option.default) == choice,
                    )
                    for index, choice in enumerate(choices)
                ),
            )
        )
    return tuple(select for select in selects if len(select.choices) > 1)


def _clock_selects(table: Table, lang: str) -> tuple[Select, ...]:
    return (
        _select(CLOCK, table.clock, lang, lambda choice: ChooseClock(table.id, choice)),
        _select(ON_TIMEOUT, table.on_timeout, lang, lambda choice: ChooseClock(table.id, choice, on_timeout=True)),
    )


def _channel_selects(table: Table, lang: str) -> tuple[Select, ...]:
    """Return the selects for the seat of the channel, which a button of the lobby gives, and for the time of its
    votes; () without such a seat."""
    if not table.has_channel:
        return ()
    seat = Select(
        say("lobby.channel", lang),
        select_payload(SeatChannel(table.id)),
        tuple(
            Choice(say(f"lobby.channel.{n}", lang), SeatChannel(table.id, n).payload, chosen=bool(n)) for n in (0, 1)
        ),
    )
    time = _select(VOTING, table.voting, lang, lambda choice: ChooseVoting(table.id, choice))
    return (time,) if table.twin is not None else (seat, time)


def _calls_select(table: Table, lang: str) -> Select:
    pings = "on" if table.pings else "off"
    return _select(PINGS, pings, lang, lambda choice: ChooseCalls(table.id, choice), scope="place")


def _house_select(table: Table, lang: str) -> Select:
    """Return the select for the number of seats that the house plays."""
    house = guests(table)
    most = places(table)[-1] - len(table.seats) + house
    return Select(
        say("lobby.house", lang),
        Invite(table.id).payload,
        tuple(
            Choice(
                say("lobby.house.seats" if n else "lobby.house.none", lang, n=n),
                Invite(table.id, n).payload,
                chosen=n == house,
            )
            for n in range(most + 1)
        ),
    )


def _level_select(table: Table, lang: str, *, starting: bool = False) -> Select:
    """Return the select for the strength of the house. *starting*: the house takes the missing seats."""
    return Select(
        say("lobby.level", lang),
        select_payload(ChooseLevel(table.id, 0)),
        tuple(
            Choice(
                say(f"level.{level}", lang),
                ChooseLevel(table.id, n, starting).payload,
                chosen=level == table.level,
            )
            for n, level in enumerate(Level)
        ),
    )


def too_few(table: Table, lang: str) -> Reply:
    """Return the answer to a start with too few players: the house can take the missing seats at a chosen strength."""
    play = button(Invite(table.id), lang, Style.MAIN)
    label = "button.close" if table.alone else "button.wait_others"
    wait = button(Close(table.id), lang, label=say(label, lang))
    text = say("lobby.too_few.alone", lang) if table.alone else say("lobby.too_few", lang, n=missing(table))
    return Reply(text=text, rows=(_level_select(table, lang, starting=True), (play, wait)), role=Role.MENU)


def _colour_select(table: Table, person: PersonId, lang: str) -> tuple[Select, ...]:
    seat = table.seat_of(person)
    if seat is None:
        return ()
    taken = {seat.colour for seat in table.seats if seat.person != person}
    choices = tuple(
        Choice(
            say(f"colour.{colour}", lang),
            ChooseColour(table.id, index).payload,
            chosen=table.seats[seat].colour == colour,
        )
        for index, colour in enumerate(GAMES[table.game].colours)
        if colour not in taken
    )
    payload = select_payload(ChooseColour(table.id, 0))
    return (Select(say("lobby.colour", lang), payload, choices),) if choices else ()


def settings(
    scope: str,
    values: Mapping[str, str],
    page: int,
    manages: bool,
    lang: str,
    autos: Mapping[Setting, str],
    notes: Sequence[str] = (),
    *,
    alone: bool = False,
) -> Reply:
    """Return a page of the settings of the reader ("me") or of this place ("place"). *autos*: the current meaning of
    "auto" for each setting, if known. *notes*: extra lines about the settings. *alone*: no other person is here."""
    on = _settings_in_pages(scope, lang)
    pages = max(on.values()) + 1
    page = min(max(page, 0), pages - 1)
    selects = tuple(
        _select(kind, chosen(kind, values), lang, partial(Set, scope, number), scope=scope, auto=autos.get(kind, ""))
        for number, kind in ((number, _kinds(scope)[number]) for number, there in on.items() if there == page)
    )
    way = [button(Settings(scope, (page + 1) % pages), lang, label=onward(page, pages, lang))]
    if manages:
        other = "me" if scope == "place" else "place"
        way.append(button(Settings(other), lang, label=say(f"settings.{other}", lang)))
    if scope != "place":
        way.append(button(Privacy(), lang))
    elif not alone:
        way.append(blocks.list_of(lang, here=True))
    way.append(close(lang))
    return Reply(
        title=say(f"settings.{scope}", lang),
        text="\n".join([say(f"settings.{scope}.about", lang), *notes]),
        rows=(*selects, tuple(way)),
        role=Role.MENU,
        secret=scope != "place",
    )


def with_thread(shown: Reply, lang: str) -> Reply:
    """Return a page of a place's settings with the button that gives the puzzle of the day a thread."""
    *selects, way = shown.rows
    return replace(shown, rows=(*selects, (button(DailyThread(), lang),), way))


def page_of(setting: int, scope: str, lang: str) -> int:
    """Return the page that shows setting number *setting* of *scope*."""
    return _settings_in_pages(scope, lang)[setting]


def _kinds(scope: str) -> Sequence[Setting]:
    return OF_PLACE if scope == "place" else OF_PERSON


def _settings_in_pages(scope: str, lang: str) -> dict[int, int]:
    """Return the settings' numbers in display order (the time zones last), each with its page."""
    kinds = _kinds(scope)
    order = sorted(range(len(kinds)), key=lambda number: kinds[number] is ZONE)
    heights = (_height([_choice(kinds[n], choice, lang, scope) for choice in kinds[n].choices]) for n in order)
    return dict(zip(order, pages_of(heights), strict=True))


def _select(
    setting: Setting, value: str, lang: str, request: Callable[[int], Request], *, scope: str = "", auto: str = ""
) -> Select:
    """Return a setting as a select. *request*: returns the request for a choice by its number. *auto*: the current
    meaning of the choice "auto"."""
    return Select(
        _label(setting, lang, scope),
        select_payload(request(0)),
        tuple(
            Choice(
                _choice(setting, choice, lang, scope, auto if choice == "auto" else ""),
                request(index).payload,
                chosen=choice == value,
            )
            for index, choice in enumerate(setting.choices)
        ),
    )


def _label(setting: Setting, lang: str, scope: str) -> str:
    """Return the name of a setting; some have a different name if they belong to a place."""
    return texts.find("table", f"setting.{scope}.{setting.name}", lang) or say(f"setting.{setting.name}", lang)


def _choice(setting: Setting, choice: str, lang: str, scope: str, now: str = "") -> str:
    """Return the label of a choice; languages are named in themselves. *now*: the current meaning of "auto"."""
    if now:
        return say(
            "setting.now", lang, choice=_choice(setting, choice, lang, scope), now=_choice(setting, now, lang, "")
        )
    if setting is ZONE:
        return city(choice, lang)
    if setting is DAILY and choice.isdigit():
        return say("setting.daily.hour", lang, hour=f"{int(choice):02}:00")
    of_scope = texts.find("table", f"setting.{scope}.{setting.name}.{choice}", lang)
    return of_scope or texts.find("table", f"setting.{setting.name}.{choice}", lang) or choice
