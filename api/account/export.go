package account

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
	"github.com/molerun/molerun/tournament/series"
	"github.com/molerun/molerun/tournament/store"
)

// readerTime is how long the reader of an export may take for a page of it.
const readerTime = 30 * time.Second

// Export answers GET /v1/me/export.
func (a *Accounts) Export(c *gin.Context) error {
	done, err := a.Gate.HoldStream(c)
	if err != nil {
		return err
	}
	defer done()
	gate.SkipLatencyMetric(c)
	c.Header("Content-Type", "application/x-ndjson")
	c.Header("Content-Disposition", `attachment; filename="molerun-export.jsonl"`)
	c.Status(http.StatusOK)
	ended, leave := a.Lease(gate.TokenID(c))
	defer leave()
	x := &export{Accounts: a, ctx: gate.BaseContext(c), ended: ended, out: json.NewEncoder(c.Writer), control: http.NewResponseController(c.Writer)}
	u := gate.Who(c).User
	switch err := x.all(u); {
	case errors.Is(err, errEnded):
		panic(http.ErrAbortHandler) // a reader must not take it for the end
	case err != nil:
		return fmt.Errorf("export of %s after %d lines: %w", u.ID, x.lines, err)
	}
	return nil
}

// export writes the lines of one user, until something fails.
type export struct {
	*Accounts
	ctx     context.Context // of the request, without the handler's time limit
	ended   <-chan struct{} // closed when no more may be sent
	out     *json.Encoder
	control *http.ResponseController
	lines   int
	err     error // what failed
}

var errEnded = errors.New("the process stops, or the token has ended")

func (x *export) line(l wire.ExportLine) {
	if x.err != nil {
		return
	}
	select {
	case <-x.ended:
		x.err = errEnded
	default:
		x.lines++
		x.err = x.out.Encode(l)
	}
}

// pages writes all pages of a list, the oldest first.
func pages[T any](x *export, list func(store.Page) ([]T, string, error), line func(T) wire.ExportLine) {
	p := store.Page{Limit: store.MaxPage, Sort: store.Oldest}
	for x.err == nil {
		_ = x.control.SetWriteDeadline(x.Now().Add(readerTime)) // where the connection has none, nothing is to be extended
		var rows []T
		rows, p.After, x.err = list(p)
		for _, row := range rows {
			x.line(line(row))
		}
		if p.After == "" {
			return
		}
	}
}

// whole writes a list that is read as a whole, of what belongs to something.
func whole[Of, T any](x *export, list func(context.Context, Of) ([]T, error), of Of, line func(T) wire.ExportLine) {
	pages(x, func(store.Page) ([]T, string, error) {
		rows, err := list(x.ctx, of)
		return rows, "", err
	}, line)
}

func (x *export) all(u tournament.User) error {
	profile := wire.User{ID: u.ID, Name: u.Name, Role: string(u.Role), CreatedAt: u.CreatedAt}
	x.line(wire.ExportLine{User: &profile})
	whole(x, x.Store.Tokens, u.ID, func(t tournament.Token) wire.ExportLine { return wire.ExportLine{Token: new(tokenDTO(t, u.Role))} })
	whole(x, x.Store.Identities, u.ID, func(i tournament.LinkedIdentity) wire.ExportLine { return wire.ExportLine{Login: new(loginDTO(i))} })
	whole(x, x.Store.Sessions, u.ID, func(s tournament.Session) wire.ExportLine { return wire.ExportLine{Session: new(wire.Session(s))} })
	pages(x, func(p store.Page) ([]tournament.Webhook, string, error) { return x.Store.Webhooks(x.ctx, u.ID, p) }, webhookLine)
	var bots []tournament.Bot
	pages(x, func(p store.Page) ([]tournament.Bot, string, error) {
		list, next, err := x.Store.Bots(x.ctx, store.BotFilter{OwnerID: u.ID}, p)
		bots = append(bots, list...)
		return list, next, err
	}, botLine)
	for _, b := range bots {
		x.bot(b)
	}
	whole(x, x.Store.CardsOf, u.ID, func(c tournament.Card) wire.ExportLine {
		return wire.ExportLine{Card: &wire.UploadedCard{Hash: c.Hash, State: string(c.State), Reason: c.Reason, UploadedAt: c.UploadedAt, EndedAt: c.EndedAt, Card: json.RawMessage(c.Card)}}
	})
	x.organised(u.ID)
	pages(x, func(p store.Page) ([]tournament.AuditLine, string, error) {
		return x.Store.AuditLines(x.ctx, tournament.AuditFilter{UserID: u.ID}, p)
	}, func(l tournament.AuditLine) wire.ExportLine { return wire.ExportLine{Audit: new(wire.AuditLine(l))} })
	x.line(wire.ExportLine{End: &wire.ExportEnd{Lines: x.lines}})
	return x.err
}

// organised writes what a user organises, and the links by which classes came.
func (x *export) organised(id string) {
	pages(x, func(p store.Page) ([]tournament.Tournament, string, error) {
		return x.Store.Tournaments(x.ctx, store.TournamentFilter{OrganiserID: id, ViewerID: id}, p)
	}, func(t tournament.Tournament) wire.ExportLine {
		return wire.ExportLine{Event: &wire.ExportEvent{Kind: "tournament", ID: t.ID, Name: t.Name, CreatedAt: t.CreatedAt}}
	})
	pages(x, func(p store.Page) ([]schedule.Schedule, string, error) {
		return x.Store.Schedules(x.ctx, store.ScheduleFilter{OrganiserID: id, ViewerID: id}, p)
	}, func(s schedule.Schedule) wire.ExportLine {
		return wire.ExportLine{Event: &wire.ExportEvent{Kind: "schedule", ID: s.ID, Name: s.Template.Name, CreatedAt: s.CreatedAt}}
	})
	pages(x, func(p store.Page) ([]series.Series, string, error) {
		return x.Store.AllSeries(x.ctx, store.SeriesFilter{OrganiserID: id}, p)
	}, func(s series.Series) wire.ExportLine {
		return wire.ExportLine{Event: &wire.ExportEvent{Kind: "series", ID: s.ID, Name: s.Name, CreatedAt: s.CreatedAt}}
	})
	pages(x, func(p store.Page) ([]tournament.ClassLink, string, error) { return x.Store.ClassLinks(x.ctx, id, p) }, func(l tournament.ClassLink) wire.ExportLine {
		return wire.ExportLine{Class: &wire.ClassLink{
			ID: l.ID, Note: l.Note, Accounts: l.Most, Made: l.Made, CreatedAt: l.CreatedAt, ExpiresAt: l.ExpiresAt, EndedAt: l.EndedAt,
		}}
	})
}

// bot writes what belongs to a bot. Of its matches, the store leaves out those whose seats are not open yet.
func (x *export) bot(b tournament.Bot) {
	whole(x, x.Store.Versions, b.ID, versionLine)
	whole(x, x.Store.EntriesOf, b, entryLine)
	pages(x, func(p store.Page) ([]tournament.Check, string, error) { return x.Store.Checks(x.ctx, b.ID, p) }, func(k tournament.Check) wire.ExportLine {
		return wire.ExportLine{Check: &wire.ExportCheck{BotID: k.BotID, HealthCheck: wire.HealthCheck{
			At: k.At, VersionID: k.VersionID, OK: k.Failure == "", Reason: k.Failure, Build: k.Build, TookMS: k.Took.Milliseconds(),
		}}}
	})
	pages(x, func(p store.Page) ([]tournament.RatingChange, string, error) {
		return x.Store.RatingEvents(x.ctx, store.RatingEventFilter{BotID: b.ID}, p)
	}, ratingLine)
	pages(x, func(p store.Page) ([]tournament.Match, string, error) {
		return x.Store.Matches(x.ctx, store.MatchFilter{BotID: b.ID, Unlisted: true}, p)
	}, func(m tournament.Match) wire.ExportLine {
		return wire.ExportLine{Match: &wire.ExportMatch{
			ID:        m.ID,
			BotID:     b.ID,
			Game:      m.Game,
			Status:    string(m.Status),
			CreatedAt: m.CreatedAt,
			EndedAt:   m.EndedAt,
		}}
	})
}

func webhookLine(w tournament.Webhook) wire.ExportLine {
	return wire.ExportLine{Webhook: &wire.ExportWebhook{ID: w.ID, URL: w.URL, Enabled: w.Enabled, CreatedAt: w.CreatedAt}}
}

func botLine(b tournament.Bot) wire.ExportLine {
	return wire.ExportLine{Bot: &wire.ExportBot{ID: b.ID, Name: b.Name, Status: string(b.Status), CreatedAt: b.CreatedAt}}
}

func versionLine(v tournament.Version) wire.ExportLine {
	return wire.ExportLine{Version: &wire.ExportVersion{
		ID:        v.ID,
		BotID:     v.BotID,
		Number:    v.Number,
		URL:       v.URL,
		Author:    v.Author,
		Build:     v.Build,
		Note:      v.Note,
		Games:     v.Games,
		CreatedAt: v.CreatedAt,
	}}
}

func entryLine(e tournament.Entry) wire.ExportLine {
	return wire.ExportLine{Entry: &wire.ExportEntry{TournamentID: e.TournamentID, BotID: e.BotID, JoinedAt: e.JoinedAt, WithdrawnAt: e.WithdrawnAt}}
}

func ratingLine(r tournament.RatingChange) wire.ExportLine {
	return wire.ExportLine{Rating: &wire.ExportRating{
		BotID:       r.BotID,
		VersionID:   r.VersionID,
		LadderID:    r.LadderID,
		LadderSeq:   r.LadderSeq,
		BeforeMilli: r.BeforeMilli,
		AfterMilli:  r.AfterMilli,
	}}
}
