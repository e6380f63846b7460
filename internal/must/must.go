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

// Get returns what a call returned, once it is told whose test it is: must.Get(os.Open(name))(t). It ends the test at an error.
func Get[V any](v V, err error) func(T) V {
	return func(t T) V {
		t.Helper()
		OK(t, err)
		return v
	}
}
