package coins

import "math"

// contact is a touching pair that approaches: disc a and disc b, or a wall or post if b is −1.
type contact struct {
	a, b       int
	wall, post int     // with b = −1: one of them, the other −1
	n          Vec     // of the impulse, from b to a, length 1
	rate       float64 // at which they part along n; below 0
	want       float64 // the rate after it (P1), at most −rate
}

// maxContacts are solved together; further ones of the same instant in the next round.
const maxContacts = 16

// collision is one instant of contacts.
type collision struct {
	s    *Sim
	v    [maxDiscs]Vec // velocities
	hit  [maxDiscs]bool
	calm [maxDiscs]bool // moves hardly at all against a coin that it touches
	list [maxContacts]contact
	n    int
}

// collide plays the contacts of this instant (P3): all that approach at once, again until none does.
func (s *Sim) collide() {
	c := collision{s: s}
	for i := range s.N {
		c.v[i] = s.Discs[i].velocity()
	}
	for round := 0; ; round++ {
		if c.gather(); c.n == 0 {
			break
		}
		if round == maxRounds {
			c.freeze()
			break
		}
		c.solve()
		c.rest()
		for k := range c.n {
			x := &c.list[k]
			s.mark(Mark{Kind: markContact, T: s.Time, A: x.a, B: x.b, Wall: x.wall, Post: x.post, Speed: -x.rate})
		}
	}
	c.finish()
}

// gather lists the contacts.
func (c *collision) gather() {
	c.n = 0
	s := c.s
	for i := range s.N {
		a := &s.Discs[i]
		if a.Mode >= Raised {
			continue
		}
		for j := i + 1; j < s.N; j++ {
			b := &s.Discs[j]
			if q := a.At.minus(b.At); b.Mode < Raised && s.level(a, b) && touches(q, a.R+b.R) {
				c.add(contact{a: i, b: j, wall: -1, post: -1, rate: rate(q, c.v[i].minus(c.v[j]))}, q, s.CoinBounce)
			}
		}
		if c.v[i] == (Vec{}) || !a.below(thingHeight, 0) {
			continue
		}
		for k := range s.NWalls {
			w := &s.Walls[k]
			if touches(a.At.minus(w.nearest(a.At)), a.R) {
				c.add(contact{a: i, b: -1, wall: k, post: -1, rate: w.approach(a.At, c.v[i])}, w.normal(a.At), s.WallBounce)
			}
		}
		for k := range s.NPosts {
			p := &s.Posts[k]
			if q := a.At.minus(p.At); touches(q, a.R+p.R) {
				c.add(contact{a: i, b: -1, wall: -1, post: k, rate: rate(q, c.v[i])}, q, s.WallBounce)
			}
		}
	}
}

// level reports whether two discs are at one height: two in the air do not touch (F2).
func (s *Sim) level(a, b *Disc) bool {
	return (a.Mode != Flying || b.Mode != Flying) && a.below(b.Thick, 0) && b.below(a.Thick, 0)
}

// add lists x, whose bodies lie q from each other, if they approach.
func (c *collision) add(x contact, q Vec, bounce float64) {
	if x.rate >= -roundingRate || c.n == maxContacts {
		return
	}
	x.n = q.over(math.Sqrt(dot(q, q)))
	x.want = float64(bounce * -x.rate)
	if x.b >= 0 && x.want < minLeave {
		c.slow(&x)
	}
	c.list[c.n] = x
	c.n++
}

// slow makes two coins part at minLeave (P1). Those that approach slower do so out of the speed at which they pass each other,
// or part at all the speed they have against each other if it is less: the impulse is so much aslant that it only turns it.
func (c *collision) slow(x *contact) {
	if x.rate <= -minLeave {
		x.want = minLeave
		return
	}
	side := Vec{-x.n.Y, x.n.X}
	pass := dot(side, c.v[x.a].minus(c.v[x.b]))
	all := square(x.rate) + square(pass)
	away := min(math.Sqrt(all), minLeave)
	left := math.Sqrt(max(all-square(away), 0)) // of pass
	if pass < 0 {
		left = -left
	}
	turn := x.n.times(away-x.rate).along(side, left-pass)
	long := math.Sqrt(dot(turn, turn))
	x.n, x.rate, x.want = turn.over(long), float64(-long/2), float64(long/2)
	if all < square(minLeave) {
		c.calm[x.a], c.calm[x.b] = true, true
	}
}

// push gives contact k an impulse, in g·mm/s.
func (c *collision) push(k int, impulse float64) {
	x := &c.list[k]
	c.v[x.a] = c.v[x.a].along(x.n, impulse/c.s.Discs[x.a].Mass)
	c.hit[x.a] = true
	if x.b >= 0 {
		c.v[x.b] = c.v[x.b].along(x.n, -impulse/c.s.Discs[x.b].Mass)
		c.hit[x.b] = true
	}
}

// ease returns how much the rate of contact k grows for a unit of impulse at contact l: a disc on the same side of both is pushed
// alike.
func (c *collision) ease(k, l int) float64 {
	x, y := &c.list[k], &c.list[l]
	share := c.part(y, x.a)
	if x.b >= 0 {
		share -= c.part(y, x.b)
	}
	return float64(dot(x.n, y.n) * share)
}

// part returns the speed that a unit of impulse at contact x gives a disc, along the contact.
func (c *collision) part(x *contact, disc int) float64 {
	if disc != x.a && disc != x.b {
		return 0
	}
	speed := 1 / c.s.Discs[disc].Mass
	if disc == x.b {
		speed = -speed
	}
	return speed
}

// solve gives every contact its rate (P1), all at once, with impulses that only push; one that parts faster has none. The
// energy rises by half of each impulse times the sum of the rates before and after it, which is never above 0.
func (c *collision) solve() {
	if c.n == 1 {
		x := &c.list[0]
		c.push(0, (x.want-x.rate)/c.ease(0, 0))
		return
	}
	p := newPlan(c)
	p.run()
	for k := range c.n {
		if p.impulse[k] > 0 {
			c.push(k, p.impulse[k])
		}
	}
}

// rest stops the discs that were hit and are slower than a disc may move.
func (c *collision) rest() {
	for i := range c.s.N {
		if c.hit[i] && dot(c.v[i], c.v[i]) < square(restSpeed) {
			c.v[i] = Vec{}
		}
	}
}

// freeze stops all discs of this instant (P3): one that went on would be against those that are jammed at once.
func (c *collision) freeze() {
	for i := range c.hit {
		if c.hit[i] {
			c.v[i] = Vec{}
		}
	}
}

// finish gives the discs that were hit their new motion.
func (c *collision) finish() {
	s := c.s
	for i := range s.N {
		if !c.hit[i] {
			continue
		}
		d := &s.Discs[i]
		if d.Mode == Flying || d.Speed > 0 {
			s.end(i)
		}
		v := c.v[i]
		if d.Speed = math.Sqrt(dot(v, v)); d.Speed > 0 {
			d.Dir = v.over(d.Speed)
		}
		if d.Mode == Flying || d.Speed > 0 {
			s.begin(i)
		}
		if d.Mode == Flying && c.calm[i] {
			s.sink(i, 0)
		}
	}
}
