package designs

// plane returns the parallel classes of a resolvable design for v entries at tables of k: in each class everybody plays once,
// and over all of them every two meet once. nil if none is kept here: they are the affine planes of order 3, 4, 5, 7, 8
// and 9 (v = k²), and the schoolgirls of Kirkman (v = 15, k = 3).
func plane(v, k int) [][][]int {
	if v == 15 && k == 3 {
		return schoolgirls()
	}
	f := fieldOf(k)
	if f == nil || v != k*k {
		return nil
	}
	// The points are (x, y); the lines y = m·x + c of one slope m are parallel, and so are the lines x = c.
	var classes [][][]int
	for m := range k {
		var class [][]int
		for c := range k {
			var line []int
			for x := range k {
				line = append(line, x*k+f.plus(f.times(m, x), c))
			}
			class = append(class, line)
		}
		classes = append(classes, class)
	}
	var upright [][]int
	for x := range k {
		var line []int
		for y := range k {
			line = append(line, x*k+y)
		}
		upright = append(upright, line)
	}
	return append(classes, upright)
}

// finite is the field of p^n elements: polynomials over the whole numbers modulo p, written as numbers in base p, modulo
// a polynomial that has no factors.
type finite struct{ p, n, modulus int }

// fieldOf returns the field of k elements, nil if it is not kept here.
func fieldOf(k int) *finite {
	switch k {
	case 3, 5, 7:
		return &finite{p: k, n: 1}
	case 4:
		return &finite{p: 2, n: 2, modulus: 0b111} // x² + x + 1
	case 8:
		return &finite{p: 2, n: 3, modulus: 0b1011} // x³ + x + 1
	case 9:
		return &finite{p: 3, n: 2, modulus: 10} // x² + 1
	}
	return nil
}

func (f *finite) plus(a, b int) int {
	sum := 0
	for digit := 1; a > 0 || b > 0; digit *= f.p {
		sum += (a%f.p + b%f.p) % f.p * digit
		a, b = a/f.p, b/f.p
	}
	return sum
}

func (f *finite) times(a, b int) int {
	if f.n == 1 {
		return a * b % f.p
	}
	top := 1 // x^n
	for range f.n {
		top *= f.p
	}
	product := 0
	for ; b > 0; b /= f.p {
		for range b % f.p {
			product = f.plus(product, a)
		}
		a *= f.p // times x
		for a >= top {
			a = f.plus(a, f.negative(f.modulus)) // the leading digit of the modulus is 1
		}
	}
	return product
}

func (f *finite) negative(a int) int {
	out := 0
	for range f.p - 1 {
		out = f.plus(out, a)
	}
	return out
}

// schoolgirls returns seven days on which fifteen girls walk in rows of three, no two of them twice in one row. Day 0 is turned
// by 0..6 within the girls 0-6 and within the girls 7-13; the girl 14 stays.
func schoolgirls() [][][]int {
	day := [][]int{{14, 0, 7}, {1, 2, 4}, {3, 8, 12}, {5, 11, 13}, {6, 9, 10}}
	turned := func(girl, by int) int {
		switch {
		case girl < 7:
			return (girl + by) % 7
		case girl < 14:
			return 7 + (girl-7+by)%7
		}
		return girl
	}
	var out [][][]int
	for by := range 7 {
		var rows [][]int
		for _, row := range day {
			var r []int
			for _, girl := range row {
				r = append(r, turned(girl, by))
			}
			rows = append(rows, r)
		}
		out = append(out, rows)
	}
	return out
}

// named gives the places of a design to entries, as lot says.
func named(classes [][][]int, lot []int) [][][]int {
	var out [][][]int
	for _, class := range classes {
		var round [][]int
		for _, line := range class {
			lineup := make([]int, len(line))
			for i, place := range line {
				lineup[i] = lot[place]
			}
			round = append(round, lineup)
		}
		out = append(out, round)
	}
	return out
}
