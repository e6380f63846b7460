"""Many matches of one game at once, by numbers, in the shape of gymnasium's VectorEnv."""

from __future__ import annotations

import base64
import copy
import math
import sys
from array import array
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from molerun.offers import Discrete, whole
from molerun.rules import AfterReset, Rules, Seed, SPECTATOR, seed_text

try:
    import numpy
except ImportError:  # the standard library does
    numpy = None  # type: ignore[assignment]

try:
    from gymnasium.vector import AutoresetMode

    SAME_STEP: Any = AutoresetMode.SAME_STEP
except ImportError:
    SAME_STEP = "SameStep"  # its value

KINDS = {1: ("b", "int8"), 2: ("h", "int16"), 4: ("i", "int32")}
"""The types of observations by the bytes of a number: array's, and numpy's."""


class Box:
    """Arrays of whole numbers between two arrays of bounds, in the shape of `gymnasium.spaces.Box`."""

    def __init__(self, low: Sequence[int], high: Sequence[int], dtype: str, rows: Optional[int] = None) -> None:
        """With rows it is a space of so many rows, all with these bounds."""
        self.shape = (len(low),) if rows is None else (rows, len(low))
        self.dtype = dtype
        self._bounds = list(zip(low, high))
        self.low, self.high = (self._filled(array("i", one)) for one in (low, high))

    def _filled(self, row: array[int]) -> Any:
        if numpy is not None:
            return numpy.broadcast_to(numpy.array(row, self.dtype), self.shape)
        return row if len(self.shape) == 1 else [row] * self.shape[0]

    def contains(self, x: Any) -> bool:
        """Whether x has the shape, and every number lies between its bounds."""
        rows, count = ([x], 1) if len(self.shape) == 1 else (x, self.shape[0])
        try:
            return len(rows) == count and all(
                len(row) == len(self._bounds) and all(a <= n <= b for n, (a, b) in zip(row, self._bounds))
                for row in rows
            )
        except (TypeError, ValueError):  # what has no length is no row, what cannot be compared no number
            return False

    def __contains__(self, x: object) -> bool:
        return self.contains(x)


def box(shape: Mapping[str, Any], rows: Optional[int] = None) -> Box:
    """The space of the observations that the operation `shape` describes."""
    low: List[int] = []
    high: List[int] = []
    for feature in shape["features"]:
        size = math.prod(feature["shape"])
        low += [feature["low"]] * size
        high += [feature["high"]] * size
    return Box(low, high, KINDS[shape["bytes"]][1], rows)


class MultiDiscrete:
    """A number for each table, in the shape of `gymnasium.spaces.MultiDiscrete`."""

    def __init__(self, n: int, rows: int, seed: Optional[int] = None) -> None:
        self.nvec = [n] * rows
        self.shape = (rows,)
        self._one = Discrete(n, seed)

    def seed(self, seed: Optional[int] = None) -> None:
        """Start the luck of `sample` again."""
        self._one.seed(seed)

    def sample(self, mask: Optional[Sequence[Sequence[int]]] = None) -> List[int]:
        """Any numbers, or any that the masks allow, one a table."""
        return [self._one.sample(None if mask is None else mask[i]) for i in range(len(self.nvec))]

    def contains(self, x: Any) -> bool:
        """Whether x is a number for each table."""
        try:
            return len(x) == len(self.nvec) and all(one in self._one for one in x)
        except TypeError:  # it has no length
            return False

    def __contains__(self, x: object) -> bool:
        return self.contains(x)


class Tables(AfterReset):
    """Many matches at once. Each table asks one of your seats at a time; a match that ends is followed by the next:

        env = Tables("molehill", 64, play=[[0], [1]], opponent="greedy")
        observations, infos = env.reset(seed=7)
        for _ in range(100):
            actions = env.action_space.sample(env.action_masks())
            observations, rewards, terminations, truncations, infos = env.step(actions)

    Table i plays the seats `play[i % len(play)]`, by default all of them, for self-play; `opponent` plays the
    others: "random", or a house bot. An observation is what the seat asked may know, as whole numbers;
    `features` says where each stands. Where numpy is installed the arrays are numpy's, else they are rows of the
    standard library's. `infos` has `seat`, who is asked; `reward`, by table and seat; and `ended`, how many
    matches have.
    """

    metadata: Dict[str, Any] = {"name": "molerun", "autoreset_mode": SAME_STEP, "render_modes": []}

    def __init__(
        self,
        game: str,
        num_envs: int = 64,
        seats: Optional[int] = None,
        *,
        variant: Optional[str] = None,
        config: Optional[Mapping[str, Any]] = None,
        play: Optional[Sequence[Sequence[int]]] = None,
        opponent: str = "random",
        program: Optional[str] = None,
    ) -> None:
        """seats defaults to the smallest table. `variant` or `config` set the rules, not both."""
        num_envs = whole(num_envs, "num_envs")
        if num_envs < 1:
            raise ValueError(f"{num_envs} tables: want 1 or more")
        if variant is not None and config is not None:
            raise ValueError("give a variant or a config, not both")
        self.rules = Rules(game, program, tables=num_envs)
        try:
            chosen = dict(config or {}) if variant is None else self.rules.config(variant)
            self._setting = {"seats": self.rules.seats(seats), "config": chosen}
            shape = self.rules.ask("shape", **self._setting)
            everyone = [list(range(self._setting["seats"]))]
            self.play = [[whole(seat, "play: seat") for seat in one] for one in play or everyone]
            if strange := [seat for one in self.play for seat in one if seat not in everyone[0]]:
                raise ValueError(f"play: there is no seat {strange[0]}, but 0 to {everyone[0][-1]}")
            self.rules.ask("reset", seed="0" * 64, play=everyone, opponent=opponent, **self._setting)
        except (KeyError, TypeError, ValueError):
            self.rules.close()
            raise
        self.game, self.num_envs, self.opponent = game, num_envs, opponent
        self._kind = KINDS[shape["bytes"]]
        self.features: List[Dict[str, Any]] = shape["features"]
        self.slices: Dict[str, slice] = {}
        """Where in an observation each feature is, by its name."""
        end = 0
        for feature in self.features:
            start, end = end, end + math.prod(feature["shape"])
            self.slices[feature["name"]] = slice(start, end)
        self.single_observation_space = box(shape)
        self.observation_space = box(shape, num_envs)
        self.single_action_space = Discrete(shape["actions"])
        self.action_space = MultiDiscrete(shape["actions"], num_envs)

    def reset(
        self, *, seed: Optional[Seed] = None, options: Optional[Mapping[str, Any]] = None
    ) -> Tuple[Any, Dict[str, Any]]:
        """Deal every table. The seed decides all luck, also of the matches that follow; without one it is drawn."""
        if options:
            raise ValueError(f"options {sorted(options)}: tables take none; make others with another config")
        drawn = Discrete(1 << 256).sample() if seed is None else seed
        text = seed_text(drawn)
        self.action_space.seed(int(text, 16))
        return self._take("reset", seed=text, play=self.play, opponent=self.opponent, **self._setting)

    def step(self, actions: Sequence[int]) -> Tuple[Any, Any, Any, Any, Dict[str, Any]]:
        """Decide at every table, and play on until one of your seats is asked again: what it sees; the rewards of the
        seats that decided; whether a match ended; whether one was cut off, which none is.

        A number that a table does not allow, and what is no whole number, is a RulesError, and nothing is played. After
        an end the observation is of the next match.
        """
        decided = self._seat
        observations, infos = self._take("step", actions=list(actions))
        seats = self._setting["seats"]
        rewards = [self._reward[i * seats + seat] for i, seat in enumerate(decided)]
        ended = [bool(n) for n in self._ended]
        if numpy is not None:
            return observations, numpy.array(rewards), numpy.array(ended), numpy.zeros(len(ended), bool), infos
        return observations, rewards, ended, [False] * len(ended), infos

    def legal(self) -> List[Any]:
        """The numbers that each table allows now."""
        return [self._numbers[a:b] for a, b in zip(self._bounds, self._bounds[1:])]

    def action_masks(self) -> Any:
        """A byte for each table and number: 1 where it is allowed."""
        masks = []
        for numbers in self.legal():
            mask = bytearray(self.single_action_space.n)
            for number in numbers:
                mask[number] = 1
            masks.append(mask)
        return masks if numpy is None else numpy.frombuffer(b"".join(masks), "int8").reshape(self.num_envs, -1)

    def copy(self, from_: Sequence[int], to: Sequence[int]) -> Tuple[Any, Dict[str, Any]]:
        """Make table to[k] the twin of table from_[k], its luck to come included, to try several actions in one
        position: what all tables see then."""
        return self._take("copy", **{"from": list(from_), "to": list(to)})

    def clone(self) -> Tables:
        """The same tables in a program of their own; what `pickle` does too."""
        return copy.deepcopy(self)

    def close(self) -> None:
        """End the program behind it."""
        self.rules.close()

    def __enter__(self) -> Tables:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __getstate__(self) -> Dict[str, Any]:
        state = {**self.__dict__, "rules": None}
        for key in ("_numbers", "_seat", "_reward", "_ended", "_bounds"):
            state.pop(key, None)
        dealt = hasattr(self, "_seat")
        state["snapshot"] = self.rules.ask("snapshot")["snapshot"] if dealt else None
        state["program"] = self.rules.program
        return state

    def __setstate__(self, state: Dict[str, Any]) -> None:
        snapshot, program = state.pop("snapshot"), state.pop("program")
        self.__dict__.update(state)
        self.rules = Rules(self.game, program, tables=self.num_envs)
        if snapshot is not None:
            self._take("restore", snapshot=snapshot)

    def _take(self, op: str, **more: Any) -> Tuple[Any, Dict[str, Any]]:
        answer = self.rules.ask(op, **more)
        self._seat = _array("b", answer["seat"])
        self._ended = _array("B", answer["ended"])
        self._reward = _array("f", answer["reward"])
        self._numbers = memoryview(_array("H", answer["numbers"]))
        self._bounds = [0]
        for count in _array("H", answer["count"]):
            self._bounds.append(self._bounds[-1] + count)
        infos = {
            "seat": self._seat,
            "ended": self._ended,
            "reward": _rows(self._reward, self.num_envs, "float32"),
        }
        code, kind = self._kind
        return _rows(_array(code, answer["observation"]), self.num_envs, kind), infos


def _array(code: str, text: str) -> array[Any]:
    """The little-endian numbers of a text in base64."""
    out = array(code, base64.b64decode(text))
    if sys.byteorder == "big":
        out.byteswap()
    return out


def _rows(flat: array[Any], rows: int, kind: str) -> Any:
    if numpy is not None:
        return numpy.frombuffer(flat, kind).reshape(rows, -1)
    view, width = memoryview(flat), len(flat) // rows
    return [view[i * width : (i + 1) * width] for i in range(rows)]
