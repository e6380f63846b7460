package molehill

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// Square is a place on the board, counted from 0; a1 is {0, 0}, b1 is {1, 0}. Both are below maxSide.
type Square struct{ Col, Row uint8 }

// MaxSide is the most columns or rows a board can have; MaxSquares is the most squares.
const (
	maxSide    = 21
	MaxSquares = 63
)

// names are the texts of all squares, made once so that views and offers cost no allocation for them.
var names = func() (n [maxSide][maxSide]string) {
	for row := range n {
		for col := range n[row] {
			n[row][col] = string(rune('a'+col)) + strconv.Itoa(row+1)
		}
	}
	return n
}()

// String returns the square's name: the column's letter and the row's number from 1.
func (q Square) String() string { return names[q.Row%maxSide][q.Col%maxSide] }

// parseSquare reads a name such as "d4"; letters a to u and rows 1 to 21 are known, whatever the board.
func parseSquare(name string) (Square, error) {
	if len(name) >= 2 && name[0] >= 'a' && name[0] < 'a'+maxSide && name[1] != '0' && name[1] != '+' {
		if row, err := strconv.Atoi(name[1:]); err == nil && row >= 1 && row <= maxSide {
			return Square{name[0] - 'a', uint8(row - 1)}, nil
		}
	}
	return Square{}, fmt.Errorf("%q is not a square: want a column letter and a row number, such as \"d4\"", name)
}

// parseEdge reads a name such as "d5-d6": two squares that share an edge, the lower first. It returns the first, and
// whether the second lies above it rather than to its right.
func parseEdge(name string) (Square, bool, error) {
	first, second, ok := strings.Cut(name, "-")
	a, errA := parseSquare(first)
	b, errB := parseSquare(second)
	if !ok || errA != nil || errB != nil {
		return Square{}, false, fmt.Errorf("%q is not an edge: want two adjacent squares, the lower first, such as \"d5-d6\"", name)
	}
	switch {
	case a.Row == b.Row && a.Col+1 == b.Col:
		return a, false, nil
	case a.Col == b.Col && a.Row+1 == b.Row:
		return a, true, nil
	case a.Row == b.Row && b.Col+1 == a.Col, a.Col == b.Col && b.Row+1 == a.Row:
		return Square{}, false, fmt.Errorf("%q names the higher square first: write \"%s-%s\"", name, b, a)
	}
	return Square{}, false, fmt.Errorf("%q is not an edge: %s and %s share none", name, a, b)
}

// other returns the second square of an edge.
func other(at Square, up bool) Square {
	if up {
		return Square{at.Col, at.Row + 1}
	}
	return Square{at.Col + 1, at.Row}
}

// each walks the squares of a bitboard by number.
func each(m uint64, f func(i uint8)) {
	for ; m != 0; m &= m - 1 {
		f(uint8(bits.TrailingZeros64(m)))
	}
}
