"""Each default has one value: settings, Python functions, requests, command line and reference."""

from __future__ import annotations

import re
from collections.abc import Callable
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import pytest

import likewise
from likewise.cli.commands import COMMANDS, GROUPS, module_of, parser_of
from likewise.cli.options import OPTIONS
from likewise.cli.parser import shown_default
from likewise.decontamination.settings import DecontaminationSettings
from likewise.dedup.files.staged_run import RunOptions
from likewise.dedup.rules import CHAINS
from likewise.dedup.settings import DedupSettings
from likewise.index.settings import IndexSettings
from likewise.passages.settings import Exclusions, PassageSettings
from likewise.search.settings import Settings
from likewise.server.schemas.passages import Exclude, PassageQuery
from likewise.server.schemas.query import Query
from likewise.server.settings import ServerSettings
from likewise.study.detection import ESTIMATORS, LAYOUTS, detect_copies
from likewise.study.estimation import try_estimators
from likewise.study.null_texts import NULLS
from likewise.study.pair import study_pair
from likewise.study.timing import TimingPlan
from likewise.study.witnesses import study_witnesses
from likewise.survey.settings import SurveySettings

CLI_REFERENCE = Path(__file__).parents[2] / "docs/reference/cli.md"
CALLED = [
    ("pairs", Settings),
    ("pairs", likewise.find_pairs),
    ("passages", PassageSettings),
    ("passages", likewise.find_passages),
    ("compare", likewise.compare),
    ("dedup", DedupSettings.checked),
    ("dedup", RunOptions),
    ("dedup", likewise.deduplicate_files),
    ("dedup", likewise.deduplicate),
    ("decontaminate", DecontaminationSettings),
    ("decontaminate", likewise.decontaminate),
    ("index create", IndexSettings.checked),
    ("index create", likewise.Index.create),
    ("index query", likewise.Index.query),
    ("index query", Query),
    ("index passages", likewise.Index.passages),
    ("index passages", PassageQuery),
    ("report", SurveySettings),
    ("serve", ServerSettings),
    ("study pair", study_pair),
    ("study witnesses", study_witnesses),
    ("study estimators", try_estimators),
    ("study detection", detect_copies),
    ("study timing", TimingPlan.checked),
]
# Options that have no default, since more than one thing follows from their absence.
DERIVED = {
    ("index create", "min_words"),  # none without texts or passages
    ("index query", "top"),  # a request is limited, a command is not
    ("index passages", "top"),
}


def name_of(one: object) -> str:
    return str(getattr(one, "__qualname__", one))


def defaults_of(call: Callable[..., Any]) -> dict[str, Any]:
    if fields := getattr(call, "model_fields", None):
        return {name: field.default for name, field in fields.items()}
    values = {one.name: one.default for one in signature(call).parameters.values()}
    return {name: value for name, value in values.items() if value is not Parameter.empty}


@pytest.mark.parametrize(("command", "call"), CALLED, ids=name_of)
def test_an_option_has_the_default_of_what_it_is_given_to(
    command: str, call: Callable[..., Any]
) -> None:
    given = {action.dest: action.default for action in parser_of(command)._actions}
    compared = 0
    for name, default in defaults_of(call).items():
        if name not in given or (command, name) in DERIVED:
            continue
        if name == "profile":
            default = str(likewise.Profile.of(default))
            given[name] = str(likewise.Profile.of(given[name]))
        if given[name] is not None:  # otherwise the function decides
            assert given[name] == default, name
        compared += 1
    assert compared


@pytest.mark.parametrize(
    ("of", "other"),
    [
        (Settings, likewise.find_pairs),
        (PassageSettings, likewise.find_passages),
        (DedupSettings.checked, likewise.deduplicate),
        (DecontaminationSettings, likewise.decontaminate),
        (IndexSettings.checked, likewise.Index.create),
        (Exclusions, Exclude),
    ],
    ids=name_of,
)
def test_functions_and_requests_have_the_defaults_of_the_settings(
    of: Callable[..., Any], other: Callable[..., Any]
) -> None:
    settings, own = defaults_of(of), defaults_of(other)
    for name in (settings.keys() & own.keys()) - {"threads", "min_words"}:
        if name == "profile":
            assert likewise.Profile.of(own[name]) == likewise.Profile.of(settings[name])
        else:
            assert plain(own[name]) == plain(settings[name]), name


def plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def test_choices_are_those_of_the_code() -> None:
    assert module_of("dedup").OPTIONS["--chains"].more["choices"] == CHAINS
    detection = module_of("study detection").OPTIONS
    assert detection["--estimator"].more["choices"] == tuple(ESTIMATORS)
    assert detection["--layouts"].otherwise == " ".join(f"{x.bands}x{x.rows}" for x in LAYOUTS)
    assert module_of("study witnesses").OPTIONS["--nulls"].more["choices"] == tuple(NULLS)
    assert Exclusions(same=OPTIONS["--other"].more["choices"])


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in GROUPS])
def test_the_reference_has_the_default_of_each_option(command: str) -> None:
    text = CLI_REFERENCE.read_text(encoding="utf-8")
    section = re.split(rf"^## likewise {command}$", text, flags=re.M)[1].partition("\n## ")[0]
    tables = re.findall(r"^\| option \| default \|.*\n((?:\|.*\n)+)", section, re.M)
    rows = re.findall(r"^\| `(?:-\w[^|]*`)?(--[\w-]+)[^|]*\| ([^|]*?) ?\|", "".join(tables), re.M)
    documented = {name: default.replace("`", "") for name, default in rows}
    for action in parser_of(command)._actions:
        name = action.option_strings[-1] if action.option_strings else ""
        if name in documented and action.nargs != 0 and action.default is not None:
            shown = shown_default(action.default, action.type)  # type: ignore[arg-type]
            assert documented[name] == shown, name


def test_no_option_of_the_shared_table_is_unused() -> None:
    used = set()
    for command in COMMANDS.keys() - GROUPS.keys():
        own = getattr(module_of(command), "OPTIONS", {})
        actions = parser_of(command)._actions
        names = {n for a in actions for n in (a.option_strings or [str(a.metavar)])}
        used |= names - own.keys()
    assert OPTIONS.keys() <= used
