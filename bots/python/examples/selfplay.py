"""Every seat decides by any number that its mask allows: python3 selfplay.py --games 10 --records records

Prints one JSON object a game: matches, steps, and by seat the matches won (rank 1) and the points. `molerun
replay verify records/*.jsonl.gz` plays the same matches again.
"""

import argparse
import json

from molerun import Env

# Eleven points of Mole take players who aim anywhere two thousand flicks.
SETTINGS = {"cia": {}, "demol": {}, "mole": {"points": 1, "max_rounds": 4}, "molehill": {}, "molemajority": {}}


def self_play(env, seeds):
    """Play one match for each seed and count."""
    seats = env.max_num_agents
    totals = {"game": env.game, "matches": 0, "steps": 0, "won": [0] * seats, "points": [0] * seats}
    for seed in seeds:
        env.reset(seed=seed)
        for agent in env.agent_iter():
            observation, _, termination, _, info = env.last()
            if termination:
                result = info["result"]
                env.step(None)
            else:
                env.step(env.action_space(agent).sample(observation["action_mask"]))
        totals["matches"] += 1
        totals["steps"] += env.steps
        for seat in range(seats):
            totals["won"][seat] += result["rank"][seat] == 1
            totals["points"][seat] += result["points"][seat]
    return totals


def main():
    """Read the command line and play."""
    parser = argparse.ArgumentParser(description="Self-play with masks.")
    parser.add_argument("--games", type=int, default=10, help="matches of each game")
    parser.add_argument("--records", help="a folder for the records of the matches")
    parser.add_argument("game", nargs="*", help="ids of games; all five without")
    options = parser.parse_args()
    for game in options.game or SETTINGS:
        env = Env(game, config=SETTINGS[game], records=options.records)
        print(json.dumps(self_play(env, range(options.games))), flush=True)
        env.close()


if __name__ == "__main__":
    main()
