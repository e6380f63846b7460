package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/local/matches"
	"github.com/molerun/molerun/cli/settings"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/text"
	"github.com/molerun/molerun/tournament"
)

// roomFlags say how bots are reached from this machine.
type roomFlags struct {
	secret   string
	public   bool
	limit    time.Duration
	bank     time.Duration
	parallel int
}

func (r *roomFlags) add(cmd *cobra.Command) {
	clock := tournament.DefaultClock()
	r.parallel = 1
	f := cmd.Flags()
	f.StringVar(&r.secret, "secret", "", "signs what is sent to bots (default: MOLERUN_SECRET; without one nothing is signed)")
	f.BoolVar(&r.public, "allow-public", false, "bots at public addresses may be called, not only those on this machine")
	f.DurationVar(&r.limit, "limit", clock.Limit, "free time for each decision of a bot behind a URL")
	f.DurationVar(&r.bank, "bank", clock.Bank, "time that a bot has for a match once a decision takes longer")
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		var flags []string
		cmd.Flags().Visit(func(f *pflag.Flag) {
			if f.Name != "secret" { // without one nothing is signed
				flags = append(flags, f.Name)
			}
		})
		if err := command.Given(cmd, flags...); err != nil {
			return err
		}
		if err := tournament.SourceTournament.Bounds().Check(r.clock(), tournament.DefaultFaultLimits()); err != nil {
			named := strings.NewReplacer("/clock/limit_ms", "--limit", "/clock/bank_ms", "--bank")
			return fmt.Errorf("%w: %s", command.ErrUsage, named.Replace(err.Error()))
		}
		return checkParallel(r.parallel)
	}
}

// addParallel adds how many matches are played at a time; without it, it is one.
func (r *roomFlags) addParallel(cmd *cobra.Command) {
	cmd.Flags().IntVar(&r.parallel, "parallel", 1, "matches played at the same time; a bot that shares its machine with them has less time")
}

func checkParallel(n int) error {
	if n < 1 || n > 1024 {
		return fmt.Errorf("%w: --parallel: want 1 to 1024, got %d", command.ErrUsage, n)
	}
	return nil
}

func (r *roomFlags) open() (*matches.Room, error) {
	secret, err := settings.Secret(r.secret)
	if err != nil {
		return nil, err
	}
	room, err := matches.Open(secret, r.public, 16*r.parallel)
	if err != nil {
		return nil, fmt.Errorf("%w: --secret or MOLERUN_SECRET: %w", command.ErrUsage, err)
	}
	return room, nil
}

// again returns what a command that goes on with a folder must say once more.
func (r *roomFlags) again() string {
	if r.public {
		return " --allow-public"
	}
	return ""
}

// seriesFlags are those of a series of matches on this machine.
type seriesFlags struct {
	roomFlags
	s       matches.Series
	config  string
	variant string
	out     string
	resume  string
	json    bool

	roundRobin, gauntlet bool // of play
	longer               bool // a series to go on with gets another number of games
}

func (o *seriesFlags) add(cmd *cobra.Command) {
	o.roomFlags.add(cmd)
	o.addTable(cmd)
	f := cmd.Flags()
	f.BoolVar(&o.s.Paired, "paired", true, "the games in which bots change seats are on one deal; with --paired=false each has its own, as on a platform")
	f.StringVar(&o.out, "out", "", "where the records go (default: a new folder in your cache, of which the last 10 are kept, and all for a day)")
	f.StringVar(&o.resume, "resume", "", "go on with the series of this folder where it stopped")
	_ = cmd.MarkFlagDirname("out")
	_ = cmd.MarkFlagDirname("resume")
}

// addTable adds what is played at a table, and how the output looks.
func (o *seriesFlags) addTable(cmd *cobra.Command) {
	f := cmd.Flags()
	f.Uint64Var(&o.s.Seed, "seed", 1, "decides all luck: deals, seats and that of the house bots; another number, other deals")
	f.StringVar(&o.config, "config", "", "the configuration: JSON, or @FILE; keys left out take their defaults")
	f.StringVar(&o.variant, "variant", "", "the name of a variant of the game, in place of --config")
	f.BoolVar(&o.s.Beliefs, "beliefs", false, "ask the bots what they believe of that which they cannot see; molerun replay show scores it")
	f.IntVar(&o.s.Seats, "seats", 0, "seats at the table (default: as many as bots, at least as many as the game needs)")
	f.StringVar(&o.s.Fill, "fill", "", "the house bot or URL that sits in the seats that are left (default: random; in demol two bots leave none)")
	command.FlagWords(cmd, "fill", house.Names()...)
	command.CompleteVariants(cmd)
	o.addParallel(cmd)
	f.BoolVar(&o.json, "json", false, "one JSON object a line on stdout instead of tables")
	command.Nonzero(cmd, "seats")
}

// series returns the series that the command line asks for, and its folder: a new one, or one to go on with. limit is the flag
// that says how many games there are at most.
func (o *seriesFlags) series(cmd *cobra.Command, args []string, limit string) (matches.Folder, error) {
	if o.resume != "" {
		return o.resumed(cmd, args, limit)
	}
	if len(args) < 2 {
		return matches.Folder{}, fmt.Errorf("%w: want a game and at least one bot, got %d arguments", command.ErrUsage, len(args))
	}
	engine, err := command.Game(args[0])
	if err != nil {
		return matches.Folder{}, err
	}
	if o.s.Config, err = o.configuration(engine.Info()); err != nil {
		return matches.Folder{}, err
	}
	o.s.Game, o.s.Bots, o.s.LimitMS, o.s.BankMS = args[0], args[1:], o.limit.Milliseconds(), o.bank.Milliseconds()
	switch {
	case o.roundRobin && o.gauntlet:
		return matches.Folder{}, fmt.Errorf("%w: --gauntlet is a part of --round-robin: give one of them", command.ErrUsage)
	case o.roundRobin:
		o.s.Meetings = matches.RoundRobin
	case o.gauntlet:
		o.s.Meetings = matches.Gauntlet
	}
	if o.s.Meetings != "" && !cmd.Flags().Changed(limit) {
		o.s.Games = 2
	}
	if o.s.Games, err = inAll(&o.s, o.s.Games); err != nil {
		return matches.Folder{}, err
	}
	if err := o.s.Settle(engine); err != nil {
		return matches.Folder{}, fmt.Errorf("%w: %w", command.ErrUsage, err)
	}
	return matches.Folder{}, nil // it is made when everybody has answered
}

// inAll returns how many games a series has if --games says so many; of couples it says how many each of them has.
func inAll(s *matches.Series, games int) (int, error) {
	if s.Meetings == "" {
		return games, nil
	}
	if games%2 != 0 || games > matches.MaxGames {
		return 0, fmt.Errorf("%w: --games: each couple changes seats after every game, so it has an even number of at most %d, not %d", command.ErrUsage, matches.MaxGames, games)
	}
	return games * s.Couples(), nil
}

// resumed reads the series to go on with.
func (o *seriesFlags) resumed(cmd *cobra.Command, args []string, limit string) (matches.Folder, error) {
	games, test := o.s.Games, o.s.Test
	folder, s, err := matches.Load(o.resume)
	if err != nil {
		return folder, err
	}
	if (s.Test == nil) != (test == nil) {
		return folder, fmt.Errorf("%w: --resume: %s holds a series of the other command (play, sprt)", command.ErrUsage, o.resume)
	}
	if len(args) > 0 && strings.Join(args, " ") != strings.Join(append([]string{s.Game}, s.Bots...), " ") {
		return folder, fmt.Errorf("%w: --resume: %s holds a series of %s between %s; leave game and bots out", command.ErrUsage, o.resume, s.Game, strings.Join(s.Bots, ", "))
	}
	for _, name := range []string{"seed", "config", "variant", "seats", "fill", "rotate", "paired", "round-robin", "gauntlet", "limit", "bank", "beliefs", "out", "elo0", "elo1", "alpha", "beta", "normalised"} {
		if cmd.Flags().Changed(name) {
			return folder, fmt.Errorf("%w: --%s cannot change a series that has begun; with --resume only --%s can", command.ErrUsage, name, limit)
		}
	}
	if cmd.Flags().Changed(limit) {
		if games, err = inAll(&s, games); err != nil {
			return folder, err
		}
		if games < 1 || games > matches.MaxGames || test != nil && games%2 != 0 {
			return folder, fmt.Errorf("%w: --%s: %d games", command.ErrUsage, limit, games)
		}
		s.Games, o.longer = games, true
	}
	o.s = s
	return folder, nil
}

// configuration returns what --config or --variant gives.
func (o *seriesFlags) configuration(info game.Info) (json.RawMessage, error) {
	switch {
	case o.config != "" && o.variant != "":
		return nil, fmt.Errorf("%w: --variant is a configuration by name: give it or --config, not both", command.ErrUsage)
	case strings.HasPrefix(o.config, "@"):
		b, err := os.ReadFile(o.config[1:])
		typed := strings.TrimSpace(text.Typed(b))
		if err == nil && typed == "" {
			err = fmt.Errorf("%w: --config: %s is empty", command.ErrUsage, o.config[1:])
		}
		return json.RawMessage(typed), err
	case o.config != "":
		return json.RawMessage(o.config), nil
	case o.variant == "":
		return nil, nil
	}
	return command.Variant(info, o.variant)
}

// play plays the series: it greets everybody, keeps the folder and hands each match to tell, in order.
func (o *seriesFlags) play(ctx context.Context, folder matches.Folder, begin func(field []matches.Bot, folder matches.Folder), tell func(matches.Played) (bool, error)) error {
	room, err := o.open()
	if err != nil {
		return err
	}
	defer room.Close()
	if folder.Path != "" {
		release, err := matches.Hold(folder.Path)
		if err != nil {
			return err
		}
		defer release()
	}
	field, err := room.Field(ctx, &o.s)
	if o.resume != "" && errors.Is(err, command.ErrUsage) { // a file says it, and no command line
		err = fmt.Errorf("the series in %s: %s", o.resume, command.Text(err))
	}
	if err != nil {
		return err
	}
	if folder.Path == "" {
		path, err := command.RecordsFolder(o.out, o.command())
		if err != nil {
			return err
		}
		release, err := matches.Hold(path)
		if err != nil {
			return err
		}
		defer release()
		if folder, err = matches.Create(path, o.s); err != nil {
			return err
		}
	} else if o.longer {
		err := folder.Fits(&o.s, field) // what cannot be gone on with stays as it was
		if err == nil {
			err = folder.Keep(o.s)
		}
		if err != nil {
			return err
		}
	}
	begin(field, folder)
	err = room.Run(ctx, &o.s, field, folder, command.Program(), o.parallel, tell)
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("stopped; go on with: molerun %s --resume %s%s", o.command(), command.Quoted(folder.Path), o.again())
	}
	return err
}

func (o *seriesFlags) command() string {
	if o.s.Test != nil {
		return "sprt"
	}
	return "play"
}
