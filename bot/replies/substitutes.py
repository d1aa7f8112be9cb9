"""Private answers about substitutes."""

from bot.chat import Button, Reply, Role, Style
from bot.replies.buttons import button
from bot.replies.words import game_name, names, say
from bot.requests import Close, Substitute, TakeSeat
from bot.tables import rating
from bot.tables.table import Offer, Table


def offering(table: Table, seat: int, lang: str) -> Reply:
    """Return the choices of the person of *seat*: to look for a substitute, or no longer."""
    offer, counts = table.seats[seat].offer, rating.counts(table) and table.seats[seat].rated
    asks = button(Substitute(table.id, 2), lang, label=say("button.substitute.ask", lang))
    first = counts and offer is not Offer.AGREED and table.ask is None
    if offer is None:
        looks = button(Substitute(table.id, 1), lang, Style.DANGER, label=say("button.substitute.look", lang))
        stays = button(Close(table.id), lang, label=say("button.no", lang))
        return _menu("substitute", counts, (looks, *((asks,) if first else ()), stays), table, lang)
    key = "substitute.agreed" if offer is Offer.AGREED else "substitute.looking"
    ends = button(Substitute(table.id, 0), lang, label=say("button.substitute.stop", lang))
    return _menu(key, counts, (ends, *((asks,) if first else ()), button(Close(table.id), lang)), table, lang)


def taking(table: Table, seat: int, lang: str) -> Reply:
    """Return the choices of a person who may take *seat*: unrated, rated, or not."""
    counts, style = rating.counts(table), Style.MAIN
    unrated = button(TakeSeat(table.id, seat, 0), lang, style, label=say("button.take.yes", lang))
    rated = button(TakeSeat(table.id, seat, 1), lang, label=say("button.take.rated", lang))
    no = button(Close(), lang, label=say("button.rather_not", lang))
    buttons = (unrated, *((rated,) if counts else ()), no)
    return _menu("take", counts, buttons, table, lang, who=names(table, lang)[seat])


def _menu(key: str, counts: bool, buttons: tuple[Button, ...], table: Table, lang: str, **facts: str) -> Reply:
    """*counts*: the game is rated, which a second line explains."""
    lines = [say(key, lang, game=game_name(table.game, lang), **facts)]
    if counts:
        lines.append(say(f"{key}.counts", lang))
    return Reply(text="\n".join(lines), rows=(buttons,), role=Role.MENU, secret=True)
