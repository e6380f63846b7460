package mine

import (
	"context"
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

// Pages is the page. Every field is needed.
type Pages struct {
	Store *store.Store
	Site  *pages.Site
	Now   func() time.Time
	Base  string // the platform's address, as the caller reads the page
	// Device tells that the platform knows logins on devices.
	Device bool
}

// Page returns the page of a user. in is the form for a new token as they filled it in, nil an empty one; out says what was done just
// before, or why no token was made.
func (p *Pages) Page(ctx context.Context, u tournament.User, in url.Values, out pages.Mine) ([]byte, error) {
	out.Page, out.User, out.Base, out.Device = pages.Page{Title: "My bots", Here: "/me"}, u, p.Base, p.Device
	bots, _, err := p.Store.Bots(ctx, store.BotFilter{OwnerID: u.ID, Living: true}, store.Page{Sort: store.Newest, Limit: store.MaxPage})
	if err != nil {
		return nil, err
	}
	out.Names = map[string]string{}
	for _, b := range bots {
		out.Names[b.ID] = b.Name
		made, err := p.bot(ctx, b)
		if err != nil {
			return nil, err
		}
		out.Bots = append(out.Bots, made)
	}
	out.Form = tokenForm(u, out.Bots, in)
	if out.Tokens, err = p.tokens(ctx, u); err != nil {
		return nil, err
	}
	for _, t := range out.Tokens { // that of a bot may be older than the bot's retirement
		if t.BotID == "" || out.Names[t.BotID] != "" {
			continue
		}
		b, err := p.Store.Bot(ctx, t.BotID)
		if err != nil {
			return nil, err
		}
		out.Names[b.ID] = b.Name
	}
	if out.Logins, err = p.Store.Identities(ctx, u.ID); err != nil {
		return nil, err
	}
	if out.Sessions, err = p.Store.Sessions(ctx, u.ID); err != nil {
		return nil, err
	}
	if out.Hooks, err = p.hooks(ctx, u); err != nil {
		return nil, err
	}
	return p.Site.Page("mine", out)
}

// bot returns all about a bot that its owner may know.
func (p *Pages) bot(ctx context.Context, b tournament.Bot) (pages.MyBot, error) {
	out := pages.MyBot{Bot: b}
	versions, err := p.Store.Versions(ctx, b.ID)
	if err != nil {
		return out, err
	}
	for i, v := range versions {
		if i < shownVersions || v.ID == b.VersionID {
			out.Versions = append(out.Versions, v)
		}
	}
	if out.Checks, _, err = p.Store.Checks(ctx, b.ID, store.Page{Sort: store.Newest, Limit: shownChecks}); err != nil {
		return out, err
	}
	career, err := p.Store.Career(ctx, b.ID)
	if err != nil {
		return out, err
	}
	for _, x := range career.Places {
		out.Ratings = append(out.Ratings, pages.MyRating{Ladder: x.LadderID, Milli: x.Milli})
	}
	out.Lost, err = p.lost(ctx, b, career)
	return out, err
}

// lost returns the last matches that a bot lost, with its seat and its opponents there.
func (p *Pages) lost(ctx context.Context, b tournament.Bot, career store.Career) ([]pages.MyLoss, error) {
	var out []pages.MyLoss
	var ids []string
	for _, m := range career.Matches {
		scores := rating.Points(*m.Result, m.Retired)
		for i, seat := range m.Seats {
			if seat.BotID != b.ID || len(out) == shownLost || tournament.VerdictOf(scores[i], m.Rank[i]) != tournament.Loss {
				continue
			}
			loss := pages.MyLoss{Match: m.ID, Game: m.Game, EndedAt: m.EndedAt, Seat: i, Faults: seat.Faults}
			for k, other := range m.Seats {
				if k != i {
					loss.Against = append(loss.Against, other.BotName)
				}
			}
			out = append(out, loss)
			ids = append(ids, m.ID)
		}
	}
	reviews, err := p.Store.Reviews(ctx, ids)
	for i := range out {
		if r := reviews[out[i].Match]; err == nil && r.State == tournament.ReviewDone {
			out[i].Reviewed = true
			out[i].Costly, err = pages.CostliestOf(r, out[i].Seat)
		}
	}
	return out, err
}

// hooks returns the webhooks of a user, with their last deliveries.
func (p *Pages) hooks(ctx context.Context, u tournament.User) ([]pages.MyHook, error) {
	list, _, err := p.Store.Webhooks(ctx, u.ID, store.Page{Sort: store.Newest, Limit: store.MaxPage})
	if err != nil {
		return nil, err
	}
	var out []pages.MyHook
	for _, w := range list {
		sent, _, err := p.Store.Deliveries(ctx, w.ID, store.Page{Sort: store.Newest, Limit: shownDeliveries})
		if err != nil {
			return nil, err
		}
		out = append(out, pages.MyHook{Webhook: w, Sent: sent})
	}
	return out, nil
}
