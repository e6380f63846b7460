"""Tests of Env, AgentEnv, play and Rules, on the rules themselves: MOLERUN=/path/to/molerun python3 test_env.py"""

import gzip
import json
import random
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from molerun import AgentEnv, Answer, Bot, Env, Parallel, Rules, RulesError, legal_actions, luck, play, random_action

sys.path.append(str(Path(__file__).parent.parent / "examples"))
import search  # noqa: E402

SHORT = {"mole": {"points": 1, "max_rounds": 2}}
GAMES = ["cia", "demol", "mole", "molehill", "molemajority"]


def anything(turn):
    """Any legal action."""
    return random_action(turn["offer"], luck(turn))


class WithEnv(unittest.TestCase):
    def env(self, game, *args, **options):
        """An environment that is closed after the test."""
        made = Env(game, *args, **{"config": SHORT.get(game), **options})
        self.addCleanup(made.close)
        return made


class TestEnv(WithEnv):
    def test_every_game_is_played_to_its_end_by_masks_alone(self):
        for game in GAMES:
            env = self.env(game)
            env.reset(seed=3)
            decisions, left = 0, []
            for agent in env.agent_iter():
                observation, reward, termination, truncation, info = env.last()
                self.assertTrue(env.observation_space(agent).contains(observation))
                self.assertFalse(truncation)
                if termination:
                    self.assertEqual(sum(observation["action_mask"]), 0, game)
                    left.append((agent, reward, info["result"]["rank"][env.seat(agent)]))
                    env.step(None)
                    continue
                self.assertEqual(reward, 0)
                number = env.action_space(agent).sample(observation["action_mask"])
                self.assertIn(number, env.action_space(agent))
                env.step(number)
                decisions += 1
            self.assertGreaterEqual(decisions, env.steps)
            self.assertEqual([agent for agent, _, _ in left], env.possible_agents)
            best = max(reward for _, reward, _ in left)
            self.assertEqual({rank for _, reward, rank in left if reward == best}, {1}, game)
            self.assertEqual(env.num_agents, 0)
            for late in (env.last, lambda: env.step(0)):
                with self.assertRaisesRegex(ValueError, "the match is over, and all agents have left: reset it"):
                    late()

    def test_a_first_mistake_is_answered_in_its_own_words(self):
        with self.assertRaisesRegex(RuntimeError, 'no game "chess"'):
            Env("chess")
        env = self.env("molehill")
        for early in (env.last, lambda: env.step(0), AgentEnv(env).action_masks):
            with self.assertRaisesRegex(AttributeError, r"call reset\(\) first"):
                early()
        for made in (env, AgentEnv(env), Parallel(env)):
            with self.assertRaisesRegex(ValueError, "confg.*only .config"):
                made.reset(options={"confg": {}})
        with self.assertRaisesRegex(TypeError, "seed 1.5: want a whole number"):
            env.reset(seed=1.5)
        env.reset(seed=3)
        env.close()
        for late in (env.last, lambda: env.reset(seed=3)):
            with self.assertRaisesRegex(RuntimeError, "closed: make others"):
                late()

    def test_every_number_of_a_mask_is_legal_and_means_the_same_action(self):
        for game in GAMES:
            env, rng = self.env(game), random.Random(1)
            env.reset(seed=5)
            for _ in range(12):
                actions = env.legal(env.agent_selection)
                mask = env.last()[0]["action_mask"]
                self.assertEqual(sum(mask), len(actions), game)
                for number in rng.sample(sorted(actions), min(len(actions), 10)):
                    self.assertEqual(mask[number], 1)
                    env.rules.check(env.seat(env.agent_selection), actions[number])
                env.step(rng.choice(sorted(actions)))
                if env.result is not None:
                    break

    def test_the_same_seed_gives_the_same_match_and_another_another(self):
        ends = []
        for seed in (1, 1, 2):
            env = self.env("molehill")
            play(env, [anything, anything], seed=seed)
            ends.append(env.rules.hash())
        self.assertEqual(ends[0], ends[1])
        self.assertNotEqual(ends[0], ends[2])

    def test_seats_that_decide_at_once_see_nothing_of_each_other(self):
        env = self.env("demol")
        env.reset(seed=1)
        env.step(min(env.legal(env.agent_selection)))
        before = env.observe("seat_4")
        seen = []
        for agent in env.agent_iter(4):
            seen.append(agent)
            env.step({"type": "vote", "approve": True})
            self.assertEqual(env.legal(agent), {})
        self.assertEqual(seen, ["seat_0", "seat_1", "seat_2", "seat_3"])
        self.assertEqual(env.agent_selection, "seat_4")
        self.assertEqual(env.observe("seat_4"), before)
        env.step({"type": "vote", "approve": True})
        self.assertEqual(env.turn()["view"]["phase"], "mission")

    def test_what_is_refused_changes_nothing(self):
        env = self.env("demol")
        env.reset(seed=1)
        before = (env.agent_selection, env.rules.hash())
        vote = {"type": "vote", "approve": True}
        for bad, error in [(vote, RulesError), (env.action_space("seat_0").n, IndexError), (None, ValueError)]:
            with self.assertRaises(error):
                env.step(bad)
            self.assertEqual((env.agent_selection, env.rules.hash()), before)
        with self.assertRaisesRegex(ValueError, "not both"):
            Env("demol", variant="plot", config={})
        with self.assertRaisesRegex(KeyError, "base, plot"):
            Env("demol", variant="night")

    def test_another_config_is_played_if_its_actions_fit_the_space_and_else_refused(self):
        for game, seats, more in [
            ("cia", 2, {"top_secret": True}),
            ("cia", 4, {"dossier": True}),
            ("demol", 7, {"plot_cards": True}),
            ("molemajority", 3, {"choose_spaces": True}),
        ]:
            small, large = self.env(game, seats), self.env(game, seats, config=more)
            small.reset(seed=1)
            before = small.rules.hash()
            with self.assertRaisesRegex(ValueError, r"actions, .* has \d+: make Env"):
                small.reset(seed=2, options={"config": more})
            self.assertEqual(small.rules.hash(), before)
            with self.assertRaises(ValueError):
                AgentEnv(small).reset(options={"config": more})
            large.reset(seed=1)
            space, size = large.action_space("seat_0"), large.action_space("seat_0").n
            large.reset(seed=1, options={"config": {}})
            self.assertEqual(large.rules.hash(), before)
            self.assertEqual(len(large.last()[0]["action_mask"]), size)
            self.assertIs(large.action_space("seat_0"), space)
        with self.assertRaisesRegex(RulesError, "night"):
            small.reset(options={"config": {"night": 1}})
        small.reset(seed=1)
        self.assertEqual(small.rules.hash(), before)

    def test_numbers_of_another_library_are_numbers(self):
        class Whole:
            def __init__(self, value):
                self.value = value

            def __index__(self):
                return self.value

            def __eq__(self, other):
                return self.value == other

            def __hash__(self):
                return hash(self.value)

        for made in (self.env("demol"), AgentEnv(self.env("molehill")), Parallel(self.env("molehill"))):
            made.reset(seed=1)
            env = made if isinstance(made, Env) else made.env
            agent = env.agent_selection
            number = Whole(min(env.legal(agent)))
            made.step({agent: number} if isinstance(made, Parallel) else number)
            self.assertGreaterEqual(env.steps, 1)
            with self.assertRaises(IndexError):
                env.step(Whole(1 << 40))

    def test_an_action_off_the_grid_is_legal_too(self):
        env = self.env("mole")
        env.reset(seed=1)
        env.step(min(env.legal(env.agent_selection)))
        env.step({"type": "flick", "coin": "m1", "angle_mdeg": 12_345, "speed_mm_s": 17})
        self.assertEqual(env.steps, 2)

    def test_a_turn_is_what_a_bot_is_sent(self):
        env = self.env("cia", seats=3)
        env.reset(seed=1)
        turn = env.turn()
        self.assertEqual(turn["config"]["track"], 42)
        self.assertEqual([one["seat"] for one in turn["opponents"]], [k for k in range(3) if k != turn["seat"]])
        self.assertEqual(turn["events"][0]["kind"], "roll")
        self.assertNotIn("for", turn["events"][0])

    def test_a_turn_counts_the_steps_done_and_says_how_the_last_answer_was_taken(self):
        for game in GAMES:
            with tempfile.TemporaryDirectory() as folder:
                env, met = self.env(game, records=folder), []

                def bot(turn):
                    met.append(turn)
                    return anything(turn)

                play(env, [bot] * env.max_num_agents, seed=3)
                [path] = Path(folder).iterdir()
                header, deal, *steps, end = map(json.loads, gzip.decompress(path.read_bytes()).splitlines())
            self.assertEqual({turn["match"] for turn in met}, {header["match"]})
            recorded = [(line["step"] - 1, turn["seat"]) for line in steps for turn in line["turns"]]
            self.assertEqual([(turn["step"], turn["seat"]) for turn in met], recorded, game)
            seen = set()
            for turn in met:
                status = turn["previous"] and turn["previous"]["status"]
                self.assertEqual(status, "ok" if turn["seat"] in seen else None, game)
                seen.add(turn["seat"])

    def test_a_turn_says_nothing_of_the_seed_and_repeats_with_it(self):
        seed = random.Random(1).getrandbits(256)
        digits = f"{seed:064x}"
        for game in GAMES:
            turns = []
            for dealt in (seed, seed, seed + 1):
                env, met = self.env(game), []
                env.reset(seed=dealt)
                for _ in range(5):
                    met.append(env.turn())
                    env.step(min(env.legal(env.agent_selection)))
                turns.append(met)
            self.assertEqual(turns[0], turns[1])
            ids = [{turn["decision"] for turn in met} for met in turns]
            self.assertEqual((len(ids[0]), ids[0] & ids[2]), (5, set()), game)
            said = json.dumps(turns[0])
            self.assertEqual([k for k in range(59) if digits[k : k + 6] in said], [], game)

    def test_it_can_be_looked_at(self):
        env = self.env("molehill", render_mode="svg")
        env.reset(seed=1)
        self.assertIn("<svg", env.render())
        self.assertIsInstance(env.state(), dict)
        self.assertTrue(self.env("cia").metadata["render_modes"])


class Reader(Bot):
    """A bot that wants words, and keeps the turns that it gets."""

    text = True

    def __init__(self):
        self.met = []

    def decide(self, turn):
        self.met.append(turn)
        return anything(turn)


class TestPlay(WithEnv):
    def test_who_wants_words_is_told_what_happened_and_what_it_sees(self):
        for game in GAMES:
            alone, among = self.env(game), self.env(game)
            reader, opponent = Reader(), Reader()
            play(alone, [reader] + [anything] * (alone.max_num_agents - 1), seed=5)
            env = AgentEnv(among, opponent=opponent, seat=0)
            observation, _ = env.reset(seed=5)
            for _ in range(6):
                if among.result is None:
                    observation, *_ = env.step(env.action_space.sample(observation["action_mask"]))
            for turn in [*reader.met, *opponent.met]:
                happened, _, view = turn["text"].rpartition("\n\n")
                self.assertTrue(view, game)
                heard = happened.count("\n- ") if happened.startswith("Since your last turn:") else 0
                self.assertEqual(heard, len(turn["events"]), (game, turn["text"]))
            self.assertGreater(max(len(turn["events"]) for turn in opponent.met), 0)

    def test_memo_comes_back_and_words_are_heard(self):
        class Talker(Bot):
            memos, heard = [], []

            def decide(self, turn):
                self.memos.append(turn["memo"])
                self.heard += [event["text"] for event in turn["events"] if event["kind"] == "say"]
                return Answer(action=anything(turn), memo=f"memo {turn['step']}", say='"<é> & 5"')

        env = self.env("demol")
        play(env, [Talker(), anything, anything, anything, anything], seed=2)
        self.assertEqual(Talker.memos[0], "")
        self.assertTrue(all(memo.startswith("memo ") for memo in Talker.memos[1:]))
        self.assertEqual(set(Talker.heard), {'"<é> & 5"'})

    def test_each_seat_needs_a_bot(self):
        with self.assertRaisesRegex(ValueError, "1 bots for 2 seats"):
            play(self.env("molehill"), [anything])

    def test_a_record_has_a_line_for_each_step_and_the_same_bytes_each_time(self):
        files = []
        for _ in range(2):
            with tempfile.TemporaryDirectory() as folder:
                env = self.env("molehill", records=folder)
                result = play(env, [anything, anything], seed=9)
                [path] = Path(folder).iterdir()
                files.append(path.read_bytes())
        lines = gzip.decompress(files[0]).decode().splitlines()
        self.assertEqual(files[0], files[1])
        self.assertEqual(len(lines), env.steps + 3)
        self.assertEqual(json.loads(lines[-1])["result"], result)


    def test_no_record_takes_the_place_of_another(self):
        def first(turn):
            return legal_actions(turn["offer"])[0]

        def last(turn):
            return legal_actions(turn["offer"])[-1]

        with tempfile.TemporaryDirectory() as folder:
            env, other = self.env("molehill", records=folder), self.env("molehill", records=folder)
            ends = []
            for made, seed, bots in [
                (env, 7, [anything, anything]),
                (env, 7, [first, last]),
                (other, 7, [last, first]),  # as another process has it
                (env, 7 + 2**48, [anything, anything]),  # the same in its last digits
                (env, 7, [anything, anything]),  # the very same match
            ]:
                ends.append(play(made, bots, seed=seed))
            env.reset(seed=7)
            twin = env.clone()
            self.addCleanup(twin.close)
            for made, bot in [(env, first), (twin, last)]:
                while made.result is None:
                    made.step(bot(made.turn()))
                ends.append(made.result)
            files = [gzip.decompress(path.read_bytes()).splitlines() for path in Path(folder).iterdir()]
            found = [json.loads(lines[-1])["result"] for lines in files]
            self.assertEqual(sorted(map(str, found)), sorted(map(str, ends)))


class TestAgentEnv(WithEnv):
    def test_one_seat_plays_every_game_to_its_end(self):
        for game in GAMES:
            env = AgentEnv(self.env(game), seat=1)
            observation, info = env.reset(seed=4)
            self.assertEqual(info["agent"], "seat_1")
            terminated, total = False, 0.0
            while not terminated:
                self.assertEqual(observation["action_mask"], env.action_masks())
                number = env.action_space.sample(observation["action_mask"])
                observation, reward, terminated, truncated, info = env.step(number)
                total += reward
                self.assertFalse(truncated)
            self.assertEqual(total, env.env.rewards["seat_1"])
            self.assertIn("rank", info["result"])
            with self.assertRaisesRegex(ValueError, "over"):
                env.step(0)

    def test_the_seed_decides_the_seat_and_the_deal(self):
        env = AgentEnv(self.env("cia", seats=5))
        starts = [env.reset(seed=seed) for seed in (1, 1, 2, 3, 4)]
        self.assertEqual(starts[0], starts[1])
        self.assertGreater(len({info["agent"] for _, info in starts}), 1)
        with self.assertRaisesRegex(ValueError, "want 0 to 4"):
            AgentEnv(env.env, seat=5)


class TestRules(WithEnv):
    def rules(self, game):
        """A table of its own, closed after the test."""
        made = Rules(game)
        self.addCleanup(made.close)
        return made

    def test_a_guessed_table_looks_the_same_from_the_seat_that_guessed(self):
        for game in GAMES:
            env, rules, rng = self.env(game), self.rules(game), random.Random(1)
            env.reset(seed=7)
            for _ in range(4):
                env.step(random_action(env.turn()["offer"], rng))
            turn = env.turn()
            for _ in range(3):
                rules.guess(turn, rng)
                self.assertEqual(rules.view(turn["seat"]), turn["view"], game)
                self.assertEqual(rules.offer(turn["seat"]), turn["offer"], game)
            rules.resample(turn["seat"], rng)
            self.assertEqual(rules.view(turn["seat"]), turn["view"], game)

    def test_an_action_of_every_game_has_a_value(self):
        for game in GAMES:
            env, rules = self.env(game), self.rules(game)
            env.reset(seed=7)
            turn = env.turn()
            value = rules.value(turn, legal_actions(turn["offer"])[0], matches=2, rng=random.Random(1))
            self.assertTrue(1 / env.max_num_agents <= value <= 1, (game, value))

    def test_the_example_of_a_search_decides_in_every_game(self):
        bot = search.Search()
        bot.seconds = 0.02
        for game in GAMES:
            env = self.env(game)
            env.reset(seed=7)
            turn = env.turn()
            env.rules.check(turn["seat"], bot.decide(turn))
            bot.rules(game).close()

    def test_a_snapshot_comes_back(self):
        rules = self.rules("molehill")
        rules.deal(1)
        snapshot, before = rules.snapshot(), rules.hash()
        rules.apply({seat: rules.house(seat) for seat in (0, 1) if rules.offer(seat)["list"]})
        self.assertNotEqual(rules.hash(), before)
        rules.restore(snapshot)
        self.assertEqual(rules.hash(), before)

    def test_what_the_rules_refuse_is_an_error_with_a_code(self):
        rules = self.rules("molehill")
        with self.assertRaisesRegex(RulesError, "no_table") as refused:
            rules.view()
        self.assertEqual(refused.exception.code, "no_table")
        with self.assertRaisesRegex(ValueError, "want 0 to"):
            rules.deal(-1)

    def test_an_answer_that_nobody_waited_for_is_not_taken_for_the_next(self):
        rules = self.rules("molehill")
        rules.deal(7)
        with mock.patch.object(rules._console, "stdout") as stdout:
            stdout.readline.side_effect = KeyboardInterrupt
            with self.assertRaises(KeyboardInterrupt):
                rules.ask("hash")
        with self.assertRaisesRegex(RuntimeError, "closed: make others"):
            rules.describe(0)

    def test_a_program_that_ends_is_an_error(self):
        rules = self.rules("molehill")
        rules._console.kill()
        rules._console.wait()
        with self.assertRaisesRegex(RuntimeError, "has ended"):
            rules.deal(1)
        with self.assertRaisesRegex(RuntimeError, "there is no game"):
            Rules("chess")
        with self.assertRaisesRegex(FileNotFoundError, "MOLERUN"):
            Rules("cia", program="no-such-program")


if __name__ == "__main__":
    unittest.main()
