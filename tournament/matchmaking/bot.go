package matchmaking

import (
	"cmp"
	"slices"
)

// Sat notes that the bot sat in a seat of a line-up, the last of its matches so far.
func (b *Bot) Sat(lineup []int, seat int) {
	others := slices.Concat(lineup[:seat], lineup[seat+1:])
	slices.Sort(others)
	b.Recent = append(b.Recent, others)
	b.Sizes = raised(b.Sizes, len(lineup))
	b.Seats = raised(b.Seats, seat)
}

// raised returns list with one more at i.
func raised(list []int, i int) []int {
	for len(list) <= i {
		list = append(list, 0)
	}
	list[i]++
	return list
}

// BoundOwners leaves each owner room for atOnce open matches, of which open counts those there are: to the bots that wait
// the longest. A bot that never answers holds its place for long; several of one owner must not hold everybody's. free
// reports which bots are not counted.
func BoundOwners(bots []Bot, open map[string]int, atOnce int, free func(bot int) bool) {
	order := make([]int, len(bots))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(bots[a].Since, bots[b].Since) })
	taken := map[string]int{}
	for _, i := range order {
		b := &bots[i]
		switch {
		case b.Room == 0 || free(i):
		case open[b.Owner]+taken[b.Owner] >= atOnce:
			b.Room = 0
		default:
			taken[b.Owner]++
		}
	}
}
