package settings

import "os"

// Secret is what messages to bots are signed with: what a flag says or, if that is empty, MOLERUN_SECRET; "" signs nothing.
func Secret(flag string) string {
	if flag != "" {
		return flag
	}
	return os.Getenv("MOLERUN_SECRET")
}
