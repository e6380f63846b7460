package cli_test

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestSimulatePrintsBothTables(t *testing.T) {
	args := []string{"simulate", "--bots", "20", "--matches", "10", "--sd", "150"}
	code, out, errs := call("", args...)
	for _, want := range []string{"| 2 players | 150 | 10 |", "| free-for-all of 4 | 150 | 10 |", "| De Mol 5-10 | 150 | 10 |", "| longest wait, medians |", " matches\n"} {
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("exit code %d, %q is not in\n%s%s", code, want, out, errs)
		}
	}
	if _, again, _ := call("", args...); again != out {
		t.Errorf("the same command, another table:\n%s\n%s", out, again)
	}
}

func TestSimulateWritesJSONLinesTheSummaryLast(t *testing.T) {
	code, out, _ := call("", "simulate", "--bots", "20", "--matches", "20", "--sd", "150", "--json")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != 0 || len(lines) != 3*2+1 {
		t.Fatalf("exit code %d, %d lines; want 0 and one for each form and number of matches and the summary\n%s", code, len(lines), out)
	}
	for i, line := range lines {
		var got struct {
			Event    string
			Rows     []struct{ Form string }
			Fairness []struct{ Form string }
		}
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatalf("line %d: %v\n%s", i, err, line)
		}
		last := i == len(lines)-1
		if last != (got.Event == "summary") || last && (len(got.Rows) != 6 || len(got.Fairness) != 3) {
			t.Errorf("line %d: %s", i, line)
		}
	}
}
