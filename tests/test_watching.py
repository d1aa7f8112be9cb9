"""The files for monitoring: alert rules and a dashboard that query existing metrics."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import ProcessCollector, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from bot.runtime.metrics import Handling, Metrics
from rules import GAMES
from tests import promql

TOP = Path(__file__).parents[1]
RULES: dict[str, Any] = yaml.safe_load((TOP / "deploy" / "alerts.yml").read_text(encoding="utf-8"))
BOARD: dict[str, Any] = json.loads((TOP / "deploy" / "dashboard.json").read_text(encoding="utf-8"))

CASES: dict[str, Any] = yaml.safe_load((TOP / "deploy" / "alerts_test.yml").read_text(encoding="utf-8"))

ALERTS: list[dict[str, Any]] = [rule for group in RULES["groups"] for rule in group["rules"]]
PANELS: list[dict[str, Any]] = BOARD["panels"]

NAMED = re.compile(r"\b((?:kaleidobot|process|up)(?:_\w+)?)\b(?:\{([^}]*)\})?(?=[\s\[)=,]|$)")
LABEL = re.compile(r'(\w+)\s*(=~|=|!=|!~)\s*"([^"]*)"')
ELSEWHERE = {"job", "instance", "le"}
"""Labels that Prometheus adds, and the one of a histogram's buckets."""


def expressions() -> Iterator[tuple[str, str]]:
    yield from ((rule["alert"], rule["expr"]) for rule in ALERTS)
    yield from ((panel["title"], target["expr"]) for panel in PANELS for target in panel["targets"])


def samples() -> dict[str, set[str]]:
    """Return every sample that ``/metrics`` can have, with its labels."""
    metrics = Metrics()
    metrics.show_store()
    for _, metric in metrics:
        if metric._labelnames:
            metric.labels(*metric._labelnames)
    ProcessCollector(registry=metrics.registry)
    families = text_string_to_metric_families(generate_latest(metrics.registry).decode())
    return {sample.name: set(sample.labels) for family in families for sample in family.samples} | {"up": set()}


TOLD = samples()


@pytest.mark.parametrize(("name", "asked"), [*expressions()])
def test_every_queried_metric_is_exported(name: str, asked: str) -> None:
    matches = NAMED.findall(asked)
    assert matches, asked
    for metric, selector in matches:
        assert metric in TOLD, f"{name}: {metric}"
        for label, _, value in LABEL.findall(selector):
            assert label in TOLD[metric] | ELSEWHERE, f"{name}: {metric} has no {label}"
            if label == "outcome":
                assert set(value.split("|")) <= set(Handling), f"{name}: {value}"
    for labels in re.findall(r"by \(([^)]*)\)", asked):
        known = set().union(*(TOLD[metric] for metric, _ in matches)) | ELSEWHERE
        assert {label.strip() for label in labels.split(",")} <= known, f"{name}: by {labels}"


@pytest.mark.parametrize(("name", "asked"), [*expressions()])
def test_every_expression_can_be_read(name: str, asked: str) -> None:
    """A check without Prometheus: brackets, quotes, rates only of counters."""
    bare = re.sub(r'"[^"]*"', '""', asked)
    pairs = {")": "(", "]": "[", "}": "{"}
    opened: list[str] = []
    for letter in bare:
        if letter in "([{":
            opened.append(letter)
        elif letter in pairs:
            assert opened, name
            assert opened.pop() == pairs[letter], name
    assert not opened, name
    for function, metric in re.findall(r"\b(rate|increase)\((\w+)", asked):
        assert metric.endswith(("_total", "_count", "_bucket")), f"{name}: {function} of {metric}"
    for metric in re.findall(r"histogram_quantile\([^_]*?(kaleidobot_\w+)", asked):
        assert metric.endswith("_bucket"), name


LATER = {"kaleidobot_leader", "kaleidobot_servers", "up"}
"""Only some platforms have a leader or servers, and ``up`` is Prometheus' own. Both gauges are set in the first
seconds."""


def page_at_the_start() -> list[promql.Labels]:
    """Return all series of a process that has just begun, as Prometheus scrapes them."""
    metrics = Metrics()
    metrics.begin(("discord", "telegram"), GAMES)
    metrics.ready.labels("store").set(0)
    metrics.ready.labels("discord").set(0)
    metrics.show_store()
    for kind in ("urgent", "reminder"):
        metrics.due_waiting.labels(kind)
    ProcessCollector(registry=metrics.registry)
    families = text_string_to_metric_families(generate_latest(metrics.registry).decode())
    return [
        frozenset({("__name__", sample.name), ("job", "kaleidobot"), *sample.labels.items()})
        for family in families
        for sample in family.samples
    ]


@pytest.mark.parametrize(("name", "asked"), [*expressions()])
def test_every_queried_series_is_there_before_its_first_event(name: str, asked: str) -> None:
    asked = asked.replace("$__rate_interval", "5m").replace('=~"$job"', '="kaleidobot"')
    page = [*page_at_the_start(), *(frozenset({("__name__", name), ("job", "kaleidobot")}) for name in LATER)]
    assert promql.unmatched(asked, page) == [], name
    outcomes = {value for match in re.findall(r'outcome=~?"([^"]*)"', asked) for value in match.split("|")}
    for metric in ("kaleidobot_posts_total", "kaleidobot_update_seconds_count"):
        there = {dict(labels)["outcome"] for labels in page if ("__name__", metric) in labels}
        assert outcomes <= there


@pytest.mark.parametrize("case", CASES["tests"], ids=lambda case: str(case["name"]))
def test_alerts_fire_as_their_cases_say(case: dict[str, Any]) -> None:
    every_s = promql.seconds(case["interval"])
    series = promql.Series(
        {promql.labelled(item["series"]): promql.written(item["values"], every_s) for item in case["input_series"]}
    )
    for test in case["alert_rule_test"]:
        (rule,) = [rule for rule in ALERTS if rule["alert"] == test["alertname"]]
        time_s = promql.seconds(test["eval_time"])
        fires = promql.firing(rule, series, time_s, promql.seconds(CASES["evaluation_interval"]))
        assert fires == test.get("exp_alerts", []), test


def test_every_alert_has_a_case_in_which_it_fires_and_a_quiet_one() -> None:
    tests = [test for case in CASES["tests"] for test in case["alert_rule_test"]]
    names = {rule["alert"] for rule in ALERTS}
    assert {test["alertname"] for test in tests if test.get("exp_alerts")} == names
    assert {test["alertname"] for test in CASES["tests"][0]["alert_rule_test"]} == names


if shutil.which("promtool"):  # the cases above are the same ones

    def test_promtool_agrees() -> None:
        for words in (("check", "rules", "alerts.yml"), ("test", "rules", "alerts_test.yml")):
            done = subprocess.run(["promtool", *words], cwd=TOP / "deploy", capture_output=True, text=True, timeout=60)
            assert done.returncode == 0, done.stdout + done.stderr


def test_every_alert_has_a_severity_and_a_documented_answer() -> None:
    page = (TOP / "docs" / "operating.md").read_text(encoding="utf-8")
    assert len({rule["alert"] for rule in ALERTS}) == len(ALERTS)
    for rule in ALERTS:
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert rule["annotations"]["summary"].endswith(".")
        assert re.fullmatch(r"\d+[smh]", rule.get("for", "0s"))
        assert f"`{rule['alert']}`" in page, rule["alert"]


def test_the_alerts_on_the_page_are_those_of_the_file() -> None:
    page = (TOP / "docs" / "operating.md").read_text(encoding="utf-8")
    assert set(re.findall(r"`(Kaleidobot\w+)`(?: \||,)", page)) == {rule["alert"] for rule in ALERTS}


def test_the_dashboard_shows_every_figure_and_lays_its_panels_side_by_side() -> None:
    asked = "\n".join(expr for _, expr in expressions())
    for name, _ in Metrics():
        assert f"kaleidobot_{name}" in asked, name
    assert len({panel["id"] for panel in PANELS}) == len(PANELS)
    taken: set[tuple[int, int]] = set()
    for panel in PANELS:
        place = panel["gridPos"]
        cells = {(place["x"] + x, place["y"] + y) for x in range(place["w"]) for y in range(place["h"])}
        assert not cells & taken, panel["title"]
        assert place["x"] + place["w"] <= 24
        taken |= cells
    variables = {variable["name"] for variable in BOARD["templating"]["list"]} | {"__rate_interval"}
    assert set(re.findall(r"\$\{?(\w+)", json.dumps(BOARD["panels"]))) <= variables
