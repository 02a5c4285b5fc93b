"""Mutants of a Python module: its source with one small change that a test of its behaviour should notice.

The changes are comparisons at their boundary, `and` for `or`, `+` for `-`, numbers off by one, negated conditions, `min` for
`max`, swapped arguments, `break` for `continue`, results replaced by `None`, and statements left out. What cannot change
behaviour is left as it is: annotations, decorators, docstrings and texts, bases and options of classes, type aliases,
protocols, overloads, code for type checkers, sizes of caches, options of the compiler.

The operators are written on `ast`, because the parser that `cosmic-ray` uses does not know `match` statements.
"""

import ast
import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Final, NamedTuple

COMPARISONS: Final = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "is": "is not",
    "is not": "is",
    "in": "not in",
    "not in": "in",
}
ARITHMETIC: Final = {
    "+": "-",
    "-": "+",
    "*": "+",
    "/": "*",
    "//": "*",
    "%": "//",
    "**": "*",
    "&": "|",
    "|": "&",
    "^": "|",
    "<<": ">>",
    ">>": "<<",
    "@": "*",
}
ASSIGNMENTS: Final = {f"{operator}=": f"{other}=" for operator, other in ARITHMETIC.items()}
CONNECTIVES: Final = {"and": "or", "or": "and"}
FUNCTIONS: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
NO_ARGUMENTS: Final = {"TypeVar", "ParamSpec", "NewType", "cast", "lru_cache", "njit"}
"""Calls for type checkers, caches and the compiler, whose arguments are left as they are."""
NOT_SWAPPED: Final = {"isinstance", "issubclass", "getattr", "hasattr", "setattr", "next", "min", "max"}
"""Calls that fail whenever their first arguments are swapped, which proves nothing, or that do not depend on their order."""
NO_KEYWORDS: Final = {"type", "strict", "maxsize"}
"""Keywords whose values are types, checks of the caller, or sizes of caches."""
LOGGING: Final = {"debug", "info", "warning", "warn", "error", "exception"}
COMPILER_OPTIONS: Final = {"nogil", "error_model", "fastmath", "no_cfunc_wrapper", "no_cpython_wrapper"}
NOT_VALUES: Final = re.compile(r"__all__|__slots__|\w*_?CACHED")
"""Names of variables whose values are no behaviour: public names, and sizes of caches."""


class Place(NamedTuple):
    """Where a source can be changed: bytes `start` to `end`, each text to write there, and the function it is in."""

    start: int
    end: int
    texts: tuple[str, ...]
    function: str


class Mutant(NamedTuple):
    """One change of a file: its line, the function, the first changed line without and with it, and the new source."""

    file: str
    line: int
    function: str
    before: str
    after: str
    source: str


def find_places(source: str) -> list[Place]:
    r"""Return every place of a module that can be changed, in order.

    >>> [place.texts for place in find_places("def older(age: int | None) -> bool:\n    return age > 17\n")]
    [('return None',), ('>=',), ('18', '16')]
    """
    return sorted({*_Finder(source).visit(ast.parse(source), "")})


def make_mutant(file: str, source: str, place: Place, text: str) -> Mutant:
    """Return the mutant that has a text at a place of a file."""
    encoded = source.encode()
    mutated = (encoded[: place.start] + text.encode() + encoded[place.end :]).decode()
    old, new = source.splitlines(), mutated.splitlines()
    for tag, first, _, other, _ in SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        if tag != "equal":
            after = new[other].strip() if other < len(new) else ""
            return Mutant(file, first + 1, place.function, old[first].strip(), after, mutated)
    raise ValueError(f"{text!r} changes nothing in {file}")


class _Finder:
    """Finds the places of one source; offsets are those of its bytes, as `ast` counts them."""

    def __init__(self, source: str) -> None:
        self._source = source.encode()
        self._lines = [0]
        for line in self._source.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))

    def visit(self, node: ast.AST, function: str) -> Iterator[Place]:
        """Yield the places of a node and its children."""
        if _is_left_alone(node):
            return
        if not _is_for_tools(node):
            yield from self._own_places(node, function)
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            function = f"{function}.{node.name}".removeprefix(".")
        for child in _children(node):
            yield from self.visit(child, function)

    def _own_places(self, node: ast.AST, function: str) -> Iterator[Place]:
        yield from self._operators(node, function)
        yield from self._values(node, function)
        yield from self._statements(node, function)

    def _operators(self, node: ast.AST, function: str) -> Iterator[Place]:
        match node:
            case ast.Compare():
                operands = (node.left, *node.comparators)
                for left, right in pairwise(operands):
                    yield from self._between(left, right, COMPARISONS, function)
            case ast.BoolOp():
                for left, right in pairwise(node.values):
                    yield from self._between(left, right, CONNECTIVES, function)
            case ast.BinOp(left=ast.Constant(value=str() | bytes())):
                return  # a text that is formatted
            case ast.BinOp():
                yield from self._between(node.left, node.right, ARITHMETIC, function)
            case ast.AugAssign():
                yield from self._between(node.target, node.value, ASSIGNMENTS, function)
            case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert()):
                yield self._replaced(node, f"({self._text(node.operand)})", function=function)

    def _values(self, node: ast.AST, function: str) -> Iterator[Place]:
        match node:
            case ast.Constant(value=bool(value)):
                yield self._replaced(node, str(not value), function=function)
            case ast.Constant(value=int(value)):
                yield self._replaced(
                    node, str(value + 1), *([str(value - 1)] if value else []), function=function
                )
            case ast.Constant(value=float(value)):
                yield self._replaced(node, repr(value + 1.0), function=function)
            case ast.Call(func=ast.Name(id=name) as called) if name in FUNCTIONS:
                yield self._replaced(called, FUNCTIONS[name], function=function)
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                if not isinstance(test, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Constant):
                    yield self._replaced(test, f"not ({self._text(test)})", function=function)
        match node:
            case ast.Call(args=[first, second, *_]) if _may_swap(node):
                one, two = self._text(first), self._text(second)
                gap = self._source[self._end(first) : self._start(second)].decode()
                if one != two:
                    yield Place(self._start(first), self._end(second), (f"{two}{gap}{one}",), function)

    def _statements(self, node: ast.AST, function: str) -> Iterator[Place]:
        match node:
            case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
                yield self._replaced(node, "return None", function=function)
            case ast.Break():
                yield self._replaced(node, "continue", function=function)
            case ast.Continue():
                yield self._replaced(node, "break", function=function)
            case ast.Raise() | ast.AugAssign() | ast.Delete():
                yield self._replaced(node, "pass", function=function)
            case ast.Expr(value=value) if not isinstance(value, ast.Constant):
                yield self._replaced(node, "pass", function=function)
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]) if not function.endswith("__init__"):
                yield self._replaced(node, "pass", function=function)

    def _between(
        self, left: ast.expr, right: ast.expr, others: dict[str, str], function: str
    ) -> Iterator[Place]:
        """Yield the place of the operator between two expressions."""
        start, end = self._end(left), self._start(right)
        gap = self._source[start:end].decode()
        found = re.search(r"not\s+in|is\s+not|[a-z]+|[-+*/%&|^<>=!@]+", gap)
        if found is not None:
            start += len(gap[: found.start()].encode())
            yield Place(start, start + len(found[0]), (others[" ".join(found[0].split())],), function)

    def _replaced(self, node: ast.expr | ast.stmt, *texts: str, function: str) -> Place:
        return Place(self._start(node), self._end(node), texts, function)

    def _text(self, node: ast.expr) -> str:
        return self._source[self._start(node) : self._end(node)].decode()

    def _start(self, node: ast.expr | ast.stmt) -> int:
        return self._lines[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None  # noqa: S101  for the type checker: parsed nodes have an end
        assert node.end_col_offset is not None  # noqa: S101
        return self._lines[node.end_lineno - 1] + node.end_col_offset


def _is_left_alone(node: ast.AST) -> bool:  # noqa: PLR0911  one return for each kind of node
    """Return whether nothing in a node is changed."""
    match node:
        case ast.JoinedStr() | ast.Import() | ast.ImportFrom():
            return True
        case ast.ClassDef(bases=bases):
            return any(isinstance(base, ast.Name) and base.id == "Protocol" for base in bases)
        case ast.FunctionDef(decorator_list=decorators) | ast.AsyncFunctionDef(decorator_list=decorators):
            return any(isinstance(found, ast.Name) and found.id == "overload" for found in decorators)
        case ast.AnnAssign(annotation=annotation) if "TypeAlias" in _names_in(annotation):
            return True
        case ast.Assign(targets=[target]) | ast.AnnAssign(target=target):
            return isinstance(target, ast.Name) and NOT_VALUES.fullmatch(target.id) is not None
        case ast.match_case(pattern=ast.MatchAs(name="never")):
            return True
        case ast.Dict(keys=keys):
            return any(isinstance(key, ast.Constant) and key.value in COMPILER_OPTIONS for key in keys)
        case ast.Call(func=ast.Name(id=name)):
            return name in NO_ARGUMENTS
        case ast.keyword(arg=name):
            return name in NO_KEYWORDS
    return False


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the children of a node in which something may be changed: no annotations, decorators, bases or log texts."""
    match node:
        case ast.ClassDef() | ast.ExceptHandler():
            yield from node.body
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from (*node.args.defaults, *filter(None, node.args.kw_defaults), *node.body)
        case ast.AnnAssign(value=value):
            yield from [value] if value is not None else []
        case ast.If() if _is_for_tools(node):
            yield from node.orelse
        case ast.Call(func=ast.Attribute(attr=name)) if name in LOGGING and _is_logger(node):
            return
        case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[first, *_]):
            yield first
        case _:
            yield from ast.iter_child_nodes(node)


def _is_for_tools(node: ast.AST) -> bool:
    """Return whether a node is a branch for type checkers or for a module that is run as a program."""
    return isinstance(node, ast.If) and bool(_names_in(node.test) & {"TYPE_CHECKING", "__name__"})


def _is_logger(call: ast.Call) -> bool:
    return any("log" in name.lower() or "warning" in name.lower() for name in _names_in(call.func))


def _may_swap(call: ast.Call) -> bool:
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    return name not in NOT_SWAPPED and not any(isinstance(given, ast.Starred) for given in call.args[:2])


def _names_in(node: ast.AST) -> set[str]:
    found = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return found | {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}
