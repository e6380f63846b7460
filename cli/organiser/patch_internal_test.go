package organiser

import (
	"encoding/json"
	"testing"

	"github.com/molerun/molerun/api/wire"
)

func TestAPatchHasWhatWasSaidEvenIfItIsNothingAndObjectsWhole(t *testing.T) {
	said := map[string]string{"capacity": "8", "waiting_list": "false", "check_in": "0", "prizes": "", "bank": "20s", "rated": "false"}
	a := &asked{draft: newDraft(), words: said}
	a.Game, a.Description = "molehill", "what was there before"
	a.read(fields(), said, &a.wrong)
	if err := a.wrong.err(); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		into any
		want string
	}{
		{&wire.SchedulePatch{}, `{"rated":false,"capacity":8,"waiting_list":false,"check_in_ms":0,"clock":{"limit_ms":1000,"bank_ms":20000,"increment_ms":0,"network_allowance_ms":150},"prizes":""}`},
		{&wire.TournamentPatch{}, `{"rated":false,"capacity":8,"waiting_list":false,"check_in_ms":0,"clock":{"limit_ms":1000,"bank_ms":20000,"increment_ms":0,"network_allowance_ms":150},"prizes":""}`},
	} {
		a.patch(row.into)
		if got, err := json.Marshal(row.into); err != nil || string(got) != row.want {
			t.Errorf("got  %s (%v)\nwant %s", got, err, row.want)
		}
	}
	a.words, a.variant, a.Config = nil, "small", json.RawMessage(`{"discs":8}`)
	var p wire.TournamentPatch
	if a.patch(&p); string(p.Config) != `{"discs":8}` || p.Capacity != nil {
		t.Errorf("by a variant the patch is %+v", p)
	}
}
