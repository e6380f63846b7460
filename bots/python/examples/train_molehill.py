"""Learns to beat the house's greedy at Mole Hill, in the standard library alone: python3 train_molehill.py --learn 800

It learns how many points the mole still makes, as two linear functions of what is in its reach: for when the gardener
is due, and for when the mole is. The mole goes where the first is highest, with the points of the square; the gardener
lays the rod after which the second is lowest. Prints one JSON object: the matches of the test that were won and lost.
"""

import argparse
import json
import random
from operator import mul

from molerun import Tables

COLUMNS, SQUARES = 7, 63
UP = 8 * COLUMNS  # a set of squares is a number with a byte for each, and this the way to the next row
FULL = ((1 << 8 * SQUARES) - 1) // 255
RIGHT = sum(1 << 8 * i for i in range(SQUARES) if i % COLUMNS < COLUMNS - 1)  # the squares with one to their right
ABOVE = FULL >> UP
# What the numbers from 3 * SQUARES on lay: a rod to the right of a square, or above one.
RODS = [(i, True) for i in range(SQUARES) if RIGHT >> 8 * i & 1] + [(i, False) for i in range(SQUARES - COLUMNS)]


def reach(at, right, up, free, red, white, left):
    """What counts for a mole on a square: its ways on, and squares and flowers by how many moves they are away."""
    ways, out = None, []
    for _ in range(4):
        sides, ends = (at & right) << 8 | at >> 8 & right, (at & up) << UP | at >> UP & up
        corners = (sides & up) << UP | sides >> UP & up | (ends & right) << 8 | ends >> 8 & right
        at = (sides | ends | corners) & free
        free ^= at
        n = bin(at).count("1")
        ways = n if ways is None else ways
        out += [n / 10, bin(at & white).count("1") / 2 + bin(at & red).count("1")]
    return [float(ways == k) for k in range(9)] + out + [left / 10, min(left, 12) / 10]


def options(row, at, numbers, near=5):
    """What each number leads to, of the rods those near the mole: (number, points at once, what counts then)."""
    board = {name: int.from_bytes(row[part], "little") for name, part in at.items()}
    right, up = RIGHT & ~board["rods_right"], ABOVE & ~board["rods_up"]
    free, red, white, left = FULL & ~board["visited"], board["red"], board["white"], board["discs_left"]
    mole = board["mole"]
    square = mole.bit_length() // 8
    for n in numbers:
        if n < 3 * SQUARES:
            to = 1 << 8 * (n % SQUARES)
            gain = bool(to & white) + 2 * bool(to & red) + (left <= 12)
            yield n, gain, reach(to, right, up, free & ~to, red, white, left - 1)
            continue
        i, beside = RODS[n - 3 * SQUARES]
        across, along = i % COLUMNS - square % COLUMNS, i // COLUMNS - square // COLUMNS
        if abs(2 * across + 1) <= near and abs(2 * along + 1) <= near:
            rod = 1 << 8 * i
            yield n, 0, reach(mole, right & ~(rod * beside), up & ~(rod * (not beside)), free, red, white, left)


def play(env, weights, rng, matches, explore=0.0, rate=0.0):
    """Play so many matches, and learn at a rate: how many were won, lost and neither."""
    at, met, result = env.slices, [[] for _ in range(env.num_envs)], [0, 0, 0]
    rows, _ = env.reset(seed=rng.getrandbits(64))
    while sum(result) < matches:
        chosen = []
        for row, numbers, round_met in zip(rows, env.legal(), met):
            garden = row[at["phase"]][0] == 1
            found = list(options(row, at, numbers)) or list(options(row, at, numbers, near=99))
            w, sign = weights[garden], -1 if garden else 1
            if rng.random() < explore:
                number, gain, seen = rng.choice(found)
            else:
                number, gain, seen = max(found, key=lambda one: sign * (one[1] + sum(map(mul, w, one[2]))))
            chosen.append(number)
            if row[at["round"]][0] == 1:  # the next observation has its points; those of the second go with the match
                round_met.append((w, row[at["score"]][0] + gain, seen))
        rows, rewards, ended, _, _ = env.step(chosen)
        for i, row in enumerate(rows):
            if ended[i]:
                result[0 if rewards[i] > 0 else 1 if rewards[i] < 0 else 2] += 1
            elif row[at["round"]][0] == 2:
                for w, points, seen in met[i]:
                    miss = rate * (row[at["scores"]][0] - points - sum(map(mul, w, seen)))
                    for k, x in enumerate(seen):
                        w[k] += miss * x
                met[i].clear()
    return result


def main():
    """Read the command line, learn and test."""
    parser = argparse.ArgumentParser(description="Learn Mole Hill.")
    parser.add_argument("--learn", type=int, default=800, help="matches to learn from")
    parser.add_argument("--test", type=int, default=200, help="matches of the test")
    parser.add_argument("--opponent", default="greedy", help="random, or a house bot")
    asked = parser.parse_args()
    rng, weights = random.Random(1), ([0.0] * 19, [0.0] * 19)
    with Tables("molehill", 16, play=[[0], [1]], opponent=asked.opponent) as env:
        play(env, weights, rng, asked.learn, explore=0.05, rate=0.002)
        won, lost, drawn = play(env, weights, rng, asked.test)
    print(json.dumps({"won": won, "lost": lost, "drawn": drawn}))


if __name__ == "__main__":
    main()
