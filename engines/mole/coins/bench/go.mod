module github.com/molerun/molerun/engines/mole/coins/bench

go 1.26.0

require (
	github.com/ByteArena/box2d v1.0.2
	github.com/molerun/molerun v0.0.0
)

require github.com/pmezard/go-difflib v1.0.0 // indirect

replace github.com/molerun/molerun => ../../../..
