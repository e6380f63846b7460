// Command molerun runs tournaments of HTTP bots; everything it does is in package cli.
package main

import (
	"os"

	"github.com/molerun/molerun/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
