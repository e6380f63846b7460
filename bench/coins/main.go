package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"syscall"
	"time"
)

const (
	wanted  = 20.0 // times the stepper's shots
	stepsHz = 60
	many    = 2048 // shots, played over and over
	turn    = 50 * time.Millisecond
)

func main() {
	span := flag.Duration("span", 3*time.Second, "processor time for each of the two")
	flag.Parse()
	if flag.NArg() > 0 || *span <= 0 {
		fmt.Fprintln(os.Stderr, "coins: want no operands, and a -span above 0")
		os.Exit(1)
	}
	fast, err := run(os.Stdout, *span)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if !fast {
		fmt.Fprintf(os.Stderr, "the ratio is below the %.0f wanted\n", wanted)
		os.Exit(1)
	}
}

// run measures, prints and reports whether the solver is fast enough.
func run(out io.Writer, span time.Duration) (bool, error) {
	solver, stepper := newOurs(), newStepper(1.0/stepsHz)
	list := shots(rand.New(rand.NewPCG(1, 2)), many)
	a, b := &lane{solver: solver}, &lane{solver: stepper}
	for a.spent < span || b.spent < span {
		for _, l := range []*lane{a, b} {
			if err := l.run(list, turn); err != nil {
				return false, err
			}
		}
	}
	ratio := a.rate() / b.rate()
	fmt.Fprintf(out, "%-28s %12.0f shots/CPU s\n", "coins, event by event", a.rate())
	fmt.Fprintf(out, "%-28s %12.0f shots/CPU s\n", fmt.Sprintf("box2d, steps of 1/%d s", stepsHz), b.rate())
	fmt.Fprintf(out, "%-28s %12.1f (wanted: %.0f or more)\n", "ratio", ratio, wanted)
	const speed = 15
	ours, err := stopError(solver, speed)
	if err != nil {
		return false, err
	}
	theirs, err := stopError(stepper, speed)
	if err != nil {
		return false, err
	}
	fmt.Fprintf(out, "where a straight flick of %d stops, off v²/2a = %.4f by: coins %.1e, box2d %.1e (disc radius %.1f)\n",
		speed, closed(speed), ours, theirs, radius)
	return ratio >= wanted, nil
}

// lane is one of the two that are measured in turns.
type lane struct {
	solver solver
	next   int // shot of the list
	done   int
	spent  time.Duration
}

func (l *lane) rate() float64 { return float64(l.done) / l.spent.Seconds() }

// run plays shots for a turn of processor time.
func (l *lane) run(list []shot, turn time.Duration) error {
	start := cpu()
	for cpu()-start < turn {
		for range 16 {
			if _, err := l.solver.play(list[l.next]); err != nil {
				return fmt.Errorf("shot %d: %w", l.next, err)
			}
			l.next = (l.next + 1) % len(list)
			l.done++
		}
	}
	l.spent += cpu() - start
	return nil
}

// cpu returns the processor time this process has used, garbage collection included.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic("bench: the system does not tell the processor time: " + err.Error())
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// closed returns how far a disc slides that is flicked at a speed.
func closed(speed float64) float64 { return speed * speed / (2 * decel) }

// straight returns a flick along the table with nothing in the way.
func straight(speed float64) shot {
	return shot{at: [discs]vec{{X: 1, Y: 5}, {X: 1, Y: 1}, {X: 5, Y: 1}, {X: 9, Y: 1}}, speed: speed}
}

// stopError returns how far from the closed form a straight flick comes to rest.
func stopError(s solver, speed float64) (float64, error) {
	x := straight(speed)
	rest, err := s.play(x)
	return math.Abs(rest[0].X - x.at[0].X - closed(speed)), err
}
