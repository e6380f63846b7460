"""A game in the shape of PettingZoo's parallel API: one step of the rules at a time."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

from molerun.env import Env, Observation, Views
from molerun.offers import Action, Discrete

Infos = Dict[str, Dict[str, Any]]


class Parallel:
    """All agents step at once; the actions of those whose mask allows none are not looked at:

        env = Parallel(Env("demol"))
        observations, infos = env.reset(seed=7)
        while env.agents:
            due = [agent for agent in env.agents if any(observations[agent]["action_mask"])]
            actions = {agent: env.action_space(agent).sample(observations[agent]["action_mask"]) for agent in due}
            observations, rewards, terminations, truncations, infos = env.step(actions)
    """

    metadata: Dict[str, Any] = {**Env.metadata, "is_parallelizable": True}

    def __init__(self, env: Env) -> None:
        self.env = env
        self.possible_agents = env.possible_agents
        self.render_mode = env.render_mode

    @property
    def agents(self) -> List[str]:
        """All seats until the match is over, then none."""
        return list(self.possible_agents) if self.env.agents and self.env.result is None else []

    def observation_space(self, agent: str) -> Views:
        """As `Env.observation_space`."""
        return self.env.observation_space(agent)

    def action_space(self, agent: str) -> Discrete:
        """As `Env.action_space`."""
        return self.env.action_space(agent)

    def reset(
        self, seed: Optional[int] = None, options: Optional[Mapping[str, Any]] = None
    ) -> Tuple[Dict[str, Observation], Infos]:
        """As `Env.reset`; what each agent sees."""
        self.env.reset(seed, options)
        return self._observed(), {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, Union[int, Action]]
    ) -> Tuple[Dict[str, Observation], Dict[str, float], Dict[str, bool], Dict[str, bool], Infos]:
        """One step of the rules: what each agent chooses, as `Env.step` takes it. A KeyError names an agent that has to
        decide and has no action; nothing is played."""
        if not self.agents:
            raise ValueError("the match is over: reset it")
        due = [self.possible_agents[seat] for seat in self.env.due]
        for agent in due:
            if agent not in actions:
                raise KeyError(f"{agent} has to decide: give its action")
            self.env.meant(agent, actions[agent])
        for agent in due:
            self.env.step(actions[agent])
        env = self.env
        return self._observed(), dict(env.rewards), dict(env.terminations), dict(env.truncations), dict(env.infos)

    def render(self) -> str:
        """As `Env.render`."""
        return self.env.render()

    def state(self) -> Dict[str, Any]:
        """As `Env.state`."""
        return self.env.state()

    def close(self) -> None:
        """As `Env.close`."""
        self.env.close()

    def _observed(self) -> Dict[str, Observation]:
        return {agent: self.env.observe(agent) for agent in self.possible_agents}
