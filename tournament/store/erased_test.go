package store_test

import (
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/mailbox"
)

// mark is in every text of the user's that is to go.
const mark = "planted"

// plant gives a user something in every table that an erasure empties, and returns a session of theirs.
func (w *world) plant(u tournament.User, b tournament.Bot) tournament.LoginSecret {
	w.T.Helper()
	must.First(w.AddToken(w.Ctx, rand.Reader, tournament.Token{UserID: u.ID, Note: mark + " token"}))(w.T)
	w.Did(w.AddVersion(w.Ctx, tournament.Version{
		BotID:   b.ID,
		URL:     "https://" + mark + ".example/",
		Secrets: tournament.Secrets{mark + " secret"},
		Author:  mark + " author",
		Note:    mark + " note",
		Games:   []string{storetest.Toy},
	}, 10))
	hook, err := w.CreateWebhook(w.Ctx, tournament.Webhook{UserID: u.ID, URL: "https://" + mark + ".example/hook", Secret: "whsec_" + strings.Repeat("QUJD", 8)}, 10)
	w.Must(err)
	w.Did(w.UploadCard(w.Ctx, tournament.Card{Hash: mark, OwnerID: u.ID, Card: "{}", Decisions: "AAAA"}, 10, 10))
	w.Did(w.Greet(b.ID, "dial "+mark))
	if list, _, err := w.Deliveries(w.Ctx, hook.ID, store.Page{}); err != nil || len(list) != 1 {
		w.T.Fatalf("got %v, %v; want one delivery", list, err)
	}
	w.Must(w.LogCheck(w.Ctx, tournament.Check{BotID: b.ID, VersionID: b.VersionID, Failure: "dial " + mark}))
	box := tournament.RelayAddress(u.ID, mark)
	w.Did(w.Fetch(w.Ctx, box, mailbox.Holder{Relay: "r", Room: 1}))
	w.Must(w.SQL(w.Ctx).Exec("INSERT INTO letters (id, box, head, body, ends_ms, relay, again_ms, status, encoding, answer) VALUES ('l', ?, '{}', '', 0, '', 0, 0, '', '')", box).Error)
	secret := must.Get(tournament.NewLoginSecret(rand.Reader))(w.T)
	w.Must(w.BeginLogin(w.Ctx, secret, tournament.Login{
		State:     tournament.LoginProved,
		Identity:  tournament.Identity{Issuer: "https://login.example", Subject: mark + " subject"},
		ExpiresAt: w.Clock.Now().Add(time.Hour),
	}))
	w.Must(w.Link(w.Ctx, secret, u.ID))
	w.Must(w.BeginSession(w.Ctx, secret, u.ID))
	return secret
}

func TestNothingOfAnErasedUserIsLeft(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		u, you := w.NewUser(mark), w.NewUser("you")
		session := w.plant(u, w.NewBot("fox", u))
		yours := w.NewBot("hen", you)
		planted := func() map[string]bool { // the tables with the mark
			in, table := map[string]bool{}, ""
			for _, l := range lines(t, backup(t, w.Store)) {
				if rest, is := strings.CutPrefix(l, `{"table":"`); is {
					table, _, _ = strings.Cut(rest, `"`)
				}
				if strings.Contains(l, mark) {
					in[table] = true
				}
			}
			return in
		}
		tables := planted()
		for _, table := range []string{"users", "tokens", "versions", "webhooks", "bot_checks", "relays", "letters", "identities", "cards"} {
			if !tables[table] {
				t.Errorf("nothing is planted in %s", table)
			}
		}
		w.Must(w.DeleteUser(w.Ctx, u.ID, mark))
		if left := planted(); len(left) > 0 {
			t.Errorf("left in %v", left)
		}
		if _, err := w.SessionOf(w.Ctx, session); err == nil {
			t.Error("the session goes on")
		}
		if v, err := w.Version(w.Ctx, yours.VersionID); err != nil || v.URL != "http://hen" || len(v.Secrets) != 1 {
			t.Errorf("another's version is %+v (%v)", v, err)
		}
		if v, err := w.Versions(w.Ctx, w.named("fox")); err != nil || len(v) != 2 || len(v[1].Secrets) != 0 {
			t.Errorf("the versions are %+v (%v), want both without secrets", v, err)
		}
	})
}

// A request that was admitted before its user was deleted makes nothing of theirs.
func TestNothingIsMadeForADeletedUser(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		u := w.NewUser("u")
		w.Must(w.DeleteUser(w.Ctx, u.ID, "u"))
		for what, do := range map[string]func() error{
			"a bot": func() error {
				_, _, err := w.CreateBot(w.Ctx, tournament.Bot{Name: "fox", OwnerID: u.ID}, tournament.Version{}, 10)
				return err
			},
			"a card": func() error {
				_, err := w.UploadCard(w.Ctx, tournament.Card{Hash: "a", OwnerID: u.ID, Card: "{}", Decisions: "AAAA"}, 10, 10)
				return err
			},
			"a webhook": func() error {
				_, err := w.CreateWebhook(w.Ctx, tournament.Webhook{UserID: u.ID, URL: "https://u.example"}, 10)
				return err
			},
			"a token": func() error {
				_, err := w.WithQuota(u.ID, store.Tokens, 10).CreateToken(w.Ctx, fresh(w, u.ID))
				return err
			},
		} {
			directortest.Refused(t, what, do(), tournament.ErrNotFound)
		}
	})
}

// named is the id of a bot.
func (w *world) named(name string) string {
	w.T.Helper()
	return must.Get(w.BotNamed(w.Ctx, name))(w.T)
}
