"""A bot for CIA: agents reach the safe while my own stands well. python3 cia.py"""

from molerun import legal_actions, serve

RING = ["church", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "ruin"]
POINTS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -3]


def worth(view, action):
    at = {agent: RING.index(house) for agent, house in view["agents"].items()}
    mine, steps = view["me"]["agent"], action.get("steps", {})
    if action["type"] == "safe":  # into a good house, a few steps ahead of my agent
        house = RING.index(action["to"])
        return POINTS[house] - abs((house - at[mine]) % 12 - 4)
    at.update({agent: (at[agent] + n) % 12 for agent, n in steps.items()})
    lead = POINTS[at[mine]] - sum(POINTS[house] for house in at.values()) / len(at)
    return lead if any(RING[at[agent]] == view["safe"] for agent in steps) else lead / 5


def decide(turn):
    return max(legal_actions(turn["offer"]), key=lambda action: worth(turn["view"], action))


if __name__ == "__main__":
    serve(decide, games=["cia"], name="cia example")
