"""Discord's documented limits, each a function from a payload to sentences about violations.

From the developer documentation: "Create Message", "Component Reference", "Application Commands", "Interactions".
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from types import MappingProxyType
from typing import Any

CONTENT = 2000
ALT = 1024
FILE_BYTES = 10 * 1024 * 1024
NONCE = 25
CUSTOM_ID = 100
LABEL = 80
URL = 512
EPHEMERAL = 1 << 6
LOADING = 1 << 7
SUPPRESS_EMBEDS = 1 << 2
SUPPRESS_NOTIFICATIONS = 1 << 12
COMPONENTS_V2 = 1 << 15
COMPONENTS = 40
"""In a message of Components V2, those within others too."""
WORDS = 4000
"""Characters of all texts of such a message together (discord.py's documentation; Discord's own is silent)."""

ROW, BUTTON, SELECT = 1, 2, 3
TEXT_DISPLAY, GALLERY, FILE, CONTAINER = 10, 12, 13, 17
ATTACHMENT = "attachment://"
LINK = 5
"""The style of a button that leads somewhere."""

COMMAND_NAME = re.compile(r"[-_'\w]{1,32}")
LOCALES = frozenset(
    ("id", "da", "de", "en-GB", "en-US", "es-ES", "es-419", "fr", "hr", "it", "lt", "hu", "nl", "no", "pl", "pt-BR")
) | frozenset(("ro", "fi", "sv-SE", "vi", "tr", "cs", "el", "bg", "ru", "uk", "hi", "th", "zh-CN", "ja", "zh-TW", "ko"))

NOTHING: Mapping[int, str] = MappingProxyType({})
_MESSAGE_KEYS = frozenset(
    ("content", "tts", "embeds", "allowed_mentions", "components", "attachments", "nonce", "enforce_nonce", "flags")
)


def units(text: str) -> int:
    """Return the number of characters, with those beyond the Basic Multilingual Plane counted twice: the stricter
    way."""
    return len(text.encode("utf-16-le")) // 2


def of_message(
    payload: Mapping[str, Any],
    files: Mapping[int, bytes],
    *,
    flags: int,
    kept: Mapping[int, str] = NOTHING,
    is_v2: bool = False,
) -> Iterator[str]:
    """Return the faults of a message's payload, new or edited; *flags* that may be set on it. For an edit: *kept*,
    its attachments' names by id, and *is_v2*, which cannot change."""
    if unknown := payload.keys() - _MESSAGE_KEYS:
        yield f"unknown fields {sorted(unknown)}"
    content = payload.get("content")
    if content is not None and units(content) > CONTENT:
        yield f"content of {units(content)} characters"
    if "content" in payload and "allowed_mentions" not in payload:
        yield "content without allowed_mentions"
    if (mentions := payload.get("allowed_mentions")) is not None:
        if mentions.get("parse") != []:
            yield f"allowed_mentions parses {mentions.get('parse')}"
        if len(mentions.get("users", ())) > 1:
            yield "more than one person may be pinged"
    if payload.get("embeds"):
        yield "an embed, though the bot has no permission for one"
    if int(payload.get("flags", 0)) & ~flags:
        yield f"flags {payload['flags']}"
    nonce = payload.get("nonce")
    if nonce is not None and not 1 <= len(str(nonce)) <= NONCE:
        yield f"a nonce of {len(str(nonce))} characters"
    yield from of_attachments(payload.get("attachments") or (), files)
    if not is_v2 and not int(payload.get("flags", 0)) & COMPONENTS_V2:
        yield from of_components(payload.get("components") or ())
        return
    for key in ("content", "embeds"):
        if payload.get(key):
            yield f"{key} in a message of Components V2"
    names = {
        attachment.get("filename") or kept[int(attachment["id"])] for attachment in payload.get("attachments") or ()
    }
    if "components" in payload:
        if "allowed_mentions" not in payload:
            yield "texts without allowed_mentions"
        yield from of_layout(payload["components"] or (), names if "attachments" in payload else set(kept.values()))


def parts_of(components: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield all components, nested ones after their parents."""
    for part in components:
        yield dict(part)
        yield from parts_of(part.get("components", ()))


def shown_by(part: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the media of a component: addresses and alternative texts."""
    if part["type"] == GALLERY:
        return [(item["media"]["url"], item.get("description") or "") for item in part["items"]]
    return [(part["file"]["url"], "")] if part["type"] == FILE else []


def of_layout(components: Sequence[Mapping[str, Any]], attached: Set[str]) -> Iterator[str]:
    """Return the faults of the components of a Components V2 message with the files *attached*."""
    parts = list(parts_of(components))
    if not 1 <= len(parts) <= COMPONENTS:
        yield f"{len(parts)} components"
    if (said := sum(units(part["content"]) for part in parts if part["type"] == TEXT_DISPLAY)) > WORDS:
        yield f"texts of {said} characters"
    if any(part["type"] == TEXT_DISPLAY and not part["content"] for part in parts):
        yield "a text without words"
    for part in parts:
        if part["type"] not in (ROW, BUTTON, SELECT, TEXT_DISPLAY, GALLERY, FILE, CONTAINER):
            yield f"a component of type {part['type']}"
        if part["type"] == CONTAINER and not 0 <= (part.get("accent_color") or 0) <= 0xFFFFFF:
            yield f"an accent of {part['accent_color']}"
        if part["type"] == CONTAINER and any(child["type"] == CONTAINER for child in part["components"]):
            yield "a container in a container"
        if part["type"] == GALLERY and not 1 <= len(part["items"]) <= 10:
            yield f"a gallery of {len(part['items'])}"
    shown = [image for part in parts for image in shown_by(part)]
    if any(len(alt) > ALT for _, alt in shown):
        yield "too long an alternative text"
    named = {url.removeprefix(ATTACHMENT) for url, _ in shown}
    if named != attached:
        yield f"components show {sorted(named)}, attached are {sorted(attached)}"
    yield from _of_rows([part for part in parts if part["type"] == ROW])


def of_attachments(attachments: Sequence[Mapping[str, Any]], files: Mapping[int, bytes]) -> Iterator[str]:
    named = {int(attachment["id"]) for attachment in attachments if int(attachment["id"]) in files}
    if named != files.keys():
        yield f"files {sorted(files)} but attachments {sorted(named)}"
    for attachment in attachments:
        if len(attachment.get("description") or "") > ALT:
            yield f"an alternative text of {len(attachment['description'])} characters"
    for number, content in files.items():
        if len(content) > FILE_BYTES:
            yield f"file {number} of {len(content)} bytes"


def of_components(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if len(rows) > 5:
        yield f"{len(rows)} rows of components"
    yield from _of_rows(rows)


def _of_rows(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    ids: list[str] = []
    for row in rows:
        children = row.get("components", ())
        kinds = [child["type"] for child in children]
        if row["type"] != ROW or not (kinds == [SELECT] or (1 <= len(kinds) <= 5 and set(kinds) == {BUTTON})):
            yield f"a row of type {row['type']} with components {kinds}"
            continue
        for child in children:
            if child.get("style") == LINK:
                yield from _of_link(child)
                continue
            ids.append(child["custom_id"])
            yield from _of_button(child) if child["type"] == BUTTON else _of_select(child)
    if len(set(ids)) < len(ids):
        yield f"a custom_id twice: {sorted(ids)}"
    for custom_id in ids:
        if not 1 <= len(custom_id) <= CUSTOM_ID:
            yield f"a custom_id of {len(custom_id)} characters"


def _of_button(button: Mapping[str, Any]) -> Iterator[str]:
    if not 1 <= units(button.get("label") or "") <= LABEL:
        yield f"a label of {units(button.get('label') or '')} characters"
    if button.get("style") not in (1, 2, 3, 4):
        yield f"a button of style {button.get('style')}"


def _of_link(button: Mapping[str, Any]) -> Iterator[str]:
    if not 1 <= units(button.get("label") or "") <= LABEL:
        yield f"a label of {units(button.get('label') or '')} characters"
    if button.get("custom_id") is not None or not str(button.get("url", "")).startswith(("https://", "discord://")):
        yield f"a link that leads to {button.get('url')!r} and carries {button.get('custom_id')!r}"
    if len(button.get("url", "")) > URL:
        yield f"an address of {len(button['url'])} characters"


def _of_select(select: Mapping[str, Any]) -> Iterator[str]:
    options = select.get("options", ())
    if not 1 <= len(options) <= 25:
        yield f"a select of {len(options)} options"
    if len({option["value"] for option in options}) < len(options):
        yield "a select with one value twice"
    if sum(bool(option.get("default")) for option in options) > select.get("max_values", 1):
        yield "more options chosen than can be"
    if len(select.get("placeholder") or "") > 150:
        yield f"a placeholder of {len(select['placeholder'])} characters"
    for option in options:
        if not 1 <= units(option["label"]) <= 100 or not 1 <= len(option["value"]) <= 100:
            yield f"an option {option['label']!r} with value {option['value']!r}"


def of_thread(payload: Mapping[str, Any]) -> Iterator[str]:
    """Return the faults of a request to open a thread."""
    if not 1 <= len(payload.get("name", "")) <= 100:
        yield f"a thread called {payload.get('name')!r}"
    if payload.get("type") != 11 or payload.get("auto_archive_duration") not in (60, 1440, 4320, 10080):
        yield f"a thread of type {payload.get('type')} for {payload.get('auto_archive_duration')} minutes"


def of_callback(payload: Mapping[str, Any], kind: int) -> Iterator[str]:
    """Return the faults of the first answer to an interaction of type *kind*."""
    allowed = {2: {4, 5}, 3: {4, 5, 6, 7, 9}, 4: {8}, 5: {4, 5, 6, 7}}[kind]
    if payload.get("type") not in allowed:
        yield f"an interaction of type {kind} answered with type {payload.get('type')}"
    data = payload.get("data") or {}
    if payload.get("type") == 5 and int(data.get("flags", 0)) & ~EPHEMERAL:
        yield f"a deferral with flags {data['flags']}"
    if payload.get("type") == 9:
        inputs = [part for row in data["components"] for part in row.get("components", (row.get("component"),))]
        if not 1 <= len(data["title"]) <= 45 or not 1 <= len(data["custom_id"]) <= 100 or not 1 <= len(inputs) <= 5:
            yield f"a form {data!r}"
        if any(not 1 <= len(part.get("label", "-")) <= 45 or part.get("max_length", 1) > 4000 for part in inputs):
            yield f"a form with the inputs {inputs!r}"
    if payload.get("type") == 8:
        choices = data.get("choices", ())
        if len(choices) > 25:
            yield f"{len(choices)} completions"
        for choice in choices:
            if not 1 <= len(choice["name"]) <= 100 or not 1 <= len(choice["value"]) <= 100:
                yield f"a completion {choice['name']!r} of value {choice['value']!r}"


def of_commands(commands: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Return the faults of a whole set of commands."""
    if len(commands) > 100:
        yield f"{len(commands)} commands"
    if len({command["name"] for command in commands}) < len(commands):
        yield "two commands of one name"
    for command in commands:
        if command.get("type") == 2:
            yield from _of_context_command(command)
            continue
        yield from _of_named(command)
        options = command.get("options", ())
        if len(options) > 25 or len({option["name"] for option in options}) < len(options):
            yield f"/{command['name']}: {len(options)} options, or two of one name"
        required = [bool(option.get("required")) for option in options]
        if required != sorted(required, reverse=True):
            yield f"/{command['name']}: a required option after one that is not"
        for option in options:
            yield from _of_named(option)
            choices = option.get("choices") or ()
            if len(choices) > 25 or (choices and option.get("autocomplete")):
                yield f"/{command['name']} {option['name']}: {len(choices)} choices, or choices and completion"
            for choice in choices:
                names = [choice["name"], *(choice.get("name_localizations") or {}).values()]
                if not all(1 <= len(name) <= 100 for name in names) or not 1 <= len(str(choice["value"])) <= 100:
                    yield f"/{command['name']} {option['name']}: choice {names}"
        if not set(command.get("contexts", ())) <= {0, 1, 2} or not set(command.get("integration_types", ())) <= {0, 1}:
            yield f"/{command['name']}: contexts or integration types"


def _of_context_command(command: Mapping[str, Any]) -> Iterator[str]:
    if command.get("description") or command.get("options"):
        yield f"{command['name']}: a command on a person has neither description nor options"
    for name in (command["name"], *(command.get("name_localizations") or {}).values()):
        if not 1 <= len(name) <= 32:
            yield f"a name {name!r}"


def _of_named(named: Mapping[str, Any]) -> Iterator[str]:
    names = {"": named.get("name", ""), **(named.get("name_localizations") or {})}
    abouts = {"": named.get("description", ""), **(named.get("description_localizations") or {})}
    if unknown := (names.keys() | abouts.keys()) - LOCALES - {""}:
        yield f"{named.get('name')}: unknown locales {sorted(unknown)}"
    for name in names.values():
        if not COMMAND_NAME.fullmatch(name) or name != name.lower():
            yield f"a name {name!r}"
    for about in abouts.values():
        if not 1 <= len(about) <= 100:
            yield f"{named.get('name')}: a description of {len(about)} characters"
