"""Tests of rules.py: MOLERUN=/path/to/molerun python3 test_rules.py"""
import random, unittest

from rules import Rules

SEATS = {"cia": 3, "demol": 5, "mole": 2, "molehill": 2, "molemajority": 3}
SHORT = {"mole": {"points": 1, "max_rounds": 2}}

class TestRules(unittest.TestCase):
    def setUp(self):
        self.open = []

    def tearDown(self):
        for rules in self.open:
            rules.console.stdin.close()
            rules.console.stdout.close()
            self.assertEqual(rules.console.wait(), 0)

    def rules(self, game):
        self.open.append(Rules(game))
        return self.open[-1]

    def turn(self, game, steps):
        """What a bot is sent after some steps of random play."""
        rules, seats, config = self.rules(game), SEATS[game], SHORT.get(game, {})
        table = rules.ask("deal", seats=seats, seed="07" * 32, config=config)
        for _ in range(steps):
            table = rules.apply(table)
        seat = table["due"][0]
        offer = rules.ask("offer", seat=seat)["offer"]
        return {"seat": seat, "opponents": [{}] * (seats - 1), "config": config, "view": rules.ask("view", seat=seat)["view"], "offer": offer}

    def test_a_guessed_table_looks_the_same_from_the_seat_that_guessed(self):
        for game in SEATS:
            turn, rules, rng = self.turn(game, 4), self.rules(game), random.Random(1)
            for _ in range(5):
                rules.guess(turn, rng)
                self.assertEqual(rules.ask("view", seat=turn["seat"])["view"], turn["view"], game)
                self.assertEqual(rules.ask("offer", seat=turn["seat"])["offer"], turn["offer"], game)

    def test_every_action_of_every_game_has_a_value(self):
        for game in SEATS:
            turn, rules = self.turn(game, 4), self.rules(game)
            for action in (turn["offer"].get("list") or turn["offer"]["examples"])[:2]:
                value = rules.value(turn, action, matches=2, rng=random.Random(1))
                self.assertTrue(1 / SEATS[game] <= value <= 1, (game, action, value))

    def test_what_the_rules_refuse_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "no_table"):
            self.rules("molehill").ask("view", seat=0)

if __name__ == "__main__":
    unittest.main()
