package command

// Version is the release; the commit comes from the build.
const Version = "0.1.0"

// Program names this program and its release in records and user agents.
func Program() string { return "molerun " + Version }
