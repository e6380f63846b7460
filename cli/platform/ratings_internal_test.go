package platform

import (
	"bytes"
	"encoding/csv"
	"testing"

	"github.com/molerun/molerun/tournament"
)

func TestAnEstimateIsWrittenWithBothBounds(t *testing.T) {
	if got := estimate(tournament.Normal(1500, 51.02)); got != "1500.0 [1400.0, 1600.0]" {
		t.Errorf("ratings fit says %q", got)
	}
}

func TestNoNameInTheSheetOfAFitIsAFormula(t *testing.T) {
	for name, want := range map[string]string{"fox": "fox", "=1+1": "'=1+1", "+fox": "'+fox", "@fox": "'@fox", "-fox": "'-fox", "\t=1": "'\t=1"} {
		var sheet bytes.Buffer
		w := csv.NewWriter(&sheet)
		csvFit(w, tournament.LadderFit{LadderID: "cia", Rows: []tournament.FitRow{{Bot: name}}})
		w.Flush()
		rows, err := csv.NewReader(&sheet).ReadAll()
		if err != nil || len(rows) != 1 || rows[0][1] != want {
			t.Errorf("%q: got %q (%v), want %q in the second column", name, rows, err, want)
		}
	}
}
