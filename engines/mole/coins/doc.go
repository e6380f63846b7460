// Package coins is the exact physics of flicked coins: discs that slide on a plane under dry friction, strike each other,
// walls and posts, fall off edges, take off from a ramp and land again. It is event-driven: between events every motion has
// a closed form, so nothing is stepped and nothing tunnels. Rules, zones, seats and scores must not live here.
//
// Units: millimetres, seconds, grams; angles in thousandths of a degree (mdeg), counter-clockwise from +x. Energies come out
// in g·mm²/s² = nJ.
//
// The same input gives the same bits on every machine: only + − × ÷ and [math.Sqrt] are used, and every product, and every
// quotient by a constant, is written in a conversion float64(…), so that no compiler may fuse it with a sum (the Go
// specification, "Floating-point operators"). A test reads the source for this. The labels P1–P8 and F1–F5 in comments are
// those of docs/rules/mole.md.
package coins
