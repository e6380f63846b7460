"""A bot for molerun: python3 bot.py [PORT]

Put your strategy into choose(); the rest can stay as it is.
"""

import base64
import hmac
import json
import os
import random
import signal
import sys
import time
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

NAME = "python starter"
GAMES = ["cia", "demol", "mole", "molehill", "molemajority"]
FIVE_MINUTES = 300  # in seconds


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


def reply(headers, body):
    """The status and the answer for one request."""
    secret = os.environ.get("MOLERUN_SECRET")
    if secret and not genuine(secret, headers, body):
        return 401, {}  # refuse what the platform did not send
    try:
        message = json.loads(body)
    except ValueError:
        return 400, {}
    try:
        return 200, answer(message)
    except Exception:
        traceback.print_exc()  # a slip in choose: the platform plays for you this once
        return 500, {}


class Handler(BaseHTTPRequestHandler):
    """One connection of the platform."""

    protocol_version = "HTTP/1.1"  # connections are kept
    disable_nagle_algorithm = True  # otherwise every answer waits 40 ms

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        status, out = reply(self.headers, self.rfile.read(length))
        text = json.dumps(out).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *args):
        """Say nothing: the platform asks often."""


class Server(ThreadingHTTPServer):
    """A thread for each connection."""

    request_queue_size = 128  # many matches may begin at once


def stop(*_):
    """End at once, at Ctrl-C or `docker stop`."""
    os._exit(0)


def main():
    """Listen on the port of the command line, of PORT, or 8000."""
    if not os.environ.get("MOLERUN_SECRET"):
        print("MOLERUN_SECRET is not set: messages are accepted from anybody", file=sys.stderr)
    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    host = os.environ.get("HOST", "127.0.0.1")
    port = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("PORT", "8000")
    with Server((host, int(port)), Handler) as server:
        print(f"http://127.0.0.1:{server.server_port}", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
