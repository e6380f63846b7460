"""Offers: the legal actions of a turn, and numbers for them."""

from __future__ import annotations

import itertools
import json
import operator
import random
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, SupportsIndex, Tuple

Action = Dict[str, Any]
"""An action as the game's page in docs/rules shows it: `{"type": "move", "to": "d3"}`."""

Offer = Dict[str, Any]
"""What a seat may do: `{"list": [...]}`, or `{"forms": [...], "examples": [...]}`."""

FULL_CIRCLE_MDEG = 360_000
SMALL_RANGE = 32
"""A field of whole numbers with at most this many values keeps them all."""

GRID: Mapping[str, int] = {"angle_mdeg": 36, "speed_mm_s": 5, "lift_mdeg": 2}
"""How many values of a larger field are kept, by the field's name."""

DEFAULT_STEPS = 8
"""How many, for a field that the grid does not name."""


def legal_actions(offer: Offer, grid: Mapping[str, int] = GRID) -> List[Action]:
    """The legal actions of an offer, without doubles, in an order that depends on the offer alone.

    A list is complete. Forms are written out, of a field with a `domain` the values that it lists, and their examples
    follow. A field with more than SMALL_RANGE whole numbers (Mole's directions and speeds) is reduced to `grid[name]`
    values with equal distances: a full circle to that many directions from 0 on, any other range to that many values
    with both of its ends. Examples of such offers are left out, because they lie anywhere between; every action that
    fits a form remains legal, also off the grid.
    """
    if "forms" not in offer:
        return list(offer["list"])
    fields = [field for form in offer["forms"] for field in form.get("fields", [])]
    reduced = any("min" in field and field["max"] - field["min"] >= SMALL_RANGE for field in fields)
    written = list(itertools.chain.from_iterable(_written_out(form, grid) for form in offer["forms"]))
    if reduced:
        return written
    return list({text_of(action): action for action in [*written, *offer["examples"]]}.values())


def random_action(offer: Offer, rng: random.Random) -> Action:
    """Any action of the offer; of forms, any value of each field, of one with a `domain` any that it lists."""
    actions: List[Action] = offer.get("list") or []
    if actions:
        return rng.choice(actions)
    form = rng.choice(offer["forms"])
    values = {field["name"]: _random_value(field, rng) for field in form.get("fields", [])}
    return {"type": form["type"], **values}


def text_of(action: Action) -> str:
    """The action as text: the same for two that differ only in the order of their keys."""
    return json.dumps(action, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=operator.index)


def whole(number: Any, what: str) -> int:
    """A whole number of any library as Python's own; TypeError for anything else, also a fraction or a text."""
    try:
        return operator.index(number)
    except TypeError:
        raise TypeError(f"{what} {number!r}: want a whole number") from None


def _random_value(field: Dict[str, Any], rng: random.Random) -> Any:
    if "one_of" in field:
        return rng.choice(field["one_of"])
    if "of" in field:
        return rng.sample(field["of"], field["choose"])
    return rng.randint(field["min"], field["max"])


def _written_out(form: Dict[str, Any], grid: Mapping[str, int]) -> Iterator[Action]:
    fields = form.get("fields", [])
    names = [field["name"] for field in fields]
    for values in itertools.product(*(_values(field, grid) for field in fields)):
        yield {"type": form["type"], **dict(zip(names, values))}


def _values(field: Dict[str, Any], grid: Mapping[str, int]) -> Iterable[Any]:
    if "one_of" in field:
        return list(field["one_of"])
    if "of" in field:
        of: List[Any] = field["of"]
        return [list(members) for members in itertools.combinations(of, int(field["choose"]))]
    return _spread(field["min"], field["max"], grid.get(field["name"], DEFAULT_STEPS))


def _spread(low: int, high: int, count: int) -> List[int]:
    size = high - low + 1
    if size <= max(count, SMALL_RANGE):
        return list(range(low, high + 1))
    if size == FULL_CIRCLE_MDEG:
        return [low + size * k // count for k in range(count)]
    if count == 1:
        return [high]
    return [low + (high - low) * k // (count - 1) for k in range(count)]


class Discrete:
    """The numbers from 0 to n-1, in the shape of `gymnasium.spaces.Discrete`."""

    start = 0
    shape: Tuple[int, ...] = ()
    dtype = "int64"

    def __init__(self, n: int, seed: Optional[int] = None) -> None:
        self.n = n
        self.seed(seed)

    def seed(self, seed: Optional[int] = None) -> None:
        """Start the luck of `sample` again."""
        self._rng = random.Random(None if seed is None else whole(seed, "seed"))

    def sample(self, mask: Optional[Sequence[int]] = None) -> int:
        """Any number, or any that the mask allows; ValueError if it allows none."""
        if mask is None:
            return self._rng.randrange(self.n)
        allowed = list(itertools.compress(range(self.n), mask))
        if not allowed:
            raise ValueError("the mask allows no action")
        return self._rng.choice(allowed)

    def contains(self, x: object) -> bool:
        """Whether x is one of the numbers."""
        try:
            return isinstance(x, SupportsIndex) and 0 <= operator.index(x) < self.n
        except TypeError:  # an array of numpy
            return False

    def __contains__(self, x: object) -> bool:
        return self.contains(x)

    def __repr__(self) -> str:
        return f"Discrete({self.n})"
