package platform

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/process"
	"github.com/molerun/molerun/cli/settings"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament/notify"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/database"
	"github.com/molerun/molerun/tournament/store/pulse"
)

// What the doctor finds no fault with.
const (
	maxSkew      = time.Second      // rates are counted by the clocks of the processes
	maxQueueAge  = time.Hour        // as the alert in deploy/alerts.yml
	maxLate      = 2 * time.Minute  // as the alert
	minDiskBytes = uint64(1) << 30  // for SQLite's file
	doctorWait   = 20 * time.Second // for everything together
	quickWait    = 5 * time.Second  // the health check of a container waits ten
)

// doctor gathers findings.
type doctor struct {
	w     io.Writer
	fails int
	conns int // to the database, at most
}

// tell writes one thing that was looked at: ok, warn or FAIL, what it is, and what to do; "" if all is well.
func (d *doctor) tell(level, what, next string) {
	if level == "FAIL" {
		d.fails++
	}
	fmt.Fprintf(d.w, "%-4s %s\n", level, what)
	if next != "" {
		fmt.Fprintf(d.w, "     next: %s\n", next)
	}
}

// judge returns ok, or the level with what to do next.
func (d *doctor) judge(well bool, level, what, next string) {
	if well {
		level, next = "ok", ""
	}
	d.tell(level, what, next)
}

func adminDoctorCommand(c command.Console) *cobra.Command {
	s, envErr := settings.New()
	var quick bool
	cmd := &cobra.Command{
		Use: "doctor", Short: "Look at database, clocks, queue, limits and settings, and say what to do",
		Long: "Looks at what a platform needs: the database answers and is migrated, the clocks agree, nobody waits too long, files and disk\n" +
			"suffice, no setting is unsafe. One line a finding: ok, warn or FAIL, and what to do next. Changes nothing. Exit code 1 if anything\n" +
			"failed; warnings leave it at 0. --quick only asks whether the database answers and is migrated: for health checks.",
		Example: "  molerun admin doctor\n  molerun admin doctor --quick --database postgres://localhost/molerun",
		RunE: func(cmd *cobra.Command, _ []string) error {
			wait, d := doctorWait, &doctor{w: c.Out}
			if quick {
				wait = quickWait
			}
			ctx, cancel := context.WithTimeout(cmd.Context(), wait)
			defer cancel()
			if quick && envErr != nil {
				return envErr
			}
			if quick || settings.CheckDatabase(s.Database) == nil { // which the settings tell of
				d.database(ctx, s, quick)
			}
			if !quick {
				d.machine(s)
				d.settings(s, settings.Faults(envErr, s.Check(), process.CheckFace(s)))
			}
			switch d.fails {
			case 0:
				return nil
			case 1:
				return errors.New("1 check failed; see the suggestion under it")
			}
			return fmt.Errorf("%d checks failed; see the suggestion under each", d.fails)
		},
	}
	s.DatabaseFlag(cmd)
	cmd.PreRunE = nil // what is wrong in the environment is a finding
	s.DirectFlag(cmd)
	cmd.Flags().BoolVar(&quick, "quick", false, "only: does the database answer, and is it migrated")
	return cmd
}

func (d *doctor) database(ctx context.Context, s settings.Settings, quick bool) {
	db, err := process.OpenStore(ctx, s.Database, s.Direct, false)
	if err != nil {
		what, next, _ := strings.Cut(said(err), "; next: ")
		if next == "" && settings.IsPostgres(s.Database) {
			next = "start the database, or correct MOLERUN_DATABASE"
		}
		d.tell("FAIL", "database: "+what, cmp.Or(next, "do so, or correct MOLERUN_DATABASE"))
		return
	}
	defer func() {
		if err := db.Close(); err != nil {
			d.tell("FAIL", fmt.Sprintf("database: close: %v", err), "run the doctor again")
		}
	}()
	if d.conns = db.Connections().Max; s.DatabaseConns() > 0 && db.Pool() != nil {
		d.conns = s.DatabaseConns()
	}
	d.tell("ok", "database: answers", "")
	if !quick {
		d.connections(ctx, db, s.Workers)
		d.pooler(ctx, db)
	}
	if err := process.Migrated(ctx, db); err != nil {
		d.tell("FAIL", "migrations: "+said(err), cmp.Or(database.Next(err), "molerun migrate"))
		return
	}
	list, err := db.MigrationStatus(ctx)
	if err != nil {
		d.tell("FAIL", "migrations: "+said(err), "look into the database's log")
		return
	}
	if what, next := process.Ahead(list); what != "" {
		d.tell("warn", "migrations: "+what, next)
	} else {
		d.tell("ok", "migrations: current", "")
	}
	if quick {
		return
	}
	if err := db.Writable(ctx); err != nil {
		d.tell("FAIL", "writes: "+said(err), cmp.Or(database.Next(err), "nothing is played before it takes them: is its disk nearly full, is it a standby, may this user write the file?"))
	} else {
		d.tell("ok", "writes: the database takes them", "")
	}
	p, err := pulse.Take(ctx, db.DB)
	if err != nil {
		d.tell("FAIL", "database: "+said(err), "look into the database's log")
		return
	}
	d.pulse(p)
	if served, err := db.Shared(ctx, store.PrivateBots); err != nil {
		d.tell("FAIL", "settings: "+said(err), "look into the database's log")
	} else if served != "" && served != s.PrivateBots() {
		d.tell("warn", fmt.Sprintf("settings: MOLERUN_ALLOW_PRIVATE_BOTS opens %s to bots here, and %s in the process that serves", s.PrivateBots(), served), "set it alike: a worker refuses to start with another")
	}
	parts, err := db.FindsParts(ctx)
	if err != nil {
		d.tell("FAIL", "search: "+said(err), "look into the database's log")
	} else if !parts {
		d.tell("warn", "search: by a part of a bot's name it reads the names of all bots", "as the database's administrator, CREATE EXTENSION pg_trgm there; then molerun migrate")
	}
}

// said returns the words of an error of the database.
func said(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return database.AwayBecause(err)
	}
	return strings.Join(settings.Faults(err), "; ")
}

// connections looks at how many connections Postgres admits.
func (d *doctor) connections(ctx context.Context, db *store.Store, slots int) {
	server, err := db.ServerConnections(ctx)
	if err != nil {
		d.tell("FAIL", "connections: "+said(err), "look into the database's log")
		return
	}
	if server.Allowed == 0 {
		return // SQLite
	}
	if db.Pooled() {
		d.tell("ok", fmt.Sprintf("connections: a process with %d slots keeps up to %d to the pooler, which shares out those to the database", slots, d.conns), "")
		return
	}
	own := d.conns + 1 // one listens
	what := fmt.Sprintf("connections: a process with %d slots keeps up to %d; the database admits %d, %d are in use", slots, own, server.Allowed, server.InUse)
	const next = "raise max_connections, or set MOLERUN_DATABASE_CONNECTIONS lower"
	if own > server.Allowed {
		d.tell("FAIL", what, next+": serve and work refuse to start")
		return
	}
	d.judge(server.InUse+own <= server.Allowed, "warn", what, next+", before another process starts")
}

// pooler reports whether a pooler stands before Postgres, and how this process hears of changes.
func (d *doctor) pooler(ctx context.Context, db *store.Store) {
	hearing, err := db.Hearing(ctx)
	with := "pooler: none stands before the database"
	if db.Pooled() {
		with = "pooler: one stands before the database, so statements are not prepared"
	}
	const direct = "let MOLERUN_DATABASE_DIRECT name the same database past the pooler"
	switch {
	case err != nil:
		d.tell("FAIL", "pooler: "+said(err), cmp.Or(database.Next(err), direct)) // a standby lets nobody listen
	case hearing == database.Listens:
		d.tell("ok", with+"; changes are heard of by it at once (LISTEN)", "")
	case hearing == database.Directly:
		d.tell("ok", with+"; changes are heard of by MOLERUN_DATABASE_DIRECT at once (LISTEN)", "")
	case hearing == database.Looks:
		d.tell("warn", fmt.Sprintf("%s; it keeps notifications, so processes look for changes every %v", with, notify.LookPause), direct)
	}
}

func (d *doctor) pulse(p pulse.Reading) {
	apart := "ahead of"
	if p.Skew < 0 {
		apart = "behind"
	}
	d.judge(p.Skew.Abs() <= maxSkew, "FAIL", fmt.Sprintf("clock: the database's is %v %s this machine's", p.Skew.Abs().Round(time.Millisecond), apart),
		"keep both on NTP, within a second")
	waits, open := time.Duration(0), 0
	for _, q := range p.Queues {
		waits, open = max(waits, q.Oldest), open+q.Queued+q.Running
	}
	d.judge(waits <= maxQueueAge, "warn", fmt.Sprintf("queue: %s open, the oldest waits for %v", game.Plural(open, "match"), waits.Round(time.Second)),
		"start more workers (molerun work), or look into their logs")
	d.judge(p.Late <= maxLate, "FAIL", fmt.Sprintf("schedule: the latest start is %v past its time", p.Late.Round(time.Second)),
		"a worker starts tournaments: is one running? its log says what fails")
	var starved []string
	for _, id := range slices.Sorted(maps.Keys(p.Ladders)) {
		if n := p.Ladders[id].Starved; n > 0 {
			starved = append(starved, fmt.Sprintf("%d on %s", n, id))
		}
	}
	d.judge(len(starved) == 0, "warn", fmt.Sprintf("ladders: bots that could be paired, and had no match there for %v: %s", pulse.StarvedAfter, cmp.Or(strings.Join(starved, ", "), "none")),
		"more workers, if the queue is long; else more owners, or more matches an hour for their bots")
	d.judge(p.UnsentBy <= maxLate, "warn", fmt.Sprintf("webhooks: %d deliveries wait, the oldest for %v past its time", p.Unsent, p.UnsentBy.Round(time.Second)),
		"a worker delivers: is one running?")
}

// machine looks at what the system gives this process.
func (d *doctor) machine(s settings.Settings) {
	d.files(s)
	path, isFile := process.SQLitePath(s.Database)
	if !isFile {
		return // the disk is the server's
	}
	if free, known := database.FreeBytes(filepath.Dir(path)); known {
		d.judge(free >= minDiskBytes, "FAIL", fmt.Sprintf("disk: %d MiB free beside %s", free>>20, path), "make room, or move the file: a full disk stops every match")
	}
	for _, name := range []string{path, path + "-wal", path + "-shm"} { // those beside it are there while a process runs
		if info, err := os.Stat(name); err == nil && (name == path || info.Mode().Perm()&0o077 != 0) {
			d.judge(info.Mode().Perm()&0o077 == 0, "warn", fmt.Sprintf("file: %s has mode %04o", name, info.Mode().Perm()),
				"chmod 600: it holds the secrets of bots")
		}
	}
}

// files looks at how a process shares out the files that it may have open here.
func (d *doctor) files(s settings.Settings) {
	f, err := s.ShareFiles(d.conns)
	if err != nil {
		d.tell("FAIL", strings.Join(settings.Faults(err), "; "), "serve and work refuse to start")
		return
	}
	d.judge(f.API >= s.Connections, "warn", fmt.Sprintf("open files: at most %d: %d connections to the API, %d to bots", f.Limit, f.API, f.Sockets),
		fmt.Sprintf("ulimit -n %d, or LimitNOFILE in the unit, for the %d connections of MOLERUN_CONNECTIONS; or ask for fewer", f.Limit+s.Connections-f.API, s.Connections))
}

// settings looks for what is unsafe on a public network.
func (d *doctor) settings(s settings.Settings, faults []string) {
	bad := 0
	for _, name := range settings.Unknown() {
		if slices.ContainsFunc(faults, func(fault string) bool { return strings.HasPrefix(fault, name+" is no setting") }) {
			continue
		}
		bad++
		d.tell("warn", "settings: "+name+" is none of this release", "take it away, or correct its name")
	}
	for _, fault := range faults {
		d.tell("FAIL", "settings: "+fault, "correct it: serve refuses to start")
	}
	if len(faults) > 0 {
		return // what is refused is not in force
	}
	warn := func(what, next string) { bad++; d.tell("warn", "settings: "+what, next) }
	if u, err := url.Parse(s.Database); err == nil && strings.HasPrefix(u.Scheme, "postgres") {
		if host := u.Hostname(); u.Query().Get("sslmode") == "disable" && host != "" && !isLoopback(host) {
			warn("MOLERUN_DATABASE says sslmode=disable to "+host, "sslmode=verify-full, unless that network is yours alone")
		}
	}
	if host := hostOf(s.Metrics); s.Metrics != "" && !isLoopback(host) {
		warn("MOLERUN_METRICS listens on "+s.Metrics, "let only Prometheus reach it: a private network or a firewall")
	}
	if len(s.Private) > 0 {
		warn("MOLERUN_ALLOW_PRIVATE_BOTS opens "+strings.Join(s.Private, ", ")+" to whoever registers a bot", "leave it empty where strangers may register")
	}
	if s.Workers > 0 && s.Guests > max(1, s.Workers/8) {
		warn(fmt.Sprintf("MOLERUN_GUESTS lets %d play at once, on %d slots of this process", s.Guests, s.Workers), fmt.Sprintf("%d or less, an eighth, unless other workers have more", max(1, s.Workers/8)))
	}
	proxies, _ := s.TrustedNetworks() // none is refused
	for _, p := range proxies {
		if p.Bits() == 0 {
			warn("MOLERUN_TRUSTED_PROXIES believes everybody ("+p.String()+")", "name your proxies' networks alone: rates are counted by the address they tell")
		}
	}
	if bad == 0 {
		d.tell("ok", "settings: nothing unsafe", "")
	}
}

func hostOf(address string) string {
	if at := strings.LastIndex(address, ":"); at >= 0 {
		return strings.Trim(address[:at], "[]")
	}
	return address
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || (err == nil && ip.IsLoopback())
}
