package store

import (
	"context"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating"
)

// partnersOver is how many of a ladder's last places the table of partners looks at.
const partnersOver = 50_000

// partnersShown is how many pairs of owners it shows.
const partnersShown = 50

// Partnership is an owner who scores above expectation where bots of another sit ([rating.Surplus], whose owners are names here).
type Partnership struct {
	rating.Surplus
	OwnerID, PartnerID string
}

// Partners are the pairs of owners of a ladder of whom one scores farthest above what the ratings expect against the other alone,
// the worst first, at most fifty; and how many pairs were looked at. It looks at the last 50,000 places of the ladder's order.
func (s *Store) Partners(ctx context.Context, l tournament.Ladder) (worst []Partnership, pairs int, err error) {
	var list []rating.Encounters
	const sums = "COUNT(*) AS matches, SUM(e.score) AS score, SUM(e.expected) AS expected, SUM(e.expected * (1 - e.expected)) AS variance"
	const events = " FROM rating_events e JOIN bots b ON b.id = e.bot_id"
	err = s.with(ctx).Raw("SELECT b.owner_id AS owner, '' AS partner, "+sums+events+" WHERE e.ladder_id = ? AND e.ladder_seq > ? GROUP BY b.owner_id"+
		" UNION ALL SELECT b.owner_id AS owner, o.owner_id AS partner, "+sums+events+
		" JOIN match_seats o ON o.match_id = e.match_id AND o.owner_id <> b.owner_id WHERE e.ladder_id = ? AND e.ladder_seq > ? GROUP BY b.owner_id, o.owner_id",
		l.ID, l.LastSeq-partnersOver, l.ID, l.LastSeq-partnersOver).Scan(&list).Error
	if err != nil {
		return nil, 0, err
	}
	all := rating.Surpluses(list)
	worst = each(all[:min(len(all), partnersShown)], func(x rating.Surplus) Partnership { return Partnership{x, x.Owner, x.Partner} })
	return worst, len(all), s.nameOwners(ctx, worst)
}

// nameOwners puts names in the place of ids.
func (s *Store) nameOwners(ctx context.Context, list []Partnership) error {
	var ids []string
	for _, x := range list {
		ids = append(ids, x.OwnerID, x.PartnerID)
	}
	var users []userRow
	if err := s.with(ctx).Select("id", "name").Where("id IN ?", ids).Find(&users).Error; err != nil {
		return err
	}
	name := map[string]string{}
	for _, u := range users {
		name[u.ID] = u.Name
	}
	for i := range list {
		list[i].Owner, list[i].Partner = name[list[i].OwnerID], name[list[i].PartnerID]
	}
	return nil
}
