package httpx

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/must"
)

func TestNoTextOfASheetIsAFormula(t *testing.T) {
	texts := []string{"=1+1", "=HYPERLINK(\"http://evil\")", "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"}
	for _, text := range texts {
		got, err := Sheet{Columns: []string{"name", "points", "elo"}, Rows: [][]any{{text, -3, -1.5}, {"plain", 0, nil}}}.csv()
		must.OK(t, err)
		rows, err := csv.NewReader(strings.NewReader(string(got))).ReadAll()
		if err != nil || len(rows) != 3 {
			t.Fatalf("%q: got %q (%v)", text, got, err)
		}
		if cell := rows[1][0]; cell[0] != '\'' {
			t.Errorf("%q stands in a sheet as %q", text, cell)
		}
		if rows[1][1] != "-3" || rows[1][2] != "-1.5" || rows[2][0] != "plain" || rows[2][2] != "" {
			t.Errorf("numbers and plain text are changed: %q", rows)
		}
	}
}
