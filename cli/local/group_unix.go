//go:build unix

package local

import (
	"context"
	"os/exec"
	"os/signal"
	"syscall"
)

// grouped gives a program that is to be started, and all that it starts, a group of their own: "go run ." and scripts start the bot in
// their turn, and hand on no signal.
func grouped(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// interrupt asks a group to end.
func interrupt(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }

// killGroup ends what is left of a group.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// untilHangup returns a context that ends also when the terminal is closed, which other groups than this program's are not told; not under nohup.
func untilHangup(ctx context.Context) (context.Context, context.CancelFunc) {
	if signal.Ignored(syscall.SIGHUP) {
		return context.WithCancel(ctx)
	}
	return signal.NotifyContext(ctx, syscall.SIGHUP)
}
