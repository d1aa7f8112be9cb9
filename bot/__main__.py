"""``python -m bot``, or ``kaleidobot``: run the bot, or one of the operator's commands."""

import gc
import sys


def main() -> int:
    """Return the exit code: 0 stopped on request, 1 cannot run, 2 wrong settings, 3 could be better (doctor)."""
    if sys.platform == "win32":
        sys.exit("Kaleidobot runs in WSL, not on Windows itself: type wsl --install, and see docs/installing.md.")
    gc.disable()  # imports create little garbage; `app.run` switches it on again
    from bot.runtime import logs

    logs.prepare()
    try:
        return _main()
    finally:
        logs.settle()


def _main() -> int:
    import asyncio
    from pathlib import Path

    from bot import __version__, app
    from bot.chat import Unusable
    from bot.operation import environment
    from bot.runtime import logs
    from bot.runtime.logs import say
    from bot.store import StoreError

    arguments = None
    if sys.argv[1:]:
        from bot.operation import commandline

        arguments = commandline.parsed(sys.argv[1:])
    try:
        given = environment.environment(Path.cwd())
        values = environment.read(app.variables(), given)
    except environment.Wrong as wrong:
        say("\n  ".join(("The settings cannot be used:", *wrong.sentences)), sys.stderr)
        return 2
    logs.hide(environment.secrets(app.variables(), values))
    misspelt = environment.misspelt(app.variables(), given)
    if arguments is not None:
        return asyncio.run(commandline.run(arguments, values, app.selected(values), misspelt))
    logs.begin(values["LOG_LEVEL"], values["LOG_FORMAT"])
    say(f"Kaleidobot {__version__}")
    for name, variable in misspelt.items():
        say(f"  {name} is not a setting. Is it {variable}?")
    try:
        asyncio.run(app.run(values))
    except (Unusable, StoreError) as cannot:
        say(f"Cannot run: {cannot}", sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
