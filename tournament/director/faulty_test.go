package director_test

import (
	"crypto/rand"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
)

// showing is how a match ends for one bot in it; the others play well.
type showing int

const (
	well    showing = iota
	stumble         // its last answer is a fault
	absent          // it gives no answer at all
	retired
)

// ends plays a match in which a bot shows so.
func (w *world) ends(m tournament.Match, bot string, s showing) {
	w.T.Helper()
	m = w.Take(m)
	seat := game.Seat(0)
	for _, x := range m.Seats {
		if x.BotID == bot {
			seat = x.Seat
		}
	}
	o := directortest.Won(m, 1-int(seat))
	one := game.Seats(0).With(seat)
	switch s {
	case well:
	case stumble:
		o.Failing = one
	case retired:
		o.Retired, o.Failing, o.Failed = one, one, one
	case absent:
		o.Failing, o.Failed = one, one
	}
	w.Must(w.Finish(w.Ctx, m, o, nil))
}

// checks does what a worker does when checks are due: the bots get these results, "" is a pass. It returns which bots were on trial.
func (w *world) checks(failures map[string]string) map[string]bool {
	w.T.Helper()
	list := must.Get(w.DueChecks(w.Ctx, 100, 100, nil))(w.T)
	trials := map[string]bool{}
	for _, d := range list {
		trials[d.BotID] = d.Trial
		w.Did(w.Check(d.BotID, failures[d.BotID]))
	}
	return trials
}

func (w *world) paused(bot string) (tournament.BotStatus, tournament.PauseCause) {
	w.T.Helper()
	b := must.Get(w.Bot(w.Ctx, bot))(w.T)
	return b.Status, b.Pause
}

// A bot that failed at the end of a match gets no other on a ladder before it was greeted, whatever it failed by: one that died loses
// one match. It stays out while the check fails by us.
func TestABotThatFailedIsGreetedBeforeItPlaysAgain(t *testing.T) {
	for name, row := range map[string]struct {
		shows   showing
		greeted string // what the greeting finds
		plays   bool   // afterwards
	}{
		"played well":             {well, "", true},
		"stumbled and is there":   {stumble, "", true},
		"stumbled and is gone":    {stumble, "nothing listens", false},
		"was absent and is gone":  {absent, "nothing listens", false},
		"was retired and is gone": {retired, "nothing listens", false},
		"only says hello":         {retired, "status 500", false},
	} {
		on(t, storetest.One, func(t *testing.T, w *world) {
			l, bots := w.StandingLadder(storetest.Toy, 2, 600)
			first := w.Tick(l)
			w.ends(first[0], bots[0].ID, row.shows)
			if row.shows != well {
				if list := w.Tick(l); len(list) > 0 {
					t.Errorf("%s: it has a match before it was greeted", name)
				}
			}
			trials := w.checks(map[string]string{bots[0].ID: row.greeted})
			if _, checked := trials[bots[0].ID]; checked != (row.shows != well) || trials[bots[0].ID] != checked {
				t.Errorf("%s: checks with a decision on trial: %v, want one of who failed alone", name, trials)
			}
			if list := w.Tick(l); (len(list) > 0) != row.plays {
				t.Errorf("%s: %d matches afterwards, want that it plays: %v", name, len(list), row.plays)
			}
			status, cause := w.paused(bots[0].ID)
			if row.plays != (status == tournament.BotActive) || !row.plays && cause != tournament.PausedByChecks {
				t.Errorf("%s: the bot is %s by %q", name, status, cause)
			}
		})
	}
}

// A bot that answers every greeting and loses all its matches by its own faults is paused after three. Only its owner resumes it; a match
// played well in between begins the count again.
func TestABotThatLosesByItsFaultsAloneIsPaused(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		l, bots := w.StandingLadder(storetest.Toy, 2, 600)
		bot := bots[0].ID
		play := func(shows ...showing) {
			t.Helper()
			for _, s := range shows {
				list := w.Tick(l)
				if len(list) != 1 {
					t.Fatalf("%d matches, want one", len(list))
				}
				w.ends(list[0], bot, s)
				w.checks(nil)
			}
		}
		play(retired, absent, well, retired, retired, stumble)
		if status, _ := w.paused(bot); status != tournament.BotActive {
			t.Errorf("after two losses by faults, a match, two such losses and a stumble it is %s", status)
		}
		play(absent)
		if status, cause := w.paused(bot); status != tournament.BotPaused || cause != tournament.PausedByFaults {
			t.Errorf("after a third it is %s by %q, want paused by its faults", status, cause)
		}
		if list := w.Tick(l); len(list) > 0 {
			t.Error("it has a match")
		}
		w.Clock.Move(tournament.CheckActiveEvery)
		if trials := w.checks(nil); len(trials) != 1 {
			t.Errorf("checked are %v, want the other bot alone", trials)
		}
		directortest.Refused(t, "a check that was under way", directortest.Err(w.Check(bot, "")), tournament.ErrState)
		w.Did(w.Greeted(w.Ctx, director.Greeting{BotID: bot, VersionID: bots[0].VersionID, Began: w.Clock.Now()}))
		if _, cause := w.paused(bot); cause != tournament.PausedByFaults {
			t.Errorf("its owner's check, which it passed, leaves it paused by %q; resuming it is what ends the pause", cause)
		}
		if _, err := w.Greet(bot, "no answer to its owner's check"); err != nil {
			t.Error(err)
		}
		if _, cause := w.paused(bot); cause != tournament.PausedByFaults {
			t.Errorf("a failed check of its owner's makes it paused by %q: then two checks would resume it", cause)
		}
		w.Did(w.Greet(bot, ""))
		play(retired, retired)
		if status, _ := w.paused(bot); status != tournament.BotActive {
			t.Errorf("resumed, and after two losses, it is %s: the count begins again", status)
		}
	})
}

// A check that began before a bot failed says nothing about it, and what a version before did is not held against the next.
func TestWhatProvesABot(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		l, bots := w.StandingLadder(storetest.Toy, 2, 600)
		bot := bots[0].ID
		first := w.Tick(l)[0]
		w.Clock.Move(tournament.CheckActiveEvery)
		w.Did(w.DueChecks(w.Ctx, 10, 10, nil)) // a check of each is under way
		w.Clock.Move(time.Millisecond)
		w.ends(first, bot, retired)
		w.Did(w.Check(bot, ""))
		if list := w.Tick(l); len(list) > 0 {
			t.Error("a check from before the failure proves it")
		}
		if trials := w.checks(nil); !trials[bot] {
			t.Errorf("due are %v, want the bot, on trial", trials)
		}
		second := w.Tick(l)
		if len(second) != 1 {
			t.Fatalf("%d matches after it has passed, want one", len(second))
		}
		w.Did(w.Promote(w.Ctx, bot, w.Second(bots[0], storetest.Toy).ID))
		w.ends(second[0], bot, retired)
		if list := w.Tick(l); len(list) != 1 {
			t.Errorf("%d matches of the new version, want one: the old one has failed", len(list))
		}
	})
}

// A block that has begun is played to its end, whoever is away.
func TestABlockThatHasBegunWaitsForNobody(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		tour, list := w.Running(3, func(t *tournament.Tournament) { t.Duplicate = true })
		bot := list[0].Seats[0].BotID
		w.ends(list[0], bot, retired)
		w.checks(map[string]string{bot: "nothing listens"})
		if n := w.playAll(tour.ID)[bot]; n != 1 {
			t.Errorf("it played %d more matches, want the other one of its block", n)
		}
		w.Over(tour)
	})
}

// Who retires a bot after a tournament changes nothing about it; who retires one before its end has left it.
func TestABotRetiredAfterTheEndHasNotLeft(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		tour, list := w.Running(3, nil)
		before, after := list[0].Seats[0].BotID, list[0].Seats[1].BotID
		w.Did(w.RetireBot(w.Ctx, before, "done"))
		w.playAll(tour.ID)
		w.Did(w.RetireBot(w.Ctx, after, "done"))
		for _, l := range must.Get(w.Standings(w.Ctx, tour.ID))(w.T) {
			if (l.WithdrewAfter != nil) != (l.BotID == before) {
				t.Errorf("%s has withdrawn: %v", l.Bot, l.WithdrewAfter != nil)
			}
		}
		for _, e := range must.Get(w.Entries(w.Ctx, tour.ID))(w.T) {
			if (e.WithdrawnAt != nil) != (e.BotID == before) {
				t.Errorf("%s withdrew at %v", e.BotName, e.WithdrawnAt)
			}
		}
	})
}

// A round says why a bot is absent, by who keeps it away.
func TestARoundSaysWhyABotIsAbsent(t *testing.T) {
	for want, pause := range map[string]func(w *world, bot string) error{
		"its owner has paused it": func(w *world, bot string) error { _, err := w.PauseBot(w.Ctx, bot); return err },
		"its bot does not answer": func(w *world, bot string) error { _, err := w.Check(bot, "no answer"); return err },
		"its bot is banned":       func(w *world, bot string) error { _, err := w.BanBot(w.Ctx, bot, "spam"); return err },
		"its bot lost too many matches by its own faults": func(w *world, bot string) error {
			b := must.Get(w.Bot(w.Ctx, bot))(w.T)
			w.Must(w.SQL(w.Ctx).Exec("UPDATE bots SET failures = ? WHERE id = ?", tournament.FailuresInRow, b.ID).Error)
			_, err := w.Check(bot, "")
			return err
		},
	} {
		on(t, storetest.One, func(t *testing.T, w *world) {
			tour, matches := w.Running(4, func(t *tournament.Tournament) { t.Format, t.Options.Rounds = tournament.Swiss, 2 })
			w.Must(pause(w, matches[0].Seats[0].BotID))
			for _, m := range matches {
				w.ends(m, "", well)
			}
			c := must.First(w.Contest(w.Ctx, tour.ID))(w.T)
			rounds := c.Rounds
			last := rounds[len(rounds)-1]
			if len(rounds) != 2 || len(last.Absent) != 1 || last.Absent[0].Why != want {
				t.Errorf("round %d has absent %+v, want one: %s", len(rounds), last.Absent, want)
			}
		})
	}
}

// Only what the version that plays did begins the count again, and of a bot that is paused nothing does: its owner alone resumes it.
func TestAMatchMadeBeforeDoesNotBeginTheCountAgain(t *testing.T) {
	for name, row := range map[string]struct {
		promoted bool // a second version, when a match of the first is made
		early    int  // losses before that match ends well
		late     int  // losses after it
	}{
		"of a bot that is paused":   {false, tournament.FailuresInRow, 0},
		"of the version before":     {true, tournament.FailuresInRow - 1, 1},
		"of the version that plays": {false, 1, tournament.FailuresInRow},
	} {
		on(t, storetest.One, func(t *testing.T, w *world) {
			l, bots := w.StandingLadder(storetest.Toy, 2, 600)
			bot := bots[0].ID
			event := w.Plan(func(x *tournament.Tournament) { x.Format, x.Rated = tournament.SingleElimination, false })
			for _, b := range bots {
				w.Did(w.Join(w.Ctx, event.ID, b.ID, b.OwnerID))
			}
			before := w.open(must.Get(w.Start(w.Ctx, event.ID))(w.T))[0]
			if row.promoted {
				w.Did(w.Promote(w.Ctx, bot, w.Second(bots[0], storetest.Toy).ID))
			}
			lose := func(n int) {
				t.Helper()
				for range n {
					list := w.Tick(l)
					if len(list) != 1 {
						t.Fatalf("%s: %d matches, want one", name, len(list))
					}
					w.ends(list[0], bot, absent)
					w.checks(nil)
				}
			}
			lose(row.early)
			w.ends(before, bot, well)
			lose(row.late)
			for range 3 {
				w.Clock.Move(tournament.CheckActiveEvery)
				w.checks(nil)
			}
			if status, cause := w.paused(bot); status != tournament.BotPaused || cause != tournament.PausedByFaults {
				t.Errorf("%s: it is %s by %q, want paused by its faults", name, status, cause)
			}
		})
	}
}

// guestMatch makes a match of a person against a bot that takes challenges.
func (w *world) guestMatch(bot string) tournament.Match {
	w.T.Helper()
	_, guest, err := tournament.NewGuest(rand.Reader)
	w.Must(err)
	return must.Get(w.SeatGuest(w.Ctx, director.Seating{Guest: guest, Game: storetest.Toy, Bots: []string{bot}, Most: 5}))(w.T)
}

// Whoever asks for a match by challenge chooses its clock, and may be the opponent: what a bot does there keeps it from no match and does
// not pause it, and it does not begin the count of its losses again. A person's match does not count either, but the bot is greeted after it.
func TestAChallengeIsNoProofOfABot(t *testing.T) {
	for name, row := range map[string]struct {
		asked   func(w *world, bot, other tournament.Bot) tournament.Match
		greeted int // after it has failed there
	}{
		"a challenge by another":   {func(w *world, bot, other tournament.Bot) tournament.Match { return w.asked(other, other, bot) }, 0},
		"a challenge by its owner": {func(w *world, bot, other tournament.Bot) tournament.Match { return w.asked(bot, bot, other) }, 0},
		"a person's match":         {func(w *world, bot, _ tournament.Bot) tournament.Match { return w.guestMatch(bot.ID) }, 1},
	} {
		on(t, storetest.One, func(t *testing.T, w *world) {
			l, bots := w.StandingLadder(storetest.Toy, 2, 600)
			bot := bots[0]
			for _, b := range bots {
				w.Did(w.TakeChallenges(w.Ctx, b.ID, true))
			}
			for _, s := range []showing{stumble, absent, retired, absent, retired} {
				w.ends(row.asked(w, bot, bots[1]), bot.ID, s)
				if trials := w.checks(nil); len(trials) != row.greeted {
					t.Errorf("%s that it lost by faults: greeted are %v", name, trials)
				}
				if status, cause := w.paused(bot.ID); status != tournament.BotActive {
					t.Fatalf("%s that it lost by faults: it is %s by %q", name, status, cause)
				}
			}
			for range tournament.FailuresInRow {
				list := w.Tick(l)
				if len(list) != 1 {
					t.Fatalf("%s: it has %d matches on the ladder afterwards, want one", name, len(list))
				}
				w.ends(row.asked(w, bot, bots[1]), bot.ID, well)
				w.ends(list[0], bot.ID, absent)
				w.checks(nil)
			}
			if status, cause := w.paused(bot.ID); cause != tournament.PausedByFaults {
				t.Errorf("%s that went well, before each of %d losses by faults: it is %s by %q", name, tournament.FailuresInRow, status, cause)
			}
		})
	}
}

// asked makes a challenge that the owner of a bot asks for.
func (w *world) asked(by tournament.Bot, bots ...tournament.Bot) tournament.Match {
	w.T.Helper()
	var ids []string
	for _, b := range bots {
		ids = append(ids, b.ID)
	}
	return must.Get(w.Ask(tournament.User{ID: by.OwnerID}, ids...))(w.T)
}

// A dead bot that is in a match by challenge, or has just lost one, is greeted as a tournament starts, as others that do not play there.
func TestAChallengeSparesNobodyTheGreeting(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		w.Director = director.New(w.Store, director.Options{Engines: storetest.Engines, Rand: rand.Reader, Greets: true})
		x := w.Plan(nil)
		var bots []tournament.Bot
		for i := range 4 {
			u := w.NewUser(fmt.Sprint("user-", i))
			b := w.NewBot(u.Name, u)
			w.Did(w.TakeChallenges(w.Ctx, b.ID, true))
			w.Did(w.Join(w.Ctx, x.ID, b.ID, u.ID))
			bots = append(bots, b)
		}
		w.ends(w.asked(bots[0], bots[0], bots[1]), bots[0].ID, absent)
		w.Take(w.asked(bots[2], bots[2], bots[3]))
		w.Did(w.Start(w.Ctx, x.ID))
		if trials := w.checks(nil); len(trials) != len(bots) {
			t.Errorf("%d bots are greeted, want all %d", len(trials), len(bots))
		}
	})
}

// Where a bot has longer for a decision than one on trial lasts, as long as it is entered there.
func TestWhereABotMayThink(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		u := w.NewUser("ada")
		b := w.NewBot("ada-bot", u)
		event := func(limit time.Duration) tournament.Tournament {
			x := w.Plan(func(x *tournament.Tournament) { x.Clock.Limit, x.Rated = limit, false })
			w.Did(w.Join(w.Ctx, x.ID, b.ID, u.ID))
			return x
		}
		may := func(when string, want time.Duration) {
			t.Helper()
			if got, err := w.MayThink(w.Ctx, b.ID); err != nil || got != want {
				t.Errorf("%s: it may think for %s (%v), want %s", when, got, err, want)
			}
		}
		may("nowhere", 0)
		event(11 * time.Second)
		may("an event of 11 s", 11*time.Second)
		long := event(12 * time.Second)
		may("one of 12 s too", 12*time.Second)
		w.Did(w.Withdraw(w.Ctx, long.ID, b.ID, u.ID))
		may("withdrawn from that", 11*time.Second)
		w.Did(w.Cancel(w.Ctx, event(time.Minute).ID, "rain"))
		may("an event that is over", 11*time.Second)
		for class, want := range map[tournament.ClockClass]time.Duration{tournament.ClockStandard: 11 * time.Second, tournament.ClockSlow: tournament.ClockSlow.Clock().Limit} {
			l := must.Get(w.OpenLadder(w.Ctx, tournament.Ladder{ID: "ladder-" + string(class), Game: storetest.Toy, Config: []byte(`{}`), Table: 3, ClockClass: class}))(w.T)
			w.Did(w.JoinLadder(w.Ctx, l.ID, b.ID, u.ID, 1))
			may("on a ladder that is "+string(class), want)
			w.Must(w.LeaveLadder(w.Ctx, l.ID, b.ID, u.ID))
			may("off it", 11*time.Second)
		}
	})
}

// What lifts a ban brings a bot back to where it was: its owner's pause stands, and any other bot is checked and plays.
func TestABanKeepsItsOwnersPause(t *testing.T) {
	bans := map[string]func(w *world, b tournament.Bot){
		"account": func(w *world, b tournament.Bot) {
			w.Did(w.DisableUser(w.Ctx, b.OwnerID, "a mistake"))
			w.Did(w.EnableUser(w.Ctx, b.OwnerID))
		},
		"administrator": func(w *world, b tournament.Bot) {
			w.Did(w.BanBot(w.Ctx, b.ID, "a mistake"))
			w.Did(w.UnbanBot(w.Ctx, b.ID))
		},
	}
	for by, ban := range bans {
		for how, pause := range map[string]func(w *world, b tournament.Bot, l tournament.Ladder) error{
			"by its owner": func(w *world, b tournament.Bot, _ tournament.Ladder) error {
				_, err := w.PauseBot(w.Ctx, b.ID)
				return err
			},
			"by its checks": func(w *world, b tournament.Bot, _ tournament.Ladder) error {
				_, err := w.Check(b.ID, "no answer")
				return err
			},
			"by its faults": func(w *world, b tournament.Bot, l tournament.Ladder) error {
				for range tournament.FailuresInRow {
					w.ends(w.Tick(l)[0], b.ID, absent)
					w.checks(nil)
				}
				return nil
			},
		} {
			on(t, storetest.One, func(t *testing.T, w *world) {
				l, bots := w.StandingLadder(storetest.Toy, 2, 600)
				b := bots[0]
				w.Must(pause(w, b, l))
				ban(w, b)
				for range 3 {
					w.Clock.Move(tournament.CheckActiveEvery)
					w.checks(nil)
				}
				now := must.Get(w.Bot(w.Ctx, b.ID))(w.T)
				owners := how == "by its owner"
				if owners && (now.Pause != tournament.PausedByOwner || now.Reason != "paused by its owner") || !owners && now.Status != tournament.BotActive {
					t.Errorf("a ban by %s of a bot paused %s: lifted and checked it is %s by %q: %s", by, how, now.Status, now.Pause, now.Reason)
				}
				if owners {
					w.Did(w.Greet(b.ID, ""))
					ban(w, b)
					if _, cause := w.paused(b.ID); cause != tournament.PausedByChecks {
						t.Errorf("a second ban by %s, after its owner has resumed it, leaves it paused by %q", by, cause)
					}
				}
			})
		}
	}
}

// An owner hears of a bot that is paused or banned, or back by a promotion, and a promotion ends the count of failures of a bot that stays paused too.
func TestItsOwnerHearsHoweverABotIsPausedAndResumed(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		l, bots := w.StandingLadder(storetest.Toy, 2, 600)
		told := func(bot string, kind tournament.EventKind) int {
			return w.number("SELECT COUNT(*) FROM deliveries WHERE kind = '" + string(kind) + "' AND payload LIKE '%" + bot + "%'")
		}
		for _, b := range bots {
			w.Did(w.CreateWebhook(w.Ctx, tournament.Webhook{UserID: b.OwnerID, URL: "https://hook.example", Kinds: tournament.WebhookKinds()}, 1))
		}
		b := bots[0]
		w.ends(w.Tick(l)[0], b.ID, absent)
		w.checks(nil)
		w.Did(w.PauseBot(w.Ctx, b.ID))
		second := w.Second(b, storetest.Toy)
		w.Did(w.Promote(w.Ctx, b.ID, second.ID))
		if n := w.number("SELECT failures FROM bots WHERE id = '" + b.ID + "'"); n != 0 {
			t.Errorf("a version that was promoted under its owner's pause has %d failures of the one before", n)
		}
		if n := told(b.ID, tournament.EventBotResumed); n != 0 {
			t.Errorf("bot.resumed %d times, and it is paused by its owner", n)
		}
		w.Did(w.Greet(b.ID, "gone"))
		w.Did(w.Promote(w.Ctx, b.ID, b.VersionID))
		if n := told(b.ID, tournament.EventBotResumed); n != 1 {
			t.Errorf("bot.resumed %d times, want once by the promotion", n)
		}
		w.Did(w.DisableUser(w.Ctx, bots[1].OwnerID, "spam"))
		if n := told(bots[1].ID, tournament.EventBotPaused); n != 1 {
			t.Errorf("bot.paused %d times, want once as its owner's account is disabled", n)
		}
	})
}

// The last match of a round, unrated between bots of one owner, has a bot that fails, and the next round is rated: its ladder is locked before
// the bots are.
func TestABotThatFailsLastInARoundHoldsUpNoRatedOne(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x := w.Plan(func(t *tournament.Tournament) { t.Format, t.OwnerEntries = tournament.SingleElimination, 4 })
		ada, bob := w.NewUser("ada"), w.NewUser("bob")
		for _, u := range []tournament.User{ada, ada, ada, bob} {
			w.Did(w.Join(w.Ctx, x.ID, w.NewBot(fmt.Sprint("bot", w.number("SELECT COUNT(*) FROM bots")), u).ID, u.ID))
		}
		x = must.Get(w.Start(w.Ctx, x.ID))(w.T)
		var last tournament.Match
		for _, m := range w.open(x) {
			if !m.Rated {
				last = m
				continue
			}
			w.Must(w.Played(m, slices.IndexFunc(m.Seats, func(s tournament.MatchSeat) bool { return s.OwnerID == bob.ID })))
		}
		w.Did(w.PauseBot(w.Ctx, last.Seats[0].BotID)) // or it is greeted first
		w.ends(last, last.Seats[0].BotID, retired)
		if list := w.open(x); len(list) != 1 || list[0].Round != 2 || !list[0].Rated {
			t.Errorf("next comes %+v, want the rated final", list)
		}
	})
}
