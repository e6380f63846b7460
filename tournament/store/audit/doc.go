// Package audit keeps the lines of who did what. It adds and reads them; there is no way to change or remove one, and the
// database refuses it too.
package audit
