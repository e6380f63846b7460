"""One seat of a game as an environment in the shape of Gymnasium."""

from __future__ import annotations

import random
from typing import Any, Dict, Mapping, Optional, Tuple, Union

from molerun.bot import Bot, Decide, Turn, luck
from molerun.env import Env, Observation
from molerun.match import decide
from molerun.offers import Action, Discrete, random_action, whole
from molerun.rules import AfterReset


def _anything(turn: Turn) -> Action:
    return random_action(turn["offer"], luck(turn))


class AgentEnv(AfterReset):
    """One seat decides, opponents play the others:

        env = AgentEnv(Env("cia", seats=3))
        observation, info = env.reset(seed=7)
        terminated = False
        while not terminated:
            action = env.action_space.sample(observation["action_mask"])
            observation, reward, terminated, truncated, info = env.step(action)

    Rewards, numbers and masks are those of `Env`. `action_masks` is what sb3-contrib's MaskablePPO asks for.
    """

    metadata = Env.metadata

    def __init__(self, env: Env, opponent: Union[Bot, Decide] = _anything, seat: Optional[int] = None) -> None:
        """opponent plays every other seat, by default any legal action. Without seat, each reset draws one."""
        if seat is not None and not 0 <= whole(seat, "seat") < env.max_num_agents:
            raise ValueError(f"seat {seat}: want 0 to {env.max_num_agents - 1}")
        self.env = env
        self.observation_space = env.observation_space(env.possible_agents[0])
        self.action_space: Discrete = env.action_space(env.possible_agents[0])
        self.render_mode = env.render_mode
        self._opponent = Bot.of(opponent)
        self._seat = seat

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Mapping[str, Any]] = None
    ) -> Tuple[Observation, Dict[str, Any]]:
        """Deal a match, as `Env.reset`, and play to the first decision of the seat."""
        rng: random.Random = random.SystemRandom() if seed is None else random.Random(whole(seed, "seed"))
        drawn = rng.getrandbits(256)
        seat = rng.randrange(self.env.max_num_agents) if self._seat is None else self._seat
        self.env.reset(drawn, options)
        self.agent = self.env.possible_agents[seat]
        self._memo: Dict[int, str] = {}
        self._opponents_play()
        return self.env.observe(self.agent), self._info()

    def step(
        self, action: Union[int, Action], say: str = ""
    ) -> Tuple[Observation, float, bool, bool, Dict[str, Any]]:
        """Decide, and play to the seat's next decision or the end: what it sees, its reward, whether it is over."""
        if self.env.result is not None:
            raise ValueError("the match is over: reset it")
        self.env.step(action, say=say)
        self._opponents_play()
        over = self.env.result is not None
        return self.env.observe(self.agent), self.env.rewards[self.agent], over, False, self._info()

    def action_masks(self) -> bytearray:
        """The mask of the legal actions now."""
        return self.env.action_mask(self.agent)

    def render(self) -> str:
        """As `Env.render`."""
        return self.env.render()

    def close(self) -> None:
        """As `Env.close`."""
        self.env.close()

    def _info(self) -> Dict[str, Any]:
        return {"agent": self.agent, "result": self.env.result}

    def _opponents_play(self) -> None:
        while self.env.result is None and self.env.agent_selection != self.agent:
            decide(self.env, self._opponent, self._memo)
