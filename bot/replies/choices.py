"""What is chosen in menus: seats and options before a game, the settings of a place and of a person."""

from collections.abc import Iterable, Mapping, Sequence

import texts
from bot.chat import Button, Call, Choice, Manner, Person, PersonId, Post, PublicPicture, Reply, Select, Style
from bot.house.levels import Level
from bot.replies.times import city
from bot.replies.words import close, game_name, host_name, names, say, short, whole_promise
from bot.requests import payload
from bot.requests.payload import Verb
from bot.tables.anonymous import is_house
from bot.tables.preferences import CLOCK, LATE, OF_PERSON, OF_PLACE, PINGS, ZONE, Setting, chosen, hours
from bot.tables.seating import guests, missing
from bot.tables.table import Phase, Seat, Table
from rules import GAMES

SELECTS = 4  # on a page of options: a row is left for turning pages
CHOICES = 30  # on a page, unless one list alone has more: where choices are buttons, more would not fit on a phone
LAST_PAGE = 99
HOUSE, LEVEL = "house", "level"
"""In how many seats the house plays, and how well."""


def pages_of(sizes: Iterable[int]) -> list[int]:
    """For lists of so many choices: the page on which each of them is.

    >>> pages_of([3, 2, 5, 8, 3, 25, 9])
    [0, 0, 0, 0, 1, 1, 2]
    """
    found = list[int]()
    page = lists = choices = 0
    for size in sizes:
        if lists == SELECTS or (lists and choices + size > CHOICES):
            page, lists, choices = page + 1, 0, 0
        lists, choices = lists + 1, choices + size
        found.append(page)
    return found


def lobby(table: Table, picture: PublicPicture, lang: str) -> Post:
    """Who sits at the table, the game's options, and the buttons for joining and starting."""
    lines = [
        texts.say(table.game, "tagline", lang),
        say("lobby.seats", lang, names="  ".join(_seat_in_lobby(table, n, lang) for n in range(len(table.seats)))),
        *_chosen(table, lang),
        *_without_clock(table, lang),
        *_invited(table, lang),
        _free(table, lang),
        *((say("lobby.visiting", lang),) if table.visiting else ()),
    ]
    return Post(
        title=say("lobby.title", lang, game=game_name(table.game, lang)),
        text="\n".join(lines),
        small=whole_promise(table, lang),
        picture=picture,
        rows=lobby_rows(table, lang),
    )


def inviting(seats: Sequence[Seat], lang: str) -> Call | None:
    """The line that calls the first of *seats* to a lobby; None where there is nobody."""
    if not seats:
        return None
    return Call(
        Person(seats[0].person, short(seats[0].name), seats[0].lang), say("lobby.call", lang, person="{person}")
    )


def lobby_rows(table: Table, lang: str) -> tuple[tuple[Button, ...], ...]:
    """The buttons under a lobby, or under one that ended before the game began."""
    if table.phase == Phase.OVER:
        anew = Button(say("button.new_table", lang), payload.write(Verb.NEW, table.game))
        return ((anew, Button(say("button.other_game", lang), payload.write(Verb.NEW))),)
    at_it = tuple(seat.person for seat in table.seats)
    join = Button(say("button.join", lang), payload.write(Verb.JOIN, table.id), Style.MAIN, done=at_it)
    buttons = (
        *(() if table.alone else (join,)),
        Button(say("button.start", lang), payload.write(Verb.START, table.id), Style.MAIN),
        Button(say("button.options", lang), payload.write(Verb.OPTIONS, table.id, 0)),
        Button(say("button.leave", lang), payload.write(Verb.LEAVE, table.id)),
    )
    return (
        buttons,
        (learn_button(table.game, lang), Button(say("button.rules", lang), payload.write(Verb.RULES, table.game, 0))),
    )


def learn_button(game: str, lang: str) -> Button:
    """The button that opens the lesson of *game*."""
    return Button(say("button.learn", lang), payload.write(Verb.LEARN, game))


def against_house_button(game: str, lang: str, style: Style = Style.MAIN) -> Button:
    """The button that begins *game* with the house, where nothing else is on."""
    return Button(say("button.against_house", lang), payload.write(Verb.NEW, game, 1), style)


def _invited(table: Table, lang: str) -> tuple[str, ...]:
    """Who of a rematch has not joined yet."""
    if not table.invited:
        return ()
    people = [short(seat.name) or say("somebody", lang) for seat in table.invited]
    return (say("lobby.invited", lang, names=texts.listed(people, lang)),)


def _free(table: Table, lang: str) -> str:
    """How many can join, and what the start waits for."""
    if table.alone:
        return say("lobby.free.alone", lang)
    house = guests(table)
    free = GAMES[table.game].seats[-1] - len(table.seats) + house
    waits = "house" if house and not missing(table) else "missing" if missing(table) else "ready"
    starts = "again" if table.order else "free"  # a rematch waits for nobody
    return say(f"lobby.{starts}.{waits}", lang, n=free, least=GAMES[table.game].seats[0])


def begun_lobby(table: Table, picture: PublicPicture, lang: str) -> Post:
    """What stays of a lobby whose game has begun: who plays, how, and what was promised."""
    seats = "  ".join(_seat_in_lobby(table, number, lang) for number in range(len(table.seats)))
    lines = [
        say("lobby.seats", lang, names=seats),
        *_chosen(table, lang),
        say("lobby.begun", lang),
    ]
    small = whole_promise(table, lang)
    return Post(title=game_name(table.game, lang), text="\n".join(lines), small=small, picture=picture)


def closed_lobby(table: Table, picture: PublicPicture, lang: str) -> Post:
    """A lobby that ended before the game began."""
    return Post(
        title=game_name(table.game, lang),
        text=say("lobby.closed", lang),
        picture=picture,
        rows=lobby_rows(table, lang),
    )


def _chosen(table: Table, lang: str) -> list[str]:
    """The options as they are set."""
    options = {option.name: table.options.get(option.name, option.default) for option in GAMES[table.game].options}
    of_table = [] if table.visiting else [(CLOCK, table.clock)]
    if hours(table.clock) is not None and table.late != LATE.choices[0]:
        of_table.append((LATE, table.late))
    if not table.pings and not table.visiting:
        of_table.append((PINGS, "off"))
    return [
        f"{texts.say(table.game, f'option.{name}', lang)} ▸ {texts.say(table.game, f'option.{name}.{choice}', lang)}"
        for name, choice in options.items()
    ] + [f"{_label(setting, lang, 'place')} ▸ {_choice(setting, value, lang, 'place')}" for setting, value in of_table]


def _without_clock(table: Table, lang: str) -> tuple[str, ...]:
    """What becomes of somebody who is silent where no clock runs: nobody else says so before it happens."""
    asks = hours(table.clock) is None and not table.visiting and not table.alone
    return (say("lobby.no_clock", lang),) if asks else ()


def _seat_in_lobby(table: Table, number: int, lang: str) -> str:
    seat = table.seats[number]
    host, name = "★" if seat.person == table.host else "•", names(table, lang)[number]
    if not seat.colour:
        return f"{host} {name}"
    colour = say(f"colour.{seat.colour}", lang)
    if is_house(seat.person):  # how well it plays stands in brackets already
        return f"{host} {name.removesuffix(')')}, {colour})"
    return f"{host} {name} ({colour})"


def options(table: Table, person: PersonId, page: int | str, lang: str) -> Reply:
    """What *person* may choose before the game begins: the host the game's options, everybody a colour. *page*: its
    number, or the payload of a list that is on it."""
    of_house = (_house_select(table, lang), _level_select(table, lang))
    clock = () if table.visiting else _clock_selects(table, lang)  # where nothing happens by itself
    calls = () if table.visiting else (_calls_select(table, lang),)
    of_host = (*_option_selects(table, lang), *clock, *of_house, *calls)
    selects = [*(of_host if person == table.host else ()), *_colour_select(table, person, lang)]
    on = pages_of(len(select.choices) for select in selects)
    pages = on[-1] + 1 if on else 1
    if isinstance(page, str):
        page = next((number for number, each in zip(on, selects, strict=True) if each.payload == page), 0)
    page = min(max(page, 0), pages - 1)
    rows: list[Select | tuple[Button, ...]] = [each for number, each in zip(on, selects, strict=True) if number == page]
    turn = Button(f"{page + 1}/{pages} ▶", payload.write(Verb.OPTIONS, table.id, (page + 1) % pages))
    close = Button(say("button.close", lang), payload.write(Verb.CLOSE, table.id))
    rows.append((turn, close) if pages > 1 else (close,))
    key = "options.host" if person == table.host else "options.guest" if selects else "options.none"
    return Reply(text=say(key, lang, who=host_name(table, lang)), rows=tuple(rows), manner=Manner.MENU)


def _option_selects(table: Table, lang: str) -> tuple[Select, ...]:
    return tuple(
        Select(
            texts.say(table.game, f"option.{option.name}", lang),
            payload.write(Verb.OPTION, table.id, number),
            tuple(
                Choice(
                    texts.say(table.game, f"option.{option.name}.{choice}", lang),
                    payload.write(Verb.OPTION, table.id, number, index),
                    chosen=table.options.get(option.name, option.default) == choice,
                )
                for index, choice in enumerate(option.choices)
            ),
        )
        for number, option in enumerate(GAMES[table.game].options)
    )


def _clock_selects(table: Table, lang: str) -> tuple[Select, ...]:
    return (
        _select(CLOCK, table.clock, lang, Verb.CLOCK, table.id),
        _select(LATE, table.late, lang, Verb.LATE, table.id),
    )


def _calls_select(table: Table, lang: str) -> Select:
    return _select(PINGS, "on" if table.pings else "off", lang, Verb.CALLS, table.id, scope="place")


def _house_select(table: Table, lang: str) -> Select:
    """In how many seats the house plays along."""
    house = guests(table)
    most = GAMES[table.game].seats[-1] - len(table.seats) + house
    return Select(
        say("lobby.house", lang),
        payload.write(Verb.HOUSE, table.id),
        tuple(
            Choice(
                say("lobby.house.seats" if n else "lobby.house.none", lang, n=n),
                payload.write(Verb.HOUSE, table.id, n),
                chosen=n == house,
            )
            for n in range(most + 1)
        ),
    )


def _level_select(table: Table, lang: str, *starting: int) -> Select:
    """How well the house plays. *starting*: 1 where it is to sit in."""
    return Select(
        say("lobby.level", lang),
        payload.write(Verb.LEVEL, table.id),
        tuple(
            Choice(
                say(f"level.{level}", lang),
                payload.write(Verb.LEVEL, table.id, n, *starting),
                chosen=level == table.level,
            )
            for n, level in enumerate(Level)
        ),
    )


def too_few(table: Table, lang: str) -> Reply:
    """Somebody is missing; the house would sit in, as well as the host likes."""
    play = Button(say("button.against_house", lang), payload.write(Verb.HOUSE, table.id), Style.MAIN)
    label = "button.close" if table.alone else "button.wait_others"
    wait = Button(say(label, lang), payload.write(Verb.CLOSE, table.id))
    text = say("lobby.too_few.alone", lang) if table.alone else say("lobby.too_few", lang, n=missing(table))
    return Reply(text=text, rows=(_level_select(table, lang, 1), (play, wait)), manner=Manner.MENU)


def _colour_select(table: Table, person: PersonId, lang: str) -> tuple[Select, ...]:
    seat = table.seat_of(person)
    if seat is None:
        return ()
    taken = {each.colour for each in table.seats if each.person != person}
    choices = tuple(
        Choice(
            say(f"colour.{colour}", lang),
            payload.write(Verb.COLOUR, table.id, index),
            chosen=table.seats[seat].colour == colour,
        )
        for index, colour in enumerate(GAMES[table.game].colours)
        if colour not in taken
    )
    return (Select(say("lobby.colour", lang), payload.write(Verb.COLOUR, table.id), choices),) if choices else ()


def settings(
    scope: str,
    values: Mapping[str, str],
    page: int,
    manages: bool,
    lang: str,
    autos: Mapping[Setting, str],
    notes: Sequence[str] = (),
) -> Reply:
    """The settings of the reader ("me") or of this place, in pages. *autos*: what the choice "auto" comes to just now,
    where that is known. *notes*: lines on what is set."""
    on = _settings_in_pages(scope)
    pages = max(on.values()) + 1
    page = min(max(page, 0), pages - 1)
    selects = tuple(
        _select(kind, chosen(kind, values), lang, Verb.SET, scope, number, scope=scope, auto=autos.get(kind, ""))
        for number, kind in ((number, _kinds(scope)[number]) for number, there in on.items() if there == page)
    )
    way = [Button(f"{page + 1}/{pages} ▶", payload.write(Verb.SETTINGS, scope, (page + 1) % pages))]
    if manages:
        other = "me" if scope == "place" else "place"
        way.append(Button(say(f"settings.{other}", lang), payload.write(Verb.SETTINGS, other, 0)))
    if scope != "place":
        way.append(Button(say("button.privacy", lang), payload.write(Verb.PRIVACY)))
    way.append(close(lang))
    return Reply(
        title=say(f"settings.{scope}", lang),
        text="\n".join([say(f"settings.{scope}.about", lang), *notes]),
        rows=(*selects, tuple(way)),
        manner=Manner.MENU,
        secret=scope != "place",
    )


def page_of(setting: int, scope: str) -> int:
    """The page of the settings on which that number of a setting is."""
    return _settings_in_pages(scope)[setting]


def _kinds(scope: str) -> Sequence[Setting]:
    return OF_PLACE if scope == "place" else OF_PERSON


def _settings_in_pages(scope: str) -> dict[int, int]:
    """The numbers of the settings as they are shown, the long list last, and the page of each."""
    kinds = _kinds(scope)
    order = sorted(range(len(kinds)), key=lambda number: kinds[number] is ZONE)
    return dict(zip(order, pages_of(len(kinds[number].choices) for number in order), strict=True))


def _select(
    setting: Setting, value: str, lang: str, verb: Verb, word: str, *numbers: int, scope: str = "", auto: str = ""
) -> Select:
    """A setting as a select; the payload ends with the number of the choice. *auto*: what that choice comes to."""
    return Select(
        _label(setting, lang, scope),
        payload.write(verb, word, *numbers),
        tuple(
            Choice(
                _choice(setting, choice, lang, scope, auto if choice == "auto" else ""),
                payload.write(verb, word, *numbers, index),
                chosen=choice == value,
            )
            for index, choice in enumerate(setting.choices)
        ),
    )


def _label(setting: Setting, lang: str, scope: str) -> str:
    """What a setting is called; some are called otherwise where they are of a place."""
    return texts.find("table", f"setting.{scope}.{setting.name}", lang) or say(f"setting.{setting.name}", lang)


def _choice(setting: Setting, choice: str, lang: str, scope: str, now: str = "") -> str:
    """A choice in words; names of languages stand for themselves. *now*: the choice that it comes to."""
    if now:
        return say(
            "setting.now", lang, choice=_choice(setting, choice, lang, scope), now=_choice(setting, now, lang, "")
        )
    if setting is ZONE:
        return city(choice, lang)
    of_scope = texts.find("table", f"setting.{scope}.{setting.name}.{choice}", lang)
    return of_scope or texts.find("table", f"setting.{setting.name}.{choice}", lang) or choice
