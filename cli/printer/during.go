package printer

import (
	"fmt"
	"sync"
	"time"

	"github.com/molerun/molerun/cli/command"
)

// During shows on a terminal what goes on and for how long, where nobody knows how much of it is done; elsewhere it shows nothing. end
// clears that for what is printed next; a second call does nothing.
func (p *Printer) During(what string) (end func()) {
	if !p.OnTerminal() {
		return func() {}
	}
	begun := time.Now()
	draw := func() {
		command.Draw(p.Err, command.ClearLine, fmt.Sprintf("%s: %.0f s", what, time.Since(begun).Seconds()))
	}
	draw()
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		each := time.NewTicker(time.Second)
		defer each.Stop()
		for {
			select {
			case <-stop:
				return
			case <-each.C:
				draw()
			}
		}
	}()
	return sync.OnceFunc(func() {
		close(stop)
		<-ended
		command.Draw(p.Err, command.ClearLine)
	})
}
