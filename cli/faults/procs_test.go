package faults_test

import (
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/molerun/molerun/internal/clitest"
)

// proc is a process of the platform.
type proc struct {
	*exec.Cmd
	told  atomic.Bool // somebody ended it
	ended chan struct{}
	log   clitest.Log
}

// run starts a process; early hears of one that ends by itself.
func run(early func(*proc), env []string, args ...string) (*proc, error) {
	p := &proc{Cmd: exec.Command(args[0], args[1:]...), ended: make(chan struct{})}
	p.Env = append(os.Environ(), env...)
	p.Stderr = &p.log
	if err := p.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = p.Wait()
		if !p.told.Load() {
			early(p)
		}
		close(p.ended)
	}()
	return p, nil
}

// kill ends it as a power cut would.
func (p *proc) kill() {
	p.told.Store(true)
	_ = p.Process.Kill()
	<-p.ended
}

// stop asks it to end, as a supervisor does, and reports whether it did within half a minute.
func (p *proc) stop() bool {
	p.told.Store(true)
	_ = p.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
		return true
	case <-time.After(30 * time.Second):
		p.kill()
		return false
	}
}

// freeze stops it for a time, as a paused machine would.
func (p *proc) freeze(d time.Duration) {
	_ = p.Process.Signal(syscall.SIGSTOP)
	time.Sleep(d)
	_ = p.Process.Signal(syscall.SIGCONT)
}

// last is the end of what it wrote.
func (p *proc) last() string {
	text := p.log.String()
	return strings.TrimSpace(text[max(0, len(text)-1000):])
}

// ready reports whether the API answers that it is.
func (x *platform) ready() bool {
	client := http.Client{Timeout: 2 * time.Second}
	answer, err := client.Get("http://" + x.listen + "/readyz")
	if err != nil {
		return false
	}
	_ = answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}
