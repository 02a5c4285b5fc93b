"""Spectators on bare sockets: hundreds of them cost a test little."""

import socket
from typing import Final

from tests.server.servers import API, SECONDS

HELLO: Final = b"\x81\x82\0\0\0\0{}"
"""A frame with `{}` under a mask of zeros."""
LARGEST_READ: Final = 65_536


def send_handshake(port: int, match: str, *more: str, receive_buffer: int | None = None) -> socket.socket:
    """Return a connection on which a handshake was sent, with further headers."""
    line = socket.socket()
    line.settimeout(SECONDS)
    if receive_buffer is not None:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    line.connect(("127.0.0.1", port))
    head = [
        f"GET {API}/matches/{match}/socket HTTP/1.1",
        "host: localhost",
        "connection: upgrade",
        "upgrade: websocket",
        "sec-websocket-version: 13",
        "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
        *more,
    ]
    line.sendall("\r\n".join([*head, "\r\n"]).encode())
    return line


def read_head(line: socket.socket) -> bytes:
    """Return the head of a response, byte by byte, so that nothing after it is read."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += line.recv(1)
    return head


def watch_match(port: int, match: str, *, receive_buffer: int | None = None) -> socket.socket:
    """Return the socket of a spectator that has its first frame."""
    line = send_handshake(port, match, receive_buffer=receive_buffer)
    assert b" 101 " in read_head(line)
    line.sendall(HELLO)
    assert line.recv(LARGEST_READ)
    return line


def read_all(line: socket.socket) -> bytes:
    """Return everything until the other side closes the connection."""
    read = b""
    try:
        while part := line.recv(LARGEST_READ):
            read += part
    except ConnectionError:
        pass
    return read
