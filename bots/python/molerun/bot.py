"""A bot: one function, or a class that keeps what it needs."""

from __future__ import annotations

import operator
import random
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional, Sequence, SupportsIndex, Tuple, Union

from molerun.offers import Action

Turn = Dict[str, Any]
"""A turn as docs/1-bot.md shows it: `view` is all that the seat may know, `offer` what it may do."""


@dataclass
class Answer:
    """A decision with its extras. Give `action` or `choose`, an index into the offer's list or examples."""

    action: Optional[Action] = None
    choose: Optional[int] = None
    say: str = ""
    """Words for the table, in games with talk; at most 500 bytes."""
    memo: str = ""
    """Handed back with the next turn; at most 4 KiB."""
    debug: str = ""
    """Kept for the bot's owner; at most 1 KiB."""
    then: List[Action] = field(default_factory=lambda: [])
    """What to play in the steps right after this one, at most 32; `play` asks again instead."""

    usage: Dict[str, Any] = field(default_factory=lambda: {})
    """What the decision used, by your own account: `model`, `input_tokens`, `output_tokens`, `cost_usd`."""
    belief: Dict[str, Dict[str, float]] = field(default_factory=lambda: {})
    """Where the turn `asks`: for each `about` a chance for each answer, 1 in all."""

    @classmethod
    def of(cls, decision: Union[Answer, Action, int]) -> Answer:
        """The answer that a bot means by an action, or by an index into the offer."""
        if isinstance(decision, Answer):
            return decision
        if isinstance(decision, SupportsIndex):  # numpy's whole numbers too
            return cls(choose=operator.index(decision))
        return cls(action=decision)

    def chosen(self, turn: Turn) -> Action:
        """The action itself; IndexError if `choose` is out of range, ValueError if there is neither."""
        if self.action is not None:
            return self.action
        if self.choose is None:
            raise ValueError("an answer needs an action, or choose")
        offer = turn["offer"]
        actions: List[Action] = offer.get("list") or offer.get("examples") or []
        if not 0 <= self.choose < len(actions):
            raise IndexError(f"choose {self.choose}: the offer has {len(actions)} actions")
        return actions[self.choose]

    def message(self) -> Dict[str, Any]:
        """What goes over the wire: only what is set."""
        keys = {name: value for name, value in vars(self).items() if value not in (None, "", [], {})}
        if "action" in keys:
            keys.pop("choose", None)
        return keys


Decide = Callable[[Turn], Union[Answer, Action, int]]
"""Answers a turn: with an action, an index into the offer's list or examples, or an `Answer`."""


class Bot:
    """A bot's card and its decisions. Derive from it and write `decide`; several matches may call it at once."""

    name: str = "python bot"
    author: str = ""
    build: str = ""
    games: Sequence[str] = ("cia", "demol", "mole", "molehill", "molemajority")
    text: bool = False
    """Ask for the view in plain words too, as `turn["text"]`."""

    def decide(self, turn: Turn) -> Union[Answer, Action, int]:
        """What to do. An exception is logged, and the house plays this turn."""
        raise NotImplementedError

    def start(self, message: Dict[str, Any]) -> None:
        """A match begins. It is a courtesy: a turn holds all that a decision needs."""

    def end(self, message: Dict[str, Any]) -> None:
        """A match is over: `result` is that of all seats, `rank` this seat's."""

    @staticmethod
    def of(bot: Union[Bot, Decide], games: Optional[Sequence[str]] = None, name: Optional[str] = None) -> Bot:
        """The bot itself, or one around a function. `games` and `name` replace its own."""
        made = bot if isinstance(bot, Bot) else _FunctionBot(bot)
        if games is not None:
            made.games = tuple(games)
        if name is not None:
            made.name = name
        return made


class _FunctionBot(Bot):
    def __init__(self, decide: Decide) -> None:
        self._decide = decide
        self.name = getattr(decide, "__name__", "python bot").replace("_", " ")

    def decide(self, turn: Turn) -> Union[Answer, Action, int]:
        return self._decide(turn)


def luck(turn: Turn, *more: object) -> random.Random:
    """A generator that follows from the decision alone: a turn that is asked again gets the same answer."""
    parts: Tuple[object, ...] = (turn["decision"], *more)
    return random.Random("/".join(map(str, parts)))
