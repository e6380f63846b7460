package fit

// Both are the two standard errors of the difference between players i and j, or with j < 0 of the rating of i: the
// robust one and the model's.
func (f *Fit) Both(i, j int) (robust, model float64) {
	terms := []term{{int32(i), 1}, {int32(j), -1}}
	if j < 0 {
		terms = terms[:1]
	}
	return deviation(f.robust, terms), deviation(f.model, terms)
}
