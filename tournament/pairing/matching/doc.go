// Package matching finds a matching of the greatest weight in a general graph, with weights that rank several wishes. It knows
// nothing of tournaments.
package matching
