"""Steps a second of one core from Python, all seats deciding by any legal number: python3 bench.py --seconds 5

Prints one JSON object a game: with many tables at once, and with one table and JSON. Counted is the processor's time of
Python and of the program behind it together. Mole is played to one point, four rounds at most.
"""

import argparse
import json
import os
import random
import time

from molerun import Env, Tables

SETTINGS = {"cia": {}, "demol": {}, "mole": {"points": 1, "max_rounds": 4}, "molehill": {}, "molemajority": {}}


def many(env, seconds):
    """Play at random for so long and count the decisions."""
    draw, made, until = random.Random(1).random, 0, time.perf_counter() + seconds
    env.reset(seed=1)
    while time.perf_counter() < until:
        env.step([numbers[int(draw() * len(numbers))] for numbers in env.legal()])
        made += env.num_envs
    return made


def one(env, seconds):
    """The same at a single table."""
    made, until = 0, time.perf_counter() + seconds
    while time.perf_counter() < until:
        env.reset(seed=made)
        for agent in env.agent_iter():
            observation, _, termination, _, _ = env.last()
            if termination or time.perf_counter() > until:
                break
            env.step(env.action_space(agent).sample(observation["action_mask"]))
            made += 1
    return made


def rate(play, env, seconds):
    """The decisions in a second of processor time."""
    before = sum(os.times()[:4])
    made = play(env, seconds)
    env.close()
    return round(made / (sum(os.times()[:4]) - before))


def main():
    """Read the command line and play."""
    parser = argparse.ArgumentParser(description="Decisions a second.")
    parser.add_argument("--seconds", type=float, default=5, help="for each line")
    parser.add_argument("--tables", type=int, default=64, help="matches at once")
    parser.add_argument("game", nargs="*", help="ids of games; all five without")
    options = parser.parse_args()
    for game in options.game or SETTINGS:
        config = SETTINGS[game]
        fast = rate(many, Tables(game, options.tables, config=config), options.seconds)
        slow = rate(one, Env(game, config=config), options.seconds)
        print(json.dumps({"game": game, "tables": fast, "one_table": slow}), flush=True)


if __name__ == "__main__":
    main()
