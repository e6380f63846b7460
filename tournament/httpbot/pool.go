package httpbot

import (
	"slices"
	"time"
)

// idleLimit is how long a kept connection may rest: at least, and twice that at most.
const idleLimit = 30 * time.Second

// host is one that is called, while anybody uses it.
type host struct {
	name  string        // scheme, host and port
	taken chan struct{} // the requests that may be under way
	users int           // holding or waiting; the entry goes when nobody is left and nothing rests
	rest  []*connection // the longest first
}

// kept takes the connection to h that has rested shortest; nil if none rests that can still carry a message. Connections are
// made only when there is none, so they are never more than requests may be under way.
func (c *Client) kept(h *host) *connection {
	for {
		c.mu.Lock()
		n := len(h.rest)
		if n == 0 {
			c.mu.Unlock()
			return nil
		}
		k := h.rest[n-1]
		c.wake(k)
		c.mu.Unlock()
		if k.fresh() {
			return k
		}
		k.close()
	}
}

// keep lets a connection rest for the next message. Beyond what may rest in all, the one that has rested longest goes.
func (c *Client) keep(h *host, k *connection) {
	if cap(k.wire) > keepBytes {
		k.wire = nil
	}
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		k.close()
		return
	}
	k.home, k.old = h, false
	k.place = c.resting.PushBack(k)
	h.rest = append(h.rest, k)
	var over *connection
	if c.resting.Len() > c.maxRest {
		over = c.resting.Front().Value.(*connection)
		c.wake(over)
	}
	if c.sweeper == nil {
		c.sweeper = time.AfterFunc(idleLimit, c.sweep)
	}
	c.mu.Unlock()
	if over != nil {
		over.close()
	}
}

// wake takes k from those that rest. The caller holds mu.
func (c *Client) wake(k *connection) {
	c.resting.Remove(k.place)
	i := slices.Index(k.home.rest, k)
	k.home.rest = slices.Delete(k.home.rest, i, i+1)
	c.drop(k.home)
	k.place = nil
}

// sweep closes what has rested since the last sweep.
func (c *Client) sweep() {
	c.closeResting(func(k *connection) bool {
		was := k.old
		k.old = true
		return was
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sweeper = nil
	if c.resting.Len() > 0 && !c.closed {
		c.sweeper = time.AfterFunc(idleLimit, c.sweep)
	}
}

// closeResting closes the connections at rest that are chosen.
func (c *Client) closeResting(chosen func(*connection) bool) {
	c.mu.Lock()
	var over []*connection
	for e := c.resting.Front(); e != nil; e = e.Next() {
		if k := e.Value.(*connection); chosen(k) {
			over = append(over, k)
		}
	}
	for _, k := range over {
		c.wake(k)
	}
	c.mu.Unlock()
	for _, k := range over {
		k.close()
	}
}

// every chooses all connections.
func every(*connection) bool { return true }

// drop forgets a host that nobody uses. The caller holds mu.
func (c *Client) drop(h *host) {
	if h.users == 0 && len(h.rest) == 0 {
		delete(c.hosts, h.name)
	}
}
