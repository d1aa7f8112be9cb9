"""People on Discord, with the abilities of its client: type commands, press, choose, complete, read."""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.emulators.discord.limits import BUTTON, LINK, SELECT
from tests.emulators.discord.world import DIRECT, Channel, Interaction, Message, snowflake

if TYPE_CHECKING:
    from tests.emulators.discord.server import Discord

COMMAND, COMPONENT, COMPLETION, FORM = 2, 3, 4, 5
TEXT, USER = 3, 6
"""Types of a command's options."""


def _can_press(part: dict[str, Any], label: str) -> bool:
    inert = part.get("disabled") or part.get("style") == LINK
    return bool(part["type"] == BUTTON and part["label"] == label and not inert)


_ADDRESS = re.compile(r"https://discord\.com/channels/(@me|\d+)/(\d+)/(\d+)")


@dataclass(eq=False)
class Person:
    """A person with an account. *name*: displayed name. *pings*: number of pings by the bot."""

    discord: "Discord" = field(repr=False)
    name: str
    at: Channel = field(repr=False)
    locale: str = "en-US"
    permissions: int = 0
    user_installed: bool = False
    is_bot: bool = False
    pings: int = 0
    departed: bool = False  # from the server
    id: int = field(default_factory=snowflake)
    _direct: Channel | None = field(default=None, repr=False)

    @property
    def account(self) -> str:
        """Our name of this person."""
        return f"discord:{self.id}"

    def payload(self) -> dict[str, Any]:
        return {
            "id": str(self.id),
            "username": f"user{self.id}",
            "global_name": self.name,
            "discriminator": "0",
            "avatar": None,
            "public_flags": 0,
            **({"bot": True} if self.is_bot else {}),
        }

    def member_payload(self) -> dict[str, Any]:
        return {
            "user": self.payload(),
            "nick": None,
            "roles": [],
            "joined_at": "2026-01-01T00:00:00+00:00",
            "premium_since": None,
            "deaf": False,
            "mute": False,
            "flags": 0,
            "permissions": str(self.permissions),
        }

    def goes_to(self, channel: Channel) -> None:
        self.at = channel

    def direct(self) -> Channel:
        """Return this person's private chat with the bot."""
        if self._direct is None:
            self._direct = Channel(self.discord, f"{self.name} in private", DIRECT)
            self.discord.channels[self._direct.id] = self._direct
        return self._direct

    # Reading

    def sees(self) -> list[Message]:
        """Return the bot's messages in this person's place, oldest first."""
        return [
            message
            for message in self.at.messages
            if not message.deleted and not message.loading and message.reader in (None, self)
        ]

    async def reads(self, text: str) -> Message:
        """Wait until a message that this person sees has *text*; the newest such."""

        def newest() -> Message | None:
            return next((message for message in reversed(self.sees()) if text in message.text), None)

        return await self.discord.until(newest, f"{self.name} reads {text!r}")

    # Doing

    async def types(self, command: str, **arguments: str) -> Interaction:
        """Type a slash command and wait until it is answered (or the answer is taken away)."""
        done = await self.sends(command, **arguments)
        await self.discord.until(lambda: done.settled or None, f"{self.name}'s {command} is answered")
        return done

    async def sends(self, command: str, **arguments: str) -> Interaction:
        """Type a slash command and wait for nothing."""
        return await self._does(COMMAND, self._command(command, arguments))

    async def picks(self, command: str, somebody: "Person") -> Interaction:
        """Give a *command* on a person, and wait until it is answered."""
        registered = next(known for known in self.discord.commands if known["type"] == 2 and known["name"] == command)
        assert self.at.context in registered["contexts"], f"{command} is not offered in {self.at.name}"
        users = {str(somebody.id): somebody.payload()}
        data = {"id": registered["id"], "name": command, "type": 2, "target_id": str(somebody.id)}
        done = await self._does(COMMAND, {**data, "resolved": {"users": users}})
        await self.discord.until(lambda: done.settled or None, f"{self.name}'s {command} is answered")
        return done

    async def completes(self, command: str, **arguments: str) -> list[tuple[str, str]]:
        """Return the completions that Discord offers for the last of *arguments*: labels and values."""
        data = self._command(command, arguments, typing=True)
        data["options"][-1]["focused"] = True
        done = await self._does(COMPLETION, data)
        await self.discord.until(lambda: done.first_answer, f"{self.name}'s {command} is completed")
        assert done.first_answer is not None
        return [(choice["name"], choice["value"]) for choice in done.first_answer["data"]["choices"]]

    async def presses(self, label: str, on: Message | None = None) -> Interaction:
        """Press the button *label* of *on*, or of the newest message that has it; wait until it was seen."""
        message, part = self._find(lambda part: _can_press(part, label), label, on)
        return await self.presses_id(part["custom_id"], message)

    async def presses_id(self, custom_id: str, on: Message) -> Interaction:
        """Press a button by its payload, even if it was removed meanwhile."""
        return await self._presses({"custom_id": custom_id, "component_type": BUTTON, "id": 1}, on)

    async def taps_id(self, custom_id: str, on: Message) -> Interaction:
        """Press a button, or choose an option of a select, by its payload; wait for nothing."""
        selects = (part for part in on.parts if part["type"] == SELECT)
        select = next((part for part in selects if any(option["value"] == custom_id for option in part["options"])), {})
        if not select:
            return await self._does(COMPONENT, {"custom_id": custom_id, "component_type": BUTTON, "id": 1}, on)
        chosen = {"custom_id": select["custom_id"], "component_type": SELECT, "values": [custom_id], "id": 1}
        return await self._does(COMPONENT, chosen, on)

    async def fills(self, opened: Interaction, text: str) -> Interaction:
        """Write *text* into the form that a press has opened, and send it."""
        assert opened.first_answer is not None
        assert opened.first_answer["type"] == 9, opened.first_answer
        form = opened.first_answer["data"]
        (row,) = form["components"]
        filled = {"type": 4, "id": 2, "custom_id": row["components"][0]["custom_id"], "value": text}
        data = {"custom_id": form["custom_id"], "components": [{"type": 1, "id": 1, "components": [filled]}]}
        done = await self._does(FORM, data, opened.message)
        await self.discord.until(lambda: done.first_answer, f"{self.name}'s form is seen")
        return done

    def jumps(self, label: str, on: Message) -> Message:
        """Press the button *label*, which leads to a message; that message."""
        part = next(part for part in on.parts if part.get("style") == LINK and part["label"] == label)
        address = _ADDRESS.fullmatch(part["url"])
        assert address is not None, f"{part['url']} leads nowhere"
        channel = self.discord.channels[int(address[2])]
        where = "@me" if channel.server is None else str(channel.server.id)
        assert address[1] == where, f"{part['url']} leads past {channel.name}"
        return next(message for message in channel.public if message.id == int(address[3]))

    async def chooses(self, label: str, on: Message | None = None, of: str | None = None) -> Interaction:
        """Choose the option *label* of a select; *of*: of the one with this placeholder."""

        def offers(part: dict[str, Any]) -> bool:
            if part["type"] != SELECT or (of is not None and part.get("placeholder", "") != of):
                return False
            return any(option["label"] == label for option in part["options"])

        message, part = self._find(offers, label, on)
        value = next(option["value"] for option in part["options"] if option["label"] == label)
        data = {"custom_id": part["custom_id"], "component_type": SELECT, "values": [value], "id": 1}
        return await self._presses(data, message)

    async def finds(self, label: str) -> Message:
        """Wait until there is a button *label*; the newest message that has it."""

        def newest() -> Message | None:
            return next((message for message in reversed(self.sees()) if label in message.buttons), None)

        return await self.discord.until(newest, f"{self.name} finds the button {label!r}")

    async def _presses(self, data: dict[str, Any], message: Message) -> Interaction:
        assert message.reader in (None, self), f"{self.name} cannot see that message"
        done = await self._does(COMPONENT, data, message)
        await self.discord.until(lambda: done.first_answer, f"{self.name}'s press is seen")
        return done

    def _find(self, fits: Any, label: str, on: Message | None) -> tuple[Message, dict[str, Any]]:
        for message in [on] if on is not None else reversed(self.sees()):
            for part in message.parts:
                if fits(part):
                    return message, part
        raise AssertionError(f"{self.name} sees no {label!r}:\n{self.discord.transcript()}")

    def _command(self, command: str, arguments: dict[str, str], typing: bool = False) -> dict[str, Any]:
        """Return the data of a command, as the client builds it from the registered commands."""
        name = command.removeprefix("/")
        registered = next((command for command in self.discord.commands if command["name"] == name), None)
        assert registered is not None, f"no command {command}: {[command['name'] for command in self.discord.commands]}"
        options = {option["name"]: option for option in registered.get("options", ())}
        for argument, value in arguments.items():
            assert argument in options, f"{command} has no {argument}"
            assert not typing or options[argument]["type"] == TEXT
            choices = [option["value"] for option in options[argument].get("choices") or ()]
            assert not choices or value in choices, f"{value!r} is none of {choices}"
            assert len(value) <= 6000, "Discord's client takes no longer text"
            assert not typing or options[argument].get("autocomplete"), f"{argument} has no completion"
        missing = [name for name, option in options.items() if option.get("required") and name not in arguments]
        assert typing or not missing, f"{command} needs {missing}"
        chosen = {
            argument: self._chosen(value) for argument, value in arguments.items() if options[argument]["type"] == USER
        }
        people = [person for person in chosen.values() if person is not None]
        return {
            "id": registered["id"],
            "name": name,
            "type": 1,
            "options": [
                {"name": argument, "type": TEXT, "value": value}
                if (one := chosen.get(argument)) is None
                else {"name": argument, "type": USER, "value": str(one.id)}
                for argument, value in arguments.items()
            ],
            "resolved": {"users": {str(person.id): person.payload() for person in people}},
        }

    def _chosen(self, name: str) -> "Person | None":
        """Return the person that the client offers for *name*, or None: a client without that option sends the text."""
        wish = name.strip("@").casefold()
        return next((person for person in self.discord.people.values() if person.name.casefold() == wish), None)

    async def _does(self, kind: int, data: dict[str, Any], message: Message | None = None) -> Interaction:
        known = self.at.has_bot or self.user_installed or kind in (COMPONENT, FORM)
        assert known, f"{self.name} has no such command in {self.at.name}"
        done = Interaction(self.discord, self, kind, self.at, data, message)
        await self.discord.deliver(done)
        return done
