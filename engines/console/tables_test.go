package console_test

import (
	"bufio"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/console"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
)

// openTables is a console of n tables to which a test speaks. Its opponent "first" plays the first choice, "fault" fails.
func openTables(t *testing.T, engine game.Engine, n int) *talk {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- console.ServeTables(inR, outW, engine, n, func(name string) (console.Opponent, error) {
			switch name {
			case "first":
				return func(table game.Table, seat game.Seat, _ uint64) (json.RawMessage, error) {
					var offer struct{ List []json.RawMessage }
					err := json.Unmarshal(table.Offer(seat), &offer)
					return offer.List[0], err
				}, nil
			case "fault":
				return func(game.Table, game.Seat, uint64) (json.RawMessage, error) { return nil, errors.New("out of order") }, nil
			}
			return nil, fmt.Errorf("there is no %q", name)
		})
		_ = outW.Close()
	}()
	t.Cleanup(func() {
		_ = inW.Close()
		if err := <-done; err != nil {
			t.Errorf("ServeTables: %v", err)
		}
	})
	return &talk{t, inW, bufio.NewReader(outR)}
}

// packed is a reply with arrays.
type packed struct {
	OK          bool            `json:"ok"`
	Seat        []byte          `json:"seat"`
	Ended       []byte          `json:"ended"`
	Reward      []byte          `json:"reward"`
	Observation []byte          `json:"observation"`
	Count       []byte          `json:"count"`
	Numbers     []byte          `json:"numbers"`
	Snapshot    json.RawMessage `json:"snapshot"`
	Error       struct{ Code, Detail string }
}

func (c *talk) ask(line string) (p packed) {
	c.t.Helper()
	must.OK(c.t, json.Unmarshal([]byte(c.send(line)), &p))
	return p
}

func (c *talk) must(line string) packed {
	c.t.Helper()
	p := c.ask(line)
	if !p.OK {
		c.t.Fatalf("%.200s: %v", line, p.Error)
	}
	return p
}

// choices are the numbers of every table.
func (p *packed) choices() (list [][]uint16) {
	at := 0
	for i := 0; i < len(p.Count); i += 2 {
		var one []uint16
		for range binary.LittleEndian.Uint16(p.Count[i:]) {
			one = append(one, binary.LittleEndian.Uint16(p.Numbers[at:]))
			at += 2
		}
		list = append(list, one)
	}
	return list
}

// random is a step in which every table takes a number drawn from r.
func (p *packed) random(r *game.Rand) string {
	var actions []string
	for _, one := range p.choices() {
		actions = append(actions, fmt.Sprint(one[r.IntN(len(one))]))
	}
	return `{"op":"step","actions":[` + strings.Join(actions, ",") + `]}`
}

// seatsAt is the smallest table as a key of a request.
func seatsAt(e game.Engine) string { return fmt.Sprintf(`"seats":%d`, e.Info().MinSeats) }

func TestTablesPlayOnFromMatchToMatchAndTheSameAgain(t *testing.T) {
	for _, engine := range catalog.All() {
		config := `{}`
		if engine.Info().ID == "mole" {
			config = `{"points":1,"max_rounds":1}`
		}
		reset := `{"op":"reset",` + seatsAt(engine) + `,` + seed + `,"config":` + config + `}`
		c, again := openTables(t, engine, 3), openTables(t, engine, 3)
		p, q := c.must(reset), again.must(reset)
		r, ended := game.Stream(game.Seed{}, 0, "test"), 0
		for step := 0; ended < 6 && step < 3000; step++ {
			if got, want := fmt.Sprint(q), fmt.Sprint(p); got != want {
				t.Fatalf("%s: step %d: the same seed and numbers give something else", engine.Info().ID, step)
			}
			line := p.random(r)
			if step == 20 { // what comes back from a snapshot is the same match
				snapshot := string(again.must(`{"op":"snapshot"}`).Snapshot)
				again = openTables(t, engine, 3)
				again.must(`{"op":"restore","snapshot":` + snapshot + `}`)
			}
			p, q = c.must(line), again.must(line)
			for i, n := range p.Ended {
				ended += int(n)
				sum, seats := float32(0), engine.Info().MinSeats
				for seat := range seats {
					sum += math.Float32frombits(binary.LittleEndian.Uint32(p.Reward[4*(i*seats+seat):]))
				}
				if n == 0 && sum != 0 || seats == 2 && sum != 0 {
					t.Fatalf("%s: %d matches ended and the rewards add up to %v", engine.Info().ID, n, sum)
				}
			}
		}
		if ended < 6 {
			t.Errorf("%s: %d matches ended, want 6", engine.Info().ID, ended)
		}
	}
}

func TestAClientIsAskedForItsSeatsAlone(t *testing.T) {
	engine, _ := catalog.Find("molehill")
	for _, opponent := range []string{"random", "first"} {
		c := openTables(t, engine, 4)
		p := c.must(`{"op":"reset",` + seed + `,"play":[[0],[1]],"opponent":"` + opponent + `"}`)
		r, ended := game.Stream(game.Seed{}, 0, "test"), 0
		for range 120 {
			if string(p.Seat) != "\x00\x01\x00\x01" {
				t.Fatalf("%s: seats %v are asked, want 0 1 0 1", opponent, p.Seat)
			}
			p = c.must(p.random(r))
			for _, n := range p.Ended {
				ended += int(n)
			}
		}
		if ended < 4 {
			t.Errorf("%s: %d matches ended, want one a table", opponent, ended)
		}
	}
}

func TestACopiedTableGoesOnAsItsTwin(t *testing.T) {
	engine, _ := catalog.Find("cia")
	c := openTables(t, engine, 2)
	p := c.must(`{"op":"reset","seats":2,` + seed + `}`)
	r := game.Stream(game.Seed{}, 0, "test")
	for range 9 {
		p = c.must(p.random(r))
	}
	half := func(b []byte) (string, string) {
		return base64.StdEncoding.EncodeToString(b[:len(b)/2]), base64.StdEncoding.EncodeToString(b[len(b)/2:])
	}
	if a, b := half(p.Observation); a == b {
		t.Fatal("two tables that were dealt differently look the same: the test needs other seeds")
	}
	p = c.must(`{"op":"copy","from":[0],"to":[1]}`)
	for range 9 {
		if a, b := half(p.Observation); a != b {
			t.Fatal("a copy is not its original's twin")
		}
		n := p.choices()[0][0]
		p = c.must(fmt.Sprintf(`{"op":"step","actions":[%d,%d]}`, n, n))
	}
}

// One table by numbers and one table by actions are the same match: numbers name the choices, observe is what the tables see.
func TestASingleTableHasTheSameNumbers(t *testing.T) {
	engine, _ := catalog.Find("demol")
	c := open(t, engine)
	deal := c.send(`{"op":"deal","seats":5,` + seed + `}`)
	var standing struct{ Due []int }
	must.OK(t, json.Unmarshal([]byte(deal), &standing))
	leader := standing.Due[0]
	var got struct {
		Numbers []int
		Actions []json.RawMessage
	}
	for seat := range 5 {
		must.OK(t, json.Unmarshal([]byte(c.send(fmt.Sprintf(`{"op":"numbers","seat":%d}`, seat))), &got))
		if want := map[bool]int{true: 10}[seat == leader]; len(got.Numbers) != want || len(got.Actions) != want {
			t.Errorf("seat %d has %d numbers for %d actions, want %d teams", seat, len(got.Numbers), len(got.Actions), want)
		}
	}
	c.send(fmt.Sprintf(`{"op":"apply","turns":[{"seat":%d,"action":{"type":"team","members":[0,1]}}]}`, leader))
	last := c.send(`{"op":"numbers","seat":4}`) // all vote at once: the last is asked like the first
	if want := `{"ok":true,"numbers":[21,22],"actions":[{"type":"vote","approve":true},{"type":"vote","approve":false}]}`; last != want {
		t.Errorf("got %s, want %s", last, want)
	}
	var seen struct{ Observation []int }
	must.OK(t, json.Unmarshal([]byte(c.send(`{"op":"observe","seat":3}`)), &seen))
	if got := c.send(`{"op":"observe","seat":-1}`); !strings.Contains(got, "wrong_seats") {
		t.Errorf("a spectator observes %s", got)
	}
	if len(seen.Observation) < 100 || seen.Observation[0] != 3 {
		t.Errorf("seat 3 observes %v, want its own number first", seen.Observation)
	}
}

func TestBadRequestsToTablesSayWhatAndWhere(t *testing.T) {
	engine, _ := catalog.Find("molehill")
	c := openTables(t, engine, 2)
	for _, row := range []struct{ line, code, detail string }{
		{`{"op":"step","actions":[0,0]}`, "no_table", "send reset or restore first"},
		{`{"op":"deal","seed":""}`, "unknown_op", "want info, shape, reset"},
		{`{"op":"reset",` + seed + `,"play":[[0],[2]]}`, "bad_request", "at /play/1/0: wrong_seats: there is no seat 2"},
		{`{"op":"reset",` + seed + `,"play":[[]]}`, "bad_request", "at /play/0: wants at least one seat"},
		{`{"op":"reset",` + seed + `,"opponent":"x","play":[[0]]}`, "bad_request", `at /opponent: there is no "x"`},
		{`{"op":"reset",` + seed + `,"config":{"rows":2}}`, "bad_config", "rows"},
		{`{"op":"reset",` + seed + `,"opponent":"fault","play":[[1]],"config":{"first_mole":0}}`, "internal", "the opponent in seat"},
		{`{"op":"reset",` + seed + `}`, "", ""},
		{`{"op":"step","actions":[0]}`, "bad_request", "wants 2 numbers, one a table, not 1"},
		{`{"op":"step","actions":[0,298]}`, "illegal_action", "at /actions/1: 298 is none of the 63 numbers"},
		{`{"op":"step","actions":[0,65536]}`, "illegal_action", "at /actions/1: 65536"},
		{`{"op":"copy","from":[0],"to":[2]}`, "bad_request", "there is no table 2"},
		{`{"op":"copy","from":[0],"to":[]}`, "bad_request", "wants as many tables"},
		{`{"op":"restore","snapshot":{"setting":{"seats":2,` + seed + `,"config":{},"play":[],"opponent":""},"tables":[]}}`, "bad_request", "wants 2, not 0"},
		{`{"op":"snapshot","x":1}`, "bad_request", "/x"},
		{`{"op":"info","x":1}`, "bad_request", "/x"},
		{`{"op":"step","actions":[0,62]}`, "", ""}, // nothing of all this has changed the tables
		{`{"op":"reset",` + seed + `,"opponent":"fault","play":[[0]],"config":{"first_mole":0}}`, "", ""},
		{`{"op":"step","actions":[0,0]}`, "internal", "the tables are gone: table 0: the opponent in seat 1: out of order"},
		{`{"op":"step","actions":[0,0]}`, "no_table", ""},
	} {
		if p := c.ask(row.line); p.OK != (row.code == "") || p.Error.Code != row.code || !strings.Contains(p.Error.Detail, row.detail) {
			t.Errorf("%s: got %q %q, want %q with %q", row.line, p.Error.Code, p.Error.Detail, row.code, row.detail)
		}
	}
}
