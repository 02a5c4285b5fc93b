"""What a page learns of a server that reloads mechanics: which generation it shows, and what is wrong with their files."""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from oddsmith.server.http_request import API, Operation, Request, Response, json_response
from oddsmith.server.pages import BASE, Pages
from oddsmith.server.rule_calls import RuleCalls
from oddsmith.server.static_files import INDEX, StaticFile

PROBLEMS: Final = f"{API}/problems"
META: Final = b'<meta name="oddsmith-generation" content="%b" />'
"""The element of a page that names the generation which it was loaded from."""


class FileProblem(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong with a mechanic; `where` is its file, with the line where it is known, `pig.py:12`."""

    where: str
    sentence: str


class ProblemsReply(msgspec.Struct, frozen=True, kw_only=True):
    """The generation of mechanics that are served, which is another after each reload, and what is wrong now."""

    generation: str
    problems: tuple[FileProblem, ...]


class ReloadState:
    """The generation of a serving process, the problems of files that its parent has found since, and those of its own."""

    def __init__(self, generation: str, problems: Sequence[FileProblem] = ()) -> None:
        self.generation = generation
        self.problems = tuple(problems)
        self.own_problems: tuple[FileProblem, ...] = ()


def reload_operations(state: ReloadState, rules: RuleCalls) -> Iterator[Operation]:
    """Yield the operation that pages ask every second; rules that have failed are problems, too."""

    async def show_problems(_request: Request) -> Response:
        """Return the generation, and what is wrong."""
        failures = (
            FileProblem(where=failure.refusal.where or "", sentence=failure.refusal.sentence)
            for failure in rules.failures
        )
        return json_response(
            ProblemsReply(
                generation=state.generation, problems=(*state.problems, *state.own_problems, *failures)
            )
        )

    yield Operation(
        method="GET",
        path=PROBLEMS,
        name="problems",
        summary="Show what is wrong with mechanics that are reloaded.",
        handler=show_problems,
        reply=ProblemsReply,
        cost=None,
        is_described=False,
    )


def mark_generation(pages: Pages, generation: str) -> Pages:
    """Return pages whose HTML names a generation; they are the same where the client was not built."""
    if pages.index is None:
        return pages
    base = BASE % b""
    marked = pages.index.body.replace(base, base + META % generation.encode())
    return Pages(StaticFile.of(INDEX, marked), pages.files)
