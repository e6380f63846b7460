package command

import (
	"runtime/debug"
	"strings"
)

// version is set by the linker (-X), because an image is built without the repository.
var version string

// Version returns the tag that was built, without its v; of other builds what the build says, or "dev".
func Version() string {
	if version != "" {
		return strings.TrimPrefix(version, "v")
	}
	if info, ok := debug.ReadBuildInfo(); ok && strings.HasPrefix(info.Main.Version, "v") {
		return strings.TrimPrefix(info.Main.Version, "v")
	}
	return "dev"
}

// Commit returns the commit of the source that this program was built from; "" if the build does not say.
func Commit() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return s.Value
			}
		}
	}
	return ""
}

// Program names this program and its release in records and user agents.
func Program() string { return "molerun " + Version() }
