package outbox

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// body returns what a webhook is sent of an event.
func (o *Outbox) body(db *gorm.DB, f tournament.WebhookFormat, data payloadData, now time.Time) ([]byte, error) {
	if f == tournament.FormatStandard {
		return json.Marshal(payload{Type: data.Kind, Timestamp: now, Data: data})
	}
	n, err := o.notice(db, data.Event)
	if err != nil {
		return nil, err
	}
	if f == tournament.FormatDiscord {
		return n.Discord()
	}
	return json.Marshal(struct {
		Type      tournament.EventKind `json:"type"`
		Timestamp time.Time            `json:"timestamp"`
		tournament.Notice
	}{data.Kind, now, n})
}

// notice puts an event into words, with the names that bots and tournaments have now.
func (o *Outbox) notice(db *gorm.DB, e tournament.Event) (n tournament.Notice, err error) {
	ids := append(database.Map(e.Result, func(r tournament.SeatResult) string { return r.BotID }), e.BotID)
	type named struct{ ID, Name string }
	bots, err := database.All[named](db.Table("bots").Select("id, name").Where("id IN ?", ids))
	if err != nil {
		return n, err
	}
	names := database.Index(bots, func(b named) (string, string) { return b.ID, b.Name })
	where, bot, page := "A challenge", names[e.BotID], "/me"
	switch {
	case e.TournamentID != "":
		if err := db.Table("tournaments").Select("name").Where("id = ?", e.TournamentID).Scan(&where).Error; err != nil {
			return n, err
		}
		page = "/tournaments/" + e.TournamentID
	case e.LadderID != "":
		where = "The ladder " + e.LadderID
	case e.BotID != "":
		page = "/bots/" + e.BotID
	}
	if e.MatchID != "" {
		page = "/matches/" + e.MatchID
	}
	n.Subject, n.Text = subject(e.Kind, where, bot), strings.ReplaceAll(e.Reason, "_", " ")
	if e.Kind == tournament.EventMatchFinished {
		n.Text = places(e.Result, names)
	}
	if public := o.db.Options().Public; public != "" {
		n.Link = public + page
	}
	return n, nil
}

// subject says in a line what happened.
func subject(k tournament.EventKind, where, bot string) string {
	said := map[tournament.EventKind]string{
		tournament.EventMatchFinished:       where + ": a match is over",
		tournament.EventMatchVoid:           where + ": a match does not count",
		tournament.EventMatchGivenUp:        where + ": a match is void once more, and not played again",
		tournament.EventTournamentChanged:   where + " has changed",
		tournament.EventTournamentCheckIn:   where + ": check-in is open",
		tournament.EventTournamentStarted:   where + " has started",
		tournament.EventTournamentFinished:  where + " is over",
		tournament.EventTournamentCancelled: where + " is cancelled",
		tournament.EventEntryAdmitted:       bot + " has a place in " + where,
		tournament.EventEntryLeftOut:        where + " has started without " + bot,
		tournament.EventEntrySubstituted:    bot + " plays in " + where + " from now on",
		tournament.EventEntryWithdrawn:      bot + " was withdrawn from " + where + " by an organiser",
		tournament.EventBotPaused:           bot + " gets no new matches",
		tournament.EventBotResumed:          bot + " gets matches again",
		tournament.EventVersionRedeployed:   bot + " answered as another build in a match",
		tournament.EventAccountLinked:       "A login enters your account from now on",
	}
	return cmp.Or(said[k], string(k))
}

// places lists who came where in a match, best first.
func places(result []tournament.SeatResult, names map[string]string) string {
	if len(result) == 0 {
		return "Who came where is shown once all matches on its seed are over."
	}
	ranked := slices.SortedStableFunc(slices.Values(result), func(a, b tournament.SeatResult) int { return cmp.Compare(a.Rank, b.Rank) })
	return strings.Join(database.Map(ranked, func(r tournament.SeatResult) string { return fmt.Sprintf("%d. %s", r.Rank, names[r.BotID]) }), ", ")
}
