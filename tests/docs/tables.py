"""Generates the tables of the reference pages: options, names, keys of rules, codes of errors.

A table is between `<!-- options of destiny score -->` and `<!-- end -->`, and likewise for `names of MODULE`,
`keys of CLASS`, `codes` and `classes` of errors.
"""

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Final, get_origin

import msgspec

import oddsmith
from oddsmith import errors, wire
from oddsmith.laws import LAWS
from oddsmith.points import Points
from oddsmith.registry import load_mechanics
from tests.cli.commands import root_command, sub_commands
from tests.docs.json_page import schemas

LONGEST: Final = 60
SOURCE: Final = Path(oddsmith.__file__).parent
ANCHORS: Final = {"dice": "dice-", "casino": "casino-"}
"""Prefix of the headings of a game's tables, where another game has tables of the same names."""
TABLE: Final = re.compile(
    r"^<!-- (?P<kind>options|names|keys|classes|codes|questions)(?: of (?P<what>[A-Za-z_. ]+))? -->\n.*?^<!-- end -->$",
    re.DOTALL | re.MULTILINE,
)


def fill_tables(text: str) -> str:
    """Return the page with every table generated again."""

    def replace_table(found: re.Match[str]) -> str:
        opening = found[0].partition("\n")[0]
        return f"{opening}\n\n{TABLES[found['kind']](found['what'])}\n\n<!-- end -->"

    return TABLE.sub(replace_table, text)


def _write_table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    heads = list(heads)
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines)


# --- the command line ------------------------------------------------------------------------------------------------


@cache
def commands() -> Mapping[str, Any]:
    """Return every command by its words; `oddsmith` is the program itself."""
    root = root_command()
    return {"oddsmith": root, **dict(_sub_commands(root, ""))}


def _sub_commands(group: Any, path: str) -> Iterator[tuple[str, Any]]:  # noqa: ANN401  a command of click or of typer's own copy
    for name, command in sub_commands(group).items():
        if sub_commands(command):
            yield from _sub_commands(command, f"{path}{name} ")
        else:
            yield path + name, command


def option_table(name: str) -> str:
    """Return the options of a command with their meanings."""
    return _write_table(
        ("option", "meaning"),
        ((f"`{_usage(option)}`", _meaning(option)) for option in commands()[name].params),
    )


def _usage(option: Any) -> str:  # noqa: ANN401  a parameter of click or of typer's own copy
    if option.param_type_name == "argument":
        return str(option.metavar or option.name.upper()).strip("[]")
    flag = " / ".join((", ".join(option.opts), *option.secondary_opts))
    return flag if option.is_flag else f"{flag} {option.metavar or option.type.name.upper()}"


def _meaning(option: Any) -> str:  # noqa: ANN401  a parameter of click or of typer's own copy
    silent = option.required or isinstance(option.default, bool) or option.default in (None, ())
    default = "" if silent else f" Default: `{option.default}`."
    return f"{'Required. ' if option.required else ''}{option.help}{default}"


# --- the public names ------------------------------------------------------------------------------------------------


def name_table(module: str) -> str:
    """Return the public names of a module with their descriptions."""
    loaded = import_module(module)
    names = loaded.__all__ if hasattr(loaded, "__all__") else [*_defined_names(loaded)]
    return _write_table(
        ("name", "what it is"), ((f"`{name}`", _describe_name(loaded, name)) for name in names)
    )


def _defined_names(module: Any) -> Iterator[str]:  # noqa: ANN401  a module
    """Yield the public classes and functions that a module defines, in its order."""
    for name, value in vars(module).items():
        if (
            not name.startswith("_")
            and getattr(value, "__module__", None) == module.__name__
            and callable(value)
        ):
            yield name


def _describe_name(module: Any, name: str) -> str:  # noqa: ANN401  a module
    value = getattr(module, name)
    is_own = getattr(value, "__module__", "").startswith("oddsmith") and get_origin(value) is not Annotated
    if is_own and callable(value):
        return (inspect.getdoc(value) or "").partition("\n")[0]
    if inspect.ismodule(value):
        return (value.__doc__ or "").partition("\n")[0]
    line = next((line for home, line in _constants().get(name, ()) if _has(home, name, value)), "")
    alias = getattr(value, "__module__", "") in ("builtins", "typing", "types")
    return line or ("a type alias" if alias else f"`{_short_repr(value)}`")


def _has(module: str, name: str, value: object) -> bool:
    return getattr(sys.modules.get(module), name, None) is value


@cache
def _constants() -> Mapping[str, Sequence[tuple[str, str]]]:
    """Return the docstring lines below constants of the package, with their modules, by name."""
    lines: dict[str, list[tuple[str, str]]] = {}
    for path, tree in _trees().items():
        module = ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")
        for first, then in zip(tree.body, tree.body[1:], strict=False):
            target = getattr(first, "target", None) or (
                first.targets[0] if isinstance(first, ast.Assign) else None
            )
            if (
                isinstance(target, ast.Name)
                and isinstance(then, ast.Expr)
                and isinstance(then.value, ast.Constant)
            ):
                line = str(then.value.value).partition("\n")[0]
                lines.setdefault(target.id, []).append((module, line))
    return lines


def _short_repr(value: object) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST else f"{type(value).__name__}"


# --- the keys of rules -----------------------------------------------------------------------------------------------


def key_table(name: str) -> str:
    """Return the keys of a table of rules, such as `destiny.Crime`: what each expects, and its default."""
    game, _, name = name.partition(".")
    kind: Any = getattr(import_module(f"oddsmith.games.{game}.rules"), name)
    schema = schemas([kind])
    properties = schema[name]["properties"]
    rows = []
    for field in msgspec.structs.fields(kind):
        default = "required" if field.required else f"`{_format_toml(wire.to_builtins(field.default))}`"
        expected = _expected_words(properties[field.name], schema).replace("(#", f"(#{ANCHORS.get(game, '')}")
        rows.append((f"`{field.name}`", expected, default))
    return _write_table(("key", "expected", "default"), rows)


def _expected_words(schema: Mapping[str, Any], known: Mapping[str, Any]) -> str:  # noqa: PLR0911  one return for each kind of value
    match schema:
        case {"$ref": reference}:
            name = str(reference).rpartition("/")[2]
            inner = known[name]
            return " or ".join(f"`{value}`" for value in inner["enum"]) if "enum" in inner else _link(name)
        case {"anyOf": options}:
            return _expected_words(options[0], known)
        case {"format": "decimal"} | {"type": "number"}:
            return "number"
        case {"type": "integer"}:
            return f"whole number{_bounds_words(schema.get('minimum'), schema.get('maximum'))}"
        case {"type": "boolean"}:
            return "`true` or `false`"
        case {"type": "object"}:
            return f"table of {_plural(_expected_words(schema['additionalProperties'], known))}"
        case {"prefixItems": [first, _, _, *_] as parts}:
            return f"list of {len(parts)} {_expected_words(first, known)}s"
        case {"prefixItems": parts}:
            return f"pair of {' and '.join(_expected_words(part, known) for part in parts)}"
        case {"type": "array"}:
            return f"list of {_plural(_expected_words(schema['items'], known))}"
    return "text"


def _link(name: str) -> str:
    return "points" if name == Points.__name__ else f"[{name.lower()}](#{name.lower()})"


def _plural(words: str) -> str:
    first, space, rest = words.partition(" ")
    if first in ("table", "list", "pair"):
        return f"{first}s{space}{rest}"
    return "numbers" if words == "number" else words.replace("whole number", "whole numbers")


def _bounds_words(least: int | None, most: int | None) -> str:
    return "" if least is None and most is None else f", {least:,} to {most:,}"


def _format_toml(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case {"whiskey": price, **rest} if not rest and not isinstance(price, dict):
            return f"{{ whiskey = {price} }}"
        case dict():
            return "{ … }" if value else "{}"
        case list() | tuple():
            return "[ … ]" if value else "[]"
        case str():
            return f'"{value}"'
    return "none" if value is None else str(value)


# --- the codes of errors ---------------------------------------------------------------------------------------------

RAISED_AS: Final = {
    **{
        name: name
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, errors.OddsmithError)
    },
    "Refusal": "IllegalMove",
    "error": "InputError, RulesError",
    "_require_line": "RecordError",
    "error_at": "InputError",
}
"""The error that a call by this name raises; a `Refusal` of a game is raised as `IllegalMove`."""
REFUSAL_RESULTS: Final = {"cli": "shown only", "match": "answered"}
"""What happens to a `Refusal` outside games: a command prints it, a match replies with it."""
MADE_OF_PARTS: Final = {
    "f'unknown_{what}'": (
        "unknown_outlaw",
        "unknown_skill",
        "unknown_item",
        "unknown_location",
        "unknown_buff",
        "unknown_crime",
    ),
    "f'unknown_{what.split(maxsplit=1)[0]}'": ("unknown_hand", "unknown_kind", "unknown_item"),
    "f'bad_{what}'": ("bad_value", "bad_weight"),
}
NOT_A_LINE: Final = ("bad_name", "bad_line", "bad_label", "bad_value")
"""Codes of text that is no line; all have one sentence."""
PASSED_ON: Final = (
    "code", "name", "error.refusal.code", "refusal.code", "field.hint.code", "flag.code", "field.hint.code or 'bad_value'",
)  # fmt: skip


def codes() -> Mapping[str, tuple[set[str], str]]:
    """Return every code of the source with the errors that raise it and its sentence."""
    found: dict[str, tuple[set[str], str]] = {}
    for path, tree in _trees().items():
        for function, call in _calls(tree):
            name = getattr(call.func, "id", "")
            if name in RAISED_AS and len(call.args) > 1:
                place = 1 if name == "_require_line" else 0
                for code in _codes(call.args[place]):
                    raised, sentence = found.setdefault(code, (set(), ""))
                    folder = next(
                        (folder for folder in REFUSAL_RESULTS if name == "Refusal" and folder in path.parts),
                        None,
                    )
                    raised |= {REFUSAL_RESULTS[folder]} if folder else set(RAISED_AS[name].split(", "))
                    found[code] = raised, sentence or _sentence(call.args[1], function)
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            if getattr(call.func, "id", "") in {"option", "argument", "FileFlag"}:
                found.update(_field_codes(call))
    return found | {law: ({"LawBroken"}, promise) for law, promise in LAWS.items()}


def _codes(written: ast.expr) -> tuple[str, ...]:
    if isinstance(written, ast.Constant) and isinstance(written.value, str):
        return (written.value,)
    text = ast.unparse(written)
    if text in PASSED_ON:
        return ()
    return MADE_OF_PARTS[text]


def _field_codes(call: ast.Call) -> Iterator[tuple[str, tuple[set[str], str]]]:
    """Yield the code that a field of a request declares for refused values."""
    given = {word.arg: word.value for word in call.keywords}
    if "code" in given:
        sentence = given.get("sentence", ast.Constant("unknown …"))
        assert isinstance(sentence, ast.Constant)

        yield ast.literal_eval(given["code"]), ({"InputError"}, re.sub(r"{\w+}", "…", str(sentence.value)))


def _calls(tree: ast.Module) -> Iterator[tuple[ast.AST, ast.Call]]:
    for function in (
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ):
        yield from ((function, node) for node in ast.walk(function) if isinstance(node, ast.Call))
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            yield from ((tree, node) for node in ast.walk(statement) if isinstance(node, ast.Call))


def _sentence(written: ast.expr, function: ast.AST) -> str:
    """Return the sentence with … for variable parts."""
    if isinstance(written, ast.Constant) and _codes(written)[0] in NOT_A_LINE:
        return "…: 1 to … printable characters are needed"
    if isinstance(written, ast.Name):
        values = [
            node.value
            for node in ast.walk(function)
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == written.id
        ]
        return _sentence(values[0], function) if values else "…"
    if isinstance(written, ast.Constant):
        return str(written.value)
    if isinstance(written, ast.JoinedStr):
        parts = (str(part.value) if isinstance(part, ast.Constant) else "…" for part in written.values)
        return re.sub("…[… :]*…", "…", "".join(parts))
    return "…"


def class_tree(_: str | None) -> str:
    """Return the tree of error classes."""
    _, _, drawn = inspect.cleandoc(errors.__doc__ or "").partition("::\n\n")
    return f"```text\n{inspect.cleandoc(drawn)}\n```"


def code_table(_: str | None) -> str:
    """Return every code with its errors and its sentence."""
    rows = (
        (f"`{code}`", ", ".join(sorted(raised)), sentence)
        for code, (raised, sentence) in sorted(codes().items())
    )
    return _write_table(("code", "raised as", "sentence"), rows)


@cache
def _trees() -> Mapping[Path, ast.Module]:
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(SOURCE.rglob("*.py"))}


def question_table(_: str | None) -> str:
    """Return every question of every mechanic with its summary."""
    rows = (
        (f"`{name}/{question.name}`", question.summary, "" if question.is_command else "programs only")
        for name, mechanic in load_mechanics().items()
        for question in mechanic.questions.values()
    )
    return _write_table(("below `/api/v1/`", "answers", ""), rows)


TABLES: Final[Mapping[str, Callable[[Any], str]]] = {
    "options": option_table,
    "names": name_table,
    "keys": key_table,
    "classes": class_tree,
    "codes": code_table,
    "questions": question_table,
}
