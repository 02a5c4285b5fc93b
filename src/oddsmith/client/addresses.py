"""URLs of a server, its matches and their sockets: parsed, checked and made."""

from typing import Final
from urllib.parse import SplitResult, quote, urlsplit

from oddsmith.errors import InputError

DEFAULT: Final = "http://127.0.0.1:8077"
SCHEMES: Final = {"http": "ws", "https": "wss"}
MATCHES: Final = "matches"


def server_address(url: str) -> str:
    """Return the normalised URL of a server, without a slash at the end; raises `InputError` for any other URL.

    >>> server_address("http://localhost:8077/")
    'http://localhost:8077'
    """
    parts = _parts(url)
    if parts is None:
        raise InputError("bad_url", f"a server's address is such as {DEFAULT}, not '{url[:80]}'", where="url")
    return _address(parts)


def _address(parts: SplitResult) -> str:
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def _parts(url: str) -> SplitResult | None:
    """Return the parts of a server's URL; None for one that is malformed, or has a query, a fragment or a user."""
    try:
        parts = urlsplit(url)
        is_server = parts.scheme in SCHEMES and parts.hostname is not None and parts.port != 0
    except ValueError:
        return None
    return parts if is_server and not parts.query and not parts.fragment and parts.username is None else None


def match_address(url: str) -> tuple[str, str]:
    """Return the server's URL and the match id of a match's URL; raises `InputError` for any other URL.

    >>> match_address("http://localhost:8077/api/v1/matches/05af")
    ('http://localhost:8077', '05af')
    """
    parts = _parts(url)
    server, _, match = ("" if parts is None else _address(parts)).rpartition(f"/{MATCHES}/")
    if not server or not match or "/" in match:
        raise InputError(
            "bad_url",
            f"a match's address is such as {DEFAULT}/{MATCHES}/05af…, not '{url[:80]}'",
            where="url",
        )
    return server.removesuffix("/api/v1"), match


def socket_address(server: str, match: str) -> str:
    """Return the URL of the socket of a match.

    >>> socket_address("https://play.example", "05af")
    'wss://play.example/api/v1/matches/05af/socket'
    """
    scheme, _, rest = server.partition("://")
    return f"{SCHEMES[scheme]}://{rest}/api/v1/{MATCHES}/{quote(match, safe='')}/socket"
