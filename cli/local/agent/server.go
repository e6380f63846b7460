package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
)

// maxMatches is how many matches are kept at once; those that are over make room.
const maxMatches = 100

// Options of a server.
type Options struct {
	Engines []game.Engine
	Rules   fs.FS         // the rules of each game as rules/GAME.md
	Seed    func() uint64 // the luck of a match that names no seed
	Version string
}

// errArg marks an argument that names nothing; the text says what there is.
var errArg = errors.New("bad_argument")

// room keeps the matches of one server.
type room struct {
	Options
	mu      sync.Mutex
	matches []*match // the oldest first
	made    int
	ctx     context.Context // the matches outlive the call that starts them, and end with the server
	group   sync.WaitGroup
}

// Serve answers on t until its peer hangs up or ctx ends; neither is an error. Matches end with it.
func Serve(ctx context.Context, o Options, t mcp.Transport) error {
	inner, stop := context.WithCancel(ctx)
	r := &room{Options: o, ctx: inner}
	defer r.group.Wait()
	defer stop()
	if err := r.server().Run(inner, t); ctx.Err() == nil || !errors.Is(err, ctx.Err()) {
		return err
	}
	return nil
}

func (r *room) server() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "molerun", Title: "molerun: five mole games", Version: r.Version}, &mcp.ServerOptions{
		Instructions: "Play a match: list_games, rules, start_match, then act until state is over. Every answer shows what your seat sees and may do.",
	})
	mcp.AddTool(s, &mcp.Tool{Name: "list_games", Description: "The games, their table sizes and variants, and the house bots to play against"}, r.listGames)
	mcp.AddTool(s, &mcp.Tool{Name: "rules", Description: "The rules of a game, as text"}, r.rules)
	mcp.AddTool(s, &mcp.Tool{Name: "start_match", Description: "Start a match against house bots on this machine; tells what your seat sees and may do"}, r.start)
	mcp.AddTool(s, &mcp.Tool{Name: "list_matches", Description: "The matches of this server, the oldest first; go on with one by look or act"}, r.listMatches)
	mcp.AddTool(s, &mcp.Tool{Name: "look", Description: "What your seat sees, and the legal actions; changes nothing"}, r.look)
	mcp.AddTool(s, &mcp.Tool{Name: "act", Description: "Play your decision: an action by its number or in full, and words for the table where the game has talk; returns at your next turn or the end"}, r.act)
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
	for _, e := range r.Engines {
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

type rulesArgs struct {
	Game string `json:"game" jsonschema:"id of a game, from list_games"`
}

func (r *room) rules(_ context.Context, _ *mcp.CallToolRequest, in rulesArgs) (*mcp.CallToolResult, any, error) {
	e, err := r.engine(in.Game)
	if err != nil {
		return nil, nil, err
	}
	text, err := fs.ReadFile(r.Rules, "rules/"+e.Info().ID+".md")
	if err != nil {
		return nil, nil, err
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}}, nil, nil
}

func (r *room) engine(id string) (game.Engine, error) {
	var ids []string
	for _, e := range r.Engines {
		if e.Info().ID == id {
			return e, nil
		}
		ids = append(ids, e.Info().ID)
	}
	return nil, fmt.Errorf("%w: there is no game %s; there are %s", errArg, protocol.Quote(id), strings.Join(ids, ", "))
}

type startArgs struct {
	Game      string         `json:"game" jsonschema:"id of a game, from list_games"`
	Opponents []string       `json:"opponents,omitempty" jsonschema:"names of house bots for the other seats, in order; random takes those left over"`
	Seats     int            `json:"seats,omitempty" jsonschema:"size of the table; the smallest that holds everybody if left out"`
	Seat      int            `json:"seat,omitempty" jsonschema:"your seat, from 0"`
	Variant   string         `json:"variant,omitempty" jsonschema:"from list_games; the base game if left out"`
	Config    map[string]any `json:"config,omitempty" jsonschema:"the configuration key by key, in place of a variant"`
	Seed      *uint64        `json:"seed,omitempty" jsonschema:"the same seed deals the same match; any if left out"`
}

func (r *room) start(ctx context.Context, _ *mcp.CallToolRequest, in startArgs) (*mcp.CallToolResult, look, error) {
	m, err := r.deal(in)
	if err != nil {
		return nil, look{}, err
	}
	return m.after(0, func() error { return m.wait(ctx) })
}

// deal begins a match.
func (r *room) deal(in startArgs) (*match, error) {
	e, err := r.engine(in.Game)
	if err != nil {
		return nil, err
	}
	seats := seatsOf(e.Info(), in.Seats, len(in.Opponents))
	config, err := configuration(e, in, seats)
	if err != nil {
		return nil, err
	}
	if in.Seat < 0 || in.Seat >= seats || len(in.Opponents) >= seats {
		return nil, fmt.Errorf("%w: you in seat %d and %d opponents do not fit a table of %d; seats count from 0", errArg, in.Seat, len(in.Opponents), seats)
	}
	luck := r.Seed()
	if in.Seed != nil {
		luck = *in.Seed
	}
	m := &match{engine: e, seat: game.Seat(in.Seat), asks: make(chan *protocol.Turn), answers: make(chan protocol.Answer), done: make(chan struct{})}
	players, err := m.fill(in.Opponents, seats, luck)
	if err != nil {
		return nil, err
	}
	table, opening, err := e.New(config, seats, house.Seed(luck))
	if err != nil {
		return nil, err
	}
	m.table = table
	if err := r.keep(m); err != nil {
		return nil, err
	}
	r.group.Go(func() { m.play(r.ctx, config, opening, players) })
	return m, nil
}

// fill seats the house bots around the model.
func (m *match) fill(names []string, seats int, luck uint64) ([]kit.Decide, error) {
	players := make([]kit.Decide, seats)
	m.players = make([]string, seats)
	for seat := range seats {
		if seat == int(m.seat) {
			m.players[seat] = "you"
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
		players[seat], m.players[seat] = bot.Decide(luck+uint64(seat)), name
	}
	return players, nil
}

// configuration returns the canonical form of what was asked for.
func configuration(e game.Engine, in startArgs, seats int) (json.RawMessage, error) {
	var raw json.RawMessage
	switch {
	case in.Variant != "" && in.Config != nil:
		return nil, fmt.Errorf("%w: variant or config, not both", errArg)
	case in.Config != nil:
		b, err := json.Marshal(in.Config)
		if err != nil {
			return nil, err
		}
		raw = b
	case in.Variant != "":
		list := e.Info().Variants
		i := slices.IndexFunc(list, func(v game.Variant) bool { return v.Name == in.Variant })
		if i < 0 {
			return nil, fmt.Errorf("%w: %s has no variant %s; list_games names those there are", errArg, e.Info().ID, protocol.Quote(in.Variant))
		}
		raw = json.RawMessage(list[i].Config)
	}
	return e.Configure(raw, seats)
}

// keep gives the match its name and a place; the oldest one that is over makes room.
func (r *room) keep(m *match) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.matches) >= maxMatches {
		i := slices.IndexFunc(r.matches, func(m *match) bool {
			select {
			case <-m.done:
				return true
			default:
				return false
			}
		})
		if i < 0 {
			return fmt.Errorf("%w: %d matches are under way; play one of them to its end", errArg, maxMatches)
		}
		r.matches = slices.Delete(r.matches, i, i+1)
	}
	r.made++
	m.id = m.engine.Info().ID + "-" + strconv.Itoa(r.made)
	r.matches = append(r.matches, m)
	return nil
}

// find returns the match of that name.
func (r *room) find(id string) (*match, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.matches {
		if m.id == id {
			return m, nil
		}
	}
	return nil, fmt.Errorf("%w: there is no match %s; list_matches names those there are", errArg, protocol.Quote(id))
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
	r.mu.Lock()
	defer r.mu.Unlock()
	out := matchList{Matches: []matchLine{}}
	for _, m := range r.matches {
		line := matchLine{Match: m.id, Players: m.players}
		select {
		case <-m.done:
			line.Over = true
		default:
		}
		out.Matches = append(out.Matches, line)
	}
	return nil, out, nil
}

type lookArgs struct {
	Match string `json:"match"`
	From  int    `json:"from,omitempty" jsonschema:"show the actions from this number on"`
}

func (r *room) look(ctx context.Context, _ *mcp.CallToolRequest, in lookArgs) (*mcp.CallToolResult, look, error) {
	m, err := r.find(in.Match)
	if err != nil {
		return nil, look{}, err
	}
	return m.after(in.From, func() error { return m.wait(ctx) })
}

type actArgs struct {
	Match  string         `json:"match"`
	Step   int            `json:"step" jsonschema:"the step you decide at, from the last look: a call that is repeated plays nothing twice"`
	Choose *int           `json:"choose,omitempty" jsonschema:"the number of an action of the look"`
	Action map[string]any `json:"action,omitempty" jsonschema:"the action in full, in place of choose"`
	Say    string         `json:"say,omitempty" jsonschema:"words for everybody at the table, at most 500 bytes"`
}

func (r *room) act(ctx context.Context, _ *mcp.CallToolRequest, in actArgs) (*mcp.CallToolResult, look, error) {
	m, err := r.find(in.Match)
	if err != nil {
		return nil, look{}, err
	}
	answer := protocol.Answer{Choose: in.Choose, Say: in.Say}
	if in.Action != nil {
		if answer.Action, err = json.Marshal(in.Action); err != nil {
			return nil, look{}, err
		}
	}
	if (answer.Action == nil) == (answer.Choose == nil) {
		return nil, look{}, fmt.Errorf("%w: give choose or action, one of them", errArg)
	}
	return m.after(0, func() error { return m.act(ctx, in.Step, answer) })
}

// after does something with the match, alone, and then tells how it stands.
func (m *match) after(from int, do func() error) (*mcp.CallToolResult, look, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := do(); err != nil {
		return nil, look{}, err
	}
	l, err := m.look(from)
	return nil, l, err
}
