package web

import (
	"fmt"
	"slices"
	"strings"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/pairing"
)

// maxPodium bounds the bots that share the first three places: where more do, play has not separated them yet.
const maxPodium = 6

// verdictOf says how a sequential test ended; nothing of one that never began.
func verdictOf(list []tournament.Standing) string {
	k := slices.IndexFunc(list, func(l tournament.Standing) bool { return l.Trial != nil })
	if k < 0 || len(list) != 2 {
		return ""
	}
	x, first, second := list[k].Trial, list[k].Bot, list[1-k].Bot
	unit := "Elo"
	if x.IsNormalisedTest {
		unit = "normalised Elo"
	}
	said := fmt.Sprintf("%s is not stronger than %s by %g %s", first, second, x.Elo1, unit)
	switch {
	case x.Verdict == "H1" && x.Elo0 == 0:
		said = fmt.Sprintf("%s is stronger than %s", first, second)
	case x.Verdict == "H1":
		said = fmt.Sprintf("%s is stronger than %s by more than %g %s", first, second, x.Elo0, unit)
	case x.Verdict != "H0":
		said = fmt.Sprintf("It is undecided whether %s is stronger than %s by %g %s", first, second, x.Elo1, unit)
	}
	return fmt.Sprintf("%s. Measured in %s: %s Elo, 95 %% from %s to %s.", said, game.Plural(x.Pairs, "pair"),
		tournament.Number("%+.0f", x.Elo), tournament.Number("%+.0f", x.Low), tournament.Number("%+.0f", x.High))
}

// againstField says what each challenger of a gauntlet took. Who of the field has more points than whom tells nothing: some meet a challenger
// more than others.
func againstField(board director.Scoreboard) string {
	lines, err := pairing.Standings(board.Contest)
	if err != nil {
		return ""
	}
	var said []string
	for _, l := range lines {
		if e := board.Entries[l.Entry]; e.Challenger && !l.Annulled && l.Possible > 0 { // forfeits count, too
			said = append(said, fmt.Sprintf("%s took %s of %s from the field", e.BotName, pages.Trim(l.Points), game.Plural(int(l.Possible), "point")))
		}
	}
	return strings.Join(said, "; ")
}

// podiumOf returns the bots in the first three places; none while they are too many, before anything is over, if the tournament
// was cancelled, or where places are not what it is about.
func podiumOf(board director.Scoreboard, page pages.Tournament) []pages.Place {
	status := board.Tournament.Status
	if status != tournament.Running && status != tournament.Finished || board.Tournament.Format == tournament.SPRT || board.Tournament.Format == tournament.Gauntlet {
		return nil
	}
	var out []pages.Place
	played := 0
	for i, l := range board.Standings {
		if l.Rank > 3 {
			break
		}
		place := pages.Place{
			Place:  []string{"1st", "2nd", "3rd"}[l.Rank-1],
			BotID:  l.BotID,
			Bot:    l.Bot,
			Points: pages.Trim(l.Points) + " points",
			First:  l.Rank == 1,
		}
		switch {
		case page.RanksBy != "Points" && page.Standings[i].Main != "":
			place.Points = page.RanksBy + ": " + page.Standings[i].Main
		case l.Points == 1:
			place.Points = "1 point"
		}
		if place.First && status == tournament.Running {
			place.Place = "leads"
		}
		out, played = append(out, place), played+l.Played
	}
	alike := status == tournament.Running && page.RanksBy == reached && len(out) > 1 && out[1].First // nobody is further than another yet
	if played == 0 || len(out) > maxPodium || alike {
		return nil
	}
	return out
}

// winners returns who won a tournament that is over: those in the first place; none where places are not what it is about, or where some
// share the first place without a match.
func winners(f tournament.Format, standings []tournament.Standing) []string {
	if f == tournament.SPRT || f == tournament.Gauntlet {
		return nil
	}
	var names []string
	played := 0
	for _, l := range standings {
		if l.Rank == 1 && !l.IsAnnulled {
			names, played = append(names, l.Bot), played+l.Played
		}
	}
	if len(names) > 1 && played == 0 {
		return nil
	}
	return names
}
