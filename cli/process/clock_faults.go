//go:build faults

package process

import (
	"os"
	"time"
)

// now returns a time that is off by what the campaign of cli/faults says. No release is built with this tag.
func now() time.Time { return time.Now().Add(off) }

var off, _ = time.ParseDuration(os.Getenv("MOLERUN_FAULTS_CLOCK"))
