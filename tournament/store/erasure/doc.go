// Package erasure takes what is a person's out of the rows of an account that ends. Who may end one, and what becomes of its
// bots, must not be decided here.
package erasure
