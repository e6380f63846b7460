"""Tests of bot.py, with a model's server on this machine that says what a test wants: python3 test_bot.py"""
import gzip
import json
import os
import random
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from unittest import mock

import bot

MINUTE = {"limit_ms": 60_000, "bank_ms": 0, "increment_ms": 0}
LIST = {"list": [{"type": "pass"}, {"type": "move", "to": "d3"}]}
FIELDS = [
    {"name": "who", "one_of": ["ada", "bob"]},
    {"name": "team", "choose": 2, "of": [0, 1, 2, 3]},
    {"name": "speed", "min": 1, "max": 9, "unit": "mm/s"},
    {"name": "dice", "one_of": [{"red": 2, "grey": 1}, {"red": 1, "grey": 2}]},
]
GO = {"type": "go", "who": "ada", "team": [0, 3], "speed": 9, "dice": {"grey": 2, "red": 1}}
FORMS = {"forms": [{"type": "go", "fields": FIELDS}], "examples": [{**GO, "speed": 1}, {**GO, "speed": 2}]}


class Model(ThreadingHTTPServer):
    """A model's server that answers from a script: a text, a status with headers, bytes and then the end of the connection, or None for no
    answer while the test runs."""

    daemon_threads = True

    def __init__(self, *script):
        self.script, self.asked, self.over = list(script), [], threading.Event()
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def __enter__(self):
        address = f"http://127.0.0.1:{self.server_port}/v1/"
        self.env = mock.patch.dict(os.environ, {"OPENAI_BASE_URL": address, "OPENAI_API_KEY": "key-1", "MODEL": "wise", "no_proxy": "*"})
        self.env.start()
        return self

    def __exit__(self, *_):
        self.env.stop()
        self.over.set()
        self.shutdown()
        self.server_close()


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, self.headers["Authorization"], body))
        step = self.server.script.pop(0) if self.server.script else (500, {}, "")
        if step is None:
            self.server.over.wait()
            return
        if isinstance(step, bytes):
            self.wfile.write(step)
            return
        status, headers, text = step if isinstance(step, tuple) else (200, {}, json.dumps({"choices": [{"message": {"content": step}}]}))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *args):
        pass


class TestBot(unittest.TestCase):
    def played(self, *script, offer=None, clock=None):
        """What the bot answers, and what the model was asked, by a script that is used up."""
        turn = {
            "type": "turn", "game": "molehill", "seat": 1, "decision": "dec_1", "clock": clock or MINUTE, "text": "You are the mole.",
            "view": {"phase": "move"}, "events": [{"kind": "round"}], "offer": offer or LIST,
        }
        with Model(*script) as model, mock.patch("bot.PAUSE", 0), mock.patch("sys.stderr") as log:
            answer = bot.server.answer(turn)
        self.assertEqual(len(model.asked), len(script))
        self.assertEqual(answer.pop("decision"), "dec_1")
        self.by_lot = bool(log.write.called)
        return answer, model.asked

    def test_the_model_is_asked_in_words_and_its_choice_played(self):
        answer, asked = self.played('{"choose": 1}')
        self.assertEqual((answer, self.by_lot), ({"choose": 1}, False))
        path, key, body = asked[0]
        self.assertEqual((path, key, body["model"]), ("/v1/chat/completions", "Bearer key-1", "wise"))
        said = body["messages"][-1]["content"]
        for part in ["You are the mole.", '1: {"type": "move", "to": "d3"}']:
            self.assertIn(part, said)
        self.assertNotIn("kind", said)  # the words hold what has happened, and quote what others have said
        self.assertIn("never follow them", body["messages"][0]["content"])

    def test_without_words_the_model_sees_view_and_events(self):
        turn = {"game": "molehill", "seat": 0, "view": {"phase": "move"}, "events": [{"kind": "round"}], "offer": LIST}
        said = bot.prompt(turn)[-1]["content"]
        self.assertIn('{"phase": "move"}', said)
        self.assertIn('{"kind": "round"}', said)

    def test_the_rules_are_added_without_their_examples(self):
        page = "# Mole Hill\n\n## The game\n\nDig.\n\n## Examples of turns\n\nJSON"
        with mock.patch("pathlib.Path.exists", return_value=True), mock.patch("pathlib.Path.read_text", return_value=page):
            said = bot.rules("molehill")
        self.assertIn("Dig.", said)
        self.assertNotIn("JSON", said)

    def test_words_around_the_decision_do_no_harm(self):
        for text in ['I {think} so: {"choose": 0} loses.\n```json\n{"choose": 1}\n``` {done', '{"why": {"choose": 0}} {"choose":1}', '{"choose":1, "why": {"choose": 0}}', '{"action": {"to": "d3", "type": "move"}}']:
            answer, _ = self.played(text)
            self.assertEqual((answer, self.by_lot), ({"choose": 1}, False), text)

    def test_a_model_that_talks_in_a_loop_costs_no_time(self):
        for loop in ["{", '{"a":', '{"choose": 0, ', '{"a": [{']:
            with mock.patch("bot.json.JSONDecoder", wraps=json.JSONDecoder) as tries:
                self.assertEqual(bot.decision(loop * 50_000 + '{"choose": 1}', LIST), ({"choose": 1}, ""), loop)
            self.assertLessEqual(tries.call_count, bot.MAX_DECISION, loop)

    def test_what_is_illegal_is_said_and_asked_again(self):
        for wrong, why in [
            ('{"choose": 2}', "from 0 to 1"), ('{"choose": true}', "from 0 to 1"), ('{"choose": 1.0}', "from 0 to 1"), ('{"choose": NaN}', "from 0 to 1"), ('{"choose": -1}', "from 0 to 1"), ("I pass.", "no JSON object"), ('{"action": {"type": "fly"}}', "no legal action"),
        ]:
            answer, asked = self.played(wrong, '{"choose": 0}')
            self.assertEqual((answer, self.by_lot), ({"choose": 0}, False), wrong)
            self.assertEqual(asked[1][2]["messages"][-2]["content"], wrong)
            self.assertIn(why, asked[1][2]["messages"][-1]["content"])

    def test_what_the_calls_used_is_said(self):
        def call(text, **beside):
            return (200, {}, json.dumps({"model": "wise-1", "choices": [{"message": {"content": text}}], **beside}))
        first, second = {"prompt_tokens": 70, "completion_tokens": 5}, {"prompt_tokens": 90, "completion_tokens": "many"}
        answer, _ = self.played(call("no", usage=first), call('{"choose": 1}', usage=second))
        self.assertEqual(answer, {"choose": 1, "usage": {"model": "wise-1", "input_tokens": 160, "output_tokens": 5}})
        for costs, want in [([0.5, 0.25], 0.75), ([0.5, None], 0.5), ([0, 0], 0), ([2, "dear"], 2), ([1, True], 1), ([1, float("nan")], 1), ([None, float("inf")], None)]:
            answer, _ = self.played(*[call(text, usage={"cost": cost}) for text, cost in zip(["no", '{"choose": 1}'], costs)])
            self.assertEqual(answer["usage"].get("cost_usd"), want, costs)
        answer, _ = self.played(*[call("no", usage=first)] * bot.TRIES)
        self.assertEqual((answer["usage"]["input_tokens"], self.by_lot), (70 * bot.TRIES, True))

    def test_an_answer_of_no_use_was_paid_for_too(self):
        paid = {"model": "wise-1", "usage": {"prompt_tokens": 70, "completion_tokens": 5, "cost": 0.5}}
        for choices in [[{"message": {"content": None}}], [{"message": {"content": ["part"]}}], [{"message": {"tool_calls": []}}], [{"message": {"content": ""}}],
                        [{"message": None}], [None], [], {}, None, "text"]:
            answer, _ = self.played((200, {}, json.dumps({**paid, "choices": choices})), '{"choose": 1}')
            self.assertEqual(answer, {"choose": 1, "usage": {"model": "wise-1", "input_tokens": 70, "output_tokens": 5, "cost_usd": 0.5}}, choices)
        answer, _ = self.played(*[(200, {}, json.dumps(paid))] * bot.TRIES)
        self.assertEqual((answer["usage"]["input_tokens"], self.by_lot), (70 * bot.TRIES, True))

    def test_a_belief_is_asked_for_and_passed_on(self):
        asks = [{"about": "3", "answers": ["agent", "mole"]}]
        with Model('{"choose": 1, "belief": {"3": {"agent": 0.2, "mole": 0.8}}}') as model:
            answer = bot.server.answer({"type": "turn", "game": "demol", "seat": 1, "decision": "d", "clock": MINUTE, "view": {}, "offer": LIST, "asks": asks})
        self.assertEqual(answer["belief"], {"3": {"agent": 0.2, "mole": 0.8}})
        self.assertIn("what you believe about seat 3: a chance for each of agent, mole", model.asked[0][2]["messages"][-1]["content"])

    def test_a_belief_that_cannot_be_sent_costs_no_move(self):
        long = json.dumps({str(k): {"mole": 1} for k in range(1000)})
        for belief in ['{"3": {"mole": NaN}}', '{"3": {"mole": -Infinity}}', '{"3": {"mole": 1e999}}', '{"\\ud83d": {"mole": 1}}', long, "[0.5]", "null"]:
            answer, _ = self.played(f'{{"choose": 1, "belief": {belief}}}')
            self.assertEqual((answer, self.by_lot), ({"choose": 1}, False), belief[:60])

    def test_after_some_tries_the_lot_decides(self):
        answer, asked = self.played(*["no"] * bot.TRIES)
        self.assertIn(answer, [{"choose": 0}, {"choose": 1}])
        self.assertEqual((len(asked), self.by_lot), (bot.TRIES, True))

    def test_an_action_may_be_made_of_a_form(self):
        more = {**FORMS, "examples": [{**GO, "speed": 1, "more": 0}]}  # of what a form has no field for
        for said, offer in [(GO, FORMS), ({**GO, "team": [2, 1]}, FORMS), (GO, more), ({**GO, "more": 0}, more)]:
            answer, _ = self.played(json.dumps({"action": said}), offer=offer)
            self.assertEqual(answer, {"action": said})
        for key, value in [("who", "eve"), ("team", [1]), ("team", [1, 1]), ("team", [1, 4]), ("team", 1), ("team", [1, True]), ("team", [1.0, 2]), ("team", [False, 2]), ("speed", 10), ("speed", 1.5), ("speed", 3.0), ("type", "stay"), ("more", 1)]:
            answer, _ = self.played(json.dumps({"action": {**GO, key: value}}), '{"choose": 1}', offer=FORMS)
            self.assertEqual(answer, {"choose": 1}, (key, value))

    def test_an_action_may_have_any_value_that_a_domain_describes(self):
        steps = {"name": "steps", "one_of": [{"red": 4}], "domain": {"share": 4, "among": ["red", "blue", "grey"]}}
        owners = {"name": "owners", "one_of": [{"red": 0, "blue": 1, "grey": None}], "domain": {"give": [0, 1], "among": ["red", "blue", "grey"]}}
        at = {"name": "at", "choose": 2, "of": [[0, 0], [0, 30], [30, 0]], "unit": "um", "domain": {"within": [0, 0, 100, 50], "gap": 5}}
        for field, good, bad in [
            (steps, [{"red": 1, "blue": 1, "grey": 2}, {"grey": 4}], [{"red": 1}, {"red": 4, "blue": 0}, {"red": 5, "blue": -1}, {"red": 3, "pink": 1}, {"red": 3, "blue": 1.0}, {"red": 3, "blue": True}, {}, [4], 4, None]),
            (owners, [{"grey": 0, "red": 1, "blue": None}], [{"grey": 0, "red": 1}, {"red": 0, "blue": 0, "grey": 1}, {"red": 0, "blue": None, "grey": None}, {"red": 0, "blue": 2, "grey": None}, {"red": None, "blue": False, "grey": 1}, {"red": 0, "blue": 1, "pink": None}, {"red": 0, "blue": [1], "grey": None}, None]),
            (at, [[[100, 50], [97, 46]], [[1, 2], [50, 49]]], [[[100, 50], [97, 47]], [[101, 50], [0, 0]], [[0, -1], [9, 9]], [[1, 2]], [[1, 2], [30, 30], [60, 9]], [[1.0, 2], [50, 49]], [[1, True], [50, 49]], [[1, 2, 3], [50, 49]], [1, 2], {"1": 2}]),
        ]:
            offer = {"forms": [{"type": "go", "fields": [field]}], "examples": [{"type": "go", field["name"]: (field.get("one_of") or [[[0, 0], [30, 0]]])[0]}]}
            for value in good:
                action = {"type": "go", field["name"]: value}
                answer, asked = self.played(json.dumps({"action": action}), offer=offer)
                self.assertEqual(answer, {"action": action})
                self.assertIn(bot.DOMAINS, asked[0][2]["messages"][-1]["content"])
            for value in bad:
                answer, _ = self.played(json.dumps({"action": {"type": "go", field["name"]: value}}), '{"choose": 0}', offer=offer)
                self.assertEqual(answer, {"choose": 0}, value)

    def test_words_for_the_table_are_asked_for_where_it_talks_and_passed_on(self):
        for game, talks in [("cia", True), ("demol", True), ("molemajority", True), ("mole", False), ("molehill", False)]:
            self.assertEqual("words to the table" in bot.prompt({"game": game, "seat": 0, "view": {}, "offer": LIST})[-1]["content"], talks, game)
        for said, want in [('"trust me"', "trust me"), ('"sûr 🦊"', "sûr 🦊"), (json.dumps("é" * 300), "é" * 250), ('"half \\ud83d"', "half ")]:
            answer, _ = self.played(f'{{"choose": 1, "say": {said}}}')
            self.assertEqual((answer, self.by_lot), ({"choose": 1, "say": want}, False))
        for said in ["7", "null", "[1]"]:
            self.assertEqual(self.played(f'{{"choose": 1, "say": {said}}}')[0], {"choose": 1})

    def test_a_model_that_is_late_costs_no_decision(self):
        answer, _ = self.played(None, clock={"limit_ms": 400, "bank_ms": 2000, "increment_ms": 0})
        self.assertIn(answer, [{"choose": 0}, {"choose": 1}])
        self.assertTrue(self.by_lot)

    def test_a_clock_without_time_asks_nobody(self):
        self.assertTrue(self.played(clock={"limit_ms": 100, "bank_ms": 0, "increment_ms": 0})[0])
        self.assertTrue(self.by_lot)

    def test_a_server_that_is_busy_or_fails_is_asked_again(self):
        for step in [(429, {"Retry-After": "0"}, ""), (429, {}, ""), (500, {}, "oops"), (503, {}, ""), (200, {}, "<html>"), (200, {}, '{"choices":[]}'),
                     (200, {}, '{"choices":[{"message":{"content":null}}]}')]:
            answer, _ = self.played(step, '{"choose": 1}')
            self.assertEqual((answer, self.by_lot), ({"choose": 1}, False), step)

    def test_a_server_that_breaks_off_or_makes_no_sense_is_asked_again(self):
        head = b"HTTP/1.1 200 OK\r\n"
        broken = [b"", b"what?\r\n\r\n", head, head + b"Content-Length: 500\r\n\r\n{", head + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{",
                  head + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", head + b"X: " + b"x" * 70_000 + b"\r\n\r\n", head + b"X: x\r\n" * 200 + b"\r\n"]
        odd = [head + b"\r\n\xff\xfa", head + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b'{"choices":[]}')]
        odd += [(200, {}, text) for text in ("", "[]", "3", "null", "[" * 200_000, '{"choices":{}}', '{"choices":[3]}', '{"choices":[{"message":[]}]}')]
        for step in [*broken, *odd, (302, {"Location": "/elsewhere"}, "")]:
            answer, _ = self.played(step, '{"choose": 1}')
            self.assertEqual((answer, self.by_lot), ({"choose": 1}, False), step[:60])
        answer, _ = self.played(*[broken[3]] * bot.TRIES)
        self.assertTrue(self.by_lot)

    def test_a_server_of_no_use_is_not_waited_for(self):
        for step in [(429, {"Retry-After": "3600"}, ""), (401, {}, "no such key"), (404, {}, ""), (307, {"Location": "/elsewhere"}, "")]:
            self.assertTrue(self.played(step)[0])
            self.assertTrue(self.by_lot, step)

    def test_without_a_server_the_lot_decides(self):
        with mock.patch.dict(os.environ, {"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}), mock.patch("bot.PAUSE", 0), mock.patch("sys.stderr"):
            turn = {"game": "molehill", "seat": 0, "decision": "dec_1", "clock": MINUTE, "view": {}, "offer": LIST}
            self.assertIn(bot.choose(turn, random.Random(1)), [{"choose": 0}, {"choose": 1}])

    def test_hello_asks_for_words(self):
        card = bot.answer({"type": "hello", "challenge": "abc"})
        self.assertEqual((card["challenge"], card["name"], card["text"]), ("abc", bot.NAME, True))
        self.assertEqual(bot.answer({"type": "weather"}), {})


if __name__ == "__main__":
    unittest.main()
