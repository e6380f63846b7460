package director

import (
	"context"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/store"
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
func (d *Director) Partners(ctx context.Context, l tournament.Ladder) (worst []Partnership, pairs int, err error) {
	r := d.store.Reader(ctx)
	list, err := r.Encounters(l.ID, l.LastSeq-partnersOver)
	if err != nil {
		return nil, 0, err
	}
	all := rating.Surpluses(each(list, func(e store.Encounters) rating.Encounters { return rating.Encounters(e) }))
	var ids []string
	for _, x := range all[:min(len(all), partnersShown)] {
		ids = append(ids, x.Owner, x.Partner)
		worst = append(worst, Partnership{Surplus: x, OwnerID: x.Owner, PartnerID: x.Partner})
	}
	names, err := r.UserNames(ids)
	for i := range worst {
		worst[i].Owner, worst[i].Partner = names[worst[i].OwnerID], names[worst[i].PartnerID]
	}
	return worst, len(all), err
}
