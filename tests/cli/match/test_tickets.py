"""Tickets of seats: found by their owner, readable by no other user, and never printed."""

import getpass
import stat
from pathlib import Path

import pytest

from oddsmith.cli.match.tickets import Ticket, delete_ticket, login_name, read_ticket, write_ticket
from oddsmith.errors import InputError

ANN = Ticket(
    server="http://here", match="05af", name="Ann", join_id="j" * 22, seed="s", seat=1, token="5e" * 32
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use a folder for tickets that does not exist yet."""
    place = tmp_path / "of" / "mine"
    monkeypatch.setenv("ODDSMITH_SEATS", str(place))
    return place


def test_a_ticket_is_found_until_it_is_removed(folder: Path) -> None:
    """By server, match and name; another name has none."""
    write_ticket(ANN)
    kept, others = read_ticket("http://here", "05af", "Ann"), read_ticket("http://here", "05af", "Bo")
    (file,) = folder.iterdir()
    mode = stat.S_IMODE(file.stat().st_mode)
    delete_ticket(ANN)
    delete_ticket(ANN)

    assert (ANN, None, 0o600) == (kept, others, mode)
    assert read_ticket("http://here", "05af", "Ann") is None


def test_an_unreadable_ticket_is_ignored(folder: Path) -> None:
    """A new seat can be taken."""
    write_ticket(ANN)
    (file,) = folder.iterdir()
    file.write_text("{")

    assert read_ticket("http://here", "05af", "Ann") is None


def test_a_ticket_that_cannot_be_written_is_an_error(folder: Path) -> None:
    """The seat is not taken."""
    folder.parent.mkdir()
    folder.write_text("a file")

    with pytest.raises(InputError, match="the seat's token cannot be stored in") as refused:
        write_ticket(ANN)

    assert "not_written" == refused.value.refusal.code


def test_a_ticket_is_printed_without_its_secrets() -> None:
    """Neither the token nor the id, which would give it again, nor the seed."""
    assert "Ticket(match='05af', name='Ann', seat=1)" == repr(ANN)


def test_tickets_are_in_the_state_folder_of_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless a folder is named."""
    monkeypatch.delenv("ODDSMITH_SEATS", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    write_ticket(ANN)

    assert 1 == len([*tmp_path.rglob("seats/*.json")])


@pytest.mark.parametrize(
    ("login", "name"), [("ann", "ann"), (" ", "guest"), ("a\nn", "guest"), ("a" * 50, "a" * 40)]
)
def test_the_default_name_is_the_login(monkeypatch: pytest.MonkeyPatch, login: str, name: str) -> None:
    """If it is a valid name."""
    monkeypatch.setattr(getpass, "getuser", lambda: login)

    assert name == login_name()


def test_the_default_name_without_a_login_is_guest(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container whose user has no name."""

    def fail() -> str:
        raise KeyError

    monkeypatch.setattr(getpass, "getuser", fail)

    assert "guest" == login_name()
