// Command molerun runs tournaments of HTTP bots; everything it does is in package cli.
package main

import (
	"os"

	"github.com/molerun/molerun/cli"
)

//go:generate go test . -run TestThePictureOfTheHouse -update

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
