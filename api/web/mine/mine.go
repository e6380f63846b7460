package mine

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/store"
)

// How much of each list the page shows, the newest first.
const (
	shownChecks     = 5
	shownLost       = 5
	shownDeliveries = 5
	shownVersions   = 10
)

// Config is what the page is made of. Every field is needed.
type Config struct {
	Store *store.Store
	Site  *pages.Site
	Now   func() time.Time
	Base  string // the platform's public address
}

// Pages is the page.
type Pages struct{ Config }

// New makes the page.
func New(cfg Config) *Pages { return &Pages{cfg} }

// On returns the page with the store of one request.
func (p *Pages) On(db *store.Store) *Pages {
	bound := *p
	bound.Store = db
	return &bound
}

// Page returns the page of a user.
func (p *Pages) Page(ctx context.Context, u tournament.User) ([]byte, error) {
	return p.page(ctx, u, nil, "")
}

// Again returns the page of a user whose form for a new token, as they filled it in, was refused: problem says why.
func (p *Pages) Again(ctx context.Context, u tournament.User, in url.Values, problem string) ([]byte, error) {
	return p.page(ctx, u, in, problem)
}

func (p *Pages) page(ctx context.Context, u tournament.User, in url.Values, problem string) ([]byte, error) {
	out := pages.Mine{
		Page:    pages.Page{Title: "My bots", Here: "/me"},
		User:    u.Name,
		Base:    p.Base,
		Problem: problem,
	}
	bots, _, err := p.Store.Bots(ctx, store.BotFilter{OwnerID: u.ID}, store.Page{Sort: store.Newest, Limit: store.MaxPage})
	if err != nil {
		return nil, err
	}
	called := map[string]string{}
	for _, b := range bots {
		called[b.ID] = b.Name
		if b.Status == tournament.BotRetired {
			continue
		}
		made, err := p.bot(ctx, b)
		if err != nil {
			return nil, err
		}
		out.Bots = append(out.Bots, made)
	}
	out.Form = tokenForm(u, out.Bots, in)
	if out.Tokens, err = p.tokens(ctx, u, called); err != nil {
		return nil, err
	}
	if out.Logins, out.Sessions, err = p.ways(ctx, u); err != nil {
		return nil, err
	}
	if out.Hooks, err = p.hooks(ctx, u); err != nil {
		return nil, err
	}
	return p.Site.Mine(out)
}

// bot returns all about a bot that its owner may know.
func (p *Pages) bot(ctx context.Context, b tournament.Bot) (pages.MyBot, error) {
	out := pages.MyBot{
		ID:     b.ID,
		Name:   b.Name,
		Status: string(b.Status),
		Why:    b.Reason,
		Banned: b.BannedAt != nil,
	}
	versions, err := p.Store.Versions(ctx, b.ID)
	if err != nil {
		return out, err
	}
	for i, v := range versions {
		plays := v.ID == b.VersionID
		if i < shownVersions || plays {
			out.Versions = append(out.Versions, pages.MyVersion{
				Number: v.Number,
				Build:  v.Build,
				Note:   v.Note,
				URL:    v.URL,
				Made:   day(v.CreatedAt),
				Plays:  plays,
			})
		}
	}
	checks, _, err := p.Store.Checks(ctx, b.ID, store.Page{Sort: store.Newest, Limit: shownChecks})
	if err != nil {
		return out, err
	}
	for _, k := range checks {
		out.Checks = append(out.Checks, pages.MyCheck{
			At:    day(k.At),
			OK:    k.Failure == "",
			Said:  k.Failure,
			Build: k.Build,
			Took:  fmt.Sprintf("%d ms", k.Took.Milliseconds()),
		})
	}
	out.Lost, err = p.lost(ctx, b)
	return out, err
}

// lost returns the last matches that a bot lost, with its seat there.
func (p *Pages) lost(ctx context.Context, b tournament.Bot) ([]pages.MyLoss, error) {
	career, err := p.Store.Career(ctx, b.ID)
	if err != nil {
		return nil, err
	}
	var out []pages.MyLoss
	for _, m := range career.Matches {
		scores := rating.Points(*m.Result, m.Retired)
		for i, seat := range m.Seats {
			if seat.BotID != b.ID || len(out) == shownLost || tournament.VerdictOf(scores[i], m.Rank[i]) != tournament.Loss {
				continue
			}
			loss := pages.MyLoss{Match: m.ID, Game: m.Game, Seat: i, Faults: seat.Faults}
			if m.EndedAt != nil {
				loss.When = day(*m.EndedAt)
			}
			out = append(out, loss)
		}
	}
	return out, nil
}

// ways returns the logins that can enter a user's account, and the browsers that are logged in.
func (p *Pages) ways(ctx context.Context, u tournament.User) (logins, sessions []pages.MyWay, err error) {
	identities, err := p.Store.Identities(ctx, u.ID)
	if err != nil {
		return nil, nil, err
	}
	for _, i := range identities {
		logins = append(logins, pages.MyWay{ID: i.ID(), Name: i.Subject + " at " + i.Issuer, Since: day(i.LinkedAt)})
	}
	list, err := p.Store.Sessions(ctx, u.ID)
	for _, s := range list {
		sessions = append(sessions, pages.MyWay{ID: s.ID, Since: day(s.BeganAt), Ends: day(s.ExpiresAt)})
	}
	return logins, sessions, err
}

// hooks returns the webhooks of a user, with their last deliveries.
func (p *Pages) hooks(ctx context.Context, u tournament.User) ([]pages.MyHook, error) {
	list, _, err := p.Store.Webhooks(ctx, u.ID, store.Page{Sort: store.Newest, Limit: store.MaxPage})
	if err != nil {
		return nil, err
	}
	var out []pages.MyHook
	for _, w := range list {
		hook := pages.MyHook{
			ID:      w.ID,
			URL:     w.URL,
			Enabled: w.Enabled,
			Why:     w.Reason,
		}
		sent, _, err := p.Store.Deliveries(ctx, w.ID, store.Page{Sort: store.Newest, Limit: shownDeliveries})
		if err != nil {
			return nil, err
		}
		for _, d := range sent {
			hook.Sent = append(hook.Sent, pages.MyDelivery{
				ID:       d.ID,
				Kind:     string(d.Kind),
				State:    string(d.Status),
				Attempts: d.Attempts,
				Said:     said(d),
				When:     dayOr(d.AttemptedAt, "not yet"),
				Failed:   d.Status == tournament.DeliveryFailed,
			})
		}
		out = append(out, hook)
	}
	return out, nil
}

// said describes a receiver's last answer.
func said(d tournament.Delivery) string {
	switch {
	case d.Reason != "":
		return d.Reason
	case d.HTTPStatus != 0:
		return fmt.Sprintf("status %d", d.HTTPStatus)
	}
	return ""
}

// day formats a time for people.
func day(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

func dayOr(t *time.Time, without string) string {
	if t == nil {
		return without
	}
	return day(*t)
}
