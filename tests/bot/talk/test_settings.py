"""Choices that follow another setting: the label of the current value, and that it is correct."""

import pytest
from msgspec.structs import replace

import texts
from bot.chat import Press, Select, Typed
from bot.requests import payload
from bot.store.store import Store
from bot.tables.preferences import DAILY, LANG, OF_PERSON, OF_PLACE, QUIET, THEME, ZONE
from tests.bot.talk.recording import Crowd
from tests.bot.talk.test_records import begun, resign

WIDEST = 25
"""Of what such a choice reads, so that it is seen as a whole on a button and in a list."""


async def sets(crowd: Crowd, theme: str) -> None:
    """Set the pictures of the place as a moderator."""
    press = Press(payload.write("set", "place", OF_PLACE.index(THEME), THEME.choices.index(theme)))
    assert await crowd.sends("clara", press, may_manage=True)


async def shown(crowd: Crowd, name: str, scope: str, setting: str) -> str:
    """Return the label of the first choice of a *setting* for a person."""
    lists = list[Select]()
    for page in range(2):
        press = Press(payload.write("settings", scope, page))
        reply = await crowd.sends(name, press, may_manage=scope == "place")
        assert reply is not None
        lists += [row for row in reply.rows if isinstance(row, Select)]
    label = texts.say("table", f"setting.{setting}", texts.language(crowd.person(name).lang))
    (result,) = {row.choices[0].label for row in lists if row.label == label}
    return result


async def test_same_as_my_app_says_which_language_that_is(crowd: Crowd) -> None:
    assert await shown(crowd, "anna", "me", LANG.name) == "same as my app (English)"
    assert await shown(crowd, "dora", "me", LANG.name) == "wie meine App (Deutsch)"


async def test_the_app_language_is_named_as_the_apps_not_the_setting(crowd: Crowd) -> None:
    await crowd.says("dora", "/settings")
    reply = await crowd.says("dora", "[Sprache: English]")
    assert reply is not None
    assert "same as my app (Deutsch)" in str(reply.rows)


async def test_as_set_here_names_the_places_value_or_the_bots_default(crowd: Crowd) -> None:
    assert await shown(crowd, "anna", "me", THEME.name) == "as set here (dark)"
    assert await shown(crowd, "clara", "place", THEME.name) == "bot default (dark)"
    await sets(crowd, "light")
    assert await shown(crowd, "anna", "me", THEME.name) == "as set here (light)"
    assert await shown(crowd, "dora", "me", THEME.name) == "Vorgabe hier (hell)"
    assert await shown(crowd, "clara", "place", THEME.name) == "bot default (dark)"


@pytest.mark.parametrize(("zone", "where"), [("", "UTC."), ("Europe/Vienna", "UTC (now 15:00 in Berlin).")])
async def test_the_hour_of_the_puzzle_is_confirmed_in_local_time(crowd: Crowd, zone: str, where: str) -> None:
    press = Press(payload.write("set", "place", OF_PLACE.index(DAILY), DAILY.choices.index("14")))
    pressed = replace(crowd.pressing("ada", press), may_manage=True)
    reply = await crowd.service.handle(replace(pressed, person=replace(pressed.person, zone=zone)))
    assert reply is not None
    assert reply.text.endswith(f"comes here every day, soon after 14:00 {where}")


async def test_quiet_hours_are_stored_with_the_zone_that_was_shown_beside_them(crowd: Crowd, store: Store) -> None:
    quiet = Press(payload.write("set", "me", OF_PERSON.index(QUIET), 1))
    for zone, stored in (("nowhere", None), ("Europe/Vienna", "Europe/Berlin"), ("Asia/Tokyo", "Europe/Berlin")):
        pressed = crowd.pressing("anna", quiet)
        await crowd.service.handle(replace(pressed, person=replace(pressed.person, zone=zone)))
        assert (await store.person_settings(pressed.person.id)).get(ZONE.name) == stored


async def test_a_tables_future_language_is_not_named_before_it_opens(crowd: Crowd) -> None:
    reply = await crowd.sends("clara", Typed("/settings"), may_manage=True)
    assert reply is not None
    (language,) = (row for row in reply.rows if isinstance(row, Select) and row.label == "Language here")
    assert language.choices[0].label == "the host's language"


@pytest.mark.parametrize("lang", texts.languages())
def test_the_current_value_fits_on_a_button(lang: str) -> None:
    def said(key: str, **facts: str) -> str:
        return texts.say("table", f"setting.{key}", lang, **facts)

    for setting, of in ((LANG, "lang"), (THEME, "theme"), (THEME, "place.theme")):
        for now in setting.choices[1:]:
            label = said("now", choice=said(f"{of}.auto"), now=said(f"{setting.name}.{now}"))
            assert len(label) <= WIDEST, label


async def pictures(crowd: Crowd) -> list[bytes]:
    """Return the pictures of a lesson, a record and the leaders of the place, as Anna sees them."""
    results = []
    for line in ("/learn kabooom", "/stats", "/top"):
        reply = await crowd.says("anna", line)
        assert reply is not None, line
        assert reply.picture is not None, line
        results.append(reply.picture.png)
    return results


async def test_lessons_and_records_use_the_places_theme_or_the_readers_own(crowd: Crowd, store: Store) -> None:
    await begun(crowd, store)
    await resign(crowd, store, "anna")
    dark = await pictures(crowd)
    await sets(crowd, "light")
    light = await pictures(crowd)
    assert not set(dark) & set(light)
    await crowd.sends("anna", Press(payload.write("set", "me", OF_PERSON.index(THEME), THEME.choices.index("dark"))))
    assert await pictures(crowd) == dark
