// Package guides makes pages of the documents in Markdown that come with the program: HTML and contents. It knows no
// HTTP, and none of what people write on a platform.
package guides
