"""Matches of bots on this machine, without a server."""

from __future__ import annotations

from typing import Dict, Optional, Sequence, Union

from molerun.bot import Answer, Bot, Decide
from molerun.env import Env
from molerun.rules import Result


def play(env: Env, bots: Sequence[Union[Bot, Decide]], seed: Optional[int] = None) -> Result:
    """Play one match, bots[k] in seat k, and return its result. A bot's fault is an exception: nobody plays for it.

    `memo` comes back with a seat's next turn, as on a platform; `then` is not used, and there is no clock.
    """
    if len(bots) != env.max_num_agents:
        raise ValueError(f"{len(bots)} bots for {env.max_num_agents} seats")
    players = [Bot.of(bot) for bot in bots]
    memo: Dict[int, str] = {}
    env.reset(seed)
    while env.result is None:
        decide(env, players[env.seat(env.agent_selection)], memo)
    return env.result


def decide(env: Env, bot: Bot, memo: Dict[int, str]) -> None:
    """Have a bot decide for `agent_selection`; memo holds what the bot of each seat has kept."""
    turn = env.turn()
    seat: int = turn["seat"]
    turn["memo"] = memo.get(seat, "")
    if bot.text:
        turn["text"] = env.rules.describe(seat)
    answer = Answer.of(bot.decide(turn))
    memo[seat] = answer.memo
    env.step(answer.chosen(turn), say=answer.say)
