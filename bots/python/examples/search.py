"""A bot for every game: guess tables that fit what I see, play each to its end, take what did best."""

import threading
import time

from molerun import Bot, Rules, legal_actions, luck, serve


class Search(Bot):
    """Every thread that asks has consoles of its own: a console holds one table."""

    name = "search example"
    seconds = 0.5

    def __init__(self):
        self._own = threading.local()

    def decide(self, turn):
        ends = time.monotonic() + self.seconds
        rules, rng = self.rules(turn["game"]), luck(turn)
        actions = legal_actions(turn["offer"])
        tried = rng.sample(actions, min(len(actions), 12))
        values = [0.0] * len(tried)
        while len(tried) > 1:
            for k, action in enumerate(tried):
                values[k] += rules.value(turn, action, matches=1, rng=rng)
                if time.monotonic() > ends:
                    return tried[max(range(len(tried)), key=values.__getitem__)]
        return tried[0]

    def rules(self, game):
        """This thread's table of a game."""
        if not hasattr(self._own, game):
            setattr(self._own, game, Rules(game))
        return getattr(self._own, game)


if __name__ == "__main__":
    serve(Search())
