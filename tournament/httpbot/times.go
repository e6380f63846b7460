package httpbot

import "time"

// times are when the bytes of one message and its answer left and came.
type times struct {
	now       func() time.Time
	begun     time.Time // the first bytes of the message were being handed to the kernel
	writtenAt time.Time // the kernel had them: from then on the bot can read
	done      time.Time // the kernel had the last
	last      time.Time // the last bytes read had come
	kernel    bool      // last is the kernel's word, not when this process got to read
}

// restart begins the times of a message.
func (t *times) restart(now func() time.Time) { *t = times{now: now} }

// left notes that bytes were writtenAt to the kernel.
func (t *times) left(begun, writtenAt time.Time) {
	if t.writtenAt.IsZero() {
		t.begun, t.writtenAt = begun, writtenAt
	}
	t.done = writtenAt
}

// came notes that bytes have come, by the kernel's stamp in ns since 1970; 0 is none. The stamp is taken as an age beside a
// clock read now, so that only what happens to the clock in between can bend it: an age below zero, or longer than we have
// waited, is no age, and the time is ours.
func (t *times) came(stamp int64) {
	now := t.now()
	t.last, t.kernel = now, false
	if stamp == 0 {
		return
	}
	age := time.Duration(now.UnixNano() - stamp)
	if age >= 0 && age <= now.Sub(t.begun) {
		t.last, t.kernel = now.Add(-age), true
	}
}
