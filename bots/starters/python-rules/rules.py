"""The exact rules of a game as a simulator, through `molerun rules GAME`; MOLERUN names the program if it is not in the PATH."""
import json, os, random, subprocess

class Rules:
    def __init__(self, game):
        self.console = subprocess.Popen([os.environ.get("MOLERUN", "molerun"), "rules", game], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, op, **more):
        """One op of docs/5-replays.md; what the rules refuse is a ValueError."""
        print(json.dumps({"op": op, **more}), file=self.console.stdin, flush=True)
        answer = json.loads(self.console.stdout.readline())
        if not answer["ok"]:
            raise ValueError("{code}: {detail}".format(**answer["error"]))
        return answer

    def guess(self, turn, rng=random):
        """A whole table drawn from those that the turn's seat cannot tell apart: what is hidden is guessed."""
        seats = len(turn["opponents"]) + 1
        return self.ask("guess", seat=turn["seat"], view=turn["view"], config=turn["config"], seats=seats, seed=rng.randbytes(32).hex())

    def apply(self, table, actions={}):
        """One step: the given actions by seat, the house's random ones for all others who are due."""
        return self.ask("apply", turns=[{"seat": s, "action": actions.get(s) or self.ask("house", seat=s)["action"]} for s in table["due"]])

    def value(self, turn, action, matches=10, rng=random):
        """How good an action is: the mean of 1/rank when all play on at random after it."""
        total = 0
        for _ in range(matches):
            table = self.apply(self.guess(turn, rng), {turn["seat"]: action})
            while table["result"] is None:
                table = self.apply(table)
            total += 1 / table["result"]["rank"][turn["seat"]]
        return total / matches
