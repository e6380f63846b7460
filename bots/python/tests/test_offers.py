"""Tests of molerun.offers and of what a bot answers."""

import random
import unittest

from molerun import Answer, Discrete, legal_actions, luck, random_action

FLICK = {
    "forms": [
        {
            "type": "flick",
            "fields": [
                {"name": "coin", "one_of": ["m1", "m2"]},
                {"name": "angle_mdeg", "min": 0, "max": 359_999, "unit": "mdeg"},
                {"name": "speed_mm_s", "min": 1, "max": 1000, "unit": "mm/s"},
            ],
        }
    ],
    "examples": [{"type": "flick", "coin": "m1", "angle_mdeg": 7, "speed_mm_s": 9}],
}


class Whole:
    """A whole number of another library, as numpy's int64, which is no int."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


class TestLegalActions(unittest.TestCase):
    def test_a_list_is_complete(self):
        actions = [{"type": "pass"}, {"type": "move", "to": "d3"}]
        self.assertEqual(legal_actions({"list": actions}), actions)

    def test_forms_are_written_out_and_examples_follow_once(self):
        fields = [{"name": "members", "choose": 2, "of": [0, 1, 2]}]
        examples = [{"members": [0, 1], "type": "team"}, {"type": "team", "members": [9]}]
        got = legal_actions({"forms": [{"type": "team", "fields": fields}], "examples": examples})
        self.assertEqual([action["members"] for action in got], [[0, 1], [0, 2], [1, 2], [9]])

    def test_many_numbers_become_a_grid_without_the_examples_between(self):
        got = legal_actions(FLICK, {"angle_mdeg": 4, "speed_mm_s": 3})
        self.assertEqual(len(got), 2 * 4 * 3)
        self.assertEqual(sorted({action["angle_mdeg"] for action in got}), [0, 90_000, 180_000, 270_000])
        self.assertEqual(sorted({action["speed_mm_s"] for action in got}), [1, 500, 1000])

    def test_few_numbers_are_all_kept(self):
        offer = {"forms": [{"type": "roll", "fields": [{"name": "count", "min": 2, "max": 5}]}], "examples": []}
        self.assertEqual([action["count"] for action in legal_actions(offer)], [2, 3, 4, 5])

    def test_a_random_action_fits_its_form(self):
        rng = random.Random(1)
        for _ in range(100):
            action = random_action(FLICK, rng)
            self.assertEqual(set(action), {"type", "coin", "angle_mdeg", "speed_mm_s"})
            self.assertIn(action["coin"], ["m1", "m2"])
            self.assertTrue(0 <= action["angle_mdeg"] < 360_000)
            self.assertTrue(1 <= action["speed_mm_s"] <= 1000)


class TestDiscrete(unittest.TestCase):
    def test_a_sample_keeps_to_the_mask_and_to_the_seed(self):
        space = Discrete(5, seed=1)
        mask = bytearray([0, 1, 0, 1, 0])
        drawn = [space.sample(mask) for _ in range(50)]
        self.assertEqual(set(drawn), {1, 3})
        space.seed(1)
        self.assertEqual([space.sample(mask) for _ in range(50)], drawn)
        with self.assertRaisesRegex(ValueError, "no action"):
            space.sample(bytearray(5))

    def test_it_contains_its_numbers_only(self):
        space = Discrete(5)
        self.assertEqual([x in space for x in (0, 4, 5, -1, "0", 1.0)], [True, True, False, False, False, False])
        self.assertEqual([x in space for x in (Whole(4), Whole(5), Whole(-1))], [True, False, False])


class TestAnswer(unittest.TestCase):
    def test_only_what_is_set_goes_over_the_wire(self):
        self.assertEqual(Answer.of(0).message(), {"choose": 0})
        self.assertEqual(Answer.of(Whole(2)).message(), {"choose": 2})
        self.assertEqual(Answer.of({"type": "pass"}).message(), {"action": {"type": "pass"}})
        self.assertEqual(Answer(choose=2, memo="m", say="hi").message(), {"choose": 2, "memo": "m", "say": "hi"})

    def test_choose_is_an_index_into_the_list_or_the_examples(self):
        turn = {"offer": {"list": [{"type": "a"}, {"type": "b"}]}}
        self.assertEqual(Answer(choose=1).chosen(turn), {"type": "b"})
        self.assertEqual(Answer(choose=0).chosen({"offer": FLICK}), FLICK["examples"][0])
        with self.assertRaises(IndexError):
            Answer(choose=2).chosen(turn)
        with self.assertRaises(ValueError):
            Answer(say="hi").chosen(turn)

    def test_luck_follows_from_the_decision(self):
        turn, other = {"decision": "dec_1"}, {"decision": "dec_2"}
        self.assertEqual(luck(turn).random(), luck(turn).random())
        self.assertNotEqual(luck(turn).random(), luck(other).random())
        self.assertNotEqual(luck(turn).random(), luck(turn, "more").random())


if __name__ == "__main__":
    unittest.main()
