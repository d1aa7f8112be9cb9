"""Settings of people and places, with a few choices each, and the calm times that follow from them. Pure.

A value that is not among the choices counts as the default. Dates are stored as ``2026-12-24``.
"""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import Struct

import texts

AWAY_DAYS_A_YEAR = 30
ZONES = (
    "UTC",
    "Europe/Berlin",
    "Europe/London",
    "Europe/Lisbon",
    "Europe/Paris",
    "Europe/Helsinki",
    "Europe/Istanbul",
    "Europe/Moscow",
    "Africa/Johannesburg",
    "Asia/Dubai",
    "Asia/Kolkata",
    "Asia/Bangkok",
    "Asia/Shanghai",
    "Asia/Tokyo",
    "Australia/Perth",
    "Australia/Sydney",
    "Pacific/Auckland",
    "Pacific/Honolulu",
    "America/Anchorage",
    "America/Los_Angeles",
    "America/Denver",
    "America/Chicago",
    "America/New_York",
    "America/Sao_Paulo",
    "Atlantic/Azores",
)


class ClockKind(Struct, frozen=True):
    """The time for a turn; or, with a *gain*, a bank of time for each seat (`bot.tables.banks`).

    *length*: for each turn, or in the bank at the beginning. *gain*: what a turn adds to the bank. *most*: its cap.
    """

    length: timedelta
    gain: timedelta = timedelta(0)
    most: timedelta = timedelta(0)


_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)
CLOCKS: Mapping[str, ClockKind | None] = {
    "none": None,
    "1h": ClockKind(_HOUR),
    "8h": ClockKind(8 * _HOUR),
    "1d": ClockKind(_DAY),
    "3d": ClockKind(3 * _DAY),
    "7d": ClockKind(7 * _DAY),
    "1h+10m": ClockKind(_HOUR, _HOUR / 6, 3 * _HOUR),
    "12h+12h": ClockKind(12 * _HOUR, 12 * _HOUR, 3 * _DAY),
    "3d+1d": ClockKind(3 * _DAY, _DAY, 7 * _DAY),
}
"""The clocks of a table by their names, with texts ``setting.clock.<name>``."""


class Setting(Struct, frozen=True):
    """A setting with texts ``setting.<name>`` and ``setting.<name>.<choice>``; the first choice is the default."""

    name: str
    choices: tuple[str, ...]


LANG = Setting("lang", ("auto", *texts.languages()))
THEME = Setting("theme", ("auto", "dark", "light"))
PINGS = Setting("pings", ("on", "off"))
QUIET = Setting("quiet", ("off", "22-7", "23-8", "0-8", "8-17"))
ZONE = Setting("zone", ZONES)
AWAY = Setting("away", ("0", "1", "2", "3", "5", "7", "10", "14"))
CLOCK = Setting("clock", ("1d", *(clock for clock in CLOCKS if clock != "1d")))
OPENS = Setting("opens", ("all", "managers"))

VOTINGS = {"10m": timedelta(minutes=10), "1h": timedelta(hours=1), "6h": timedelta(hours=6), "24h": timedelta(days=1)}
VOTING = Setting("voting", tuple(VOTINGS))
"""The time in which the people of a channel vote on its turn."""

BALLOT = Setting("ballot", ("open", "anonymous"))
"""Whether the board names the people who voted for the turn that was played."""

NEWCOMERS = Setting("newcomers", ("vote", "wait"))
"""Whether people may vote who joined the place less than a day ago, if the platform tells when they joined."""

DAILY = Setting("daily", ("off", *map(str, range(0, 24, 2))))
"""The hour, in UTC, at which a place gets the puzzle of the day."""

RIVALS = Setting("rivals", ("on", "off"))
"""Whether the channel of a place may be invited by channels of other places, and invite them."""

HIDDEN = Setting("hidden", ("off", "on"))
"""Whether a person is hidden from the statistics that others see."""

ON_TIMEOUT = Setting("late", ("ask", "play", "seat"))
"""The consequence of a timeout: the others decide, the house plays this turn, or the house takes the
seat. A game of two ends when a seat is taken: the other player wins."""

# Buttons carry indexes: append settings and choices at the end.
OF_PERSON = (LANG, PINGS, QUIET, ZONE, AWAY, THEME)
OF_PLACE = (LANG, CLOCK, THEME, PINGS, OPENS, DAILY, BALLOT, NEWCOMERS, RIVALS)
AWAY_UNTIL = "away_until"  # the first day back
DAILY_LANG = "daily_lang"  # the language of that puzzle, if the place has chosen none
DAILY_MOVED = "daily_moved"  # the thread to which the puzzles of the place went
DAILY_CALLS, DAILY_NAME = "daily_calls", "daily_name"  # the person of a private chat who is called to it
UNDER_WAY = "lesson"  # the exercise that a person saw last, whose next answer can be typed: of a lesson or a puzzle
AWAY_USED = "away_used"  # "2026:12", days away in that year
CALLING = (PINGS.name, QUIET.name, ZONE.name, AWAY_UNTIL)
"""The settings that are copied to a person's seats, so that a table can call them without a look-up."""


def similar_zone(name: str, year: int) -> str | None:
    """Return the choice of `ZONE` that has the time of the zone *name* in winter and summer of *year*; None if there is
    none.

    >>> similar_zone("Europe/Vienna", 2026), similar_zone("Asia/Tokyo", 2026), similar_zone("nowhere", 2026)
    ('Europe/Berlin', 'Asia/Tokyo', None)
    """
    if name in ZONE.choices:
        return name
    days = datetime(year, 1, 15, tzinfo=UTC), datetime(year, 7, 15, tzinfo=UTC)

    def offsets(zone: str) -> list[timedelta | None]:
        return [day.astimezone(ZoneInfo(zone)).utcoffset() for day in days]

    try:
        own = offsets(name)
    except (ValueError, OSError, ZoneInfoNotFoundError):  # names come from browsers
        return None
    return next((zone for zone in ZONE.choices if offsets(zone) == own), None)


class Calm(Struct, frozen=True):
    """Times in which a person is not called and no time runs: quiet hours in a zone, and days away."""

    quiet: tuple[int, int] | None = None  # from this hour to that one
    zone: str = "UTC"
    away_until: date | None = None

    def ends(self, moment: datetime) -> datetime | None:
        """Return when the calm time around *moment* ends, or None if there is none. All in UTC.

        >>> calm = Calm(quiet=(22, 7))
        >>> calm.ends(datetime(2026, 1, 5, 23, tzinfo=UTC))
        datetime.datetime(2026, 1, 6, 7, 0, tzinfo=datetime.timezone.utc)
        >>> calm.ends(datetime(2026, 1, 5, 12, tzinfo=UTC)) is None
        True
        """
        if self.quiet is None and self.away_until is None:
            return None
        local = moment.astimezone(ZoneInfo(self.zone))
        if self.away_until is not None and local.date() < self.away_until:
            back = datetime.combine(self.away_until, time(), local.tzinfo).astimezone(UTC)
            return self.ends(back) or back
        if self.quiet is None:
            return None
        begins, ends = self.quiet
        within = begins <= local.hour or local.hour < ends if begins > ends else begins <= local.hour < ends
        if not within:
            return None
        day = local.date() + timedelta(days=begins > ends and local.hour >= begins)
        return datetime.combine(day, time(ends), local.tzinfo).astimezone(UTC)

    def begins(self, moment: datetime) -> datetime | None:
        """Return when the next calm time begins after *moment*, which is not calm itself, or None for never."""
        if self.quiet is None:
            return None
        local = moment.astimezone(ZoneInfo(self.zone))
        begins = datetime.combine(local.date(), time(self.quiet[0]), local.tzinfo)
        if begins <= local:
            begins = datetime.combine(local.date() + timedelta(days=1), time(self.quiet[0]), local.tzinfo)
        return begins.astimezone(UTC)

    def after(self, start: datetime, length: timedelta) -> datetime:
        """Return the moment at which *length* has passed since *start*, without calm times.

        >>> Calm(quiet=(22, 7)).after(datetime(2026, 1, 5, 20, tzinfo=UTC), timedelta(hours=4))
        datetime.datetime(2026, 1, 6, 9, 0, tzinfo=datetime.timezone.utc)
        """
        now, remaining = start, length
        while True:
            now = self.ends(now) or now
            calm = self.begins(now)
            if calm is None or now + remaining <= calm:
                return now + remaining
            remaining -= calm - now
            now = calm

    def spent(self, start: datetime, end: datetime) -> timedelta:
        """Return the time from *start* to *end* without calm times: the inverse of `after`.

        >>> Calm(quiet=(22, 7)).spent(datetime(2026, 1, 5, 20, tzinfo=UTC), datetime(2026, 1, 6, 9, tzinfo=UTC))
        datetime.timedelta(seconds=14400)
        """
        now, passed = start, timedelta(0)
        while (now := self.ends(now) or now) < end:
            calm = self.begins(now)
            until = end if calm is None else min(calm, end)
            passed, now = passed + (until - now), until
        return passed


NO_CALM = Calm()


def calm_of(settings: Mapping[str, str]) -> Calm:
    """Return the calm times of a person's settings."""
    if not settings:
        return NO_CALM
    quiet = chosen(QUIET, settings)
    until = settings.get(AWAY_UNTIL, "")
    begins, _, ends = quiet.partition("-")
    return Calm(
        quiet=None if quiet == "off" else (int(begins), int(ends)),
        zone=chosen(ZONE, settings),
        away_until=date.fromisoformat(until) if until else None,
    )


def chosen(setting: Setting, settings: Mapping[str, str]) -> str:
    """Return the choice that is set, or the default."""
    value = settings.get(setting.name, "")
    return value if value in setting.choices else setting.choices[0]


def calling(settings: Mapping[str, str]) -> dict[str, str]:
    """Return the part of a person's *settings* that is copied to a seat."""
    return {name: settings[name] for name in CALLING if name in settings}


def hours(clock: str) -> timedelta | None:
    """Return the time for a turn, or in a bank at the beginning; None without a clock."""
    kind = CLOCKS.get(clock)
    return None if kind is None else kind.length


def away(settings: Mapping[str, str], days: int, today: date) -> dict[str, str] | None:
    """Return the settings for being away for *days* from *today*, or None if the year has not enough days left.

    *days* 0: back again; a day that has begun counts as used.

    >>> away({}, 3, date(2026, 12, 24))
    {'away_until': '2026-12-27', 'away_used': '2026:3'}
    """
    if days > days_left(settings, today):
        return None
    before = AWAY_DAYS_A_YEAR - days_left(settings, today) + (days == 0 and back(settings, today) is not None)
    first = (today + timedelta(days=days)).isoformat() if days else ""
    return {AWAY_UNTIL: first, AWAY_USED: f"{today.year}:{before + days}"}


def used_days(settings: Mapping[str, str], today: date) -> int:
    """Return the days away that are used in this year, planned days included."""
    year, _, used = settings.get(AWAY_USED, "").partition(":")
    return int(used) if year == str(today.year) and used.isdigit() else 0


def days_left(settings: Mapping[str, str], today: date) -> int:
    """Return the days away that remain in this year: future days of a current absence count as unused."""
    until, used = back(settings, today), used_days(settings, today)
    planned = 0 if until is None else (until - today).days
    return AWAY_DAYS_A_YEAR - max(used - planned, 0)


def back(settings: Mapping[str, str], today: date) -> date | None:
    """Return the first day back of a person who is away *today*, else None."""
    until = settings.get(AWAY_UNTIL, "")
    return date.fromisoformat(until) if until and date.fromisoformat(until) > today else None
