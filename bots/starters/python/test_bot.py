"""Tests of bot.py: python3 test_bot.py"""
import random
import unittest
from unittest import mock

import bot

LIST = [{"type": "pass"}, {"type": "move", "to": "d3"}]
FIELDS = [
    {"name": "who", "one_of": ["ada", "bob"]},
    {"name": "team", "choose": 2, "of": [0, 1, 2, 3]},
    {"name": "speed", "min": 1, "max": 9, "unit": "mm/s"},
]
SECRET = "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="
BODY = b'{"protocol":1,"type":"turn"}'
SIGNATURE = "v1,QZH6KClkyKzYz4QF+zxu5zw0I2UFRu/RuF68MAfd528="
GOOD = {
    "webhook-id": "dec_e10b910330c5436d01d1b6442362fa73",
    "webhook-timestamp": "1790000000",
    "webhook-signature": SIGNATURE,
}


class TestBot(unittest.TestCase):
    def test_a_list_is_answered_with_an_index_into_it(self):
        for k in range(100):
            chosen = bot.choose({"offer": {"list": LIST}}, random.Random(k))
            self.assertIn(chosen, [{"choose": 0}, {"choose": 1}])

    def test_a_form_is_answered_with_an_action_made_of_it(self):
        turn = {"offer": {"forms": [{"type": "go", "fields": FIELDS}], "examples": []}}
        for k in range(100):
            action = bot.choose(turn, random.Random(k))["action"]
            self.assertEqual(sorted(action), ["speed", "team", "type", "who"])
            self.assertEqual(action["type"], "go")
            self.assertIn(action["who"], ["ada", "bob"])
            self.assertEqual([len(action["team"]), len(set(action["team"]) & {0, 1, 2, 3})], [2, 2])
            self.assertTrue(1 <= action["speed"] <= 9)

    def test_the_same_question_gets_the_same_answer(self):
        offer = {"list": [{"type": "pass"}] * 1000}
        turn = {"type": "turn", "decision": "dec_1", "offer": offer}
        self.assertEqual(bot.answer(turn), bot.answer(turn))
        self.assertEqual(bot.answer(turn)["decision"], "dec_1")

    def test_hello_echoes_the_challenge(self):
        card = bot.answer({"type": "hello", "challenge": "abc"})
        self.assertEqual(card["challenge"], "abc")

    def test_unknown_messages_are_answered_with_nothing(self):
        self.assertEqual(bot.answer({"type": "weather", "rain": True}), {})

    def test_only_genuine_messages_are_taken(self):
        two = {**GOOD, "webhook-signature": "v1,AAAA " + SIGNATURE}
        other = {**GOOD, "webhook-id": "dec_1"}
        with mock.patch("time.time", return_value=1790000100):
            self.assertTrue(bot.genuine(SECRET, GOOD, BODY))
            self.assertTrue(bot.genuine(SECRET, two, BODY))
            self.assertFalse(bot.genuine(SECRET, GOOD, BODY + b" "))
            self.assertFalse(bot.genuine(SECRET, other, BODY))
            self.assertFalse(bot.genuine(SECRET, {}, BODY))
        with mock.patch("time.time", return_value=1790000301):
            self.assertFalse(bot.genuine(SECRET, GOOD, BODY))

    def test_a_slip_is_answered_with_500_and_no_json_with_400(self):
        with mock.patch.dict("os.environ", {"MOLERUN_SECRET": ""}):
            with mock.patch("traceback.print_exc") as logged:
                self.assertEqual(bot.reply({}, b'{"type":"turn"}'), (500, "{}"))
            logged.assert_called_once()
            self.assertEqual(bot.reply({}, b"{"), (400, "{}"))
            self.assertEqual(bot.reply({}, b"[" * 200_000), (400, "{}"))
            self.assertEqual(bot.reply({}, b'{"type":"weather"}'), (200, "{}"))

    def test_every_way_to_slip_is_logged_and_answered_with_500(self):
        ways = [SystemExit, KeyboardInterrupt, RecursionError]  # raised; or what is no JSON
        ways += [lambda *_, one=one: {"choose": 0, "debug": one} for one in ({1}, b"state", float("nan"), {"chance": float("inf")})]
        for way in ways:
            with mock.patch("bot.choose", side_effect=way), mock.patch("traceback.print_exc") as logged:
                with mock.patch.dict("os.environ", {"MOLERUN_SECRET": ""}):
                    self.assertEqual(bot.reply({}, b'{"type":"turn","decision":"dec_1"}'), (500, "{}"))
            logged.assert_called_once()


if __name__ == "__main__":
    unittest.main()
