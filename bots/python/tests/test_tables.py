"""Tests of Tables, Parallel, clone and pickle, and of the shapes that gymnasium and PettingZoo publish:
MOLERUN=/path/to/molerun python3 test_tables.py
"""

import base64
import json
import pickle
import random
import unittest

from molerun import AgentEnv, Env, Parallel, RulesError, Tables, legal_actions
from molerun.offers import text_of

GAMES = ["cia", "demol", "mole", "molehill", "molemajority"]
SHORT = {"mole": {"points": 1, "max_rounds": 2}}


def rows(observations):
    """Observations as lists."""
    return [list(row) for row in observations]


class WithTables(unittest.TestCase):
    def tables(self, *args, **options):
        """Tables that are closed after the test."""
        made = Tables(*args, **options)
        self.addCleanup(made.close)
        return made

    def env(self, game, **options):
        """An environment that is closed after the test."""
        made = Env(game, config=SHORT.get(game), **options)
        self.addCleanup(made.close)
        return made


class TestShapes(WithTables):
    """The interfaces as gymnasium (Env, vector.VectorEnv) and PettingZoo (AECEnv, ParallelEnv) document them."""

    def test_tables_refuse_what_they_would_not_play_as_soon_as_it_is_said(self):
        with self.assertRaisesRegex(ValueError, 'no house bot "foo"'):
            Tables("molehill", 2, opponent="foo")
        with self.assertRaisesRegex(ValueError, "no seat 5, but 0 to 1"):
            Tables("molehill", 2, play=[[0, 5]])
        with Tables("molehill", 2) as env:
            with self.assertRaisesRegex(AttributeError, r"call reset\(\) first"):
                env.step([0, 0])
            with self.assertRaisesRegex(ValueError, "confg"):
                env.reset(options={"confg": {}})
        with self.assertRaisesRegex(RuntimeError, "closed: make others"):
            env.reset(seed=1)

    def test_tables_have_the_shape_of_a_vector_env(self):
        for game in GAMES:
            env = self.tables(game, 3, config=SHORT.get(game))
            self.assertEqual(env.num_envs, 3)
            self.assertIsInstance(env.metadata, dict)
            observations, infos = env.reset(seed=1, options=None)
            self.assertIsInstance(infos, dict)
            for _ in range(30):
                self.assertTrue(env.observation_space.contains(observations), game)
                self.assertEqual(len(observations), 3)
                self.assertTrue(all(env.single_observation_space.contains(row) for row in observations), game)
                masks = env.action_masks()
                self.assertEqual([len(mask) for mask in masks], [env.single_action_space.n] * 3)
                self.assertEqual([sum(mask) for mask in masks], [len(one) for one in env.legal()])
                actions = env.action_space.sample(masks)
                self.assertTrue(env.action_space.contains(actions))
                observations, rewards, terminations, truncations, infos = env.step(actions)
                self.assertEqual([len(rewards), len(terminations), len(truncations)], [3, 3, 3])
                self.assertFalse(any(truncations))
                for reward, over in zip(rewards, terminations):
                    self.assertTrue(over or reward == 0)
                    self.assertTrue(-1 <= reward <= 1)
            self.assertFalse(env.observation_space.contains([[99] * len(row) for row in observations]))

    def test_one_seat_has_the_shape_of_an_env(self):
        env = AgentEnv(self.env("molehill", arrays=True))
        observation, info = env.reset(seed=1, options=None)
        self.assertIsInstance(info, dict)
        self.assertTrue(env.observation_space.contains(observation))
        over = False
        while not over:
            number = env.action_space.sample(observation["action_mask"])
            self.assertTrue(env.action_space.contains(number))
            observation, reward, over, truncated, info = env.step(number)
            self.assertTrue(env.observation_space.contains(observation))
            self.assertIsInstance(reward, float)
            self.assertIs(type(over), bool)
            self.assertIs(truncated, False)
            self.assertIsInstance(info, dict)
        self.assertIsInstance(env.render(), str)

    def test_agents_step_in_the_shape_of_an_aec_env(self):
        for game in GAMES:
            env = self.env(game)
            env.reset(seed=1)
            self.assertEqual(env.agents, env.possible_agents)
            self.assertEqual(env.max_num_agents, len(env.possible_agents))
            total = dict.fromkeys(env.possible_agents, 0.0)
            for agent in env.agent_iter():
                for by_agent in (env.rewards, env.terminations, env.truncations, env.infos):
                    self.assertEqual(list(by_agent), env.agents)
                self.assertIs(env.action_space(agent), env.action_space(agent))
                self.assertIs(env.observation_space(agent), env.observation_space(agent))
                observation, reward, termination, truncation, info = env.last()
                self.assertTrue(env.observation_space(agent).contains(observation))
                self.assertEqual(observation, env.observe(agent))
                total[agent] += reward
                over = termination or truncation
                env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
            self.assertEqual(env.num_agents, 0)
            self.assertGreater(max(total.values()), -1)

    def test_all_agents_step_in_the_shape_of_a_parallel_env(self):
        for game in GAMES:
            env = Parallel(self.env(game))
            self.assertEqual(env.agents, [])
            observations, infos = env.reset(seed=1)
            steps = 0
            while env.agents:
                agents = list(env.agents)
                self.assertEqual([list(observations), list(infos)], [agents, agents])
                actions = {}
                for agent in agents:
                    mask = observations[agent]["action_mask"]
                    actions[agent] = env.action_space(agent).sample(mask if any(mask) else None)
                observations, rewards, terminations, truncations, infos = env.step(actions)
                for by_agent in (observations, rewards, terminations, truncations, infos):
                    self.assertEqual(list(by_agent), agents)
                steps += 1
            self.assertEqual([steps, set(terminations.values())], [env.env.steps, {True}])
            with self.assertRaisesRegex(ValueError, "over"):
                env.step({})

    def test_who_has_to_decide_and_does_not_is_named_and_nothing_is_played(self):
        env = Parallel(self.env("demol"))
        observations, _ = env.reset(seed=1)
        [leader] = [agent for agent in env.agents if any(observations[agent]["action_mask"])]
        with self.assertRaisesRegex(KeyError, leader):
            env.step({})
        with self.assertRaisesRegex(IndexError, leader):
            env.step({leader: 24})
        with self.assertRaises(RulesError):
            env.step({leader: {"type": "vote", "approve": True}})
        self.assertEqual(env.env.steps, 0)

    def test_agents_step_by_numbers_and_by_actions_in_full(self):
        env = Parallel(self.env("demol"))
        env.reset(seed=1)
        [leader] = [agent for agent in env.agents if env.env.legal(agent)]
        env.step({leader: min(env.env.legal(leader).items())[1]})
        votes = {agent: {"type": "vote", "approve": True} for agent in env.agents}
        with self.assertRaises(RulesError):
            env.step({**votes, env.agents[-1]: {"type": "vote", "approve": 7}})
        self.assertEqual((env.env.steps, len(env.env.due)), (1, 5))
        env.step({**votes, "seat_0": min(env.env.legal("seat_0"))})
        self.assertEqual(env.env.steps, 2)

    def test_what_is_in_a_space_may_be_of_any_library(self):
        class Row:
            """An array of another library: no Sequence."""

            def __init__(self, *numbers):
                self.numbers = numbers

            def __len__(self):
                return len(self.numbers)

            def __iter__(self):
                return iter(self.numbers)

            def __index__(self):
                raise TypeError("only arrays of one number are numbers")

        env = self.tables("cia", 2)
        one = env.single_observation_space
        last, width = env.single_action_space.n - 1, one.shape[0]
        for space, good, bad in [
            (env.action_space, [Row(0, last), [1, 2], (0, 0)], [Row(0), Row(0, last + 1), Row(0, 0.5), 7, None, "00"]),
            (env.single_action_space, [0, last], [Row(0), Row(0, 1), 0.0, None, "0", last + 1]),
            (env.observation_space, [Row(one.low, Row(*one.high))], [Row(Row(*[0] * width)), Row(0, 0), 7, None, "xx"]),
        ]:
            for x in good:
                self.assertTrue(x in space, x)
            for x in bad:
                self.assertFalse(x in space, x)

    def test_spaces_have_the_bounds_of_their_shape(self):
        for game in GAMES:
            many = self.tables(game, 3).observation_space
            for bound in (many.low, many.high):
                self.assertEqual([len(row) for row in bound], [many.shape[1]] * 3)
            env = self.env(game, arrays=True)
            env.reset(seed=1)
            space, seen = env.observation_space("seat_0"), env.observe("seat_0")
            self.assertEqual(space["observation"].shape, (len(seen["observation"]),))
            self.assertEqual(list(space["observation"].low), list(many.low[0]))
            self.assertEqual(space["action_mask"].shape, (env.action_space("seat_0").n,))
            self.assertTrue(seen in space)
            outside = [int(n) + 1 for n in space["observation"].high]
            twos = [2] * len(seen["action_mask"])
            for wrong in ({**seen, "observation": outside}, {**seen, "action_mask": twos}, {}, outside, None):
                self.assertFalse(wrong in space)
            self.assertTrue(self.env(game).observation_space("seat_0").contains({**seen, "observation": {}}))

    def test_a_config_with_wider_observations_does_not_fit_the_space(self):
        env = self.env("cia", arrays=True)
        with self.assertRaisesRegex(ValueError, "stones beyond -1 to 53"):
            env.reset(options={"config": {"track": 60}})
        self.env("cia").reset(options={"config": {"track": 60}})

    def test_no_tables_are_refused_in_words(self):
        for count in (0, -1):
            with self.assertRaisesRegex(ValueError, f"{count} tables: want 1 or more"):
                Tables("molehill", count)

    def test_the_mode_is_that_of_gymnasium(self):
        mode = Tables.metadata["autoreset_mode"]
        self.assertEqual(getattr(mode, "value", mode), "SameStep")


class TestNumbers(WithTables):
    def test_two_programs_number_alike(self):
        for game in GAMES:
            one, two = self.env(game), self.env(game)
            for seed in (1, 2):
                rng = random.Random(seed)
                two.reset(seed=99)  # it has met other actions
                two.step(max(two.legal(two.agent_selection)))
                one.reset(seed=seed)
                two.reset(seed=seed)
                for _ in range(12):
                    legal = one.legal(one.agent_selection)
                    self.assertEqual(list(legal.items()), list(two.legal(two.agent_selection).items()), game)
                    number = rng.choice(sorted(legal))
                    one.step(number)
                    two.step(number)
                    if one.result is not None:
                        break

    def test_the_grid_of_an_offer_is_that_of_the_numbers(self):
        env, rng, lifts, seed = self.env("mole"), random.Random(1), set(), 0
        while 45_000 not in lifts and seed < 20:  # until a coin overhangs an edge
            seed += 1
            env.reset(seed=seed)
            while env.result is None:
                agent = env.agent_selection
                legal = env.legal(agent)
                if env.rules.view(0)["phase"] != "place":
                    offered = legal_actions(env.rules.offer(env.seat(agent)))
                    unsaid = {"lift_mdeg": 0, "taupiniere": False}
                    flicks = [{**unsaid, **one} if one["type"] == "flick" else one for one in offered]
                    self.assertEqual({text_of(one) for one in flicks}, {text_of(one) for one in legal.values()})
                    lifts |= {one.get("lift_mdeg") for one in flicks}
                env.step(rng.choice(sorted(legal)))
        self.assertEqual(lifts, {None, 0, 45_000})

    def test_arrays_are_what_the_tables_see(self):
        for game in GAMES:
            env = self.env(game, arrays=True)
            tables = self.tables(game, 1, config=SHORT.get(game))
            [row], infos = tables.reset(seed=1)
            [dealt] = tables.rules.ask("snapshot")["snapshot"]["tables"]
            env.reset(seed=int(json.loads(base64.b64decode(dealt["table"]).split(b"\n", 1)[0])["seed"], 16))
            for _ in range(12):
                seat, seen = env.seat(env.agent_selection), env.observe(env.agent_selection)
                self.assertEqual([seat, *seen["observation"]], [infos["seat"][0], *row], game)
                masks = tables.action_masks()
                self.assertEqual(list(seen["action_mask"]), list(masks[0]), game)
                [number] = tables.action_space.sample(masks)
                env.step(number)
                [row], _, _, _, infos = tables.step([number])

    def test_what_is_no_whole_number_is_refused_wherever_a_number_is_wanted(self):
        tables, env = self.tables("molehill", 2), self.env("molehill")
        tables.reset(seed=1)
        before = tables.rules.ask("snapshot")
        for bad in (1.9, 1.0, "1", float("nan"), [1]):
            wanted = {
                "actions": lambda: tables.step([bad, 0]),
                "copy": lambda: tables.copy([bad], [0]),
                "num_envs": lambda: self.tables("molehill", bad),
                "seats": lambda: self.tables("molehill", 1, bad),
                "play": lambda: self.tables("molehill", 1, play=[[bad]]),
                "Env": lambda: Env("molehill", bad),
                "step": lambda: env.step(bad),
                "seat": lambda: AgentEnv(env, seat=bad),
                "reset": lambda: AgentEnv(env, seat=0).reset(seed=bad),
                "view": lambda: env.rules.view(bad),
                "sample": lambda: env.action_space("seat_0").seed(bad),
                "sample of tables": lambda: tables.action_space.seed(bad),
            }
            env.reset(seed=1)
            for name, ask in wanted.items():
                with self.subTest(name, bad=bad), self.assertRaises((TypeError, RulesError)):
                    ask()
        self.assertEqual(tables.rules.ask("snapshot"), before)

    def test_numbers_of_another_library_are_numbers(self):
        class Whole:
            """As numpy's int64, which is no int."""

            def __init__(self, value):
                self.value = value

            def __index__(self):
                return self.value

        one, two = Whole(1), Whole(2)
        tables = self.tables("molehill", two, two, play=[[Whole(0), one]])
        tables.reset(seed=one)
        tables.copy([Whole(0)], [one])
        tables.step([Whole(int(numbers[0])) for numbers in tables.legal()])
        env = self.env("molehill", seats=two)
        for start in (env.reset, AgentEnv(env, seat=one).reset, Parallel(env).reset):
            start(seed=two)
        env.rules.view(one)
        self.assertEqual(text_of({"to": one}), text_of({"to": 1}))

    def test_a_number_that_a_table_does_not_allow_changes_nothing(self):
        env = self.tables("molehill", 2)
        env.reset(seed=1)
        before = rows(env.step([0, 1])[0])
        for bad in ([0, 0], [0]):
            with self.assertRaises(RulesError):
                env.step(bad)
        twin = env.clone()
        self.addCleanup(twin.close)
        good = [int(one[0]) for one in env.legal()]
        self.assertEqual(rows(env.step(good)[0]), rows(twin.step(good)[0]))
        self.assertEqual(len(before), 2)


class TestCopies(WithTables):
    def test_tables_go_on_alike_from_a_clone_and_from_a_pickle(self):
        for game in GAMES:
            env = self.tables(game, 2, config=SHORT.get(game), play=[[0], [1]], opponent="random")
            env.reset(seed=3)
            for _ in range(7):
                env.step(env.action_space.sample(env.action_masks()))
            twins = [env.clone(), pickle.loads(pickle.dumps(env))]
            for twin in twins:
                self.addCleanup(twin.close)
            for _ in range(12):
                actions = env.action_space.sample(env.action_masks())
                now = rows(env.step(actions)[0])
                self.assertEqual([rows(twin.step(actions)[0]) for twin in twins], [now, now], game)

    def test_a_match_goes_on_alike_in_the_middle_of_a_vote(self):
        env = self.env("demol")
        env.reset(seed=1)
        env.step(min(env.legal(env.agent_selection)))
        env.step({"type": "vote", "approve": True})
        twin = env.clone()
        self.addCleanup(twin.close)
        for _ in range(6):
            self.assertEqual(env.agent_selection, twin.agent_selection)
            for one in (env, twin):
                one.step(min(one.legal(one.agent_selection)))
        self.assertEqual(env.rules.hash(), twin.rules.hash())

    def test_a_copy_of_a_table_tries_another_action(self):
        env = self.tables("molehill", 3)
        env.reset(seed=1)
        env.copy([0, 0], [1, 2])
        observations, _, _, _, _ = env.step([0, 0, 5])
        first, second, third = rows(observations)
        self.assertEqual(first, second)
        self.assertNotEqual(first, third)
        self.assertEqual(env.slices["mole"].stop - env.slices["mole"].start, 63)

    def test_seats_of_ones_choice(self):
        env = self.tables("demol", 4, play=[[0], [1, 2]], opponent="greedy")
        observations, infos = env.reset(seed=1)
        for _ in range(40):
            for i, seat in enumerate(infos["seat"]):
                self.assertIn(seat, env.play[i % 2])
                self.assertEqual(observations[i][0], seat)
            observations, _, _, _, infos = env.step(env.action_space.sample(env.action_masks()))
        with self.assertRaisesRegex(RulesError, "there is no house bot"):
            self.tables("demol", 1, play=[[0]], opponent="nobody").reset(seed=1)
        with self.assertRaisesRegex(KeyError, "base, plot"):
            Tables("demol", 1, variant="night")


if __name__ == "__main__":
    unittest.main()
