//go:build !unix

package local

import (
	"context"
	"os/exec"
)

func grouped(*exec.Cmd) {}

// interrupt ends the program alone: Windows knows no interrupt.
func interrupt(cmd *exec.Cmd) error { return cmd.Process.Kill() }

func killGroup(*exec.Cmd) {}

func untilHangup(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithCancel(ctx)
}
