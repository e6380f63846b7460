package httpbot

import (
	"net/http/httptrace"
	"time"

	"github.com/molerun/molerun/tournament/runner"
)

// trace is how far a message came, and when: what its ledger and the blame are made of. The one goroutine that asks keeps it.
type trace struct {
	now    func() time.Time
	before runner.Ledger // of what came before this try
	tried  time.Time     // this try began: the deadline makes up for what was lost before
	begin  time.Time     // from here on the bot is charged

	dnsAt   time.Time
	dns     time.Duration // of all tries
	dial    time.Duration // of all tries, and what was waited between them
	tls     time.Duration // of all tries
	tlsOpen bool          // a handshake was begun and did not succeed

	connected bool          // a connection carries the message
	answering bool          // the first byte of an answer has come
	ready     time.Time     // we had what only the bot can make us wait for: a place at its host, a connection
	ours      time.Duration // from having a connection until the kernel had the message: no time of the bot's
	sent      times         // the message was with the kernel
	first     time.Time     // the first bytes of the answer had come
	last      time.Time     // the last had come
	kernel    bool          // by the kernel's word
	roundTrip time.Duration // of the connection
}

// names times the look-up of a name.
func (t *trace) names() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		DNSStart: func(httptrace.DNSStartInfo) { t.dnsAt = t.now() },
		DNSDone:  func(httptrace.DNSDoneInfo) { t.dns += t.now().Sub(t.dnsAt) },
	}
}

// carried notes that k will carry the message: the times of a connection before it count no more.
func (t *trace) carried(k *connection) {
	t.connected, t.answering = true, false
	t.first, t.last = time.Time{}, time.Time{}
	k.socket.restart(t.now)
}

// wrote notes when the message was with the kernel.
func (t *trace) wrote(at times) {
	t.sent = at
	if !at.writtenAt.IsZero() {
		t.ours += at.writtenAt.Sub(t.ready)
	}
}

// began notes when the answer began.
func (t *trace) began(at times) { t.answering, t.first = true, at.last }

// came notes when the answer was complete.
func (t *trace) came(at times) { t.last, t.kernel = at.last, at.kernel }

// ended returns when the answer was complete, or now, when it was given up.
func (t *trace) ended() time.Time {
	if t.last.IsZero() {
		return t.now()
	}
	return t.last
}

// ledger closes the ledger at end, without the time for which we stood still. A bot may answer sooner than we see that the
// kernel has its message.
func (t *trace) ledger(end time.Time, stalled time.Duration) runner.Ledger {
	end = latest(end, t.sent.done)
	l := runner.Ledger{
		Elapsed: t.before.Elapsed + max(0, end.Sub(t.begin)-t.ours-stalled),
		DNS:     t.dns,
		Connect: t.dial,
		TLS:     t.tls,
		Stalled: t.before.Stalled + stalled,
		Kernel:  t.kernel,
	}
	if t.sent.writtenAt.IsZero() {
		return l
	}
	l.Written = t.sent.done.Sub(t.sent.writtenAt)
	if !t.first.IsZero() {
		l.FirstByte = max(0, t.first.Sub(t.sent.done))
		l.Body = max(0, end.Sub(latest(t.sent.done, t.first)))
	}
	return l
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
