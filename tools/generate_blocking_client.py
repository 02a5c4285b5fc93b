"""Generate the blocking client from the asynchronous one.

    python tools/generate_blocking_client.py            write src/oddsmith/client/blocking.py
    python tools/generate_blocking_client.py --check    exit with 1 if the file is out of date

`async` and `await` are dropped from the code, and names and modules are replaced by their blocking counterparts.
Docstrings and comments are copied, so they must be true of both clients.
"""

import io
import subprocess
import sys
import tokenize
from pathlib import Path
from typing import Final

CLIENT: Final = Path(__file__).parents[1] / "src" / "oddsmith" / "client"
SOURCE: Final = CLIENT / "asynchronous.py"
TARGET: Final = CLIENT / "blocking.py"
COMMAND: Final = "python tools/generate_blocking_client.py"
HEADER: Final = f"# Generated from {SOURCE.name} by `{COMMAND}`: edit that file, not this one.\n"

KEYWORDS: Final = ("async", "await")
NAMES: Final = {
    "AsyncClient": "Client",
    "AsyncExitStack": "ExitStack",
    "AsyncIterator": "Iterator",
    "AsyncWatch": "Watch",
    "__aenter__": "__enter__",
    "__aexit__": "__exit__",
    "__aiter__": "__iter__",
    "aclose": "close",
    "enter_async_context": "enter_context",
}
MODULES: Final = {
    "import asyncio\n": "import time\n",
    "asyncio.sleep(": "time.sleep(",
    "from websockets.asyncio.client ": "from websockets.sync.client ",
}


def generate_blocking(source: str) -> str:
    """Return the formatted source of the blocking client; raise if a replacement is not needed."""
    text = source
    for old, new in MODULES.items():
        if old not in text:
            raise ValueError(f"{SOURCE.name} no longer has {old!r}")
        text = text.replace(old, new)
    return HEADER + _format(_replace_names(text))


def _replace_names(text: str) -> str:
    lines, unused = text.splitlines(keepends=True), set(NAMES)
    for token in reversed([*tokenize.generate_tokens(io.StringIO(text).readline)]):
        if token.type != tokenize.NAME or token.string not in (*KEYWORDS, *NAMES):
            continue
        (row, start), (_, end), line = token.start, token.end, lines[token.start[0] - 1]
        rest = line[end:].lstrip(" ") if token.string in KEYWORDS else line[end:]
        lines[row - 1] = line[:start] + NAMES.get(token.string, "") + rest
        unused.discard(token.string)
    if unused:
        raise ValueError(f"{SOURCE.name} no longer has {', '.join(sorted(unused))}")
    return "".join(lines)


def _format(text: str) -> str:
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(TARGET), "-"]
    done = subprocess.run(command, input=text, capture_output=True, check=True, encoding="utf-8", cwd=CLIENT)
    return done.stdout


def main(arguments: list[str]) -> int:
    """Write the file, or check it; return the exit status."""
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    text = generate_blocking(SOURCE.read_text(encoding="utf-8"))
    if not arguments:
        TARGET.write_text(text, encoding="utf-8")
    elif not TARGET.exists() or TARGET.read_text(encoding="utf-8") != text:
        print(f"{TARGET.name} is out of date with {SOURCE.name}: run {COMMAND}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
