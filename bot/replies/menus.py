"""Tap to move: legal actions as buttons, one part of the notation after another (see `bot.replies.tree`), built from
a view alone."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

import texts
from bot.chat import WIDE, Button, Reply, Role, Select, Style
from bot.replies.buttons import backward, button, in_rows, onward
from bot.replies.decision import AtTable, Decision
from bot.replies.tree import NextPart, Path, Tree
from bot.requests import Missed, More, Since
from bot.tables import forced_actions
from bot.tables.logbook import catches_up, effective, is_mid_turn
from bot.tables.table import By, Entry, Phase, Step, Table
from renderers.notation import kind
from rules import GAMES, Action, State

Rows = tuple[tuple[Button, ...], ...]

FEW = 8  # maximum number of actions offered as whole actions, by one tap instead of one per part
SHORT = 20  # maximum length of such a label, in characters
ROWS = 4  # rows of choices; Discord's fifth row is for going back and paging
WIDEST = 5  # maximum buttons in a row, on every platform
ON_A_PAGE = WIDEST * ROWS  # choices with short labels
FEW_WORDS = 1  # maximum number of words beside fields that go into the last row
MOST_LEADS = 4  # choices named before the range of a page
NAME = 8  # maximum length of a player's name on a button, in characters


def word(game: str, part: str, lang: str) -> str:
    """Return the label of a part of the notation. Parts that place something on a field get an arrow.

    >>> word("colorio", ">d4", "en"), word("colorio", "x", "en")
    ('→d4', 'Discard')
    """
    return texts.find(game, f"part.{part}", lang) or part.replace(">", "→")


def hint(game: str, view: State, action: Action, part: int, lang: str) -> str:
    """Return the words for the thing that a part of *action* points to, or ""."""
    return _hinted(game, view.hint(action, part) or "", lang)


def _hinted(game: str, ids: str, lang: str) -> str:
    return " ".join(filter(None, (texts.find(game, f"hint.{id_}", lang) for id_ in ids.split())))


def label(decision: Decision, view: State, action: Action, part: int, lang: str, room: int = WIDE) -> str:
    """Return a part of *action* with a hint of the thing there, and its owner's name if that is another player. The
    name is shortened to fit *room* characters."""
    text = _labelled_part(decision.game, action.parts[part], view.hint(action, part) or "", lang)
    whose = _whose(decision, view, action, part, lang, min(NAME, room - len(text) - 1))
    return f"{text} {whose}" if whose else text


@lru_cache(4096)  # a menu has dozens of labels, and its board uses the same ones
def _labelled_part(game: str, part: str, ids: str, lang: str) -> str:
    """Return a part and its hint; only the hint if it repeats the part: "½ Agree to a draw", not "Draw ½ Agree to a
    draw"."""
    text, hinted = word(game, part, lang), _hinted(game, ids, lang)
    is_said = len(text) > 1 and text.isalpha() and text.lower() in hinted.lower().split()
    return hinted if is_said else f"{text} {hinted}".rstrip()


def _whose(decision: Decision, view: State, action: Action, part: int, lang: str, most: int) -> str:
    """Return the owner's name in at most *most* characters, or "" if it would add nothing."""
    seat = view.owner_at(action, part)
    if seat is None or seat == view.actor or most < 2 or seat >= len(decision.names(lang)):
        return ""
    name = decision.names(lang)[seat].split()[0]
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _meets(view: State, action: Action, part: int) -> bool:
    """Return whether a part of *action*, except the first, points to a thing of another player."""
    return part != 0 and view.owner_at(action, part) not in (None, view.actor)


def _rank(view: State, action: Action, part: int, is_whole: bool) -> int:
    """Return the sort key of a part of *action*: other players' things first, actions that need a confirmation last.
    *is_whole*: the part completes the action."""
    if is_whole and view.warns(action) is not None:
        return 2
    return 0 if _meets(view, action, part) else 1


def question(
    game: str, view: State, action: Action, part: int, lang: str, *, only: bool, is_last_turn: bool = False
) -> str:
    """Return the question for a part of *action*, after the effect that every action has. For the *only* choice a game
    may have another text, or the rule that forces it; for a last turn, one that is silent about later turns; for a
    restriction, one that names only possible moves."""
    if only and (code := view.obligation()):
        return texts.say(game, f"obliged.{code}", lang)
    key = f"ask.{kind(action)}.{part}"
    ask = (texts.find(game, f"{key}.only", lang) if only else "") or (
        texts.find(game, f"{key}.last", lang) if is_last_turn else ""
    )
    if part == 0 and (code := view.restriction()):
        ask = texts.say(game, f"restricted.{code}", lang)
    ask = ask or texts.say(game, key, lang)
    effect = view.inevitable() if part == 0 else None
    return ask if effect is None else f"{texts.say(game, f'inevitable.{effect}', lang)} {ask}"


def _for_whom(decision: Decision, view: State, action: Action, part: int, lang: str) -> str:
    """Return the question for *part* of *action* with the name of the player whose thing the part before points to,
    or "" if the game has no such text."""
    key = f"ask.{kind(action)}.{part}.for"
    if part == 0 or not texts.knows(decision.game, key):
        return ""
    seat = view.owner_at(action, part - 1)
    if seat is None or seat == view.actor or seat >= len(decision.names(lang)):
        return ""
    sign = _sign(decision.game, action.parts[part - 1], lang)
    return texts.say(decision.game, key, lang, who=decision.names(lang)[seat], sign=sign)


def legend(game: str, action: Action, rows: Iterable[tuple[Button, ...] | Select], lang: str) -> str:
    """Return the meanings of the signs on the buttons of *rows*. *action*: one of the actions that they play."""
    known = {
        meaning.split()[0]: meaning
        for meaning in (texts.find(game, f"legend.{kind(action)}", lang) or "").split(", ")
        if meaning
    }
    labels = " ".join(button.label for row in rows if not isinstance(row, Select) for button in row)
    there = set[str]()
    for sign in sorted(known, key=len, reverse=True):  # a longer sign may contain another one
        if sign in labels:
            there.add(sign)
            labels = labels.replace(sign, "")
    meanings = [meaning for sign, meaning in known.items() if sign in there]
    return f" ({', '.join(meanings)})" if meanings else ""


def menu(
    decision: Decision,
    view: State,
    tree: Tree,
    path: Path,
    page: int,
    lang: str,
    *,
    can_undo: bool = False,
    more: tuple[Button, ...] = (),
    first: Sequence[str] = (),
    quick: bool = False,
) -> Reply:
    """Return the menu for the part after *path* in the *tree* of *view*, in pages. A stale path starts again from
    the beginning.

    Choices that affect another player's things come first, actions that need a confirmation last. *can_undo*: the turn
    has begun, and its last action revealed nothing, so a step back takes it back. *more*: buttons below the choices.
    *first*: the parts that come first if there are several pages. *quick*: few actions are whole, even on a board.
    """
    if not tree.after(path):
        page = 0
    path, options = tree.arrived(path)
    options = tuple(sorted(options, key=lambda option: _rank(view, option.sample, len(path), option.index is not None)))
    before = _before(tree, path)
    is_whole = quick and not path and bool(_whole(decision, view, tree, path, lang))
    board = () if is_whole else next(filter(None, (_board(grid, options) for grid in GAMES[decision.game].grids)), ())
    if board:
        words = tuple(option for option in options if option.part not in {part for row in board for part in row})
        more = (*_aside(decision, view, words, lang), *more)

        def laid_out(part: Board, page: int, pages: list[Page]) -> Rows:
            way = _way(decision, path, before, page, pages, lang, can_undo)
            return (*_as_on_the_board(decision, view, part, options, lang), (*more, *way))

        reply = _reply(decision, view, path, options, laid_out(board, 0, []), lang)
        if len(board[0]) <= WIDEST:
            return reply
        halves = _halves(board, options)
        page %= len(halves)
        pages = [Page(f"{_column(half[-1][0])}–{_column(half[-1][-1])}", ()) for half in halves]
        return replace(reply, narrow_rows=laid_out(halves[page], page, pages))
    joined = _joined(decision, view, tree, path, lang)
    if joined:
        way = _way(decision, path, before, 0, [], lang, can_undo)
        return _reply(decision, view, path, options, (*joined, (*more, *way)), lang, asks=2)
    pages = _pages(decision, view, tree, path, options, lang, first)
    rest = [button for other in pages[1:] for row in other.rows for button in row]
    last = (*rest, *more, *_way(decision, path, before, 0, pages[:1], lang, can_undo))
    if rest and len(last) <= min(WIDEST, max(map(len, pages[0].rows)) + 2):  # too few for a page of their own
        return _reply(decision, view, path, options, (*pages[0].rows, last), lang)
    page = min(max(page, 0), len(pages) - 1)
    way = _way(decision, path, before, page, pages, lang, can_undo)
    return _reply(decision, view, path, options, _closed(pages[page].rows, (*more, *way)), lang, pages[page].shows)


def _closed(rows: Rows, way: tuple[Button, ...]) -> Rows:
    """Return *rows* followed by the *way* out; a single button goes into the last row if there is room."""
    if len(way) == 1 and len(rows[-1]) < max(map(len, rows)):
        return (*rows[:-1], (*rows[-1], *way))
    return (*rows, way)


Board = tuple[tuple[str, ...], ...]


def _board(grid: Board, options: tuple[NextPart, ...]) -> Board:
    """Return the part of *grid* that holds the choices (a small grid as a whole), or () if more than a word or two
    is not on it."""
    parts = {option.part for option in options}
    there = parts & {part for row in grid for part in row}
    if not there or len(parts - there) > FEW_WORDS:
        return ()
    if len(grid[0]) <= WIDEST:
        return grid if there == parts else ()
    columns = [n for n in range(len(grid[0])) if any(row[n] in there for row in grid)]
    rows = [n for n, row in enumerate(grid) if there & set(row)]
    return tuple(row[columns[0] : columns[-1] + 1] for row in grid[rows[0] : rows[-1] + 1])


def _halves(board: Board, options: tuple[NextPart, ...]) -> tuple[Board, Board]:
    """Return the left and right half of *board*, the one with more choices first."""
    middle, parts = -(-len(board[0]) // 2), {option.part for option in options}
    left, right = tuple(row[:middle] for row in board), tuple(row[middle:] for row in board)
    more = sum(part in parts for row in right for part in row) > sum(part in parts for row in left for part in row)
    return (right, left) if more else (left, right)


def _column(field: str) -> str:
    """Return the column of a field.

    >>> _column("b3")
    'b'
    """
    return field.rstrip("0123456789")


def _aside(decision: Decision, view: State, words: tuple[NextPart, ...], lang: str) -> tuple[Button, ...]:
    """Return the choices beside the board, such as a pass, as plain buttons."""
    labels = (label(decision, view, option.sample, len(option.path) - 1, lang) for option in words)
    return tuple(
        replace(_button(decision, view, option, text), style=Style.PLAIN)
        for option, text in zip(words, labels, strict=True)
    )


class Page(Struct, frozen=True):
    """Choices that fit under one message. *name*: the range of its choices, if there are several pages. *leads*:
    choices that come before that range, out of order."""

    name: str
    rows: Rows
    leads: tuple[str, ...] = ()

    @property
    def shows(self) -> str:
        """Return the contents of the page in a few words."""
        many = len(self.leads) > MOST_LEADS
        leads = (*self.leads[: MOST_LEADS - 1], "…") if many else self.leads
        return ", ".join((*leads, self.name)) if self.name else ""


def _pages(
    decision: Decision,
    view: State,
    tree: Tree,
    path: Path,
    options: tuple[NextPart, ...],
    lang: str,
    first: Sequence[str],
) -> list[Page]:
    """Return the choices after *path* in rows and pages. If there are fields and words, the words have rows of their
    own so that they do not widen the fields: above if the game lists a word first, below otherwise. Parts of *first*
    that would be on a later page come first on the first page."""
    whole = _whole(decision, view, tree, path, lang)
    labels = list(whole) or [label(decision, view, option.sample, len(path), lang) for option in options]
    buttons = list(whole.values()) or [
        _button(decision, view, option, text) for option, text in zip(options, labels, strict=True)
    ]
    if not whole and any(option.index is None for option in options):  # an action that ends the turn must not stand out
        buttons = [replace(button, style=Style.PLAIN) for button in buttons]
    named = [] if whole else [texts.knows(decision.game, f"part.{option.part}") for option in options]
    apart = [button for button, is_word in zip(buttons, named, strict=False) if is_word]
    if len(apart) == len(buttons):
        apart = []
    rest = [n for n in range(len(buttons)) if not (apart and named[n])]
    widest = max((len(labels[n]) for n in rest), default=1)
    columns = 2 if whole and widest > 9 else _columns(widest)
    words = in_rows(apart, 3)
    above, below = (words, ()) if apart and named[0] else ((), words)
    room = columns * (ROWS - len(words))
    leading: list[int] = []
    if len(rest) > room and not whole:
        by_part = {options[n].part: n for n in rest[room - columns :]}
        leading = [by_part[part] for part in first[:columns] if part in by_part]
        room -= columns * bool(leading)
    pages: list[Page] = []
    while rest or not pages:
        here, rest = rest[:room], rest[room:]
        shown = [options[n] for n in here] if rest or pages else []
        name, leads = _range(view, shown, len(path)), _leads(view, shown, len(path))
        rows = *in_rows([buttons[n] for n in leading], columns), *in_rows([buttons[n] for n in here], columns)
        pages.append(Page(name, (*above, *rows, *below), (*(options[n].part for n in leading), *leads)))
        leading, above, below, room = [], (), (), _share(len(rest), columns)
    return pages


def _share(count: int, columns: int) -> int:
    """Return the number of choices on the next page, so that the pages have about equal lengths.

    >>> _share(40, 5), _share(21, 5), _share(0, 5)
    (20, 15, 0)
    """
    rows = -(-count // columns)
    pages = -(-rows // ROWS)
    return columns * -(-rows // pages) if pages else 0


def _range(view: State, options: Sequence[NextPart], part: int) -> str:
    """Return the first and the last of *options* in their order, without those that are sorted before or after the
    rest. A page of actions that need a confirmation is marked with a sign."""
    if not options:
        return ""
    ranks = [_rank(view, option.sample, part, option.index is not None) for option in options]
    listed = [option for option, rank in zip(options, ranks, strict=True) if rank == 1] or options
    sign = "⚠ " if set(ranks) == {2} else ""
    return sign + "–".join(dict.fromkeys(listed[n].part.lstrip(">") for n in (0, -1)))


def _leads(view: State, options: Sequence[NextPart], part: int) -> list[str]:
    """Return those of *options* that come before the others and are outside their range."""
    ranks = [_rank(view, option.sample, part, option.index is not None) for option in options]
    return [option.part for option, rank in zip(options, ranks, strict=True) if rank == 0] if 1 in ranks else []


def _columns(widest: int) -> int:
    """Return how many buttons fit side by side if the longest label has *widest* characters."""
    return next((columns for columns, room in ((5, 5), (4, 9), (3, 14)) if widest <= room), 2)


def _joined(decision: Decision, view: State, tree: Tree, path: Path, lang: str) -> Rows:
    """Return one button for the two remaining parts of every action after *path*, a row per first part; () if there
    are too many, if labels are too long, or if whole actions fit."""
    if not 1 < len(tree.after(path)) <= ROWS:  # checked first: it is cheap
        return ()
    actions, depth = tree.under(path), len(path)
    if any(len(action.parts) != depth + 2 for _, action in actions) or _whole(decision, view, tree, path, lang):
        return ()
    counts = Counter(action.parts[depth] for _, action in actions)
    if max(counts.values()) > WIDEST:  # checked before the labels are built
        return ()
    rows: dict[str, list[Button]] = {}
    lies = _lying(decision.game)
    for index, action in sorted(actions, key=lambda numbered: lies.get(numbered[1].parts[depth + 1], 0)):
        one, other = _sign(decision.game, action.parts[depth], lang), label(decision, view, action, depth + 1, lang)
        rows.setdefault(action.parts[depth], []).append(_play(decision, view, index, action, f"{one} {other}"))
    widest = max(len(button.label) for row in rows.values() for button in row)
    if max(counts.values()) > _columns(widest):
        return ()
    return tuple(map(tuple, rows.values()))


@cache
def _lying(game: str) -> dict[str, int]:
    """Return the parts of the board's secondary grids with their reading order."""
    on_it = GAMES[game].grids[1:]
    return {part: number for grid in on_it for number, part in enumerate(chain.from_iterable(grid))}


def _sign(game: str, part: str, lang: str) -> str:
    """Return the sign that begins the label of a part, or the whole label if it has none."""
    first, *rest = word(game, part, lang).split()
    return first if rest and not first.isascii() else " ".join((first, *rest))


def offers(table: Table, view: State, entries: Iterable[Entry], lang: str) -> tuple[tuple[Button, ...] | Select, ...]:
    """Return the choices that a post shows to the actor, so that no menu has to be opened. Only games in which all
    players see every step have offers.

    *view* is a spectator's and equals the actor's; *entries* are the newest of the log.
    """
    if not GAMES[table.game].shows_steps or table.phase != Phase.RUNNING or table.is_resting:
        return ()
    if table.ask is not None or table.is_overdue or view.actor is None:
        return ()
    decides = forced_actions.decides(Step(table, view))
    if decides in (By.HOUSE, By.CHANNEL, By.REMOTE) or (decides == By.TABLE and not is_mid_turn(table, entries)):
        return ()
    more = (*catching_up(table, view, entries, lang), button(More(table.id), lang))
    return menu(AtTable(table, view.actor), view, Tree.of(table.game, view), (), 0, lang, more=more).rows


def catching_up(table: Table, view: State, entries: Iterable[Entry], lang: str) -> tuple[Button, ...]:
    """Return the button that shows the actor what has happened since their last turn, or () if that was one action;
    if boards do not stay, () if no other player has acted yet.

    *view* is a spectator's; *entries* are the newest of the log.
    """
    if view.forgets:
        others = any(entry.seat != view.actor for entry in effective(entries))
        return (button(Missed(table.id), lang),) if others else ()
    if (
        view.actor is None
        or not table.seats[view.actor].is_played_by_person
        or not catches_up(table, entries, view, view.actor)
    ):
        return ()
    return (button(Since(table.id), lang),)


def _whole(decision: Decision, view: State, tree: Tree, path: Path, lang: str) -> dict[str, Button]:
    """Return every action after *path* as one button, by label; {} if there are too many or if labels are too long."""
    actions = tree.under(path)
    if len(actions) > FEW:
        return {}
    buttons: dict[str, Button] = {}
    firsts, lies = [option.part for option in tree.after(path)], _lying(decision.game)

    def drawn_order(numbered: tuple[int, Action]) -> tuple[int, int, int]:
        """Keep choices of a secondary grid in the order in which it is drawn."""
        _, action = numbered
        first, last = action.parts[len(path)], action.parts[-1]
        return _rank(view, action, len(path), True), firsts.index(first), lies.get(last, 0)

    for index, action in sorted(actions, key=drawn_order):
        parts = range(len(path), len(action.parts))
        text = " → ".join(label(decision, view, action, part, lang) for part in parts)
        buttons[text] = _play(decision, view, index, action, text)
    return buttons if max(map(len, buttons), default=0) <= SHORT and len(buttons) == len(actions) else {}


def leads(decision: Decision, option: NextPart) -> str:
    """Return the payload for a part: it plays the action if the part completes one, and otherwise asks for the next
    part."""
    request = decision.part(option.path) if option.index is None else decision.play(option.index)
    return request.payload


def _button(decision: Decision, view: State, option: NextPart, text: str) -> Button:
    style = Style.PLAIN if option.index is None else _style(view, option.sample)
    return Button(text, leads(decision, option), style)


def _play(decision: Decision, view: State, index: int, action: Action, text: str) -> Button:
    return Button(text, decision.play(index).payload, _style(view, action))


def _style(view: State, action: Action) -> Style:
    """Return a plain style for actions that need a confirmation."""
    return Style.MAIN if view.warns(action) is None else Style.PLAIN


def _as_on_the_board(decision: Decision, view: State, board: Board, options: tuple[NextPart, ...], lang: str) -> Rows:
    """Return the choices arranged like the board, one row per board row, with a dot for fields that cannot be
    chosen."""
    room = WIDE // len(board[0])
    by_part = {option.part: option for option in options}
    nothing = Button("·", decision.nothing.payload, Style.BLANK)
    return tuple(
        tuple(
            _button(decision, view, option, label(decision, view, option.sample, len(option.path) - 1, lang, room))
            if (option := by_part.get(part)) is not None
            else nothing
            for part in row
        )
        for row in board
    )


def _reply(
    decision: Decision,
    view: State,
    path: Path,
    options: tuple[NextPart, ...],
    rows: Rows,
    lang: str,
    page: str = "",
    asks: int = 1,
) -> Reply:
    """Return the menu with the parts chosen so far and the question for the next *asks* parts. *page*: the range
    that this page shows."""
    sample = options[0].sample if options else None
    chosen = " ".join(label(decision, view, sample, part, lang) for part in range(len(path))) if sample else ""
    asked = range(len(path), len(path) + asks) if sample else ()
    only = len(options) == 1 and asks == 1
    ask = "\n".join(
        question(decision.game, view, sample, part, lang, only=only, is_last_turn=decision.is_last_turn)
        for part in asked
        if sample
    )
    if sample and asks == 1 and (own_question := _for_whom(decision, view, sample, len(path), lang)):
        ask, chosen = own_question, ""
    if sample:
        ask += legend(decision.game, sample, rows, lang)
    title = texts.say(decision.game, "name", lang)
    is_more = any("▶" in button.label for row in rows for button in row)
    shows = texts.say("table", "menu.page" if is_more else "menu.page.last", lang, page=page) if page else ""
    return Reply(
        title=f"{title} – {chosen}" if chosen else title,
        text="\n".join(filter(None, (ask, shows))),
        rows=rows,
        role=Role.MENU,
        accent=decision.accent,
    )


def _before(tree: Tree, path: Path) -> Path | None:
    """Return the last position on *path* with more than one choice, or None."""
    return next((path[:n] for n in reversed(range(len(path))) if len(tree.after(path[:n])) > 1), None)


def _way(
    decision: Decision,
    path: Path,
    before: Path | None,
    page: int,
    pages: list[Page],
    lang: str,
    can_undo: bool,
) -> tuple[Button, ...]:
    """Return the row under the choices: other pages or the reader's hand, a step back (to *before*), close."""
    back: tuple[Button, ...] = ()
    if before is not None:
        back = (button(decision.part(before), lang, label=texts.say("table", "button.back", lang)),)
    elif can_undo:
        back = (button(decision.undo(), lang, label=texts.say("table", "button.undo", lang)),)

    def leaf(number: int, text: str) -> Button:
        return Button(text, decision.part(path, number % len(pages)).payload)

    turn = [leaf(n, f"◀ {other.name}" if n < page else f"▶ {other.name}") for n, other in enumerate(pages) if n != page]
    if len(turn) + len(back) + 1 > WIDEST:
        turn = [leaf(page - 1, backward(page)), leaf(page + 1, onward(page, len(pages), lang))]
    hand = texts.find(decision.game, "hand", lang)
    if hand and decision.hand is not None and not turn:
        turn = [button(decision.hand, lang, label=hand)]
    return (*turn, *back, button(decision.close, lang))
