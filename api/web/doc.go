// Package web is the pages for people: it reads from the store what a page shows, hides what is sealed, and has package pages
// draw it. Who may see a page, and what an error looks like, is package api's to say.
package web
