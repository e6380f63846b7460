// Package journeys holds whole days of the people who use molerun: an author's, an organiser's Friday, an operator's and a
// visitor's. Each is a script in testdata of what they type and click, over real processes, with the waits left out.
//
// Scripts are those of testscript (exec, stdout, stderr, env, cp, kill, wait …) with the commands of journeys_test.go: until,
// which repeats a command until it prints something, and open, click, see, which drive a browser.
package journeys
