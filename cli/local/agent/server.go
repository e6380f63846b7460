package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/molerun/molerun/bots/agent"
	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/cli/inprocess"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament/runner"
)

// maxMatches is how many matches are kept at once; those that are over make room.
const maxMatches = 100

// maxSeed is above all seeds: from there on numbers of JSON are no longer those that were written.
const maxSeed = 1 << 53

// Options of a server.
type Options struct {
	Engines []game.Engine
	Rules   fs.FS         // the rules of each game as rules/GAME.md
	Seed    func() uint64 // the luck of a match that names no seed
	Folder  string        // for records
	Program string        // with its version, for records
}

// errArg marks an argument that names nothing; the text says what there is.
var errArg = errors.New("bad_argument")

// room keeps the matches of one server.
type room struct {
	turns
	options Options
	lock    sync.Mutex // of the matches
	matches []*match   // the oldest first
	made    int
	ctx     context.Context // the matches outlive the call that starts them, and end with the server
	group   sync.WaitGroup
}

// Serve answers on t until its peer hangs up or ctx ends; neither is an error. Matches end with it.
func Serve(ctx context.Context, o Options, t mcp.Transport) error {
	inner, stop := context.WithCancel(ctx)
	r := &room{options: o, ctx: inner, turns: turns{engines: o.Engines, docs: o.Rules, changed: make(chan struct{})}}
	r.check = r.allowed
	defer r.group.Wait()
	defer stop()
	if err := r.server().Run(inner, t); ctx.Err() == nil || !errors.Is(err, ctx.Err()) {
		return err
	}
	return nil
}

func (r *room) server() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "molerun", Title: "molerun: five mole games", Version: r.options.Program}, &mcp.ServerOptions{
		Instructions: "list_games, then start_match. " + agent.Instructions,
	})
	mcp.AddTool(s, &mcp.Tool{Name: "list_games", Description: "The games, their table sizes and variants, and the house bots to play against"}, r.listGames)
	mcp.AddTool(s, &mcp.Tool{Name: "start_match", Description: "Start a match against house bots on this machine; returns your first look"}, r.start)
	mcp.AddTool(s, &mcp.Tool{Name: "list_matches", Description: "The matches of this server, the oldest first; go on with one by wait"}, r.listMatches)
	agent.Add(s, r)
	return s
}

type none struct{}

type gameList struct {
	Games []gameInfo `json:"games"`
	House []botInfo  `json:"house_bots" jsonschema:"the weakest first; each plays every game"`
}

type gameInfo struct {
	ID       string   `json:"game"`
	Name     string   `json:"name"`
	MinSeats int      `json:"min_seats"`
	MaxSeats int      `json:"max_seats"`
	Talk     bool     `json:"talk"`
	Variants []string `json:"variants" jsonschema:"the first is the base game"`
}

type botInfo struct {
	Name  string `json:"name"`
	About string `json:"about"`
}

func (r *room) listGames(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, gameList, error) {
	var out gameList
	for _, e := range r.engines {
		i := e.Info()
		g := gameInfo{ID: i.ID, Name: i.Name, MinSeats: i.MinSeats, MaxSeats: i.MaxSeats, Talk: i.Talk}
		for _, v := range i.Variants {
			g.Variants = append(g.Variants, v.Name)
		}
		out.Games = append(out.Games, g)
	}
	for _, name := range house.Names() {
		b, _ := house.Find(name)
		out.House = append(out.House, botInfo{name, b.About})
	}
	return nil, out, nil
}

type startArgs struct {
	Game      string         `json:"game" jsonschema:"id of a game, from list_games"`
	Opponents []string       `json:"opponents,omitempty" jsonschema:"names of house bots for the other seats, in order; random takes those left over"`
	Seats     int            `json:"seats,omitempty" jsonschema:"size of the table; the smallest that holds everybody if left out"`
	Seat      int            `json:"seat,omitempty" jsonschema:"your seat, from 0"`
	Variant   string         `json:"variant,omitempty" jsonschema:"from list_games; the base game if left out"`
	Config    map[string]any `json:"config,omitempty" jsonschema:"the configuration key by key, in place of a variant"`
	Seed      *float64       `json:"seed,omitempty" jsonschema:"a whole number from 0; the same seed deals the same match; any if left out"`
}

func (r *room) start(ctx context.Context, _ *mcp.CallToolRequest, in startArgs) (*mcp.CallToolResult, any, error) {
	m, err := r.deal(in)
	if err != nil {
		return nil, nil, err
	}
	t, news, err := r.Next(ctx, m.id)
	if err == nil && t != nil {
		news, err = t.Look(0)
	}
	return agent.Text(news, err)
}

// deal begins a match.
func (r *room) deal(in startArgs) (*match, error) {
	e, err := agent.Find(r.engines, in.Game)
	if err != nil {
		return nil, err
	}
	seats := cmp.Or(in.Seats, max(e.Info().MinSeats, len(in.Opponents)+1))
	config, err := configuration(e, in, seats)
	if err != nil {
		return nil, err
	}
	if in.Seat < 0 || in.Seat >= seats || len(in.Opponents) >= seats {
		return nil, fmt.Errorf("%w: you in seat %d and %d opponents do not fit a table of %d; seats count from 0", errArg, in.Seat, len(in.Opponents), seats)
	}
	luck := r.options.Seed()
	if in.Seed != nil {
		if x := *in.Seed; x < 0 || x >= maxSeed || x != math.Trunc(x) {
			return nil, fmt.Errorf("%w: seed: want a whole number from 0 to %d", errArg, int64(maxSeed-1))
		}
		luck = uint64(*in.Seed)
	}
	m := &match{engine: e, seat: game.Seat(in.Seat), done: make(chan struct{})}
	players, err := m.fill(in.Opponents, seats, luck)
	if err != nil {
		return nil, err
	}
	if err := m.deal(config, house.Seed(luck), r.options.Program); err != nil {
		return nil, err
	}
	if err := r.keep(m); err != nil {
		return nil, err
	}
	players[m.seat] = seated{turns: &r.turns, match: m.id}
	r.group.Go(func() {
		m.play(r.ctx, players, r.options.Folder)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.tell()
	})
	return m, nil
}

// fill seats the house bots around the model.
func (m *match) fill(names []string, seats int, luck uint64) ([]runner.Player, error) {
	players := make([]runner.Player, seats)
	m.names = make([]string, seats)
	for seat := range seats {
		if seat == int(m.seat) {
			m.names[seat] = "you"
			continue
		}
		name := "random"
		if len(names) > 0 {
			name, names = names[0], names[1:]
		}
		bot, ok := house.Find(name)
		if !ok || !slices.Contains(bot.Games, m.engine.Info().ID) {
			return nil, fmt.Errorf("%w: there is no house bot %s; there are %s", errArg, protocol.Quote(name), strings.Join(house.Names(), ", "))
		}
		players[seat], m.names[seat] = inprocess.Player(bot.Decide(luck+uint64(seat))), name
	}
	return players, nil
}

// configuration returns the canonical form of what was asked for.
func configuration(e game.Engine, in startArgs, seats int) (json.RawMessage, error) {
	var raw json.RawMessage
	var err error
	switch {
	case in.Variant != "" && in.Config != nil:
		return nil, fmt.Errorf("%w: variant or config, not both", errArg)
	case in.Config != nil:
		if raw, err = json.Marshal(in.Config); err != nil {
			return nil, err
		}
	case in.Variant != "":
		v, ok := e.Info().Variant(in.Variant)
		if !ok {
			return nil, fmt.Errorf("%w: %s has no variant %s; list_games names those there are", errArg, e.Info().ID, protocol.Quote(in.Variant))
		}
		raw = json.RawMessage(v.Config)
	}
	return e.Configure(raw, seats)
}

// keep gives the match its name and a place; the oldest one that is over makes room.
func (r *room) keep(m *match) error {
	r.lock.Lock()
	defer r.lock.Unlock()
	if len(r.matches) >= maxMatches {
		i := slices.IndexFunc(r.matches, (*match).over)
		if i < 0 {
			return fmt.Errorf("%w: %d matches are under way; play one of them to its end", errArg, maxMatches)
		}
		r.matches = slices.Delete(r.matches, i, i+1)
	}
	r.made++
	m.id = fmt.Sprintf("%s-%04d", m.engine.Info().ID, r.made)
	r.matches = append(r.matches, m)
	return nil
}

// list returns the matches, the oldest first.
func (r *room) list() []*match {
	r.lock.Lock()
	defer r.lock.Unlock()
	return slices.Clone(r.matches)
}

// find returns a match by its name.
func (r *room) find(id string) (*match, error) {
	list := r.list()
	i := slices.IndexFunc(list, func(m *match) bool { return m.id == id })
	if i < 0 {
		return nil, fmt.Errorf("%w: there is no match %s; list_matches names those there are", errArg, protocol.Quote(id))
	}
	return list[i], nil
}

// allowed reports whether a match's rules allow a decision. While the match waits for it, nothing else happens there.
func (r *room) allowed(id string, d game.Turn) error {
	m, err := r.find(id)
	if err != nil {
		return err
	}
	return m.record.Table().Check(d)
}

type matchList struct {
	Matches []matchLine `json:"matches"`
}

type matchLine struct {
	Match   string   `json:"match"`
	Players []string `json:"players"`
	Over    bool     `json:"over"`
}

func (r *room) listMatches(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, matchList, error) {
	out := matchList{Matches: []matchLine{}}
	for _, m := range r.list() {
		out.Matches = append(out.Matches, matchLine{m.id, m.names, m.over()})
	}
	return nil, out, nil
}

// Next waits for a turn of one match or, without a name, of any: house bots take no time.
func (r *room) Next(ctx context.Context, id string) (*agent.Turn, string, error) {
	for {
		t, changed := r.first(id)
		if t != nil {
			return t, "", nil
		}
		if id == "" && !slices.ContainsFunc(r.list(), func(m *match) bool { return !m.over() }) {
			return nil, "No match is under way; start_match begins one.", nil
		}
		if id != "" {
			if m, err := r.find(id); err != nil {
				return nil, "", err
			} else if m.over() {
				return nil, m.news, m.err
			}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, "", ctx.Err()
		}
	}
}
