package api

// What an agent learns of matches that are over.

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/bots/agent"
	"github.com/molerun/molerun/engines/game/text"
)

// maxResults bounds the matches that results lists.
const maxResults = 20

func (x *seats) over() (string, error) {
	a, err := x.bot()
	if err != nil {
		return "", err
	}
	raw, err := x.carryOut(wire.ListBotMatches.Spec, map[string]string{"id": a.BotID}, nil)
	if err != nil {
		return "", err
	}
	var list wire.Page[wire.Match]
	if err := json.Unmarshal(raw, &list); err != nil {
		return "", err
	}
	var b strings.Builder
	for _, m := range list.Data[:min(len(list.Data), maxResults)] {
		how := "its result is sealed until the matches that share its deal are over"
		i := slices.IndexFunc(m.Seats, func(s wire.MatchSeat) bool { return s.BotID == a.BotID })
		if m.Outcome != nil && i >= 0 {
			how = agent.Ending(m.Seats[i].Seat, m.Outcome.Rank, m.Outcome.Result.Team)
		}
		fmt.Fprintf(&b, "- %s, %s: %s\n", x.link(m.ID), m.Game, how)
	}
	if len(list.Data) == 0 {
		b.WriteString("No match of your bot is over yet.\n")
	}
	return b.String(), nil
}

type reviewArgs struct {
	Match string `json:"match" jsonschema:"id of a match of your bot that is over"`
}

// maxCost bounds what is said of a decision, in bytes.
const maxCost = 500

func (x *seats) review(_ context.Context, _ *mcp.CallToolRequest, in reviewArgs) (*mcp.CallToolResult, any, error) {
	words, err := x.reviewed(in.Match)
	return agent.Text(words, x.readable(err))
}

// reviewed says what a review names of the bot's seats, and asks for it where there is none.
func (x *seats) reviewed(match string) (string, error) {
	a, err := x.bot()
	if err != nil {
		return "", err
	}
	m, _, err := x.mine(a, match)
	if err != nil {
		return "", err
	}
	raw, err := x.carryOut(wire.AskReview.Spec, map[string]string{"id": m.ID}, nil)
	if err != nil {
		return "", err
	}
	var r wire.MatchReview
	if err := json.Unmarshal(raw, &r); err != nil {
		return "", err
	}
	if r.Report == nil {
		return "The review of your match " + m.ID + " is " + r.State + ". Call review again in some minutes.", nil
	}
	var b strings.Builder
	for _, s := range r.Report.Seats {
		if i := int(s.Seat); i >= len(m.Seats) || m.Seats[i].BotID != a.BotID {
			continue
		}
		fmt.Fprintln(&b, text.Escape(s.Words(), maxCost))
		list := r.Report.Costliest(s)
		for _, d := range list {
			fmt.Fprintf(&b, "- %s; %s?step=%d\n", text.Escape(d.Cost(), maxCost), x.link(m.ID), d.Step)
		}
		if len(list) == 0 {
			b.WriteString("No decision is certain to have cost anything.\n")
		}
	}
	return b.String(), nil
}
