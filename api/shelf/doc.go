// Package shelf keeps what was made last for who asks next, up to so many bytes in all. What the things are and whether they
// still hold is for those who put them there.
package shelf
