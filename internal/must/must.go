package must

// T is a test: one of package testing, or of a property.
type T interface {
	Helper()
	Fatal(args ...any)
}

// OK ends the test at an error.
func OK(t T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
