"""Bots for molerun, and its five games to train and search with; nothing but the standard library.

`Bot` and `serve` put a bot behind HTTP. `Env` is a game in the shape of PettingZoo's AEC, `Parallel` in that of
its parallel API, `AgentEnv` one seat of it in the shape of Gymnasium, `Tables` many matches at once, for
training. `Rules` is the exact rules themselves, and `play` a match of bots on this machine.
"""

from molerun.bot import Answer, Bot, Decide, Turn, luck
from molerun.env import Env, Observation
from molerun.match import play
from molerun.offers import Action, Discrete, Offer, legal_actions, random_action
from molerun.parallel import Parallel
from molerun.rules import Rules, RulesError, Standing
from molerun.serving import serve
from molerun.single import AgentEnv
from molerun.tables import Box, MultiDiscrete, Tables

__all__ = [
    "Action",
    "AgentEnv",
    "Answer",
    "Bot",
    "Box",
    "Decide",
    "Discrete",
    "Env",
    "MultiDiscrete",
    "Observation",
    "Offer",
    "Parallel",
    "Rules",
    "RulesError",
    "Standing",
    "Tables",
    "Turn",
    "legal_actions",
    "luck",
    "play",
    "random_action",
    "serve",
]
