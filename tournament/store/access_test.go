package store_test

import (
	"crypto/rand"
	"slices"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// ways are all that lets somebody act for a user, or tells them what happens, one of each kind at least.
type ways struct {
	user       tournament.User
	tokens     []tournament.Token
	sessions   []tournament.LoginSecret
	identities []tournament.Identity
	code       tournament.Token
	hook       tournament.Webhook
}

// into makes the ways into the account of a new user.
func (w *world) into(name string, role tournament.Role) ways {
	w.T.Helper()
	u, first, err := w.CreateUser(w.Ctx, tournament.User{Name: name, Role: role}, tournament.Token{Scopes: tournament.AllScopes()})
	w.Must(err)
	out := ways{user: u, tokens: []tournament.Token{first}}
	second := must.First(w.WithToken(first).AddToken(w.Ctx, rand.Reader, tournament.Token{UserID: u.ID}))(w.T)
	out.tokens = append(out.tokens, second)
	for _, at := range []string{"https://a.example", "https://b.example"} {
		secret, who := tournament.LoginSecret(name+at), tournament.Identity{Issuer: at, Subject: name}
		w.Must(w.BeginLogin(w.Ctx, secret, tournament.Login{State: tournament.LoginProved, Identity: who, ExpiresAt: w.Clock.Now().Add(time.Hour)}))
		w.Must(w.WithToken(first).Link(w.Ctx, secret, u.ID))
		w.Must(w.WithIdentity(who, u.ID).BeginSession(w.Ctx, secret, u.ID))
		out.identities, out.sessions = append(out.identities, who), append(out.sessions, secret)
	}
	out.code = w.codeFor(u)
	out.hook, err = w.CreateWebhook(w.Ctx, tournament.Webhook{UserID: u.ID, URL: "http://hook", Secret: "whsec_1"}, 9)
	w.Must(err)
	return out
}

// codeFor is a recovery code for a user.
func (w *world) codeFor(u tournament.User) tournament.Token {
	w.T.Helper()
	_, id, hash, err := tournament.NewToken(rand.Reader)
	w.Must(err)
	code := tournament.Token{ID: id, UserID: u.ID, Kind: tournament.TokenRecovery, Hash: hash, ExpiresAt: new(w.Clock.Now().Add(time.Hour))}
	w.Must(w.AddRecovery(w.Ctx, code))
	return code
}

// open are the kinds of ways that are open.
func (w *world) open(x ways) []string {
	w.T.Helper()
	var open []string
	for _, t := range append(x.tokens, x.code) {
		got := must.First(w.TokenByID(w.Ctx, t.ID))(w.T)
		if got.RevokedAt == nil {
			open = append(open, "token "+string(got.Kind))
		}
	}
	for _, secret := range x.sessions {
		if _, err := w.SessionOf(w.Ctx, secret); err == nil {
			open = append(open, "session")
		}
	}
	for _, who := range x.identities {
		if _, err := w.Identified(w.Ctx, who); err == nil {
			open = append(open, "identity")
		}
	}
	if hook, err := w.Webhook(w.Ctx, x.hook.ID); err != nil || hook.Enabled {
		open = append(open, "webhook")
	}
	return slices.Compact(open)
}

// fresh is a token that replaces others.
func fresh(w *world, userID string) tournament.Token {
	_, id, hash, err := tournament.NewToken(rand.Reader)
	w.Must(err)
	return tournament.Token{ID: id, Hash: hash, UserID: userID, Scopes: tournament.AllScopes()}
}

func TestARemedyEndsEveryWayIntoAnAccount(t *testing.T) {
	all := []string{"token ", "token recovery", "session", "identity", "webhook"}
	for name, remedy := range map[string]struct {
		do   func(w *world, x ways) error
		left []string // of the ways
	}{
		"recovery": {do: func(w *world, x ways) error {
			_, _, err := w.Recover(w.Ctx, x.user.Name, x.code.ID, x.code.Hash, fresh(w, ""))
			return err
		}},
		"rotation": {do: func(w *world, x ways) error {
			_, _, err := w.Rotate(w.Ctx, rand.Reader, fresh(w, x.user.ID))
			return err
		}},
		"disabling": {left: all, do: func(w *world, x ways) error {
			_, err := directortest.New(w.Store).DisableUser(w.Ctx, x.user.ID, "spam")
			return err
		}},
		"ending a login": {left: all, do: func(w *world, x ways) error {
			return w.EndIdentity(w.Ctx, x.user.ID, x.identities[0].ID())
		}},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, open storetest.Open) {
				w := newWorld(t, open)
				x, other := w.into("ada", tournament.RoleOrganiser), w.into("bob", tournament.RoleOwner)
				if got := w.open(x); !slices.Equal(got, all) {
					t.Fatalf("before: %v are open, want %v", got, all)
				}
				w.Must(remedy.do(w, x))
				if name == "ending a login" {
					if _, err := w.Identified(w.Ctx, x.identities[0]); err == nil {
						t.Error("the login still enters the account")
					}
					x.identities, x.sessions, remedy.left = x.identities[1:], x.sessions[:1], []string{"token ", "token recovery", "identity", "webhook"}
				}
				if got := w.open(x); !slices.Equal(got, remedy.left) {
					t.Errorf("afterwards %v are open, want %v", got, remedy.left)
				}
				if got := w.open(other); !slices.Equal(got, all) {
					t.Errorf("of somebody else %v are open, want %v", got, all)
				}
			})
		})
	}
}

// Who loses the role, or whose account is shut or recovered, lets nobody into other accounts by what they made before.
func TestCodesAndLinksEndWithWhoMayHaveMadeThem(t *testing.T) {
	for name, end := range map[string]func(w *world, admin tournament.User) error{
		"rotation": func(w *world, admin tournament.User) error {
			_, _, err := w.Rotate(w.Ctx, rand.Reader, fresh(w, admin.ID))
			return err
		},
		"another role": func(w *world, admin tournament.User) error { return w.SaveRole(w.Ctx, admin.ID, tournament.RoleOwner) },
		"disabling": func(w *world, admin tournament.User) error {
			_, err := directortest.New(w.Store).DisableUser(w.Ctx, admin.ID, "leak")
			return err
		},
		"deletion": func(w *world, u tournament.User) error {
			if u.Role == tournament.RoleAdmin { // gives up the role first
				return w.SaveRole(w.Ctx, u.ID, tournament.RoleOrganiser)
			}
			return directortest.New(w.Store).DeleteUser(w.Ctx, u.ID, u.Name)
		},
	} {
		t.Run(name, func(t *testing.T) {
			on(t, storetest.Each, func(t *testing.T, w *world) {
				admin := must.First(w.CreateUser(w.Ctx, tournament.User{Name: "root", Role: tournament.RoleAdmin}, tournament.Token{}))(w.T)
				teacher, _, err := w.CreateUser(w.Ctx, tournament.User{Name: "teacher", Role: tournament.RoleOrganiser}, tournament.Token{})
				w.Must(err)
				ada, pupil := w.NewUser("ada"), w.inClassOf(teacher, "pupil")
				code := w.codeFor(ada)
				opens := func(want ...string) {
					t.Helper()
					var got []string
					for _, link := range []tournament.LoginSecret{"ada", "pupil"} {
						if _, err := w.LinkOf(w.Ctx, link); err == nil {
							got = append(got, string(link))
						}
					}
					if !slices.Equal(got, want) {
						t.Errorf("the links of %v log in, want those of %v", got, want)
					}
				}
				links := func() {
					for _, u := range []tournament.User{ada, pupil} {
						w.Must(w.AddLoginLink(w.Ctx, tournament.LoginSecret(u.Name), u.ID, w.Clock.Now().Add(time.Hour)))
					}
				}
				links()
				w.Must(end(w, teacher))
				opens("ada")
				w.Must(end(w, admin))
				opens()
				_, _, err = w.Recover(w.Ctx, "ada", code.ID, code.Hash, fresh(w, ""))
				directortest.Refused(t, "the code", err, tournament.ErrNotFound)
				links()
				w.Must(w.SaveRole(w.Ctx, pupil.ID, tournament.RoleAdmin))
				opens("ada") // whoever logs an owner of bots in logs in no administrator
			})
		})
	}
}

// inClassOf returns a user who came by a class link of an organiser.
func (w *world) inClassOf(teacher tournament.User, name string) tournament.User {
	w.T.Helper()
	link := tournament.LoginSecret("class of " + teacher.Name)
	w.Did(w.CreateClassLink(w.Ctx, tournament.ClassLink{OrganiserID: teacher.ID, Hash: link.Hash(), Most: 1, ExpiresAt: w.Clock.Now().Add(time.Hour), Events: []string{"0192d4c1-7c1e-7000-8000-000000000000"}}))
	return must.Get(w.JoinClass(w.Ctx, link, tournament.User{Name: name, Role: tournament.RoleOwner}, nil, ""))(w.T)
}

// What a request makes with a token or an identity that ends meanwhile is not made.
func TestNothingIsMadeWithWhatHasEnded(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x := w.into("ada", tournament.RoleOwner)
		secret := tournament.LoginSecret("late")
		w.Must(w.BeginLogin(w.Ctx, secret, tournament.Login{
			State: tournament.LoginProved, Identity: tournament.Identity{Issuer: "https://c.example", Subject: "eve"}, ExpiresAt: w.Clock.Now().Add(time.Hour),
		}))
		token, identity := w.WithToken(x.tokens[0]), w.WithIdentity(x.identities[0], x.user.ID) // requests that were admitted
		must.First(w.Rotate(w.Ctx, rand.Reader, fresh(w, x.user.ID)))(w.T)
		for name, do := range map[string]func() error{
			"a token with a token": func() error {
				_, _, err := token.AddToken(w.Ctx, rand.Reader, tournament.Token{UserID: x.user.ID})
				return err
			},
			"a login with a token":    func() error { return token.Link(w.Ctx, secret, x.user.ID) },
			"a rotation with a token": func() error { _, _, err := token.Rotate(w.Ctx, rand.Reader, fresh(w, x.user.ID)); return err },
			"a session with a login":  func() error { return identity.BeginSession(w.Ctx, "browser", x.user.ID) },
			"a token with a login":    func() error { _, err := identity.CreateToken(w.Ctx, fresh(w, x.user.ID)); return err },
		} {
			directortest.Refused(t, name, do(), tournament.ErrNotFound)
		}
		if sessions, err := w.Sessions(w.Ctx, x.user.ID); err != nil || len(sessions) > 0 {
			t.Errorf("sessions are %v (%v), want none", sessions, err)
		}
	})
}

// Whoever ends a way into an account hears of it only once what is being made by that way is made.
func TestAnEndWaitsForWhatIsBeingMade(t *testing.T) {
	for name, end := range map[string]func(w *world, x ways) error{
		"a revocation": func(w *world, x ways) error { return w.RevokeToken(w.Ctx, x.user.ID, x.tokens[0].ID) },
		"a rotation": func(w *world, x ways) error {
			_, _, err := w.Rotate(w.Ctx, rand.Reader, fresh(w, x.user.ID))
			return err
		},
		"disabling":        func(w *world, x ways) error { _, err := w.DisableUser(w.Ctx, x.user.ID, "spam"); return err },
		"the end of login": func(w *world, x ways) error { return w.EndIdentity(w.Ctx, x.user.ID, x.identities[0].ID()) },
	} {
		on(t, storetest.Postgres, func(t *testing.T, w *world) {
			x := w.into("ada", tournament.RoleOwner)
			ended := make(chan error, 1)
			w.Must(w.WithToken(x.tokens[0]).InTx(w.Ctx, func(*store.Tx) error {
				go func() { ended <- end(w, x) }()
				select {
				case err := <-ended:
					t.Errorf("%s has come back (%v) before what is made with a token is there", name, err)
					ended <- err
				case <-time.After(100 * time.Millisecond):
				}
				return nil
			}))
			w.Must(<-ended)
		})
	}
}

func TestLoginsAndSessionsAreBounded(t *testing.T) {
	on(t, storetest.SQLite, func(t *testing.T, w *world) {
		u := w.NewUser("ada")
		for i := range 60 {
			w.Clock.Move(time.Second)
			w.Must(w.BeginSession(w.Ctx, tournament.LoginSecret(rune('a'+i)), u.ID))
		}
		sessions := must.Get(w.Sessions(w.Ctx, u.ID))(w.T)
		if len(sessions) != 50 || !sessions[0].BeganAt.Equal(w.Clock.Now().Truncate(time.Microsecond)) {
			t.Errorf("%d sessions, the newest of %v; want 50 and now", len(sessions), sessions[0].BeganAt)
		}
		link := func(i int) error {
			secret := tournament.LoginSecret(rune('A' + i))
			w.Must(w.BeginLogin(w.Ctx, secret, tournament.Login{
				State: tournament.LoginProved, Identity: tournament.Identity{Issuer: "https://a.example", Subject: string(secret)}, ExpiresAt: w.Clock.Now().Add(time.Hour),
			}))
			return w.Link(w.Ctx, secret, u.ID)
		}
		for i := range 20 {
			w.Must(link(i))
		}
		directortest.Refused(t, "one login too many", link(20), tournament.ErrLimit)
	})
}

func TestALinkedLoginTellsTheOwner(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		x := w.into("ada", tournament.RoleOwner)
		secret := tournament.LoginSecret("thief")
		w.Must(w.BeginLogin(w.Ctx, secret, tournament.Login{
			State: tournament.LoginProved, Identity: tournament.Identity{Issuer: "https://evil.example", Subject: "eve"}, ExpiresAt: w.Clock.Now().Add(time.Hour),
		}))
		w.Must(w.Link(w.Ctx, secret, x.user.ID))
		sent := must.First(w.Deliveries(w.Ctx, x.hook.ID, store.Page{Sort: store.Newest}))(w.T)
		if len(sent) != 1 || sent[0].Kind != tournament.EventAccountLinked {
			t.Fatalf("got the deliveries %+v, want one of %s", sent, tournament.EventAccountLinked)
		}
		feed := must.Get(w.Feed(w.Ctx, "", 0, 10))(w.T)
		if len(feed) > 0 {
			t.Errorf("strangers hear %+v", feed)
		}
	})
}
