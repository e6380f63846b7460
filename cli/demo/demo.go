package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/cli/client"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/cli/process"
	"github.com/molerun/molerun/cli/settings"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/tournament"
)

// planned is one tournament of the demo: a game, its format, who plays, and how often.
type planned struct {
	title   string
	game    string
	variant string
	format  tournament.Format
	options *tournament.FormatOptions
	table   int
	cycles  int
	rated   bool
	series  bool     // made by a schedule, not announced
	id      string   // once it is announced
	bots    []string // each name tells the strength: what stands before the dash is the house bot
}

// file returns how the records of the tournament begin.
func (c planned) file() string {
	if c.format == tournament.RoundRobin {
		return c.game + "-" + c.variant
	}
	return c.game + "-" + c.variant + "-" + string(c.format)
}

// phase returns when the tournament begins: the rated ones first, then what is announced, then what a schedule makes.
func (c planned) phase() int {
	switch {
	case c.rated:
		return 0
	case c.series:
		return 2
	}
	return 1
}

// plan returns round robins of enough matches for the better bots to lead; in De Mol's the bots change seats and
// roles. Formats that pair by results are not rated here: beside others on their ladder, the order of rounds would hang on who
// is faster.
func plan() []planned {
	cia := []string{"greedy-finch", "greedy-raven", "random-lilac", "random-iris"}
	demol := []string{"greedy-heron", "greedy-otter", "greedy-lynx", "random-daisy", "random-clover", "random-thistle"}
	molemajority := []string{"thinker-mink", "greedy-vole", "greedy-shrew", "random-yarrow"}
	molehill := []string{"greedy-badger", "greedy-stoat", "random-poppy", "random-tulip"}
	return []planned{
		{title: "CIA League", game: "cia", variant: "base", format: tournament.RoundRobin, table: 4, cycles: 12, rated: true, bots: cia},
		{title: "De Mol League", game: "demol", variant: "base", format: tournament.RoundRobin, table: 6, cycles: 20, rated: true, bots: demol},
		{title: "Mole League", game: "mole", variant: "base", format: tournament.RoundRobin, table: 2, cycles: 3, rated: true, bots: []string{"greedy-ferret", "greedy-marten", "random-violet", "random-aster"}},
		{title: "Mole Hill League", game: "molehill", variant: "base", format: tournament.RoundRobin, table: 2, cycles: 6, rated: true, bots: molehill},
		{title: "Mole Majority League", game: "molemajority", variant: "base", format: tournament.RoundRobin, table: 2, cycles: 4, rated: true, bots: molemajority},
		{title: "CIA Full Cup", game: "cia", variant: "full", format: tournament.RoundRobin, table: 4, cycles: 3, bots: cia},
		{title: "De Mol Full Cup", game: "demol", variant: "full", format: tournament.RoundRobin, table: 6, cycles: 5, bots: demol},
		{title: "Mole Hill Swiss {number}", game: "molehill", variant: "base", format: tournament.Swiss, table: 2, cycles: 1, series: true, bots: molehill},
		{title: "Mole Majority Knockout", game: "molemajority", variant: "base", format: tournament.SingleElimination, table: 2, cycles: 1, bots: molemajority},
		{title: "CIA Groups", game: "cia", variant: "base", format: tournament.Groups, options: &tournament.FormatOptions{GroupSize: 3, Finalists: 3}, table: 3, cycles: 1, bots: append([]string{"greedy-robin", "random-fern"}, cia...)},
	}
}

// owners are the people whose bots play, each with one.
var owners = [...]string{
	"Anouk", "Bram", "Chidi", "Daan", "Elif", "Femke", "Giulia", "Hanna", "Imani", "Jonas", "Keiko", "Lars", "Maren", "Nadia", "Otto", "Priya", "Quinten",
	"Ravi", "Sanne", "Thijs", "Ulla", "Vikram", "Wanjiru", "Yusuf", "Zofia",
}

// config returns the configuration of the tournament's variant.
func (c planned) config() json.RawMessage {
	e, _ := catalog.Find(c.game)
	config, _ := command.Variant(e.Info(), c.variant) // the plan names no other
	return config
}

type demoOptions struct {
	seed uint64
	keep bool
	json bool
	dir  string
}

// Command returns the command demo.
func Command(c command.Console) *cobra.Command {
	o := demoOptions{seed: 1}
	cmd := &cobra.Command{
		Use: "demo", Short: "Watch a whole tournament of every game on this machine",
		Long: "Makes a fresh embedded database, starts the server and its workers, registers house bots over the API as any user would,\n" +
			"each served over HTTP on loopback, plays round robins of every game (in De Mol the bots change seats and roles), groups with a\n" +
			"final, a bracket and a Swiss of duplicate pairs that a schedule makes, prints the ladders, and leaves a record of\n" +
			"each match that molerun replay verify can check. The same seed gives the same ladders.",
		Example: "  molerun demo\n  molerun demo --keep   # then open the address it prints\n  molerun demo --json | jq .",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runDemo(cmd.Context(), c, o) },
	}
	f := cmd.Flags()
	f.Uint64Var(&o.seed, "seed", o.seed, "decides all luck: deals, pairings and the bots' own")
	f.BoolVar(&o.keep, "keep", false, "go on serving after the last match, until interrupted")
	f.BoolVar(&o.json, "json", false, "one JSON object a line on stdout instead of tables")
	f.StringVar(&o.dir, "dir", "", "where the database and the records go (a new temporary folder)")
	_ = cmd.MarkFlagDirname("dir")
	return cmd
}

// demo is a run of the demo.
type demo struct {
	demoOptions
	c       command.Console
	p       *process.Process
	api     *client.Client
	tell    *printer.Printer
	replays string
	field   map[string]registered // by name: a bot plays all tournaments of its game
	faults  int
	voided  int
	matches int
}

// registered is a bot of the demo and its owner's token.
type registered struct{ bot, token string }

func runDemo(ctx context.Context, c command.Console, o demoOptions) (err error) {
	if o.dir == "" {
		if o.dir, err = os.MkdirTemp("", "molerun-demo-"); err != nil {
			return err
		}
	}
	d := &demo{demoOptions: o, c: c, replays: filepath.Join(o.dir, "replays"), tell: printer.New(c, o.json), field: map[string]registered{}}
	if err := os.MkdirAll(d.replays, 0o755); err != nil { // records are for everybody
		return err
	}
	if err := d.open(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.p.Close()) }()
	ctx, stop := context.WithCancel(ctx)
	group, ctx := errgroup.WithContext(ctx)
	context.AfterFunc(ctx, d.p.Bots.Close) // servers wait for connections that nobody uses any more
	url, err := d.serve(ctx, group)
	if err == nil {
		d.api = client.New(url)
		d.tellServing(url)
		err = d.play(ctx, group)
	}
	if err == nil && o.keep {
		d.tell.Progress("serving at %s until you press Ctrl-C", url)
		<-ctx.Done()
	}
	stop()
	if ended := group.Wait(); err == nil || errors.Is(err, context.Canceled) && ended != nil {
		err = ended
	}
	return err
}

// open makes the fresh database. Its luck follows from the seed, but for the secrets of users and bots.
func (d *demo) open(ctx context.Context) error {
	s, err := settings.New()
	if err != nil {
		return err
	}
	file := filepath.Join(d.dir, "molerun.db")
	if _, err := os.Stat(file); err == nil {
		return fmt.Errorf("%s exists already; give an empty folder with --dir, or none", file)
	}
	s.Database, s.Listen, s.Metrics, s.Private, s.LogLevel = "sqlite:"+file, "", "", []string{"127.0.0.0/8"}, "warn"
	log, err := s.Logger(d.c.Err)
	if err != nil {
		return err
	}
	d.p, err = process.Open(ctx, s, log, process.Options{
		Rand:     rand.NewChaCha8(house.Seed(d.seed)),
		FastSync: true,
		Makes:    true,
		Refit:    200 * time.Millisecond, // nobody wants to wait for the last fit
	})
	if err != nil {
		return err
	}
	return d.p.Store.Migrate(ctx)
}

// serve starts the API and the workers, and returns the address of the API.
func (d *demo) serve(ctx context.Context, group *errgroup.Group) (string, error) {
	limits := gate.DefaultLimits() // all users of the demo come from one address, at once
	for _, r := range []*httpx.Rate{&limits.Default, &limits.Following, &limits.Register, &limits.Outbound, &limits.Seat} {
		r.Count = 100_000
	}
	if d.keep {
		limits.Guests = demoGuests
	}
	server, err := d.p.API(limits)
	if err != nil {
		return "", err
	}
	l, err := command.Listen(ctx, "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	if err := d.p.Deny(ctx, l.Addr().String()); err != nil {
		return "", err
	}
	context.AfterFunc(ctx, server.Drain)
	group.Go(func() error { server.Run(ctx); return nil })
	group.Go(func() error { return process.ServeOn(ctx, l, server, slog.New(slog.DiscardHandler)) })
	group.Go(func() error { return d.p.Work(ctx, demoSlots) })
	return "http://" + l.Addr().String(), nil
}

// demoSlots is how many matches the demo plays at once, and demoGuests how many people may play them.
const (
	demoSlots  = 8
	demoGuests = 4
)

// play runs every tournament and prints the ladders.
func (d *demo) play(ctx context.Context, group *errgroup.Group) error {
	organiser, err := process.NewUser(ctx, d.p.Store, "demo-organiser", tournament.RoleOrganiser)
	if err != nil {
		return err
	}
	ladders, tables := map[string][]ladderEntry{}, []standings{}
	// Pairings by results are seeded by the ladders: they begin when those stand still, and one after the other, so that one
	// seed has one outcome.
	for phase := range 3 {
		var running []planned
		for _, c := range plan() {
			if c.phase() != phase {
				continue
			}
			if c.id, err = d.announce(ctx, group, c, organiser); err != nil {
				return fmt.Errorf("%s %s: %w", c.game, c.variant, err)
			}
			running = append(running, c)
		}
		for _, c := range running {
			if c.series { // its schedule starts it
				continue
			}
			if err := client.Do(ctx, d.api.As(organiser), wire.StartTournament, op.BodyByID[*wire.StartRequest](c.id, nil), nil); err != nil {
				return err
			}
		}
		if err := d.watch(ctx, running); err != nil {
			return err
		}
		for _, c := range running {
			if err := d.reap(ctx, c, ladders, &tables); err != nil {
				return fmt.Errorf("%s %s: %w", c.game, c.variant, err)
			}
		}
	}
	return d.tellDone(ladders, tables)
}

// reap adds a tournament that is over to the ladders or, unrated, to the tables.
func (d *demo) reap(ctx context.Context, c planned, ladders map[string][]ladderEntry, tables *[]standings) error {
	err := d.collect(ctx, c)
	if err != nil {
		return err
	}
	if c.rated {
		ladders[c.game], err = d.ladder(ctx, c.game)
		return err
	}
	table, err := d.standings(ctx, c)
	*tables = append(*tables, table)
	return err
}

// announce registers the bots, creates the tournament, enters the bots and returns its id.
func (d *demo) announce(ctx context.Context, group *errgroup.Group, c planned, organiser string) (string, error) {
	for i, name := range c.bots {
		if _, done := d.field[name]; done {
			continue
		}
		bot, err := d.register(ctx, group, owners[len(d.field)], c.game, name, d.seed+uint64(i))
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		d.field[name] = bot
	}
	t, err := d.create(ctx, c, organiser)
	if err != nil {
		return "", err
	}
	for _, name := range c.bots {
		f := d.field[name]
		if err := client.Do(ctx, d.api.As(f.token), wire.JoinTournament, op.BodyByID(t.ID, wire.EntryCreate{BotID: f.bot}), nil); err != nil {
			return "", err
		}
	}
	d.tellScheduled(c, t)
	return t.ID, nil
}

// A tournament that the organiser starts has no start to wait for; the one of the series leaves time to enter on a slow machine.
const (
	someday = time.Hour
	soon    = 16 * time.Second
)

// create makes the tournament, or a schedule that makes it: a series of one, whose only start is near.
func (d *demo) create(ctx context.Context, c planned, organiser string) (wire.Tournament, error) {
	template := wire.TournamentTemplate{
		Name: c.title, Game: c.game, Config: c.config(), Table: c.table, Format: string(c.format), Options: c.options,
		Cycles: c.cycles, Duplicate: true, Rated: &c.rated, Capacity: len(c.bots),
	}
	now := time.Now().UTC()
	if !c.series {
		start := now.Add(someday)
		in := wire.TournamentCreate{TournamentTemplate: template, OpensAt: now.Add(-time.Minute), ClosesAt: start, StartsAt: start}
		var made wire.Tournament
		err := client.Do(ctx, d.api.As(organiser), wire.CreateTournament, in, &made)
		return made, err
	}
	start := now.Add(soon) // the sweeper must find it first
	var made wire.Schedule
	times := wire.ScheduleTimes{StartsAt: &start, OpensBeforeMS: time.Minute.Milliseconds()}
	if err := client.Do(ctx, d.api.As(organiser), wire.CreateSchedule, wire.ScheduleCreate{TournamentTemplate: template, ScheduleTimes: times}, &made); err != nil {
		return wire.Tournament{}, err
	}
	for {
		var list wire.Page[wire.Tournament]
		if err := client.Do(ctx, d.api, wire.ListTournaments, wire.TournamentsQuery{Schedule: made.ID}, &list); err != nil {
			return wire.Tournament{}, err
		}
		if len(list.Data) > 0 {
			return list.Data[0], nil
		}
		if err := command.Rest(ctx, 100*time.Millisecond); err != nil {
			return wire.Tournament{}, err
		}
	}
}

// register makes a user and serves and registers the user's bot.
func (d *demo) register(ctx context.Context, group *errgroup.Group, owner, gameID, name string, seed uint64) (registered, error) {
	var user wire.UserCreated
	if err := client.Do(ctx, d.api, wire.CreateUser, wire.UserCreate{Name: owner}, &user); err != nil {
		return registered{}, err
	}
	url, secret, err := serveHouse(ctx, group, name, gameID, seed)
	if err != nil {
		return registered{}, err
	}
	as, created := d.api.As(user.Token.Token), wire.BotCreated{}
	err = client.Do(ctx, as, wire.CreateBot, wire.BotCreate{Name: name, URL: url, Secret: secret}, &created)
	if err == nil && d.keep { // people play against it
		err = client.Do(ctx, as, wire.UpdateBot, op.BodyByID(created.Bot.ID, wire.BotPatch{TakesChallenges: true}), nil)
	}
	return registered{created.Bot.ID, user.Token.Token}, err
}

// watch follows some tournaments to their ends, side by side. A bar is that of a game: no phase has two tournaments of one that are
// not rated.
func (d *demo) watch(ctx context.Context, running []planned) error {
	var games []string
	for _, c := range running {
		if !slices.Contains(games, c.game) {
			games = append(games, c.game)
		}
	}
	bars := d.tell.Bars(games...)
	defer bars.End()
	for {
		var still []planned
		for _, c := range running {
			s, err := d.look(ctx, c)
			if err != nil {
				return fmt.Errorf("%s %s: %w", c.game, c.variant, err)
			}
			if bars.Set(slices.Index(games, c.game), s.done, s.of); !s.over {
				still = append(still, c)
			}
		}
		if running = still; len(running) == 0 {
			return nil
		}
		if err := command.Rest(ctx, 200*time.Millisecond); err != nil {
			return err
		}
	}
}

// stage is how far a tournament is: rated ones with all that their ladder has, others by their matches.
type stage struct {
	done, of int
	over     bool
}

func (d *demo) look(ctx context.Context, c planned) (stage, error) {
	var t wire.Tournament
	if err := client.Do(ctx, d.api, wire.GetTournament, op.ByID(c.id), &t); err != nil {
		return stage{}, err
	}
	over := t.Status == string(tournament.Finished)
	switch {
	case t.Status == string(tournament.Cancelled):
		return stage{}, fmt.Errorf("the tournament was cancelled: %s", t.Reason)
	case c.rated:
		var l wire.Ladder
		err := client.Do(ctx, d.api, wire.GetLadder, wire.LadderOf{ID: c.game}, &l)
		return stage{int(l.Rated), int(l.Scheduled), over && l.Rated == l.Scheduled}, err
	case over:
		return stage{t.Expected, t.Expected, true}, nil // it may have needed fewer
	}
	s := stage{of: t.Expected}
	err := client.Each(ctx, d.api, wire.ListTournamentMatches, wire.TournamentMatchesQuery{One: op.ByID(c.id)}, func(m wire.Match) error {
		if m.Status == string(tournament.MatchDone) || m.Status == string(tournament.MatchVoid) {
			s.done++
		}
		return nil
	})
	return s, err
}

// ladder returns the ladder of a game when all is rated and fitted.
func (d *demo) ladder(ctx context.Context, gameID string) ([]ladderEntry, error) {
	for {
		var l wire.Ladder
		if err := client.Do(ctx, d.api, wire.GetLadder, wire.LadderOf{ID: gameID}, &l); err != nil {
			return nil, err
		}
		var f wire.LadderFit
		if err := client.Do(ctx, d.api, wire.GetLadderFit, wire.LadderOf{ID: gameID}, &f); err != nil {
			return nil, err
		}
		if f.Rated == l.Scheduled {
			break
		}
		if err := command.Rest(ctx, 100*time.Millisecond); err != nil {
			return nil, err
		}
	}
	var out []ladderEntry
	err := client.Each(ctx, d.api, wire.ListLadderEntries, wire.LadderList{LadderOf: wire.LadderOf{ID: gameID}}, func(e wire.LadderEntry) error {
		line := ladderEntry{
			Rank: e.Rank, Class: e.Class, Bot: e.Bot, Elo: e.Rating, Online: e.Online, Matches: e.Matches, Provisional: e.Provisional,
			Wins: e.Wins, Draws: e.Draws, Losses: e.Losses,
		}
		if e.Fit != nil {
			line.Low, line.High, line.PlusMinus = e.Fit.Low, e.Fit.High, e.Fit.PlusMinus
			line.RankFrom, line.RankTo = e.Fit.RankFrom, e.Fit.RankTo
		}
		out = append(out, line)
		return nil
	})
	return out, err
}

func (d *demo) standings(ctx context.Context, c planned) (standings, error) {
	out := standings{Game: c.game, Format: string(c.format)}
	err := client.Each(ctx, d.api, wire.ListTournamentStandings, op.ListByID(c.id), func(l tournament.Standing) error {
		out.Rows = append(out.Rows, standing{
			Rank:   l.Rank,
			Bot:    l.Bot,
			Played: l.Played,
			Points: l.Points,
			Wins:   l.Wins,
			Draws:  l.Draws,
			Losses: l.Losses,
		})
		return nil
	})
	return out, err
}

// collect downloads the record of every match and counts what went wrong.
func (d *demo) collect(ctx context.Context, c planned) error {
	return client.Each(ctx, d.api, wire.ListTournamentMatches, wire.TournamentMatchesQuery{One: op.ByID(c.id)}, func(m wire.Match) error {
		d.matches++
		if m.Status == string(tournament.MatchVoid) {
			d.voided++
			return nil
		}
		for _, n := range m.Outcome.Faults {
			d.faults += n
		}
		file := filepath.Join(d.replays, fmt.Sprintf("%s-%02d-%02d-%02d.jsonl.gz", c.file(), m.Round, m.Block, m.Number))
		record, err := d.api.Read(ctx, wire.GetMatchReplay.Target(op.ByID(m.ID)))
		if err != nil {
			return err
		}
		return os.WriteFile(file, record, 0o644) // records are for everybody
	})
}
