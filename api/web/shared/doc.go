// Package shared keeps what many ask for at once, made once for all of them: a page that a thousand follow. How what is kept
// is made, and what it hangs on, must not live here.
package shared
