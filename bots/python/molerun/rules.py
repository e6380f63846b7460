"""The exact rules of a game, through `molerun rules GAME`."""

from __future__ import annotations

import base64
import json
import operator
import os
import random
import subprocess
import sysconfig
from pathlib import Path
from types import TracebackType
from typing import Any, Dict, List, Mapping, Optional, Sequence, Type, TypedDict, Union

from molerun.offers import Action, Offer, whole

SPECTATOR = -1
"""The seat of those who only watch."""

Seed = Union[int, str, random.Random]
"""A whole number, 64 hex digits, or a generator to draw them from."""


class _Ended(TypedDict):
    rank: List[int]
    points: List[float]
    why: str


class Result(_Ended, total=False):
    """How a match ended, by seat. Rank 1 is best, ties share a rank; `team` is there in games with teams."""

    team: List[str]


class Standing(TypedDict):
    """What a table says after a deal or a step: who is due, what happened, and the result once the match is over."""

    step: int
    due: List[int]
    events: List[Dict[str, Any]]
    result: Optional[Result]


class RulesError(ValueError):
    """What the rules refuse; `code` is stable, such as "illegal_action"."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


def seed_text(seed: Seed) -> str:
    """The 64 hex digits of a seed; ValueError if a number is negative or too large."""
    if isinstance(seed, str):
        return seed
    try:
        number = seed.getrandbits(256) if isinstance(seed, random.Random) else operator.index(seed)
    except TypeError:
        raise TypeError(f"seed {seed!r}: want a whole number, 64 hex digits or a random.Random") from None
    if not 0 <= number < 1 << 256:
        raise ValueError(f"seed {number}: want 0 to 2**256 - 1")
    return f"{number:064x}"


def _installed() -> Optional[str]:
    """The program of the wheel that this package came in; None if it came without one."""
    name = "molerun.exe" if os.name == "nt" else "molerun"
    beside = Path(__file__).parent.parent / "bin" / name  # pip install --target
    for path in [Path(sysconfig.get_path("scripts")) / name, beside]:
        if path.is_file():
            return str(path)
    return None


class AfterReset:
    """What has more to say once `reset` has dealt a match."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{type(self).__name__} has no {name!r}; if it is of a match, call reset() first")


class Rules:
    """A table of one game: deal, look, decide, guess. What the rules refuse is a RulesError and changes nothing.

    It starts the program that MOLERUN names, else the one that pip installed beside this Python, else `molerun` in
    the PATH. Not for several threads at once: each needs its own.
    """

    def __init__(self, game: str, program: Optional[str] = None, tables: Optional[int] = None) -> None:
        """With tables it is the console of many matches, and only `ask` works: see `Tables`."""
        self.game = game
        self.program = program
        self._dealt = False
        name = program or os.environ.get("MOLERUN") or _installed() or "molerun"
        try:
            pipe = subprocess.PIPE
            many = [] if tables is None else ["--tables", str(tables)]
            self._console = subprocess.Popen([name, "rules", game, *many], stdin=pipe, stdout=pipe)
        except FileNotFoundError:
            hint = "install the wheel of a release, put molerun into the PATH, or its path into MOLERUN"
            raise FileNotFoundError(f"there is no program {name}: {hint}") from None
        try:
            self.info: Dict[str, Any] = self.ask("info")["info"]
        except RuntimeError as error:
            self.close()
            again = subprocess.run([name, "rules", game, *many], stdin=subprocess.DEVNULL, stderr=pipe, stdout=pipe)
            raise RuntimeError(again.stderr.decode(errors="replace").strip() or str(error)) from None

    def ask(self, op: str, **more: Any) -> Dict[str, Any]:
        """One operation of docs/5-replays.md, with its keys."""
        stdin, stdout = self._console.stdin, self._console.stdout
        assert stdin is not None and stdout is not None
        asked = json.dumps({"op": op, **more}, default=operator.index).encode() + b"\n"
        if stdin.closed:
            raise RuntimeError(f"these rules of {self.game} are closed: make others")
        try:
            stdin.write(asked)
            stdin.flush()
            line = stdout.readline()
        except (BrokenPipeError, ValueError):
            line = b""
        except BaseException:  # such as KeyboardInterrupt: the next question would read this one's answer
            self._console.kill()
            self.close()
            raise
        if not line:
            raise RuntimeError(f"molerun rules {self.game} has ended (exit code {self._console.wait()})")
        answer: Dict[str, Any] = json.loads(line)
        if not answer.pop("ok"):
            raise RulesError(**answer["error"])
        return answer

    def seats(self, seats: Optional[int] = None) -> int:
        """The number of seats asked for, or the game's smallest table."""
        return int(self.info["min_seats"]) if seats is None else whole(seats, "seats")

    def config(self, variant: str) -> Dict[str, Any]:
        """The configuration of a variant by its name; KeyError names those that there are."""
        for one in self.info["variants"]:
            if one["name"] == variant:
                return dict(one["config"])
        names = ", ".join(one["name"] for one in self.info["variants"])
        raise KeyError(f"{self.game} has no variant {variant!r}; there are {names}")

    def deal(self, seed: Seed, seats: Optional[int] = None, config: Optional[Mapping[str, Any]] = None) -> Standing:
        """A new match; keys left out of config have their defaults."""
        return self._standing("deal", seats=self.seats(seats), seed=seed_text(seed), config=dict(config or {}))

    def view(self, seat: int = SPECTATOR) -> Dict[str, Any]:
        """All that a seat may know."""
        view: Dict[str, Any] = self.ask("view", seat=seat)["view"]
        return view

    def offer(self, seat: int) -> Offer:
        """What a seat may do; an empty list if it is not due."""
        offer: Offer = self.ask("offer", seat=seat)["offer"]
        return offer

    def check(self, seat: int, action: Action) -> None:
        """RulesError if the action is not legal for the seat now."""
        self.ask("check", seat=seat, action=action)

    def apply(self, actions: Mapping[int, Action], say: Optional[Mapping[int, str]] = None) -> Standing:
        """One step: exactly one action for each seat that is due."""
        turns: List[Dict[str, Any]] = []
        for seat in sorted(actions):
            turn: Dict[str, Any] = {"seat": seat, "action": actions[seat]}
            if say and say.get(seat):
                turn["say"] = say[seat]
            turns.append(turn)
        return self._standing("apply", turns=turns)

    def house(self, seat: int) -> Action:
        """The action that the house plays for a seat that is due: any legal one, drawn from the match's seed."""
        action: Action = self.ask("house", seat=seat)["action"]
        return action

    def hash(self) -> str:
        """The SHA-256 of the whole state, in hex."""
        return str(self.ask("hash")["hash"])

    def snapshot(self) -> str:
        """The whole table as text, for `restore`."""
        return str(self.ask("snapshot")["snapshot"])

    def header(self) -> Dict[str, Any]:
        """What a snapshot says in words: game, config with every key, seats, step, seed."""
        header: Dict[str, Any] = json.loads(base64.b64decode(self.snapshot()).split(b"\n", 1)[0])
        return header

    def restore(self, snapshot: str) -> Standing:
        """The table of a snapshot, without events."""
        return self._standing("restore", snapshot=snapshot)

    def resample(self, seat: int, seed: Seed) -> Standing:
        """The table becomes a twin that the seat cannot tell from it: everything hidden is drawn again."""
        return self._standing("resample", seat=seat, seed=seed_text(seed))

    def guess(self, turn: Mapping[str, Any], seed: Seed) -> Standing:
        """A whole table, drawn from all that fit what the seat of a turn sees."""
        return self._standing(
            "guess",
            seat=turn["seat"],
            view=turn["view"],
            config=turn["config"],
            seats=len(turn["opponents"]) + 1,
            seed=seed_text(seed),
        )

    def reveal(self) -> Dict[str, Any]:
        """The whole state, with everything hidden."""
        state: Dict[str, Any] = self.ask("reveal")["state"]
        return state

    def draw(self, seat: int = SPECTATOR) -> str:
        """The board as SVG, as a seat sees it."""
        return str(self.ask("draw", seat=seat)["svg"])

    def describe(self, seat: int = SPECTATOR) -> str:
        """What a seat has heard since it last decided, and its view, in plain words: `text` of a turn."""
        return str(self.ask("describe", seat=seat)["text"])

    def playout(self, standing: Standing, actions: Optional[Mapping[int, Action]] = None) -> Result:
        """The result when the given actions are played now and the house plays all others, to the end."""
        given = actions or {}
        while standing["result"] is None:
            due: Sequence[int] = standing["due"]
            standing = self.apply({seat: given[seat] if seat in given else self.house(seat) for seat in due})
            given = {}
        return standing["result"]

    def value(self, turn: Mapping[str, Any], action: Action, matches: int, rng: random.Random) -> float:
        """How good an action is for the seat of a turn: the mean of 1/rank over guessed tables played to the end."""
        seat: int = turn["seat"]
        total = 0.0
        for _ in range(matches):
            result = self.playout(self.guess(turn, rng), {seat: action})
            total += 1 / result["rank"][seat]
        return total / matches

    def numbers(self, seat: int) -> Dict[int, Action]:
        """What a seat may do, by number; empty if it is not due. README.md says what numbers are."""
        answer = self.ask("numbers", seat=seat)
        return dict(zip(answer["numbers"], answer["actions"]))

    def observe(self, seat: int) -> List[int]:
        """All that a seat may know, as whole numbers: the features of the operation `shape`."""
        observation: List[int] = self.ask("observe", seat=seat)["observation"]
        return observation

    def __getstate__(self) -> Dict[str, Any]:
        snapshot = self.snapshot() if self._dealt else None
        return {"game": self.game, "program": self.program, "snapshot": snapshot}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        Rules.__init__(self, state["game"], state["program"])
        if state["snapshot"] is not None:
            self.restore(state["snapshot"])

    def close(self) -> None:
        """End the program."""
        assert self._console.stdin is not None and self._console.stdout is not None
        try:
            self._console.stdin.close()
        except BrokenPipeError:
            pass  # it has ended by itself
        self._console.stdout.close()
        self._console.wait()

    def __enter__(self) -> Rules:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def _standing(self, op: str, **more: Any) -> Standing:
        answer = self.ask(op, **more)
        self._dealt = True
        return {"step": answer["step"], "due": answer["due"], "events": answer["events"], "result": answer["result"]}
