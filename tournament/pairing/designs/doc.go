// Package designs knows who shares a table with whom so that all meet equally often: Berger tables, affine planes, cyclic difference
// families, and a search where no design is kept. Entries are numbers; what they are is the caller's to know.
package designs
