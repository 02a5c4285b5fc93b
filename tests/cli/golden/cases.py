"""Command lines that are run in this process, and their recorded output.

`commands/NAME.txt` has one case a line, as a shell would read it; `#` begins a comment.

- `NAME=VALUE` before `oddsmith` sets a variable of the environment: `FORCE_COLOR=1` shows the styles. `STDIN=1/q` is the
  standard input: a slash ends a line.
- ` && ` separates commands that run one after the other in the same folder.
- `[--json]` means two cases: one without the option, one with it.
- `$LONG`, `$DIGITS` and the other names of `WORDS` are replaced by text that is hard to write in a line.

Each case runs in a folder of its own with copies of the files of `files/` that it names, and of the
repository's `examples/` if it names them. `outputs/NAME.txt` has for each case the command, the exit
status, standard output and standard error, and the files that were made. An escape character is shown
as ␛.
"""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from hashlib import sha256
from io import StringIO
from os import environ
from pathlib import Path
from shutil import copy, copytree
from typing import Final, NamedTuple
from unittest import mock

from oddsmith.cli import main

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[2]
FILES: Final = sorted((HERE / "files").iterdir())
RULE: Final = "=" * 100
OPTIONAL: Final = " [--json]"
LARGEST: Final = 20_000
"""Characters of an output that are recorded in full; of a longer one, the beginning and the digest."""
INHERITED: Final = ("HOME", "MPLCONFIGDIR", "ODDSMITH_CACHE", "PATH", "PYTHONPATH", "TMPDIR")
ENVIRONMENT: Final = {
    "COLUMNS": "100",
    "LC_ALL": "C.UTF-8",
    "ODDSMITH_COMPILED": "0",
    "ODDSMITH_FATE_DECK": "own.json",
    "ODDSMITH_SEATS": "seats",
    "TERM": "xterm-256color",
}
WORDS: Final = {
    "$LONG": "x" * 100_000,
    "$DIGITS": "9" * 5_000,
    "$ESC": "\x1b",
    "$NUL": "\0",
    "$SURROGATE": "\udcff",
    "$NEWLINE": "\n",
}
LONG_FLOAT: Final = re.compile(r"\d+\.\d{10,}(?:e[+-]\d+)?")
UNSTABLE: Final = re.compile(r'(?<="seconds":)[0-9.e-]+|(?<=\[Errno )[0-9]+|(?<=about ).+(?= in one process)')
"""Measured times, and error numbers that depend on the system."""
SVG_WORDS: Final = re.compile(r"<!-- (.+?) -->")
VERSION: Final = re.compile(r"(?<=Matplotlib )v[^<\s]+")
NO_TEXT: Final = re.compile(r"<(svg|style|script)\b.*?</\1>", re.DOTALL)
TAG: Final = re.compile(r"<[^>]+>")


class Output(NamedTuple):
    """The exit status of a command and its output."""

    status: int
    out: str
    err: str


def read_cases(name: str) -> list[str]:
    """Return the cases of a file of `commands/`, with `[--json]` expanded."""
    lines = (HERE / "commands" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [
        case
        for line in lines
        if line.strip() and not line.startswith("#")
        for case in (
            [line.replace(OPTIONAL, ""), line.replace(OPTIONAL, " --json")] if OPTIONAL in line else [line]
        )
    ]


def read_blocks(path: Path) -> dict[str, str]:
    """Return the recorded text of each case of an output file."""
    if not path.exists():
        return {}
    blocks = path.read_text(encoding="utf-8").split(f"{RULE}\n")[1:]
    return {block.partition("\n")[0].removeprefix("$ "): block.partition("\n")[2] for block in blocks}


def write_blocks(path: Path, blocks: Mapping[str, str]) -> None:
    """Write the recorded text of each case."""
    text = "".join(f"{RULE}\n$ {case}\n{block}" for case, block in blocks.items())
    path.write_text(text, encoding="utf-8")


def run_case(case: str, folder: Path) -> str:
    """Run the commands of a case in a folder, which is the current one, and return the text to record."""
    _copy_files(case, folder)
    before = _contents(folder)
    steps = case.split(" && ")
    lines: list[str] = []
    for step in steps:
        lines += [f"--- {step}"] if len(steps) > 1 else []
        lines += _describe_output(run_command(step))
    lines += _describe_files(before, _contents(folder))
    return "".join(f"{line}\n" for line in lines).replace("\x1b", "␛")


def _copy_files(case: str, folder: Path) -> None:
    """Copy the files that a case names, and those that they name."""
    if "examples/" in case:
        copytree(ROOT / "examples", folder / "examples")
    named = [path for path in FILES if path.name in case]
    for path in named:
        if path.is_dir():
            copytree(path, folder / path.name)
            continue
        copy(path, folder)
        text = path.read_text(encoding="utf-8", errors="replace")
        named += [other for other in FILES if f'"{other.name}"' in text and other not in named]


def round_floats(text: str) -> str:
    """Return text with floats rounded to ten digits: processors may differ in the last ones."""
    return LONG_FLOAT.sub(lambda found: f"{float(found[0]):.10g}", text)


def run_command(line: str) -> Output:
    """Run one command line in a fixed environment, without input and without a terminal."""
    words = shlex.split(line)
    start = words.index("oddsmith")
    variables = dict(word.split("=", 1) for word in words[:start])
    typed = variables.pop("STDIN", "")
    colour = {} if "FORCE_COLOR" in variables else {"NO_COLOR": "1"}
    inherited = {name: environ[name] for name in INHERITED if name in environ}
    out, err = StringIO(newline=""), StringIO(newline="")
    with (
        mock.patch.dict(environ, inherited | ENVIRONMENT | colour | variables, clear=True),
        mock.patch("sys.stdin", StringIO(typed and typed.replace("/", "\n") + "\n")),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main([_expand(word) for word in words[start + 1 :]])
            status = 0
        except SystemExit as end:
            status = int(end.code or 0)
    return Output(status, out.getvalue(), err.getvalue())


def _expand(word: str) -> str:
    for name, text in WORDS.items():
        word = word.replace(name, text)
    return word


def _describe_output(output: Output) -> Iterator[str]:
    yield f"status {output.status}"
    yield from _shorten(output.out)
    if output.err:
        yield "--- stderr"
        yield from _shorten(output.err)


def _shorten(text: str) -> Iterator[str]:
    """Yield the lines of a text; of a long one, its beginning, its size and its digest."""
    text = UNSTABLE.sub("…", round_floats(text))
    if len(text) > LARGEST:
        yield from text[: LARGEST // 2].splitlines()
        yield f"… {len(text)} characters, SHA-256 {sha256(text.encode()).hexdigest()}"
        return
    yield from text.split("\n")[:-1]
    if not text.endswith("\n") and text:
        yield text.rpartition("\n")[2]
        yield "(no newline at the end)"


def _contents(folder: Path) -> dict[str, bytes]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def _describe_files(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> Iterator[str]:
    """Yield a description of each file that is new, changed or removed."""
    for name in sorted({*before, *after}):
        if name not in after:
            yield f"--- file {name} is gone"
        elif before.get(name) != after[name]:
            yield f"--- file {name}"
            yield from _describe_file(name, after[name])


def _describe_file(name: str, content: bytes) -> Sequence[str]:
    match Path(name).suffix.lower():
        case ".svg":
            drawing = VERSION.sub("", content.decode())
            words = " | ".join(SVG_WORDS.findall(drawing))
            return [f"words: {words}", f"SHA-256 {sha256(drawing.encode()).hexdigest()}"]
        case ".html":
            page = VERSION.sub("", content.decode())
            lines = TAG.sub(" ", NO_TEXT.sub("", page)).splitlines()
            words = "".join(f"{' '.join(line.split())}\n" for line in lines if line.strip())
            return [*_shorten(words), f"SHA-256 {sha256(page.encode()).hexdigest()}"]
        case ".png":
            width, height = (int.from_bytes(content[at : at + 4]) for at in (16, 20))
            return [f"PNG, {width} × {height}"]
        case ".parquet":
            return ["Parquet"] if content.startswith(b"PAR1") else ["no Parquet"]
    return [*_shorten(content.decode())]
