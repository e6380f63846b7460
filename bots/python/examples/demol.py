"""A bot for De Mol: trust nobody who was on a mission that failed. python3 demol.py"""

from molerun import legal_actions, serve


def worth(view, action):
    me, is_mole = view["me"], view["me"]["role"] == "mole"
    if action["type"] == "mission":
        return action["success"] != is_mole
    team = action.get("members") or view["team"] or []
    failed = [mission["team"] for mission in view["missions"] if mission["fails"]]
    suspects = [seat for seat in team if seat != me["seat"] and any(seat in one for one in failed)]
    moles = [seat for seat in team if seat == me["seat"] or str(seat) in me["known"]]
    good = len(moles) == 1 if is_mole else not suspects
    if action["type"] == "vote":
        return action["approve"] == (good or view["attempt"] == 5)
    return good + (me["seat"] in team) - len(suspects)


def decide(turn):
    return max(legal_actions(turn["offer"]), key=lambda action: worth(turn["view"], action))


if __name__ == "__main__":
    serve(decide, games=["demol"], name="de mol example")
