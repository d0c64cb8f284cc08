"""`Parser`: the arguments of a command, put together from `Option`s."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import Parameter, signature
from typing import Any, Literal, NamedTuple, NoReturn

from likewise.errors import UsageError

Role = Literal["source", "input", "output", "target", "folder"]
"""What a command does with the path that an option names: read files, folders and patterns; read
one file or index; write a file; write a file or a folder; keep files in a folder."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option or a positional argument.

    Attributes:
        help: what it does, in the imperative and without the default.
        metavar: what the help calls its value.
        type: converts its value.
        default: its value if it is not given; see `Parser.add`.
        otherwise: what applies if there is no default value, in words.
        more: further arguments of `add_argument`.
        path: what is done with the path that it names; None if its value is no path.
    """

    help: str
    metavar: str | tuple[str, ...] | None = None
    type: Callable[[str], Any] | None = None
    default: Any = None
    otherwise: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)
    path: Role | None = None


class PathOption(NamedTuple):
    """An option that names a path: as the help calls it, its attribute, and its role."""

    name: str
    dest: str
    role: Role


class Parser(argparse.ArgumentParser):
    """An argument parser that raises `UsageError`s.

    Args:
        command: its name, as in "index create".
        about: description and examples, separated by a line "example:".
        options: by name, those that `add` knows.

    Attributes:
        paths: those that name a path.
    """

    def __init__(self, command: str, about: str, options: Mapping[str, Option]) -> None:
        description, _, examples = about.strip().partition("\n\nexample:\n")
        super().__init__(
            prog=f"likewise {command}",
            description=description,
            epilog=f"example:\n{examples}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        self.register("type", None, str)  # never `_Positional`
        self._options = options
        self.paths: list[PathOption] = []

    def add(self, names: str, defaults: Callable[..., Any] | None = None, group: str = "") -> None:
        """Adds options.

        Args:
            names: "--text --lines|--whole": separated by spaces; by bars, if they exclude each
                other.
            defaults: a dataclass or function; its default values replace those of the options.
            group: the heading in the help.
        """
        values = {} if defaults is None else default_values(defaults)
        container = self.add_argument_group(group) if group else self
        for alternatives in names.split():
            exclusive = "|" in alternatives
            target = container.add_mutually_exclusive_group() if exclusive else container
            for name in alternatives.split("|"):
                self._add_one(target, name, self._options[name], values)

    def _add_one(
        self,
        target: argparse._ActionsContainer,
        name: str,
        option: Option,
        values: Mapping[str, Any],
    ) -> None:
        more, help_ = dict(option.more), option.help
        dest = more.pop("dest", name.removeprefix("--").replace("-", "_"))
        short = [more.pop("short")] if "short" in more else []
        if option.path is not None:
            self.paths.append(PathOption(name, dest, option.path))
        if more.get("action", "append") == "append":  # it takes a value
            default = values.get(dest, option.default)
            more |= {"metavar": option.metavar, "type": option.type, "default": default}
            shown = option.otherwise if default is None else shown_default(default, option.type)
            help_ += f" (default: {shown})" if shown else ""
        if name.startswith("--"):
            target.add_argument(*short, name, dest=dest, help=help_, **more)
        else:
            target.add_argument(dest, help=help_, **{**more, "metavar": name})

    def error(self, message: str) -> NoReturn:
        hint = f"{self.prog} --help lists the options"
        if "SOURCE" in message and "--against" in self._option_string_actions:
            hint = "name the collection first, then --against OTHER"
        raise UsageError(message, hint=hint)

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        end = arguments.index("--") + 1 if "--" in arguments else len(arguments)
        given = [*arguments[:end], *map(_Positional, arguments[end:])]
        return self.parse_intermixed_args(given)  # sources before and after options

    def _parse_optional(self, arg_string: str) -> Any:
        # Positional arguments are parsed by themselves, without the "--" that was before them.
        return None if isinstance(arg_string, _Positional) else super()._parse_optional(arg_string)


class _Positional(str):
    """An argument after "--", which is no option even if it starts with "-"."""


def default_values(of: Callable[..., Any]) -> dict[str, Any]:
    """The default values of a dataclass or function, by name."""
    parameters = signature(of).parameters.values()
    plain = (str, int, float, tuple, type(None))
    return {one.name: one.default for one in parameters if isinstance(one.default, plain)}


def arguments_for(
    call: Callable[..., Any], options: argparse.Namespace, **changes: Any
) -> dict[str, Any]:
    """The options that a dataclass or function takes by keyword, and other arguments.

    An option that was not given and has no default is left to the default of `call`.
    """
    names = [
        one.name
        for one in signature(call).parameters.values()
        if one.kind is Parameter.KEYWORD_ONLY or one.default is not Parameter.empty
    ]
    given = {name: getattr(options, name, None) for name in names}
    return {name: value for name, value in given.items() if value is not None} | changes


def shown_default(value: Any, type_: Callable[[str], Any] | None) -> str:
    """A default value as a user would write it."""
    if isinstance(value, tuple | list):
        return " ".join(shown_default(one, type_) for one in value)
    if type_ is size_in_bytes:
        unit, factor = next(item for item in _UNITS.items() if value % item[1] == 0)
        return f"{value // factor}{unit}B"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:g}" if isinstance(value, float) else str(value)


def whole_number(text: str) -> int:
    try:
        return int(text.replace("_", "").replace(",", ""))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None


def number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None


_UNITS = {"Gi": 2**30, "G": 10**9, "Mi": 2**20, "M": 10**6, "Ki": 2**10, "k": 10**3, "": 1}


def size_in_bytes(text: str) -> int:
    """256MB, 1.5GiB or a number of bytes."""
    match = re.fullmatch(r"([0-9.]+)\s*([kmg]i?)?b?", text.strip(), re.IGNORECASE)
    units = {name.lower(): factor for name, factor in _UNITS.items()}
    try:
        if match is None:
            raise ValueError
        return int(float(match[1]) * units[(match[2] or "").lower()])
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 256MB") from None
