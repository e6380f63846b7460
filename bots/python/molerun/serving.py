"""A bot behind HTTP."""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import operator
import os
import re
import signal
import sys
import threading
import time
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import FrameType
from typing import Any, BinaryIO, Dict, List, Mapping, Optional, Sequence, Tuple, Union, cast

from molerun.bot import Answer, Bot, Decide

MAX_MESSAGE_BYTES = 4 << 20
MAX_AGE_SECONDS = 300
IDLE_SECONDS = 180
_MAX_CHUNK_LINE = 1000


def serve(
    bot: Union[Bot, Decide],
    *,
    games: Optional[Sequence[str]] = None,
    name: Optional[str] = None,
    host: Optional[str] = None,
    port: Optional[int] = None,
    secrets: Optional[Sequence[str]] = None,
) -> None:
    """Serve a bot until Ctrl-C or SIGTERM. It prints its address as its first line.

    port defaults to the first argument of the command line if that is a number, then to PORT, then to 8000; 0 takes a
    free one. host defaults to HOST, then to 127.0.0.1. secrets (two while one is being replaced) default to
    MOLERUN_SECRET, separated by spaces; without one, messages are accepted from anybody.
    """
    if port is None and len(sys.argv) > 1 and sys.argv[1].isdecimal():
        port = int(sys.argv[1])
    with server(bot, games=games, name=name, host=host, port=port, secrets=secrets) as made:
        if threading.current_thread() is threading.main_thread():
            for one in (signal.SIGINT, signal.SIGTERM):
                signal.signal(one, _exit)
        print(f"http://127.0.0.1:{made.server_port}", flush=True)
        made.serve_forever()


def _exit(_number: int, _frame: Optional[FrameType]) -> None:
    os._exit(0)  # at once, whatever the bot is thinking about


def server(
    bot: Union[Bot, Decide],
    *,
    games: Optional[Sequence[str]] = None,
    name: Optional[str] = None,
    host: Optional[str] = None,
    port: Optional[int] = None,
    secrets: Optional[Sequence[str]] = None,
) -> ThreadingHTTPServer:
    """What `serve` runs, for a program that has a loop of its own; ValueError for a bad secret."""
    known = os.environ.get("MOLERUN_SECRET", "").split() if secrets is None else secrets
    keys = [_key(secret) for secret in known]
    if not keys:
        print("MOLERUN_SECRET is not set: messages are accepted from anybody", file=sys.stderr)
    address = (
        os.environ.get("HOST", "127.0.0.1") if host is None else host,
        int(os.environ.get("PORT", "8000")) if port is None else port,
    )
    return _Server(address, Bot.of(bot, games, name), keys)


def genuine(keys: Sequence[bytes], headers: Mapping[str, str], body: bytes) -> bool:
    """Whether one of the keys has signed the message, at most five minutes ago: https://www.standardwebhooks.com"""
    stamp = headers.get("webhook-timestamp", "")
    if not stamp.isdecimal() or len(stamp) > 15 or abs(time.time() - int(stamp)) > MAX_AGE_SECONDS:
        return False
    signed = f"{headers.get('webhook-id', '')}.{stamp}.".encode() + body
    good = [b"v1," + base64.b64encode(hmac.digest(key, signed, "sha256")) for key in keys]
    given = headers.get("webhook-signature", "").split()
    return any(hmac.compare_digest(mine, one.encode()) for mine in good for one in given)


def answer(bot: Bot, message: Dict[str, Any]) -> Tuple[int, bytes]:
    """The status and body for a message that is known to be genuine; unknown kinds are answered with {}."""
    try:
        status, out = _decided(bot, message)
        return status, _encode(out)
    except BaseException:  # also sys.exit and cancelled tasks: without an answer the platform would ask again and again
        traceback.print_exc()  # the bot's own slip: the platform counts a fault and plays for it this once
        return 500, _encode({"error": "the bot failed; its log says why"})


def _decided(bot: Bot, message: Dict[str, Any]) -> Tuple[int, Dict[str, Any]]:
    kind = message.get("type")
    if kind == "hello":
        return 200, _card(bot, message)
    if kind == "turn" and message.get("game") not in bot.games:
        return 404, {"error": f"this bot does not play {message.get('game')!r}"}
    if kind == "turn":
        out = Answer.of(bot.decide(message)).message()
        return 200, {"decision": message["decision"], **({"build": bot.build} if bot.build else {}), **out}
    if kind == "start":
        bot.start(message)
    if kind == "end":
        bot.end(message)
    return 200, {}


def _card(bot: Bot, hello: Dict[str, Any]) -> Dict[str, Any]:
    card: Dict[str, Any] = {"challenge": hello.get("challenge"), "name": bot.name, "games": list(bot.games)}
    optional = {"author": bot.author, "build": bot.build, "text": bot.text}
    return {**card, **{key: value for key, value in optional.items() if value}}


def _encode(out: Dict[str, Any]) -> bytes:
    return json.dumps(out, allow_nan=False, default=operator.index).encode()


def _key(secret: str) -> bytes:
    around = r"^\W+|[^\w+/=]+$"  # quotes, spaces and marks that shells and editors leave around a secret
    kind, _, text = re.sub(around, "", secret).partition("_")
    try:
        if kind == "whsec" and text:
            return base64.b64decode(text, validate=True)
    except binascii.Error:
        pass
    raise ValueError("a secret is whsec_ and base64")


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # many matches may begin at once

    def __init__(self, address: Tuple[str, int], bot: Bot, keys: List[bytes]) -> None:
        super().__init__(address, _Handler)
        self.bot = bot
        self.keys = keys

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exc_info()[1], ConnectionError):  # the other side has gone: nobody's fault here
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # kept connections
    disable_nagle_algorithm = True  # otherwise each answer waits 40 ms
    timeout = IDLE_SECONDS  # longer than the platform keeps a connection, so that the platform closes it

    def do_GET(self) -> None:
        name = cast(_Server, self.server).bot.name
        self._send(200, "text/plain; charset=utf-8", f"{name} is a bot of molerun and runs.\n".encode())

    do_HEAD = do_GET

    def do_POST(self) -> None:
        try:
            body = _body(self.headers, self.rfile)
        except ValueError as refused:
            self.close_connection = True  # where the next request begins is unknown
            self._refuse(413, str(refused))
            return
        served = cast(_Server, self.server)
        if served.keys and not genuine(served.keys, _lower(self.headers.items()), body):
            self._refuse(401, "the platform did not send this: the signature is not good")
            return
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            message = None
        if isinstance(message, dict):
            status, out = answer(served.bot, cast(Dict[str, Any], message))
            self._send(status, "application/json", out)
        else:
            self._refuse(400, "the message is not a JSON object")

    def _refuse(self, status: int, why: str) -> None:
        self._send(status, "application/json", _encode({"error": why}))

    def _send(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: a platform asks often."""


def _body(headers: Mapping[str, str], file: BinaryIO) -> bytes:
    """The body of a request: whole or, as some proxies send it, in chunks; ValueError if it is too large or broken."""
    if "Transfer-Encoding" not in headers:
        length = headers.get("Content-Length", "0")
        return _take(file, int(length) if length.isdecimal() else -1, MAX_MESSAGE_BYTES)
    body = b""
    while True:
        size = int(file.readline(_MAX_CHUNK_LINE).split(b";")[0], 16)
        if size == 0:
            break
        body += _take(file, size, MAX_MESSAGE_BYTES - len(body))
        file.readline(_MAX_CHUNK_LINE)  # the end of the chunk's last line
    while file.readline(_MAX_CHUNK_LINE).strip():
        pass  # headers behind the body say nothing to us
    return body


def _take(file: BinaryIO, size: int, most: int) -> bytes:
    if not 0 <= size <= most:
        raise ValueError(f"want a message of at most {MAX_MESSAGE_BYTES} bytes")
    data = file.read(size)
    if len(data) < size:
        raise ValueError("the request ended early")
    return data


def _lower(headers: Sequence[Tuple[str, str]]) -> Dict[str, str]:
    return {name.lower(): value for name, value in headers}
