"""Tests of molerun.serving, over real connections on this machine."""

import asyncio
import contextlib
import http.client
import io
import json
import sys
import threading
import unittest
import warnings
from fractions import Fraction
from unittest import mock

from molerun import Answer, Bot
from molerun.serving import serve, server

SECRET = "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="
BODY = b'{"protocol":1,"type":"turn"}'
GOOD = {
    "webhook-id": "dec_e10b910330c5436d01d1b6442362fa73",
    "webhook-timestamp": "1790000000",
    "webhook-signature": "v1,QZH6KClkyKzYz4QF+zxu5zw0I2UFRu/RuF68MAfd528=",
}
TURN = {"type": "turn", "game": "cia", "decision": "dec_1", "offer": {"list": [{"type": "pass"}]}}


class Careful(Bot):
    name, author, build, games = "careful", "ada", "b7", ["cia"]

    def __init__(self):
        self.heard = []

    def decide(self, turn):
        if turn.get("step") == 13:
            raise ZeroDivisionError("thirteen")
        return Answer(choose=0, memo="m")

    def start(self, message):
        self.heard.append(message["type"])

    def end(self, message):
        self.heard.append(message["type"])


class TestServing(unittest.TestCase):
    def serving(self, bot, **options):
        """Serve a bot until the test ends."""
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            made = server(bot, port=0, host="127.0.0.1", **options)
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(made.server_close)
        self.addCleanup(made.shutdown)
        self.connection = http.client.HTTPConnection("127.0.0.1", made.server_port, timeout=30)
        self.addCleanup(self.connection.close)
        return errors.getvalue()

    def send(self, body, headers=None, method="POST"):
        """One message over the kept connection: status and answer."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.connection.request(method, "/any/path", data, headers or {})
        response = self.connection.getresponse()
        return response.status, json.loads(response.read())

    def test_hello_is_the_bots_card(self):
        self.serving(Careful(), secrets=[])
        card = {"challenge": "abc", "name": "careful", "author": "ada", "build": "b7", "games": ["cia"]}
        self.assertEqual(self.send({"type": "hello", "challenge": "abc"}), (200, card))

    def test_a_turn_gets_the_decision_and_its_extras(self):
        self.serving(Careful(), secrets=[])
        want = {"decision": "dec_1", "build": "b7", "choose": 0, "memo": "m"}
        self.assertEqual(self.send(TURN), (200, want))

    def test_a_function_is_a_bot(self):
        self.serving(lambda turn: {"type": "pass"}, games=["cia"], name="mine", secrets=[])
        self.assertEqual(self.send(TURN), (200, {"decision": "dec_1", "action": {"type": "pass"}}))
        self.assertEqual(self.send({"type": "hello", "challenge": "x"})[1]["name"], "mine")

    def test_an_answer_may_hold_numbers_of_another_library(self):
        class Whole:
            """As numpy's int64, which is no int."""

            def __index__(self):
                return 7

        self.serving(lambda turn: Answer(action={"type": "flick", "speed_mm_s": Whole()}), games=["cia"], secrets=[])
        self.assertEqual(self.send(TURN)[1]["action"], {"type": "flick", "speed_mm_s": 7})

    def test_start_and_end_reach_the_bot_and_unknown_messages_do_no_harm(self):
        bot = Careful()
        self.serving(bot, secrets=[])
        for kind in ("start", "end", "weather"):
            self.assertEqual(self.send({"type": kind, "game": "cia"}), (200, {}))
        self.assertEqual(bot.heard, ["start", "end"])

    def test_a_slip_of_the_bot_is_a_500_and_the_next_turn_is_answered(self):
        self.serving(Careful(), secrets=[])
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            self.assertEqual(self.send({**TURN, "step": 13})[0], 500)
        self.assertIn("thirteen", errors.getvalue())
        self.assertEqual(self.send(TURN)[0], 200)

    def test_any_other_slip_is_one_500_too(self):
        def leaves(_):
            sys.exit(3)

        def interrupted(_):
            raise KeyboardInterrupt

        def cancelled(_):
            raise asyncio.CancelledError

        async def later(_):
            return 0

        circle = {"type": "pass"}
        circle["self"] = circle
        wrong = [b"state", {1}, Fraction(1, 2), float("nan"), float("-inf"), object(), {("a", 1): 2}, circle]
        slips = [leaves, interrupted, cancelled, later, lambda turn: Fraction(1, 2), lambda turn: circle]
        slips += [lambda turn, one=one: Answer(choose=0, memo=one) for one in wrong]
        slips += [lambda turn, one=one: Answer(action={"type": "move", "to": one}) for one in wrong]
        slips += [lambda turn, one=one: Answer(choose=0, belief={"3": {"mole": one}}) for one in wrong]
        asked = []

        def decide(turn):
            asked.append(turn)
            return slips[turn["step"]](turn) if "step" in turn else 0

        self.serving(decide, games=["cia"], secrets=[])
        with contextlib.redirect_stderr(io.StringIO()) as errors, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of `later`, which nobody awaits
            for step in range(len(slips)):
                self.assertEqual(self.send({**TURN, "step": step})[0], 500, step)
        self.assertEqual((errors.getvalue().count("Traceback"), len(asked)), (len(slips), len(slips)))
        self.assertEqual(self.send(TURN), (200, {"decision": "dec_1", "choose": 0}))

    def test_a_card_that_is_not_json_is_a_500_too(self):
        self.serving(Careful(), name=b"careful", secrets=[])
        with contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(self.send({"type": "hello", "challenge": "x"})[0], 500)

    def test_what_is_no_message_is_refused(self):
        self.serving(Careful(), secrets=[])
        deep = b"[" * 200_000
        for body, status in [(b"{", 400), (b"[]", 400), (b"\xff", 400), (deep, 400), ({**TURN, "game": "chess"}, 404)]:
            self.assertEqual(self.send(body)[0], status, body)
        self.assertEqual(self.send(b"", headers={"Content-Length": str(5 << 20)})[0], 413)

    def test_the_port_may_stand_on_the_command_line(self):
        for argv, env, given, want in [
            (["bot.py", "8001"], "8002", None, 8001),
            (["bot.py", "8001"], "8002", 8003, 8003),
            (["bot.py", "model.pt"], "8002", None, 8002),
            (["bot.py"], "", None, 8000),
        ]:
            env = {"PORT": env} if env else {}
            with mock.patch("sys.argv", argv), mock.patch.dict("os.environ", env), mock.patch(
                "molerun.serving._Server", side_effect=InterruptedError
            ) as made, contextlib.redirect_stderr(io.StringIO()):
                with self.assertRaises(InterruptedError):
                    serve(Careful(), port=given, secrets=[])
            self.assertEqual(made.call_args[0][0][1], want, (argv, env, given))

    def test_only_genuine_messages_are_taken(self):
        self.serving(lambda turn: 0, secrets=["whsec_QUJD", SECRET])
        message = GOOD | {"webhook-signature": "v1,AAAA " + GOOD["webhook-signature"]}
        with mock.patch("time.time", return_value=1790000100):
            for headers, body, status in [
                (GOOD, BODY, 404),  # signed well; it names no game
                (message, BODY, 404),
                (GOOD, BODY + b" ", 401),
                (GOOD | {"webhook-id": "dec_1"}, BODY, 401),
                (GOOD | {"webhook-timestamp": "soon"}, BODY, 401),
                ({}, BODY, 401),
            ]:
                self.assertEqual(self.send(body, headers)[0], status, (headers, body))
        with mock.patch("time.time", return_value=1790000301):
            self.assertEqual(self.send(BODY, GOOD)[0], 401)

    def test_a_secret_is_read_however_it_was_kept(self):
        for spoilt in ('"{}"\r\n', "\ufeff{}\r\n", " '{}' ", "\u201c{}\u201d"):
            with mock.patch.dict("os.environ", {"MOLERUN_SECRET": "whsec_QUJD " + spoilt.format(SECRET)}):
                self.serving(Careful())
            with mock.patch("time.time", return_value=1790000100):
                self.assertEqual(self.send(BODY, GOOD)[0], 404, spoilt)  # signed well; it names no game

    def test_without_a_secret_it_warns_and_a_bad_one_is_refused(self):
        self.assertIn("accepted from anybody", self.serving(Careful(), secrets=[]))
        for secret in ("hush", "whsec_", "whsec_!"):
            with self.assertRaisesRegex(ValueError, "whsec_ and base64"):
                server(Careful(), port=0, secrets=[secret])


if __name__ == "__main__":
    unittest.main()
