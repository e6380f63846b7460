// Package browsertest gives tests a headless Chromium: a tab on the pages of a server, and what goes wrong in it. Nothing that
// ships imports it.
package browsertest
