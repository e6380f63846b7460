"""Tests of bot.py: python3 test_bot.py"""
import random, unittest
from unittest import mock

import bot

class TestBot(unittest.TestCase):
    def test_a_list_is_answered_with_an_index_into_it(self):
        for k in range(100):
            chosen = bot.choose({"offer": {"list": [{"type": "pass"}, {"type": "move", "to": "d3"}]}}, random.Random(k))
            self.assertIn(chosen, [{"choose": 0}, {"choose": 1}])

    def test_a_form_is_answered_with_an_action_made_of_it(self):
        fields = [{"name": "who", "one_of": ["ada", "bob"]}, {"name": "team", "choose": 2, "of": [0, 1, 2, 3]},
                  {"name": "speed", "min": 1, "max": 9, "unit": "mm/s"}]
        for k in range(100):
            action = bot.choose({"offer": {"forms": [{"type": "go", "fields": fields}], "examples": []}}, random.Random(k))["action"]
            self.assertEqual(sorted(action), ["speed", "team", "type", "who"])
            self.assertEqual(action["type"], "go")
            self.assertIn(action["who"], ["ada", "bob"])
            self.assertEqual(len(set(action["team"]) & {0, 1, 2, 3}), 2)
            self.assertTrue(1 <= action["speed"] <= 9)

    def test_the_same_question_gets_the_same_answer(self):
        turn = {"type": "turn", "decision": "dec_1", "offer": {"list": [{"type": "pass"}] * 1000}}
        self.assertEqual(bot.answer(turn), bot.answer(turn))
        self.assertEqual(bot.answer(turn)["decision"], "dec_1")

    def test_hello_echoes_the_challenge(self):
        self.assertEqual(bot.answer({"type": "hello", "challenge": "abc"})["challenge"], "abc")

    def test_unknown_messages_are_answered_with_nothing(self):
        self.assertEqual(bot.answer({"type": "weather", "rain": True}), {})

    def test_only_genuine_messages_are_taken(self):
        secret, body = "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=", b'{"protocol":1,"type":"turn"}'
        good = {"webhook-id": "dec_e10b910330c5436d01d1b6442362fa73", "webhook-timestamp": "1790000000",
                "webhook-signature": "v1,QZH6KClkyKzYz4QF+zxu5zw0I2UFRu/RuF68MAfd528="}
        with mock.patch("time.time", return_value=1790000100):
            self.assertTrue(bot.genuine(secret, good, body))
            self.assertTrue(bot.genuine(secret, good | {"webhook-signature": "v1,AAAA " + good["webhook-signature"]}, body))
            self.assertFalse(bot.genuine(secret, good, body + b" "))
            self.assertFalse(bot.genuine(secret, good | {"webhook-id": "dec_1"}, body))
            self.assertFalse(bot.genuine(secret, {}, body))
        with mock.patch("time.time", return_value=1790000301):
            self.assertFalse(bot.genuine(secret, good, body))

if __name__ == "__main__":
    unittest.main()
