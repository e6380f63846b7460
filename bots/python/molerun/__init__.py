"""Bots for molerun, and its five games to train and search with; nothing but the standard library.

`Bot` and `serve` put a bot behind HTTP. `Env` is a game in the shape of PettingZoo's AEC, `AgentEnv` one
seat of it in the shape of Gymnasium, `Rules` the exact rules themselves, and `play` a match of bots on this
machine.
"""

from molerun.bot import Answer, Bot, Decide, Turn, luck
from molerun.env import Env, Observation
from molerun.match import play
from molerun.offers import Action, Discrete, Numbering, Offer, legal_actions, random_action
from molerun.rules import Rules, RulesError, Standing
from molerun.serving import serve
from molerun.single import AgentEnv

__all__ = [
    "Action",
    "AgentEnv",
    "Answer",
    "Bot",
    "Decide",
    "Discrete",
    "Env",
    "Numbering",
    "Observation",
    "Offer",
    "Rules",
    "RulesError",
    "Standing",
    "Turn",
    "legal_actions",
    "luck",
    "play",
    "random_action",
    "serve",
]
