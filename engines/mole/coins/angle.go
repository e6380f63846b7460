package coins

// FullTurn is 360° in mdeg.
const FullTurn = 360_000

const quarterTurn = FullTurn / 4

// radian is π/180 000, one mdeg.
const radian = 3.14159265358979323846264338327950288419716939937510582097494459 / 180_000

// SinCos returns the sine and cosine of an angle in mdeg, to within 2⁻⁵² of the truth; multiples of 90° are exact. They are
// Taylor series on [−45°, 45°], to x¹⁷ and x¹⁶, where the next term is below 2⁻⁵⁸; the standard library's differ between
// processors.
func SinCos(mdeg int) (float64, float64) {
	mdeg = ((mdeg % FullTurn) + FullTurn) % FullTurn
	quarter := (mdeg + quarterTurn/2) / quarterTurn
	x := float64(float64(mdeg-quarter*quarterTurn) * radian)
	y := float64(x * x)
	sin := float64(x * series(y, -1.0/6, 1.0/120, -1.0/5040, 1.0/362880, -1.0/39916800, 1.0/6227020800, -1.0/1307674368000,
		1.0/355687428096000))
	cos := series(y, -1.0/2, 1.0/24, -1.0/720, 1.0/40320, -1.0/3628800, 1.0/479001600, -1.0/87178291200, 1.0/20922789888000)
	switch quarter & 3 {
	case 1:
		return cos, -sin
	case 2:
		return -sin, -cos
	case 3:
		return -cos, sin
	}
	return sin, cos
}

// series computes 1 + c₀y + c₁y² + …, by Horner.
func series(y float64, c0, c1, c2, c3, c4, c5, c6, c7 float64) float64 {
	s := c6 + float64(c7*y)
	s = c5 + float64(s*y)
	s = c4 + float64(s*y)
	s = c3 + float64(s*y)
	s = c2 + float64(s*y)
	s = c1 + float64(s*y)
	s = c0 + float64(s*y)
	return 1 + float64(s*y)
}

// Direction returns the whole mdeg, 0 to 359 999, closest to the direction of (dx, dy), which is not (0, 0).
func Direction(dx, dy float64) int {
	lo := FullTurn // the quarter that the direction lies in begins here
	switch {
	case dx > 0 && dy >= 0:
		lo = 0
	case dx <= 0 && dy > 0:
		lo = quarterTurn
	case dx < 0 && dy <= 0:
		lo = 2 * quarterTurn
	case dx >= 0 && dy < 0:
		lo = 3 * quarterTurn
	}
	left := func(mdeg int) float64 { // how far (dx, dy) points to the left of mdeg
		sin, cos := SinCos(mdeg)
		return float64(cos*dy) - float64(sin*dx)
	}
	hi := lo + quarterTurn
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; left(mid) >= 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	if left(lo) > -left(hi) {
		lo = hi
	}
	return lo % FullTurn
}
