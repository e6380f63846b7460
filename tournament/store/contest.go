package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
	"github.com/molerun/molerun/tournament/rating"
)

// contest is a tournament as its format sees it, rebuilt from the rounds made and the results of their matches.
type contest struct {
	pairing.Contest
	t       tournament.Tournament
	info    game.Info
	field   []entryView // by number in the pairings
	matches [][]string  // by round: the id of each game, in the order of the blocks
}

// contest rebuilds a tournament. Before the start it is the entries as they stand.
func (s *Store) contest(db *gorm.DB, t tournament.Tournament) (*contest, error) {
	var rows []roundRow
	if err := db.Where("tournament_id = ?", t.ID).Order("number").Find(&rows).Error; err != nil {
		return nil, err
	}
	return s.rebuild(db, t, rows)
}

// look is contest for those who only show it, in three queries. The seed, which is secret, is left out.
func (s *Store) look(ctx context.Context, id string) (*contest, error) {
	var list []struct {
		Tournament tournamentRow `gorm:"embedded"`
		Round      roundRow      `gorm:"embedded;embeddedPrefix:round_"`
	}
	err := s.with(ctx).Table("tournaments t").Joins("LEFT JOIN rounds r ON r.tournament_id = t.id").
		Select(columnsOf[tournamentRow](s.db, "t")+", r.tournament_id AS round_tournament_id, r.number AS round_number, r.pairing AS round_pairing, r.made_at AS round_made_at").
		Where("t.id = ?", id).Order("r.number").Scan(&list).Error
	if err == nil && len(list) == 0 {
		err = gorm.ErrRecordNotFound
	}
	if err != nil {
		return nil, found(err, "tournament", id)
	}
	t := list[0].Tournament.tournament()
	t.Seed = game.Seed{}
	var rows []roundRow
	for _, x := range list {
		if x.Round.Number > 0 {
			rows = append(rows, x.Round)
		}
	}
	return s.rebuild(s.with(ctx), t, rows)
}

// rebuild is contest with the rounds as they were made.
func (s *Store) rebuild(db *gorm.DB, t tournament.Tournament, rows []roundRow) (*contest, error) {
	c, err := s.unplayed(db, t)
	if err != nil {
		return nil, err
	}
	results, err := resultsOf(db.Where("tournament_id = ?", t.ID))
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 && len(results) > 0 {
		return c, c.older(db, results)
	}
	for _, r := range rows {
		round, ids, err := r.round(results)
		if err != nil {
			return nil, err
		}
		c.Rounds, c.matches = append(c.Rounds, round), append(c.matches, ids)
	}
	return c, nil
}

// latest rebuilds a tournament from its last round alone, if that keeps what came before it, as an sprt's does: the rounds
// before are empty, so what is read does not grow with their number. Otherwise it is the whole contest.
func (s *Store) latest(db *gorm.DB, t tournament.Tournament) (*contest, error) {
	var rows []roundRow
	if err := db.Where("tournament_id = ?", t.ID).Order("number DESC").Limit(1).Find(&rows).Error; err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return s.contest(db, t)
	}
	p, err := rows[0].paired()
	if err != nil {
		return nil, err
	}
	if p.Before == nil {
		return s.contest(db, t)
	}
	c, err := s.unplayed(db, t)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, b := range p.Blocks {
		for _, g := range b.Games {
			ids = append(ids, g.Match)
		}
	}
	results, err := resultsOf(db.Where("id IN ?", ids))
	if err != nil {
		return nil, err
	}
	c.Rounds, c.matches = make([]pairing.Round, rows[0].Number), make([][]string, rows[0].Number)
	last := rows[0].Number - 1
	c.Rounds[last], c.matches[last], err = rows[0].round(results)
	return c, err
}

// unplayed is a contest without its rounds.
func (s *Store) unplayed(db *gorm.DB, t tournament.Tournament) (*contest, error) {
	info, err := s.info(t.Game)
	if err != nil {
		return nil, err
	}
	all, err := entries(db, t.ID)
	if err != nil {
		return nil, err
	}
	c := &contest{t: t, info: info, field: fieldOf(all)}
	c.Settings, c.Seed = pairing.SettingsOf(t, info), t.Seed
	c.Closed = t.Format == tournament.Arena && t.StartedAt != nil && !s.now().Before(t.StartedAt.Add(t.Options.Lasts))
	for _, e := range c.field {
		c.Entries = append(c.Entries, c.entry(e))
	}
	return c, nil
}

// fieldOf are the entries that play, by number. Tournaments of older programs have no numbers: there it is the order of joining.
func fieldOf(all []entryView) []entryView {
	out := slices.DeleteFunc(slices.Clone(all), func(e entryView) bool { return e.Entry.WithdrawnAt != nil && e.Entry.VersionID == nil })
	number := func(e entryView) int {
		if e.Entry.Place == nil {
			return len(all)
		}
		return *e.Entry.Place
	}
	slices.SortStableFunc(out, func(a, b entryView) int { return cmp.Compare(number(a), number(b)) })
	if len(out) == 1 && out[0].Entry.AgainstID != nil {
		return versions(out[0])
	}
	return out
}

// versions are the two entries of one that brought another version along, told apart by name.
func versions(e entryView) []entryView {
	other := e
	other.Entry.VersionID, other.Build = e.Entry.AgainstID, required(e.AgainstBuild)
	if e.AgainstNumber != nil {
		other.BotName = fmt.Sprintf("%s (version %d)", e.BotName, *e.AgainstNumber)
	}
	e.BotName = fmt.Sprintf("%s (version %d)", e.BotName, e.VersionNumber)
	return []entryView{e, other}
}

// entry is one entry for the format. A round robin is made whole at the start, so who does not answer then may be back in
// time: only those who have withdrawn are left out of it.
func (c *contest) entry(e entryView) pairing.Entry {
	out := pairing.Entry{
		ID: e.Entry.BotID, Owner: e.OwnerID, Rating: float64(e.Entry.SeedMilli) / 1000, State: pairing.Active,
		Joined: e.Entry.JoinedRound, Challenger: e.Entry.IsChallenger,
	}
	switch {
	case e.Entry.WithdrawnAt != nil, e.BotStatus == string(tournament.BotRetired):
		out.State = pairing.Withdrawn
	case e.BotStatus == string(tournament.BotPaused) && c.t.Format != tournament.RoundRobin:
		out.State = pairing.Dead
	}
	return out
}

// open tells whether a match of the rounds made is not over.
func (c *contest) open() bool {
	return slices.ContainsFunc(c.Rounds, func(r pairing.Round) bool { return slices.ContainsFunc(r.Blocks, pairing.Block.Open) })
}

// resultsOf are the results of the matches that db selects by id, nil while a match is not over.
func resultsOf(db *gorm.DB) (map[string]*pairing.Result, error) {
	var rows []matchRow
	if err := db.Select("id", "status", "result", "retired").Find(&rows).Error; err != nil {
		return nil, err
	}
	out := make(map[string]*pairing.Result, len(rows))
	for _, r := range rows {
		switch tournament.MatchStatus(r.Status) {
		case tournament.MatchVoid:
			out[r.ID] = &pairing.Result{Void: true}
		case tournament.MatchDone:
			var result game.Result
			if err := json.Unmarshal([]byte(required(r.Result)), &result); err != nil {
				return nil, fmt.Errorf("match %s: result: %w", r.ID, err)
			}
			out[r.ID] = &pairing.Result{
				Points: rating.Points(result, game.Seats(r.Retired)), //nolint:gosec // checked by the table
				Score:  result.Points,
			}
		default:
			out[r.ID] = nil
		}
	}
	return out, nil
}

// older fills in the rounds of a tournament that a program made which kept none: a block is what shared a seed.
func (c *contest) older(db *gorm.DB, results map[string]*pairing.Result) error {
	var rows []matchRow
	if err := db.Where("tournament_id = ? AND replayed_as IS NULL", c.t.ID).Order("round, block, number").Find(&rows).Error; err != nil {
		return err
	}
	list, err := matches(db, rows)
	if err != nil {
		return err
	}
	number := map[string]int{}
	for i, e := range c.field {
		number[e.Entry.BotID] = i
	}
	for i, m := range list {
		if i == 0 || m.Round != list[i-1].Round {
			c.Rounds, c.matches = append(c.Rounds, pairing.Round{}), append(c.matches, nil)
		}
		last := len(c.Rounds) - 1
		r := &c.Rounds[last]
		if len(r.Blocks) == 0 || m.Block != list[i-1].Block {
			r.Blocks = append(r.Blocks, pairing.Block{})
		}
		g := pairing.Game{Result: results[m.ID]}
		for _, seat := range m.Seats {
			g.Seats = append(g.Seats, number[seat.BotID])
		}
		b := &r.Blocks[len(r.Blocks)-1]
		b.Games, c.matches[last] = append(b.Games, g), append(c.matches[last], m.ID)
	}
	return nil
}

// roundRow is a round as it was made.
type roundRow struct {
	TournamentID string
	Number       int
	Pairing      string
	MadeAt       time.Time
}

func (roundRow) TableName() string { return "rounds" }

// paired is a round as JSON. Entries are numbers; a game knows its match.
type paired struct {
	Blocks   []pairedBlock `json:"blocks"`
	Byes     []int         `json:"byes,omitempty"`
	Absent   []absence     `json:"absent,omitempty"`
	Forfeits []forfeit     `json:"forfeits,omitempty"`
	Final    bool          `json:"final,omitempty"`
	Before   []int         `json:"before,omitempty"`
}

type pairedBlock struct {
	Tie   int          `json:"tie,omitempty"`
	Name  string       `json:"name,omitempty"`
	Games []pairedGame `json:"games"`
}

type pairedGame struct {
	Match string `json:"match,omitempty"`
	Seats []int  `json:"seats"`
}

type absence struct {
	Entry int    `json:"entry"`
	Why   string `json:"why"`
}

type forfeit struct {
	Tie    int    `json:"tie,omitempty"`
	Winner int    `json:"winner"`
	Loser  int    `json:"loser"`
	Why    string `json:"why"`
}

// newPaired is a round whose games are the matches of ids, in order; of a round that is planned there are none.
func newPaired(r pairing.Round, ids []string) paired {
	out := paired{Byes: r.Byes, Final: r.Final, Before: r.Before, Blocks: []pairedBlock{}}
	for _, b := range r.Blocks {
		block := pairedBlock{Tie: b.Tie, Name: b.Name}
		for _, g := range b.Games {
			game := pairedGame{Seats: g.Seats}
			if len(ids) > 0 {
				game.Match, ids = ids[0], ids[1:]
			}
			block.Games = append(block.Games, game)
		}
		out.Blocks = append(out.Blocks, block)
	}
	for _, a := range r.Absent {
		out.Absent = append(out.Absent, absence(a))
	}
	for _, f := range r.Forfeits {
		out.Forfeits = append(out.Forfeits, forfeit(f))
	}
	return out
}

// newRoundRow is a round whose games are the matches of ids, in order.
func newRoundRow(tournamentID string, number int, r pairing.Round, ids []string, at time.Time) (roundRow, error) {
	text, err := newPaired(r, ids).text()
	return roundRow{tournamentID, number, text, utc(at)}, err
}

func (p paired) text() (string, error) {
	text, err := json.Marshal(p)
	return string(text), err
}

func (r roundRow) paired() (p paired, err error) {
	if err = json.Unmarshal([]byte(r.Pairing), &p); err != nil {
		err = fmt.Errorf("tournament %s round %d: %w", r.TournamentID, r.Number, err)
	}
	return p, err
}

// round is the round with the results of its matches, and their ids in order.
func (r roundRow) round(results map[string]*pairing.Result) (out pairing.Round, ids []string, err error) {
	p, err := r.paired()
	if err != nil {
		return out, nil, err
	}
	if out, ids, err = p.round(results); err != nil {
		err = fmt.Errorf("tournament %s round %d: %w", r.TournamentID, r.Number, err)
	}
	return out, ids, err
}

// round is the round with results of its matches; a game that is only planned has none.
func (p paired) round(results map[string]*pairing.Result) (out pairing.Round, ids []string, err error) {
	out.Byes, out.Final, out.Before = p.Byes, p.Final, p.Before
	for _, b := range p.Blocks {
		block := pairing.Block{Tie: b.Tie, Name: b.Name}
		for _, g := range b.Games {
			result, ok := results[g.Match]
			if !ok && g.Match != "" {
				return out, nil, fmt.Errorf("there is no match %s", g.Match)
			}
			block.Games = append(block.Games, pairing.Game{Seats: g.Seats, Result: result})
			ids = append(ids, g.Match)
		}
		out.Blocks = append(out.Blocks, block)
	}
	for _, a := range p.Absent {
		out.Absent = append(out.Absent, pairing.Absence(a))
	}
	for _, f := range p.Forfeits {
		out.Forfeits = append(out.Forfeits, pairing.Forfeit(f))
	}
	return out, ids, nil
}

// Standings are the standings so far, in the order of the format ([pairing.Standings]).
func (s *Store) Standings(ctx context.Context, id string) ([]tournament.Standing, error) {
	c, err := s.look(ctx, id)
	if err != nil {
		return nil, err
	}
	var faults []struct {
		VersionID string
		Faults    int
	}
	if err := s.with(ctx).Table("match_seats").Select("version_id, SUM(faults) AS faults").
		Where("match_id IN (SELECT id FROM matches WHERE tournament_id = ?)", id).Group("version_id").Scan(&faults).Error; err != nil {
		return nil, err
	}
	of := make(map[string]int, len(faults))
	for _, f := range faults {
		of[f.VersionID] = f.Faults
	}
	return c.standings(of)
}

// standings are the lines of the contest, with the faults of each version.
func (c *contest) standings(faults map[string]int) ([]tournament.Standing, error) {
	format, err := pairing.Of(c.Settings.Format)
	if err != nil {
		return nil, err
	}
	lines, err := pairing.Standings(c.Contest)
	if err != nil {
		return nil, err
	}
	trial, err := pairing.Trial(c.Contest)
	if err != nil {
		return nil, err
	}
	ties := format.Ties(c.Settings)
	out := make([]tournament.Standing, len(lines))
	for i, l := range lines {
		e := c.field[l.Entry]
		out[i] = tournament.Standing{
			Rank: l.Rank, BotID: e.Entry.BotID, Bot: e.BotName, VersionID: required(e.Entry.VersionID), Played: l.Played, Points: l.Points, Wins: l.Wins, Draws: l.Draws, Losses: l.Losses,
			Score: l.Score, Faults: faults[required(e.Entry.VersionID)], Byes: l.Byes, Forfeits: l.Forfeits,
		}
		if l.Entry == 0 {
			out[i].Trial = trial
		}
		for k, v := range l.Ties {
			out[i].Ties = append(out[i].Ties, tournament.TieValue{By: string(ties[k]), Value: v})
		}
	}
	return out, nil
}

// Contest is a tournament's rounds so far, with the entries by their number in it. Its seed is left out: it is secret.
func (s *Store) Contest(ctx context.Context, id string) (pairing.Contest, []tournament.Entry, error) {
	c, err := s.look(ctx, id)
	if err != nil {
		return pairing.Contest{}, nil, err
	}
	return c.Contest, each(c.field, entryView.entry), nil
}
