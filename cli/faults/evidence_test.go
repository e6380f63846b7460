package faults_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament/runner"
)

// evidence is what the campaign has left, read past the links when all is over.
func (x *platform) evidence(tournaments []Tournament, hooked string) Evidence {
	x.t.Helper()
	e := Evidence{Tournaments: tournaments, Keyed: map[string]int{}, MostStill: stillness()}
	conn, err := pgx.Connect(x.t.Context(), x.direct)
	must.OK(x.t, err)
	defer conn.Close(context.WithoutCancel(x.t.Context()))
	e.Matches = x.readMatches(conn)
	e.Decisions = x.readDecisions(conn)
	e.Answers = x.readAnswers()
	rows, err := conn.Query(x.t.Context(), "SELECT DISTINCT m.id FROM matches m JOIN match_seats s ON s.match_id = m.id WHERE m.status = 'done' AND s.owner_id = $1", hooked)
	must.OK(x.t, err)
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must.OK(x.t, err)
	for _, id := range ids {
		e.Wanted = append(e.Wanted, "match.finished "+id)
	}
	must.OK(x.t, conn.QueryRow(x.t.Context(), "SELECT last_seq FROM feeds WHERE id = 'all'").Scan(&e.LastNumber))
	must.OK(x.t, conn.QueryRow(x.t.Context(), "SELECT COUNT(*) FROM river_job WHERE state = 'running'").Scan(&e.Left))
	e.Unfolded = x.unfolded()
	e.Unverified = x.unverified(e.Matches)
	x.mu.Lock()
	defer x.mu.Unlock()
	for key, answered := range x.keys {
		var n int
		must.OK(x.t, conn.QueryRow(x.t.Context(), "SELECT COUNT(*) FROM tournaments WHERE name = $1", key).Scan(&n))
		if answered || n > 0 {
			e.Keyed[key] = n
		}
	}
	// The reader stands still here; until now it has read on, for bots that failed come back.
	must.OK(x.t, conn.QueryRow(x.t.Context(), "SELECT last_seq FROM feeds WHERE id = 'all'").Scan(&e.LaterNumber))
	e.Asks, e.Bots, e.Frozen, e.Deliveries, e.Stream, e.Ended = x.asks, x.ofBots, x.frozen, x.hooked, x.stream, x.ended
	return e
}

func (x *platform) readMatches(conn *pgx.Conn) []Match {
	x.t.Helper()
	rows, err := conn.Query(x.t.Context(), `SELECT m.id, COALESCE(m.tournament_id, '') AS tournament, m.round, m.block, m.number, m.status, m.reason,
		(SELECT COUNT(*) FROM match_seats s WHERE s.match_id = m.id) AS seats, m.rated,
		(SELECT COUNT(*) FROM rating_events r WHERE r.match_id = m.id) AS ratings FROM matches m ORDER BY m.id`)
	must.OK(x.t, err)
	list, err := pgx.CollectRows(rows, pgx.RowToStructByName[Match])
	must.OK(x.t, err)
	return list
}

func (x *platform) readDecisions(conn *pgx.Conn) []Decision {
	x.t.Helper()
	rows, err := conn.Query(x.t.Context(), `SELECT d.match_id, d.step, d.seat, d.action, d.decided_by, d.why, d.fault, d.clock, d.recorded_ms, m.limit_us
		FROM decisions d JOIN matches m ON m.id = d.match_id ORDER BY d.match_id, d.step, d.seat`)
	must.OK(x.t, err)
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (Decision, error) {
		var d Decision
		var why, clock string
		var recorded, limit int64
		err := row.Scan(&d.Match, &d.Step, &d.Seat, &d.Action, &d.By, &why, &d.Fault, &clock, &recorded, &limit)
		d.ID = runner.DecisionID(d.Match, d.Step-1, game.Seat(d.Seat))
		d.At, d.Limit = time.UnixMilli(recorded), time.Duration(limit)*time.Microsecond
		d.AskedNobody = why == "retired"
		if line, ok := runner.ReadClock([]byte(clock)); ok {
			d.Charged = time.Duration(line.ChargedUS) * time.Microsecond
		}
		return d, err
	})
	must.OK(x.t, err)
	return list
}

func (x *platform) readAnswers() (list []Answer) {
	x.t.Helper()
	file, err := os.Open(x.botsLog())
	must.OK(x.t, err)
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var s said
		must.OK(x.t, json.Unmarshal(lines.Bytes(), &s))
		list = append(list, Answer(s))
	}
	return list
}

// unfolded are the ladders whose ratings are not the fold of their results.
func (x *platform) unfolded() (list []string) {
	x.t.Helper()
	out, err := exec.Command(x.binary, "ratings", "replay", "--check", "--database", x.direct).CombinedOutput()
	ok := 0
	for line := range strings.Lines(string(out)) {
		if strings.HasPrefix(line, "ok ") {
			ok++
		} else {
			list = append(list, strings.TrimSpace(line))
		}
	}
	if err != nil || ok < len(catalog.All()) {
		list = append(list, fmt.Sprintf("%d ladders are the fold (%v)", ok, err))
	}
	return list
}

// unverified are records, as the API gives them, that do not replay.
func (x *platform) unverified(matches []Match) (list []string) {
	x.t.Helper()
	for i, m := range matches {
		if m.Status != "done" || i%max(1, len(matches)/500) != 0 { // every one, or five hundred spread over all
			continue
		}
		answer, err := http.Get("http://" + x.listen + "/v1/matches/" + m.ID + "/replay")
		must.OK(x.t, err)
		text, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err == nil && answer.StatusCode != http.StatusOK {
			err = fmt.Errorf("%d %s", answer.StatusCode, text)
		}
		if err == nil {
			_, err = replay.Verify(bytes.NewReader(text), catalog.Find)
		}
		if err != nil {
			list = append(list, fmt.Sprintf("match %s: %v", m.ID, err))
		}
	}
	return list
}
