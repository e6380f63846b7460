"""A bot for molerun: python3 bot.py [PORT]

Put your strategy into choose(); the rest can stay as it is.
"""

import base64
import hmac
import json
import os
import random
import re
import signal
import sys
import time
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

NAME = "python starter"
GAMES = ["cia", "demol", "mole", "molehill", "molemajority"]
FIVE_MINUTES = 300  # in seconds
MAX_BYTES = 4 << 20  # of a message
SECRET = "whsec_([A-Za-z0-9+/]{4})+([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"


def choose(turn, rng):
    """Answer a turn; turn["view"] is all you see, turn["offer"] all you may do.

    The answer is {"choose": k}, the action at place k of the offer's list, or
    {"action": {...}}, made from one of the offer's forms.
    """
    offer = turn["offer"]
    if offer.get("list"):
        return {"choose": rng.randrange(len(offer["list"]))}
    form = rng.choice(offer["forms"])
    action = {"type": form["type"]}
    for field in form.get("fields", []):
        action[field["name"]] = pick(field, rng)
    return {"action": action}


def pick(field, rng):
    """Pick any value that the field of a form allows."""
    if "one_of" in field:
        return rng.choice(field["one_of"])
    if "of" in field:
        return rng.sample(field["of"], field["choose"])
    return rng.randint(field["min"], field["max"])


def answer(message):
    """Answer any message of the platform; unknown ones with {}."""
    if message.get("type") == "hello":
        return {"challenge": message["challenge"], "name": NAME, "games": GAMES}
    if message.get("type") == "turn":
        # The luck follows from the decision: asked again, the answer is the same.
        rng = random.Random(message["decision"])
        return {"decision": message["decision"], **choose(message, rng)}
    return {}


def genuine(secret, headers, body):
    """Whether the platform sent this: https://www.standardwebhooks.com"""
    stamp = headers.get("webhook-timestamp", "")
    if not stamp.isdecimal() or abs(time.time() - int(stamp)) > FIVE_MINUTES:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers.get('webhook-id')}.{stamp}.".encode() + body
    digest = hmac.digest(key, signed, "sha256")
    good = b"v1," + base64.b64encode(digest)
    given = headers.get("webhook-signature", "").split()
    return any(hmac.compare_digest(good, one.encode()) for one in given)


def known_secret():
    """MOLERUN_SECRET without quotes, spaces and marks that shells and editors leave around it."""
    return re.sub(r"^\W+|[^\w+/=]+$", "", os.environ.get("MOLERUN_SECRET", ""))


def reply(headers, body):
    """The status and the answer, as JSON, for one request."""
    secret = known_secret()
    if secret and not genuine(secret, headers, body):
        return 401, "{}"  # refuse what the platform did not send
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return 400, "{}"
    try:
        return 200, json.dumps(answer(message), allow_nan=False)
    except BaseException:  # also sys.exit: without an answer the platform would ask again and again
        traceback.print_exc()  # a slip in choose: the platform plays for you this once
        return 500, "{}"


def read_body(headers, file):
    """The body of a request: whole or, as some proxies send it, in chunks."""
    if "Transfer-Encoding" not in headers:
        return take(file, int(headers.get("Content-Length", 0)), MAX_BYTES)
    body = b""
    while True:
        size = int(file.readline(100).split(b";")[0], 16)
        if size == 0:
            break
        body += take(file, size, MAX_BYTES - len(body))
        file.readline(100)  # the end of the chunk's last line
    while file.readline(1000).strip():
        pass  # headers behind the body say nothing to us
    return body


def take(file, size, most):
    """Exactly so many bytes."""
    if not 0 <= size <= most:
        raise ValueError(f"{size} bytes, at most {most} are taken")
    data = file.read(size)
    if len(data) < size:
        raise ValueError("the request ended early")
    return data


class Handler(BaseHTTPRequestHandler):
    """One connection of the platform."""

    protocol_version = "HTTP/1.1"  # connections are kept
    disable_nagle_algorithm = True  # otherwise every answer waits 40 ms

    def do_GET(self):
        """Tell a person, or a host's health check, what is here."""
        self.send(200, "text/plain", f"{NAME} is a bot of molerun and runs.\n")

    do_HEAD = do_GET

    def do_POST(self):
        try:
            status, out = reply(self.headers, read_body(self.headers, self.rfile))
        except ValueError:
            self.close_connection = True  # where the next request begins is unknown
            status, out = 400, "{}"
        self.send(status, "application/json", out)

    def send(self, status, kind, text):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text.encode())))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text.encode())

    def log_message(self, *args):
        """Say nothing: the platform asks often."""


class Server(ThreadingHTTPServer):
    """A thread for each connection."""

    request_queue_size = 128  # many matches may begin at once

    def handle_error(self, request, client_address):
        """Say nothing where the other side has gone."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def stop(*_):
    """End at once, at Ctrl-C or `docker stop`."""
    os._exit(0)


def main():
    """Listen on the port of the command line, of PORT, or 8000."""
    secret = known_secret()
    if not secret:
        print("MOLERUN_SECRET is not set: messages are accepted from anybody", file=sys.stderr)
    elif not re.fullmatch(SECRET, secret):
        sys.exit("MOLERUN_SECRET is no secret: want it whole, whsec_ and base64, as you got it when you registered the bot")
    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    host = os.environ.get("HOST", "127.0.0.1")
    port = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("PORT", "8000")
    with Server((host, int(port)), Handler) as server:
        print(f"http://127.0.0.1:{server.server_port}", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
