package api

// Where an agent may play: what it is offered, and its entries.

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/agent"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
	"github.com/molerun/molerun/tournament/store"
)

// maxAnnounced bounds the events that what_can_i_play lists.
const maxAnnounced = 20

// offered lists the ladders and the events, and says how the bot stands there.
func (x *seats) offered() (string, error) {
	a, err := x.bot()
	if err != nil {
		return "", err
	}
	bot, err := x.s.Store.Bot(x.ctx, a.BotID)
	if err != nil {
		return "", err
	}
	version, err := x.s.Store.Version(x.ctx, bot.VersionID)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(x.stands(bot) + "\n\nLadders: rated matches all the time, of the base game unless it says with what; enter and leave with ladder.\n")
	states, err := x.s.Director.LadderStates(x.ctx, bot)
	if err != nil {
		return "", err
	}
	ladders, err := x.s.Store.Ladders(x.ctx)
	if err != nil {
		return "", err
	}
	for _, l := range ladders {
		how := "you may enter"
		if err := tournament.CanPlayLadder(l.Game, bot, version.Games, 1); err != nil {
			how = gate.Detail(gate.KindOf(err), err)
		}
		for _, s := range states {
			if s.LadderID == l.ID {
				how = "entered; " + s.String()
			}
		}
		plays := l.Game
		if variant := l.Variant(); variant != "" {
			plays += " with " + variant
		}
		fmt.Fprintf(&b, "- %s (%s): %s. Clock: %s.\n", l.ID, plays, how, l.ClockClass.Clock().Words())
	}
	b.WriteString("\nEvents that are announced, or take entries while they run, or that your bot is in; enter and leave with event.\n")
	events, err := x.s.Store.NextTournaments(x.ctx, maxAnnounced)
	if err != nil {
		return "", err
	}
	running, _, err := x.s.Store.Tournaments(x.ctx, store.TournamentFilter{Status: tournament.Running, ViewerID: gate.UserID(x.ctx)}, store.Page{Limit: maxAnnounced})
	if err != nil {
		return "", err
	}
	none := true
	for _, t := range append(events, running...) {
		how, err := x.mayEnter(t, bot, version)
		if err != nil {
			return "", err
		}
		if how == "" {
			continue
		}
		none = false
		fmt.Fprintf(&b, "- %s, named %s: %s, %s, %s: %s. Clock: %s.\n", t.ID, agent.Quote(t.Name, maxNameShown), t.Game, t.Format, begins(t), how, t.Clock.Words())
	}
	if none {
		b.WriteString("- none now\n")
	}
	return b.String(), nil
}

// begins says when an event starts, or that it has.
func begins(t tournament.Tournament) string {
	if t.Status == tournament.Running {
		return "running"
	}
	return "starts " + t.StartsAt.UTC().Format(time.RFC3339)
}

// maxNameShown bounds the name of a bot or an event as a model reads it, in bytes.
const maxNameShown = 80

// entryOf returns the entry of a bot that has not withdrawn.
func entryOf(entries []tournament.Entry, botID string) (tournament.Entry, bool) {
	i := slices.IndexFunc(entries, func(e tournament.Entry) bool { return e.BotID == botID && e.WithdrawnAt == nil })
	if i < 0 {
		return tournament.Entry{}, false
	}
	return entries[i], true
}

// plays says how the bot stands in an event that runs; "" if it is not in it.
func (x *seats) plays(t tournament.Tournament, botID string) (string, error) {
	states, err := x.s.Director.EntryStates(x.ctx, t.ID)
	for _, s := range states {
		switch {
		case s.BotID != botID || s.Code == tournament.EntryWithdrawn:
		case s.Code == tournament.EntryLeftOut, s.Code == tournament.EntryExcluded:
			return s.String(), err
		default:
			return "entered; " + s.String(), err
		}
	}
	return "", err
}

// entered says how an entry stands before the start, and what it needs.
func (x *seats) entered(t tournament.Tournament, e tournament.Entry) string {
	out := "entered"
	if e.Challenger {
		out += " as a challenger"
	}
	if e.Waiting {
		out += "; it waits for a place, as all are taken"
	}
	switch opens := t.CheckInOpens(); {
	case opens == nil || t.Status != tournament.Scheduled:
	case e.CheckedInAt != nil:
		out += "; checked in"
	case t.ChecksIn(x.s.Now()):
		out += "; call check_in now, or the start leaves it out"
	default:
		out += fmt.Sprintf("; call check_in from %s until the start, or that leaves it out", opens.UTC().Format(time.RFC3339))
	}
	return out
}

// mayEnter says whether a bot may enter an event, and why not, or how it stands there; "" of one that runs and takes no entries.
func (x *seats) mayEnter(t tournament.Tournament, bot tournament.Bot, v tournament.Version) (string, error) {
	engine, ok := x.s.Engines.Find(t.Game)
	if !ok {
		return "its game is not played here", nil
	}
	if t.Status == tournament.Running {
		if how, err := x.plays(t, bot.ID); how != "" || err != nil || !t.Options.LateEntries {
			return how, err
		}
	}
	entries, err := x.s.Store.Entries(x.ctx, t.ID)
	if err != nil {
		return "", err
	}
	if e, ok := entryOf(entries, bot.ID); ok {
		return x.entered(t, e), nil
	}
	if err := tournament.CanJoin(t, engine.Info(), entries, bot, v.Games, x.s.Now()); err != nil {
		return gate.Detail(gate.KindOf(err), err), nil
	}
	if t.Status == tournament.Running {
		contest, _, err := x.s.Director.Contest(x.ctx, t.ID)
		if err != nil {
			return "", err
		}
		if late := pairing.Late(contest); late != nil {
			return pairing.Reason(late), nil
		}
	}
	if t.Invite.Needed() {
		return "you may enter with an invite_code", nil
	}
	return "you may enter", nil
}

type placeArgs struct {
	Ladder string `json:"ladder,omitempty" jsonschema:"id of a ladder"`
	Event  string `json:"event,omitempty" jsonschema:"id of an event"`
}

type enterArgs struct {
	placeArgs
	Invite     string `json:"invite_code,omitempty" jsonschema:"where the event needs one"`
	Challenger bool   `json:"challenger,omitempty" jsonschema:"in a gauntlet: your bot meets all that are not challengers; challengers do not meet each other"`
}

// check refuses arguments that name nothing, or two things.
func (in placeArgs) check() error {
	if (in.Ladder == "") == (in.Event == "") {
		return fmt.Errorf("%w: give ladder or event, one of them, from what_can_i_play", tournament.ErrInvalid)
	}
	return nil
}

func (x *seats) enter(_ context.Context, _ *mcp.CallToolRequest, in enterArgs) (*mcp.CallToolResult, any, error) {
	how, err := x.join(in)
	return agent.Text("Your bot is "+how+". Call wait: it returns at your turn, or says to call it again.", x.readable(err))
}

// join enters the bot, and says how it stands then.
func (x *seats) join(in enterArgs) (string, error) {
	a, err := x.bot()
	if err == nil {
		err = in.check()
	}
	if err != nil {
		return "", err
	}
	bot, err := x.s.Store.Bot(x.ctx, a.BotID)
	if err == nil && bot.Status == tournament.BotPaused {
		err = fmt.Errorf("%w: %s", tournament.ErrState, x.stands(bot))
	}
	if err != nil {
		return "", err
	}
	if in.Ladder != "" {
		_, err = x.carryOut(wire.JoinLadder.Spec, map[string]string{"id": in.Ladder}, wire.LadderJoin{BotID: a.BotID})
		return "entered", err
	}
	if _, err := x.carryOut(wire.JoinTournament.Spec, map[string]string{"id": in.Event}, wire.EntryCreate{BotID: a.BotID, InviteCode: in.Invite, Challenger: in.Challenger}); err != nil {
		return "", err
	}
	return x.standing(in.Event, a.BotID)
}

// standing says how the bot stands in an event.
func (x *seats) standing(eventID, botID string) (string, error) {
	t, err := x.s.Store.Tournament(x.ctx, eventID)
	if err != nil {
		return "", err
	}
	entries, err := x.s.Store.Entries(x.ctx, t.ID)
	e, _ := entryOf(entries, botID)
	return x.entered(t, e), err
}

type eventArgs struct {
	Event string `json:"event" jsonschema:"id of an event that your bot is entered in"`
}

func (x *seats) checkIn(_ context.Context, _ *mcp.CallToolRequest, in eventArgs) (*mcp.CallToolResult, any, error) {
	a, err := x.bot()
	how := ""
	if err == nil {
		_, err = x.carryOut(wire.CheckInEntry.Spec, map[string]string{"id": in.Event, "bot_id": a.BotID}, nil)
	}
	if err == nil {
		how, err = x.standing(in.Event, a.BotID)
	}
	return agent.Text("Your bot is "+how+". Call wait.", x.readable(err))
}

func (x *seats) leave(_ context.Context, _ *mcp.CallToolRequest, in placeArgs) (*mcp.CallToolResult, any, error) {
	a, err := x.bot()
	if err == nil {
		err = in.check()
	}
	switch {
	case err != nil:
	case in.Ladder != "":
		_, err = x.carryOut(wire.LeaveLadder.Spec, map[string]string{"id": in.Ladder, "bot_id": a.BotID}, nil)
	default:
		_, err = x.carryOut(wire.WithdrawEntry.Spec, map[string]string{"id": in.Event, "bot_id": a.BotID}, nil)
	}
	return agent.Text("Your bot has left. Matches that have begun go on: play them to their end.", x.readable(err))
}
