"""A game as an environment in the shape of PettingZoo's AEC: one agent decides at a time."""

from __future__ import annotations

import copy
import hashlib
import operator
import random
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional, SupportsIndex, Tuple, TypedDict, Union

from molerun.bot import Turn
from molerun.offers import Action, Discrete
from molerun.records import Record, match_id
from molerun.rules import AfterReset, Result, Rules, Standing
from molerun.tables import Box, box


class Observation(TypedDict):
    """What an agent sees: its view, and which actions are legal (all 0 if it has nothing to decide)."""

    observation: Union[Dict[str, Any], List[int]]
    action_mask: bytearray


class Views:
    """The space of observations, in the shape of `gymnasium.spaces.Dict`: a `Box` for "action_mask", and with arrays
    one for "observation". A view as JSON has none: the game's page in docs/rules describes it."""

    def __init__(self, spaces: Dict[str, Box]) -> None:
        self.spaces = spaces

    def __getitem__(self, key: str) -> Box:
        return self.spaces[key]

    def contains(self, x: object) -> bool:
        """Whether x has the shape of an `Observation`, and its arrays lie between their bounds."""
        if not isinstance(x, dict) or set(x) != {"observation", "action_mask"}:
            return False
        return all(x[key] in space for key, space in self.spaces.items())

    def __contains__(self, x: object) -> bool:
        return self.contains(x)


class Env(AfterReset):
    """A match of one game. `reset`, then `step` for each agent of `agent_iter`, as in PettingZoo:

        env = Env("molehill")
        env.reset(seed=7)
        for agent in env.agent_iter():
            observation, reward, termination, truncation, info = env.last()
            action = None if termination else env.action_space(agent).sample(observation["action_mask"])
            env.step(action)

    The agents are "seat_0", "seat_1"... Where several seats decide at once (De Mol's votes), they step one after
    the other, none sees what the others chose, and the rules move on after the last. Rewards come with the end
    of the match: +1 for each seat beaten, -1 for each seat that is ahead, over the number of all other seats, a
    seat's own team left out.
    """

    metadata: Dict[str, Any] = {"name": "molerun", "render_modes": ["ansi", "svg"], "is_parallelizable": False}

    def __init__(
        self,
        game: str,
        seats: Optional[int] = None,
        *,
        variant: Optional[str] = None,
        config: Optional[Mapping[str, Any]] = None,
        arrays: bool = False,
        records: Optional[Union[str, Path]] = None,
        render_mode: str = "ansi",
        program: Optional[str] = None,
    ) -> None:
        """seats defaults to the smallest table. `variant` or `config` set the rules, not both. With `arrays`,
        observations are whole numbers in place of JSON. `records` is a folder that gets the record of each match
        that ends, for `molerun replay`, in a file of its own.
        """
        if variant is not None and config is not None:
            raise ValueError("give a variant or a config, not both")
        if render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"render_mode {render_mode!r}: want ansi or svg")
        self.rules = Rules(game, program)
        """The table. Do not guess or restore on it: a search takes `Rules` of its own."""
        self.game = game
        try:
            self.config = dict(config or {}) if variant is None else self.rules.config(variant)
            shape = self.rules.ask("shape", seats=self.rules.seats(seats), config=self.config)
        except (KeyError, TypeError, ValueError):
            self.rules.close()
            raise
        self.arrays = arrays
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{k}" for k in range(self.rules.seats(seats))]
        self.agents: List[str] = []
        self.result: Optional[Result] = None
        self._records = Path(records) if records is not None else None
        self._features = shape["features"]
        self._space = Discrete(shape["actions"])
        spaces = {"action_mask": Box([0] * self._space.n, [1] * self._space.n, "int8")}
        self._views = Views({"observation": box(shape), **spaces} if arrays else spaces)

    @property
    def num_agents(self) -> int:
        """How many agents have not left yet."""
        return len(self.agents)

    @property
    def max_num_agents(self) -> int:
        """How many seats the table has."""
        return len(self.possible_agents)

    @property
    def steps(self) -> int:
        """How many steps the rules have taken since the deal."""
        return self._standing["step"]

    @property
    def due(self) -> List[int]:
        """The seats that have yet to decide in this step."""
        return [seat for seat in self._due if seat not in self._chosen]

    def seat(self, agent: str) -> int:
        """The number of an agent's seat."""
        return self.possible_agents.index(agent)

    def observation_space(self, agent: str) -> Views:
        """The same for all agents."""
        return self._views

    def action_space(self, agent: str) -> Discrete:
        """The numbers of all actions; the mask of an observation says which are legal."""
        return self._space

    def reset(self, seed: Optional[int] = None, options: Optional[Mapping[str, Any]] = None) -> None:
        """Deal a match. The seed decides all its luck; without one it is drawn. `options` may hold another config with
        at most as many actions, and with `arrays` no wider observations: the spaces stay as they are.
        """
        if unknown := sorted(set(options or {}) - {"config"}):
            raise ValueError(f"options {unknown}: there is only \"config\"")
        config = dict((options or {}).get("config", self.config))
        if config != self.config:
            self._fits(config)
        drawn = random.SystemRandom().getrandbits(256) if seed is None else seed
        standing = self.rules.deal(drawn, seats=self.max_num_agents, config=config)
        self._header = self.rules.header()
        self._space.seed(int(self._header["seed"], 16))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: Dict[str, Dict[str, Any]] = {agent: {} for agent in self.agents}
        self.result = None
        self._heard: Dict[int, List[Dict[str, Any]]] = {seat: [] for seat in range(self.max_num_agents)}
        self._previous: Dict[int, Dict[str, Any]] = {}
        self._record = None
        if self._records is not None:
            self._records.mkdir(parents=True, exist_ok=True)
            self._record = Record(self._header, self.rules.info["rules_version"], self.possible_agents)
            self._record.deal(standing["events"], self.rules.hash())
        self._stand(standing)

    def agent_iter(self, max_iter: int = 1 << 62) -> Iterator[str]:
        """The agents in the order in which they decide, until all have left."""
        while self.agents and max_iter > 0:
            yield self.agent_selection
            max_iter -= 1

    def last(self, observe: bool = True) -> Tuple[Optional[Observation], float, bool, bool, Dict[str, Any]]:
        """What the agent that decides now sees; its reward since its last decision; whether the match is over."""
        agent = self._deciding()
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def _deciding(self) -> str:
        agent = self.agent_selection
        if not self.agents:
            raise ValueError("the match is over, and all agents have left: reset it")
        return agent

    def observe(self, agent: str) -> Observation:
        """The view of any agent, and the mask of its legal actions."""
        seat = self.seat(agent)
        seen = self.rules.observe(seat) if self.arrays else self.rules.view(seat)
        return {"observation": seen, "action_mask": self.action_mask(agent)}

    def action_mask(self, agent: str) -> bytearray:
        """A byte for each number: 1 where it is legal. numpy.frombuffer(mask, "int8") reads it."""
        mask = bytearray(self._space.n)
        for number in self.legal(agent):
            mask[number] = 1
        return mask

    def legal(self, agent: str) -> Dict[int, Action]:
        """The actions that the mask allows, by number; in Mole more are legal."""
        seat = self.seat(agent)
        if self.result is not None or seat not in self.due:
            return {}
        if seat not in self._numbers:
            self._numbers[seat] = self.rules.numbers(seat)
        return self._numbers[seat]

    def step(self, action: Union[int, Action, None], say: str = "") -> None:
        """Decide for `agent_selection`: by a number, by an action itself (also off the grid), or None once the match
        is over.

        What the rules refuse is a RulesError, a number that the mask does not allow an IndexError; both change
        nothing. Words that they refuse show only when the last of several seats has chosen; then all of these seats
        choose again.
        """
        agent = self._deciding()
        if self.terminations[agent]:
            if action is not None:
                raise ValueError(f"the match is over: step {agent} with None")
            self._leave(agent)
            return
        if action is None:
            raise ValueError(f"{agent} has to decide: None is for agents whose match is over")
        seat = self.seat(agent)
        self._chosen[seat] = self.meant(agent, action)
        self._said[seat] = say
        if len(self._chosen) == len(self._due):
            self._apply()
        else:
            self._select()

    def meant(self, agent: str, action: Union[int, Action]) -> Action:
        """The action that a number stands for, or that is given in full; as in `step` an error if it is not legal."""
        if not isinstance(action, SupportsIndex):
            self.rules.check(self.seat(agent), action)
            return action
        number, legal = operator.index(action), self.legal(agent)  # numpy's whole numbers too
        if number not in legal:
            raise IndexError(f"{agent} may not choose {number} now, but {len(legal)} other numbers")
        return legal[number]

    def turn(self, agent: Optional[str] = None) -> Turn:
        """The message that a bot would get now in the agent's place: what `Bot.decide` takes. It asks for no belief."""
        seat = self.seat(agent or self.agent_selection)
        others = [k for k in range(self.max_num_agents) if k != seat]
        match = match_id(self._header["seed"])
        decision = hashlib.sha256(f"{match}/{self.steps}/{seat}".encode()).hexdigest()[:32]
        return {
            "protocol": 1,
            "type": "turn",
            "match": match,
            "game": self.game,
            "rules_version": self.rules.info["rules_version"],
            "config": self._header["config"],
            "seat": seat,
            "opponents": [{"seat": k, "alias": f"seat-{k}"} for k in others],
            "step": self.steps,
            "decision": f"dec_{decision}",
            "clock": {"limit_ms": 1000, "bank_ms": 10000, "increment_ms": 0},
            "previous": self._previous.get(seat),
            "events": list(self._heard[seat]),
            "view": self.rules.view(seat),
            "offer": self.rules.offer(seat),
            "memo": "",
        }

    def render(self) -> str:
        """The table as who only watches sees it: in words, or as SVG (render_mode "svg")."""
        return self.rules.draw() if self.render_mode == "svg" else self.rules.describe()

    def state(self) -> Dict[str, Any]:
        """The whole state, with everything hidden: for a critic that may know more than the agents."""
        return self.rules.reveal()

    def close(self) -> None:
        """End the program behind it."""
        self.rules.close()

    def clone(self) -> Env:
        """The same match in a program of its own; what `pickle` does too."""
        return copy.deepcopy(self)

    def _fits(self, config: Mapping[str, Any]) -> None:
        shape = self.rules.ask("shape", seats=self.max_num_agents, config=config)
        size = shape["actions"]
        hint = f"make Env({self.game!r}, {self.max_num_agents}, config=...) for it"
        if size > self._space.n:
            own = f"this environment's action space has {self._space.n}"
            raise ValueError(f"config {config} has {size} actions, {own}: {hint}")
        for has, own in zip(shape["features"], self._features):
            name, low, high = own["name"], own["low"], own["high"]
            if self.arrays and not low <= has["low"] <= has["high"] <= high:
                beyond = f"{name} beyond {low} to {high} of this environment's observation space"
                raise ValueError(f"config {config} has {beyond}: {hint}")

    def _apply(self) -> None:
        say = {seat: text for seat, text in self._said.items() if text}
        try:
            standing = self.rules.apply(self._chosen, say)
        except ValueError:
            self._chosen.clear()
            self._said.clear()
            self._select()
            raise
        for seat in self._chosen:
            self._heard[seat] = []
            self._previous[seat] = {"status": "ok", "elapsed_ms": 0, "charged_ms": 0, "reason": ""}
        if self._record is not None:
            self._record.step(standing["step"], self._chosen, say, standing["events"], self.rules.hash())
        self._stand(standing)

    def _stand(self, standing: Standing) -> None:
        self._standing = standing
        self._due = standing["due"]
        self._chosen: Dict[int, Action] = {}
        self._said: Dict[int, str] = {}
        self._numbers: Dict[int, Dict[int, Action]] = {}
        for event in standing["events"]:
            words = {key: value for key, value in event.items() if key != "for"}
            for seat, heard in self._heard.items():
                if event["for"] == "all" or seat in event["for"]:
                    heard.append(words)
        if standing["result"] is not None:
            self._finish(standing["result"])
        self._select()

    def _select(self) -> None:
        if self.due:
            self.agent_selection = self.possible_agents[self.due[0]]
        elif self.agents:
            self.agent_selection = self.agents[0]

    def _finish(self, result: Result) -> None:
        self.result = result
        for agent in self.agents:
            self.rewards[agent] = _reward(result, self.seat(agent))
            self._cumulative_rewards[agent] = self.rewards[agent]
            self.terminations[agent] = True
            self.infos[agent] = {"result": result}
        if self._record is not None and self._records is not None:
            self._record.write(self._records, f"{self.game}-{self._header['seed'][-12:]}", result)

    def _leave(self, agent: str) -> None:
        self.agents.remove(agent)
        for by_agent in (self.rewards, self._cumulative_rewards):
            del by_agent[agent]
        for by_agent in (self.terminations, self.truncations):
            del by_agent[agent]
        del self.infos[agent]
        self._select()


def _reward(result: Result, seat: int) -> float:
    rank = result["rank"]
    team = result.get("team")
    others = [k for k in range(len(rank)) if k != seat and (not team or team[k] != team[seat])]
    if not others:
        return 0.0
    return sum((rank[k] > rank[seat]) - (rank[k] < rank[seat]) for k in others) / len(others)
