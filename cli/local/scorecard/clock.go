package scorecard

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/molerun/molerun/bots/card"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
)

// ledger is what the check of a card's clock needs of a turn's: all of it in the record, in the decisions without what was charged. Decisions
// that an earlier release kept have elapsed_us alone.
type ledger struct {
	ElapsedUS int64  `json:"elapsed_us"`
	ChargedUS *int64 `json:"charged_us,omitempty"`
	BankUS    *int64 `json:"bank_us,omitempty"` // after the decision
	StoodUS   int64  `json:"stood_us,omitempty"`
}

// readLedger returns the ledger of a turn; false if nobody was asked.
func readLedger(t replay.Turn) (l ledger, ok bool) {
	return l, len(t.Clock) > 0 && json.Unmarshal(t.Clock, &l) == nil
}

// purse bounds what a seat has left in its bank, in microseconds, by the clock that a card says and the decisions so far.
type purse struct{ least, most int64 }

// pay refuses a decision that the clock contradicts: one that took longer and was no timeout, a timeout that came sooner, or another bank
// afterwards. What was forgiven for the network is known within the allowance.
func (p *purse) pay(c card.Clock, t replay.Turn) error {
	l, ok := readLedger(t)
	if !ok {
		return nil
	}
	limit, allowance := 1000*c.LimitMS, tournament.DefaultClock().Allowance.Microseconds()
	least, most := l.ElapsedUS-allowance, l.ElapsedUS // that was charged
	if l.ChargedUS != nil {
		least, most = *l.ChargedUS, *l.ChargedUS
	}
	took := time.Duration(l.ElapsedUS) * time.Microsecond
	switch {
	case t.By == replay.ByBot && least > limit+p.most:
		return fmt.Errorf("took %v and was no timeout", took)
	case t.Why == string(tournament.FaultTimeout) && l.BankUS != nil && l.ElapsedUS+l.StoodUS+allowance < limit+p.least:
		return fmt.Errorf("was a timeout after %v", took)
	}
	p.least, p.most = max(0, p.least-max(0, most-limit)), max(0, p.most-max(0, least-limit))
	if l.BankUS == nil {
		return nil
	}
	if *l.BankUS < p.least || *l.BankUS > p.most {
		return fmt.Errorf("took %v and left %v of the bank", took, time.Duration(*l.BankUS)*time.Microsecond)
	}
	p.least, p.most = *l.BankUS, *l.BankUS
	return nil
}
