package api_test

import (
	"testing"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/must"
)

// An administrator opens a ladder of a variant; the preview of an event names the ladder that it enters, or the nearest.
func TestAnAdministratorOpensALadderOfAVariant(t *testing.T) {
	onOne(t, func(w *world) {
		ask := map[string]any{"id": "masks-short", "game": "masks", "config": map[string]any{"rounds": 2}, "clock_class": "slow"}
		w.do(organiser, "POST", "/v1/ladders", ask).want(403, "role_too_low")
		made := into[wire.Ladder](w.do(admin, "POST", "/v1/ladders", ask).want(201, ""))
		if made.Variant != "rounds 2, slow clock" || string(made.Config) != `{"rounds":2}` || made.Clock.LimitMS != 30_000 || made.Season != 1 {
			t.Errorf("opened %+v", made)
		}
		w.do(admin, "POST", "/v1/ladders", ask).want(409, "name_taken")
		ask["id"] = "masks"
		w.do(admin, "POST", "/v1/ladders", ask).want(409, "name_taken")
		wrong := map[string]any{"id": "Masks", "game": "masks", "config": map[string]any{"rounds": -1}, "clock_class": "fast"}
		same(t, "refused", pointers(w.do(admin, "POST", "/v1/ladders", wrong).want(422, "invalid")), "/clock_class /config /id")
		w.do(admin, "POST", "/v1/ladders", map[string]any{"id": "x", "game": "chess"}).want(422, "invalid")

		cup := goodCup(w)
		cup["config"] = map[string]any{"rounds": 2}
		delete(cup, "rated")
		look := into[wire.Preview](w.do(organiser, "POST", "/v1/tournaments/preview", cup).want(200, ""))
		if look.Rated || len(look.Differs) == 0 {
			t.Errorf("with the standard clock: %+v", look)
		}
		cup["clock"] = map[string]any{"limit_ms": 30_000, "bank_ms": 300_000, "increment_ms": 0, "network_allowance_ms": 150}
		look = into[wire.Preview](w.do(organiser, "POST", "/v1/tournaments/preview", cup).want(200, ""))
		if !look.Rated || look.Ladder != "masks-short" {
			t.Errorf("with the slow clock: %+v", look)
		}
		cupMade := into[wire.Tournament](w.do(organiser, "POST", "/v1/tournaments", cup).want(201, ""))
		if cupMade.LadderID != "masks-short" {
			t.Errorf("announced %+v", cupMade)
		}
		w.do(organiser, "PATCH", "/v1/tournaments/"+cupMade.ID, map[string]any{"capacity": 7}).want(200, "").has("ladder", "masks-short")
		for _, path := range []string{"/ladders", "/games/masks", "/ladders/masks-short"} {
			must.Say(t, string(w.get(anon, path).want(200, "").body), "rounds 2, slow clock")
		}
	})
}
