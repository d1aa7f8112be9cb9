"""Times in words, in the reader's language: durations, days, times of day."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
_UNITS = (("day", DAY, 24, HOUR), ("hour", HOUR, 60, MINUTE), ("minute", MINUTE, 1, MINUTE))
SEVERAL = 3
"""Number of a unit from which the smaller unit is left out."""
_DATES = {"en": "en_GB"}  # the English texts are British; plain "en" is American


def duration(length: timedelta, lang: str) -> str:
    """Return a duration in words, in one unit or two: minutes count below three hours, hours below three days.

    >>> duration(timedelta(hours=36), "en"), duration(timedelta(hours=50), "de")
    ('1 day, 12 hours', '2 Tage, 2 Stunden')
    >>> duration(timedelta(days=6.9), "en"), duration(timedelta(hours=24), "en"), duration(timedelta(seconds=5), "de")
    ('6 days', '1 day', '1 Minute')
    >>> duration(timedelta(hours=23.99), "en"), duration(timedelta(minutes=100), "en")
    ('1 day', '1 hour, 40 minutes')
    """
    from babel.units import format_unit

    finest = MINUTE if length < SEVERAL * HOUR else HOUR
    length = max(round(length / finest) * finest, MINUTE)
    name, unit, parts, smaller = next(entry for entry in _UNITS if length >= entry[1])
    number = length // unit
    rest = 0 if number >= SEVERAL else (length % unit) // smaller % parts
    said = [(number, name), (rest, {"day": "hour", "hour": "minute"}.get(name, name))]
    return ", ".join(str(format_unit(n, f"duration-{unit_name}", locale=lang)) for n, unit_name in said if n)


def largest(length: timedelta) -> tuple[str, int]:
    """Return a duration in its largest unit (``day``, ``hour`` or ``minute``) with the number.

    >>> largest(timedelta(hours=50)), largest(timedelta(minutes=59.7)), largest(timedelta(0))
    (('day', 2), ('hour', 1), ('minute', 1))
    """
    length = max(round(length / MINUTE) * MINUTE, MINUTE)
    name, unit, *_ = next(entry for entry in _UNITS if length >= entry[1])
    return name, length // unit


def day(moment: date, lang: str) -> str:
    """Return a day of this year or the next.

    >>> day(date(2026, 12, 24), "en"), day(date(2026, 12, 24), "de")
    ('24 December', '24. Dezember')
    """
    from babel.dates import format_skeleton

    return str(format_skeleton("MMMMd", moment, locale=_DATES.get(lang, lang)))


def month(moment: date, lang: str) -> str:
    """Return a month with its year.

    >>> month(date(2026, 12, 24), "en"), month(date(2026, 12, 24), "de")
    ('December 2026', 'Dezember 2026')
    """
    from babel.dates import format_skeleton

    return str(format_skeleton("yMMMM", moment, locale=_DATES.get(lang, lang)))


def clock(moment: datetime, zone: str, lang: str) -> str:
    """Return the time of day in *zone* at *moment*.

    >>> from datetime import UTC
    >>> clock(datetime(2026, 7, 1, 18, 5, tzinfo=UTC), "Europe/Berlin", "de")
    '20:05'
    """
    from babel.dates import format_time

    return str(format_time(moment.astimezone(ZoneInfo(zone)), "HH:mm", locale=lang))


def city(zone: str, lang: str) -> str:
    """Return the common name of a time zone: its city or islands.

    >>> city("Europe/Lisbon", "de"), city("America/New_York", "en"), city("UTC", "de")
    ('Lissabon', 'New York', 'UTC')
    """
    from babel.dates import get_timezone_location

    return str(get_timezone_location(zone, locale=lang, return_city=True))
