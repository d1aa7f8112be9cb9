"""REST: the few routes that such a bot needs. Anything else is a violation."""

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.emulators import forms
from tests.emulators.discord import limits
from tests.emulators.discord.limits import (
    ATTACHMENT,
    COMPONENTS_V2,
    EPHEMERAL,
    SUPPRESS_EMBEDS,
    SUPPRESS_NOTIFICATIONS,
    parts_of,
    shown_by,
)
from tests.emulators.discord.world import (
    ATTACH_FILES,
    CREATE_PUBLIC_THREADS,
    GROUP,
    SEND_MESSAGES,
    SEND_MESSAGES_IN_THREADS,
    TEXT,
    THREAD,
    USE_EXTERNAL_APPS,
    VIEW_CHANNEL,
    Attachment,
    Channel,
    Interaction,
    Message,
    Server,
    snowflake,
)

if TYPE_CHECKING:
    from tests.emulators.discord.server import Discord

NONCE_S = 300.0
FOLLOW_UPS = 5
"""Maximum number of messages for one interaction in a place without the bot."""


class Answer(Exception):
    """An error answer of Discord's."""

    def __init__(self, status: int, code: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message


def answer(said: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> web.Response:
    """Return JSON with exactly the content type that Discord sends (no charset)."""
    return web.Response(
        body=json.dumps(said).encode(), status=status, headers={"Content-Type": "application/json", **(headers or {})}
    )


NOTHING = 204


class Rest:
    """Handlers of the routes."""

    def __init__(self, discord: "Discord") -> None:
        self._discord = discord
        self._nonces: dict[tuple[int, str], tuple[float, Message]] = {}

    def add_to(self, app: web.Application) -> None:
        for method, path, handler in (
            ("GET", "/users/@me", self._me),
            ("GET", "/oauth2/applications/@me", self._application),
            ("GET", "/applications/@me", self._application),
            ("GET", "/gateway/bot", self._gateway),
            ("GET", "/guilds/{guild}", self._guild),
            ("GET", "/guilds/{guild}/members/{member}", self._bot_in_guild),
            ("GET", "/applications/{application}/commands", self._commands),
            ("PUT", "/applications/{application}/commands", self._set_commands),
            ("POST", "/users/@me/channels", self._open_direct),
            ("GET", "/channels/{channel}", self._get_channel),
            ("POST", "/channels/{channel}/messages", self._post),
            ("POST", "/channels/{channel}/typing", self._typing),
            ("POST", "/channels/{channel}/threads", self._open_thread),
            ("PATCH", "/channels/{channel}/messages/{message}", self._edit),
            ("DELETE", "/channels/{channel}/messages/{message}", self._delete),
            ("POST", "/interactions/{id}/{token}/callback", self._callback),
            ("POST", "/webhooks/{application}/{token}", self._follow_up),
            ("GET", "/webhooks/{application}/{token}/messages/@original", self._get_original),
            ("PATCH", "/webhooks/{application}/{token}/messages/@original", self._edit_original),
            ("DELETE", "/webhooks/{application}/{token}/messages/@original", self._delete_original),
            ("PATCH", "/webhooks/{application}/{token}/messages/{message}", self._edit_follow_up),
            ("DELETE", "/webhooks/{application}/{token}/messages/{message}", self._delete_follow_up),
            ("*", "/{anything:.*}", self._unknown),
        ):
            app.router.add_route(method, f"/api/v10{path}", handler)

    async def _unknown(self, request: web.Request) -> web.Response:
        self._discord.violations.append(f"no such route: {request.method} {request.path}")
        raise Answer(404, 0, "404: Not Found")

    def _by_bot(self, request: web.Request) -> None:
        if request.headers.get("Authorization") != f"Bot {self._discord.token}":
            raise Answer(401, 0, "401: Unauthorized")

    def _takes(self, payload: Mapping[str, Any], files: Mapping[int, bytes], flags: int, on: Message | None) -> None:
        """Refuse a message's payload that violates a limit; *on*: the message that it edits."""
        if int(payload.get("flags", 0)) & COMPONENTS_V2 and not self._discord.knows_v2:
            raise Answer(400, 50035, "Invalid Form Body: flags: Unknown flag")
        kept = {} if on is None else {attachment.id: attachment.name for attachment in on.attachments}
        is_v2 = on is not None and on.is_v2
        allowed = flags | COMPONENTS_V2
        self._held(limits.of_message(payload, files, flags=allowed, kept=kept, is_v2=is_v2))

    def _held(self, problems: Any) -> None:
        """Refuse a payload that violates a limit, and record it."""
        result = list(problems)
        if result:
            self._discord.violations += result
            raise Answer(400, 50035, f"Invalid Form Body: {'; '.join(result)}")

    # The bot

    async def _me(self, request: web.Request) -> web.Response:
        self._by_bot(request)
        return answer(self._discord.bot_user)

    async def _application(self, request: web.Request) -> web.Response:
        self._by_bot(request)
        return answer(
            {
                "id": str(self._discord.application_id),
                "name": "Kaleidobot",
                "description": "",
                "icon": None,
                "bot_public": True,
                "bot_require_code_grant": False,
                "verify_key": "0" * 64,
                "owner": {"id": "1", "username": "owner", "discriminator": "0", "avatar": None},
                "team": None,
                "flags": self._discord.flags,
                "interactions_endpoint_url": self._discord.endpoint or None,
                "approximate_guild_count": sum(server.member for server in self._discord.servers),
            }
        )

    def _server(self, request: web.Request) -> Server:
        self._by_bot(request)
        wanted = int(request.match_info["guild"])
        server = next((person for person in self._discord.servers if person.id == wanted and person.member), None)
        if server is None:
            raise Answer(403, 50001, "Missing Access")
        return server

    async def _guild(self, request: web.Request) -> web.Response:
        server = self._server(request)
        roles = [{"id": str(id_), "name": "role", "permissions": str(role)} for id_, role in server.roles.items()]
        return answer({"id": str(server.id), "name": server.name, "owner_id": "1", "roles": roles})

    async def _bot_in_guild(self, request: web.Request) -> web.Response:
        server = self._server(request)
        person = self._discord.people.get(int(request.match_info["member"]))
        if person is not None and not person.departed:
            return answer(person.member_payload())
        if request.match_info["member"] != str(self._discord.application_id):
            raise Answer(404, 10007, "Unknown Member")
        return answer({"user": self._discord.bot_user, "roles": [str(role) for role in server.of_bot]})

    async def _gateway(self, request: web.Request) -> web.Response:
        self._by_bot(request)
        left = self._discord.starts_left
        limit = {
            "total": 1000,
            "remaining": left,
            "reset_after": self._discord.starts_again_ms,
            "max_concurrency": self._discord.max_concurrency,
        }
        # Discord tells its own address; a bot that was sent elsewhere must not follow it.
        return answer({"url": "wss://gateway.invalid", "shards": self._discord.shards, "session_start_limit": limit})

    async def _commands(self, request: web.Request) -> web.Response:
        self._by_bot(request)
        full = request.query.get("with_localizations") == "true"
        hidden = set() if full else {"name_localizations", "description_localizations"}
        return answer([{k: v for k, v in command.items() if k not in hidden} for command in self._discord.commands])

    async def _set_commands(self, request: web.Request) -> web.Response:
        self._by_bot(request)
        said = await request.json()
        if any(command["type"] == 4 and command not in said for command in self._discord.commands):
            return answer({"message": "You cannot remove this app's Entry Point command", "code": 50240}, status=400)
        self._held(limits.of_commands([message for message in said if message["type"] != 4]))
        self._discord.commands = [self._registered(message) for message in said]
        return answer(self._discord.commands)

    def _registered(self, command: Mapping[str, Any]) -> dict[str, Any]:
        """Return a command as Discord returns it: with more fields, and without empty ones."""

        def tidy(command: Mapping[str, Any]) -> dict[str, Any]:
            kept = {key: value for key, value in command.items() if value or key in ("value", "name_localizations")}
            return kept | {key: [tidy(part) for part in kept[key]] for key in ("options", "choices") if key in kept}

        return tidy(command) | {
            "id": str(snowflake()),
            "application_id": str(self._discord.application_id),
            "version": str(snowflake()),
            "default_member_permissions": None,
            "nsfw": False,
        }

    # Messages in channels

    async def _payload(self, request: web.Request) -> tuple[dict[str, Any], dict[int, bytes]]:
        """Return the payload and the files, by number."""
        kind = request.headers.get("Content-Type", "")
        if not kind.startswith(forms.WITH_FILES):
            return await request.json(), {}
        payload: dict[str, Any] = {}
        files: dict[int, bytes] = {}
        for name, value in forms.fields(kind, await request.read()):
            if name == "payload_json":
                payload = json.loads(value if isinstance(value, str) else "")
            elif isinstance(value, forms.Upload):
                files[int(name.removeprefix("files[").removesuffix("]"))] = value.content
        return payload, files

    def _channel(self, request: web.Request, *, asks: bool = False, posts: bool = False) -> Channel:
        """Return the requested channel; a request that only *asks* may name an archived one.

        A request that *posts* wakes an archived thread, unless it is locked: Discord's documentation, "Threads".
        """
        channel = self._discord.channels.get(int(request.match_info["channel"]))
        if channel is None or channel.deleted:
            raise Answer(404, 10003, "Unknown Channel")
        if channel.kind == GROUP or (channel.server is not None and not channel.server.member):
            raise Answer(403, 50001, "Missing Access")
        if not channel.allowed & VIEW_CHANNEL:
            raise Answer(403, 50001, "Missing Access")
        if posts and channel.locked:
            raise Answer(403, 160005, "Thread is locked")
        if channel.archived and not asks and not posts:
            raise Answer(400, 50083, "Thread is archived")
        return channel

    async def _get_channel(self, request: web.Request) -> web.Response:
        self._by_bot(request)
        return answer(self._channel(request, asks=True).described())

    async def _open_direct(self, request: web.Request) -> web.Response:
        self._by_bot(request)
        person = self._discord.people.get(int((await request.json())["recipient_id"]))
        if person is None:
            raise Answer(400, 50033, "Invalid Recipient(s)")
        return answer({**person.direct().described(), "recipients": [person.payload()]})

    async def _open_thread(self, request: web.Request) -> web.Response:
        self._by_bot(request)
        said = await request.json()
        channel = self._channel(request)
        if channel.kind != TEXT or channel.server is None:
            raise Answer(400, 50024, "Cannot execute action on this channel type")
        if not channel.allowed & CREATE_PUBLIC_THREADS:
            raise Answer(403, 50013, "Missing Permissions")
        self._held(limits.of_thread(said))
        made = self._discord.thread(said["name"], channel)
        return answer({"type": THREAD, "name": made.name, **made.described()}, 201)

    def _message(self, request: web.Request) -> Message:
        channel = self._channel(request)
        wanted = int(request.match_info["message"])
        for message in channel.messages:
            # Messages for one person cannot be reached this way.
            if message.id == wanted and not message.deleted and message.reader is None:
                return message
        raise Answer(404, 10008, "Unknown Message")

    async def _post(self, request: web.Request) -> web.Response:
        self._by_bot(request)
        payload, files = await self._payload(request)
        channel = self._channel(request, posts=True)
        if channel.closed:
            raise Answer(403, channel.closed, "Cannot send messages to this user")
        needed = SEND_MESSAGES_IN_THREADS if channel.kind == THREAD else SEND_MESSAGES
        if not channel.allowed & needed or (files and not channel.allowed & ATTACH_FILES):
            raise Answer(403, 50013, "Missing Permissions")
        self._takes(payload, files, SUPPRESS_EMBEDS | SUPPRESS_NOTIFICATIONS, None)
        if not payload.get("enforce_nonce") or payload.get("nonce") is None:
            self._discord.violations.append("a post without nonce")
        if not all(attachment.get("description") for attachment in payload.get("attachments") or ()):
            self._discord.violations.append("a posted picture without alternative text")
        key = (channel.id, str(payload.get("nonce")))
        now = time.monotonic()
        if key in self._nonces and now - self._nonces[key][0] < NONCE_S:
            return answer(self._nonces[key][1].payload())
        message = Message(channel, self._discord.bot_user, nonce=payload.get("nonce"), flags=payload.get("flags", 0))
        self._write(message, payload, files)
        self._ping(message, payload)
        channel.archived = False
        channel.messages.append(message)
        self._nonces[key] = (now, message)
        return answer(message.payload())

    def _write(self, message: Message, payload: Mapping[str, Any], files: Mapping[int, bytes]) -> None:
        """Update *message* from *payload*; fields that are not named stay."""
        if int(payload.get("flags", 0)) & COMPONENTS_V2:
            if not message.is_v2 and (message.content or message.components or message.attachments):
                self._discord.violations.append("a message became one of Components V2 by an edit")
            message.flags |= COMPONENTS_V2
        if "content" in payload:
            message.content = payload["content"] or ""
        if "components" in payload:
            message.components = payload["components"] or []
        if "attachments" in payload:
            kept = {attachment.id: attachment for attachment in message.attachments}
            message.attachments = [
                Attachment(
                    snowflake(), attachment["filename"], attachment.get("description", ""), files[int(attachment["id"])]
                )
                if int(attachment["id"]) in files
                else kept[int(attachment["id"])]
                for attachment in payload["attachments"]
            ]
        elif files:
            self._discord.violations.append("files without attachments: they pile up")
        if message.is_v2:  # screen readers read the component's own text
            words = dict(shown for part in parts_of(message.components) for shown in shown_by(part))
            message.attachments = [
                replace(attachment, alt=words.get(f"{ATTACHMENT}{attachment.name}", ""))
                for attachment in message.attachments
            ]
        if not message.content and not message.attachments and not message.components:
            self._discord.violations.append("an empty message")
            raise Answer(400, 50006, "Cannot send an empty message")

    def _ping(self, message: Message, payload: Mapping[str, Any]) -> None:
        """Notify the mentioned people, if allowed."""
        allowed = {int(user) for user in (payload.get("allowed_mentions") or {}).get("users", ())}
        for person in self._discord.people.values():
            if f"<@{person.id}>" in message.words and person.id in allowed:
                person.pings += 1
                message.pinged = (*message.pinged, person.id)

    async def _edit(self, request: web.Request) -> web.Response:
        self._by_bot(request)
        return await self._changed(request, self._message)

    async def _changed(self, request: web.Request, find: Callable[[web.Request], Message]) -> web.Response:
        payload, files = await self._payload(request)
        message = find(request)
        self._takes(payload, files, SUPPRESS_EMBEDS, message)
        self._write(message, payload, files)
        message.edits += 1
        return answer(message.payload())

    async def _typing(self, request: web.Request) -> web.Response:
        self._by_bot(request)
        self._channel(request)
        return web.Response(status=NOTHING)

    async def _delete(self, request: web.Request) -> web.Response:
        self._by_bot(request)
        self._message(request).deleted = True
        return web.Response(status=NOTHING)

    # Interactions

    async def _callback(self, request: web.Request) -> web.Response:
        payload = await request.json()
        interaction = self._discord.interactions.get(request.match_info["token"])
        if interaction is None or str(interaction.id) != request.match_info["id"]:
            raise Answer(404, 10062, "Unknown interaction")
        interaction.calls.append(f"callback {payload.get('type')}")
        if interaction.first_answer is not None:
            raise Answer(400, 40060, "Interaction has already been acknowledged.")
        if asyncio.get_running_loop().time() - interaction.sent_at > self._discord.answer_within_s:
            self._discord.violations.append(f"answered too late: {interaction}")
            interaction.first_answer = {"type": 0}
            raise Answer(404, 10062, "Unknown interaction")
        self._held(limits.of_callback(payload, interaction.kind))
        interaction.first_answer = payload
        resource: dict[str, Any] = {"type": payload["type"]}
        if payload["type"] == 5:
            flags = int((payload.get("data") or {}).get("flags", 0))
            interaction.original = self._private(interaction, flags)
            interaction.original.loading = True
            resource["message"] = interaction.original.payload()
        elif payload["type"] == 6:
            interaction.original = interaction.message
        if request.query.get("with_response") not in ("1", "true"):
            return web.Response(status=NOTHING)
        said = {"id": str(interaction.id), "type": interaction.kind}
        if interaction.original is not None:
            said["response_message_id"] = str(interaction.original.id)
        return answer({"interaction": said, "resource": resource})

    def _private(self, interaction: Interaction, flags: int) -> Message:
        """Create an answer to an interaction: private if *flags* say so, or if the installing person may not show
        answers."""
        owner = interaction.brought_by
        if not flags & EPHEMERAL and owner is None:
            self._discord.violations.append(f"an answer for everybody: {interaction}")
        if owner is not None and interaction.channel.server is not None and not owner.permissions & USE_EXTERNAL_APPS:
            flags |= EPHEMERAL
        reader = interaction.person if flags & EPHEMERAL else None
        message = Message(
            interaction.channel, self._discord.bot_user, reader=reader, brought_by=owner, flags=flags & ~EPHEMERAL
        )
        interaction.channel.messages.append(message)
        return message

    def _interaction(self, request: web.Request) -> Interaction:
        interaction = self._discord.interactions.get(request.match_info["token"])
        if interaction is None or request.match_info["application"] != str(self._discord.application_id):
            raise Answer(404, 10015, "Unknown Webhook")
        interaction.calls.append(f"{request.method} {request.path.rpartition('/')[2]}")
        if interaction.first_answer is None:
            self._discord.violations.append(f"answered before it was acknowledged: {interaction}")
            raise Answer(404, 10015, "Unknown Webhook")
        if interaction.expired:
            raise Answer(401, 50027, "Invalid Webhook Token")
        return interaction

    def _original(self, request: web.Request) -> tuple[Interaction, Message]:
        interaction = self._interaction(request)
        if interaction.original is None or interaction.original.deleted:
            raise Answer(404, 10008, "Unknown Message")
        return interaction, interaction.original

    async def _follow_up(self, request: web.Request) -> web.Response:
        payload, files = await self._payload(request)
        interaction = self._interaction(request)
        self._takes(payload, files, EPHEMERAL | SUPPRESS_EMBEDS, None)
        if interaction.brought_by is not None and len(interaction.followups) >= FOLLOW_UPS:
            self._discord.violations.append("more than five follow-ups")
            raise Answer(400, 40094, "This interaction has too many follow-ups")
        if interaction.original is not None and interaction.original.loading:
            message = interaction.original  # the first follow-up fills the deferred answer
            if not int(payload.get("flags", 0)) & EPHEMERAL:
                self._discord.violations.append(f"what is for everybody fills a private answer: {interaction}")
        else:
            message = self._private(interaction, int(payload.get("flags", 0)))
            interaction.followups.append(message)
        self._write(message, payload, files)
        message.loading = False
        interaction.answers += message.reader is not None
        return answer(message.payload())

    async def _get_original(self, request: web.Request) -> web.Response:
        _, message = self._original(request)
        return answer(message.payload())

    async def _edit_original(self, request: web.Request) -> web.Response:
        payload, files = await self._payload(request)
        interaction, message = self._original(request)
        self._takes(payload, files, SUPPRESS_EMBEDS, message)
        if message.reader is None and interaction.brought_by is None:
            self._discord.violations.append(f"a private answer over a public message: {interaction}")
        self._write(message, payload, files)
        message.loading = False
        message.edits += 1
        interaction.answers += message.reader is not None
        return answer(message.payload())

    async def _delete_original(self, request: web.Request) -> web.Response:
        interaction, message = self._original(request)
        if message.reader is None and interaction.brought_by is None:
            self._discord.violations.append(f"a public message was deleted by an answer: {interaction}")
        message.deleted = True
        interaction.answers += 1
        return web.Response(status=NOTHING)

    def _made(self, request: web.Request) -> Message:
        """Return one of the follow-ups."""
        interaction = self._interaction(request)
        number = request.match_info["message"]
        message = next((reply for reply in interaction.followups if str(reply.id) == number), None)
        if message is None or message.deleted:
            raise Answer(404, 10008, "Unknown Message")
        return message

    async def _edit_follow_up(self, request: web.Request) -> web.Response:
        return await self._changed(request, self._made)

    async def _delete_follow_up(self, request: web.Request) -> web.Response:
        self._made(request).deleted = True
        return web.Response(status=NOTHING)
