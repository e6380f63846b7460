package login_test

import (
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/molerun/molerun/internal/browsertest"
)

func TestLinksInABrowser(t *testing.T) {
	onSQLite(t, withoutIssuer, func(t *testing.T, w *world) {
		cup, token := w.cup("teacher")
		b := browsertest.New(t, w.base)
		here := func(path string) { b.Until(`location.href === "` + w.base + path + `"`) }

		b.Open("/login")
		b.AuditsInTurn("/login without an issuer")
		at, _ := w.address(w.posts(token, "/v1/me/login-links", `{}`, 201))
		b.Open(at)
		b.AuditsInTurn("/login/once")
		b.Run(chromedp.Click(`form[action="/login/once"] button`, chromedp.ByQuery))
		here("/me")
		b.AuditsInTurn("/me without an issuer")
		b.Run(chromedp.Click(`form[action="/logout"] button`, chromedp.ByQuery))
		here("/")

		_, at, _ = w.class(token, cup.ID, 3)
		b.Open(at)
		b.AuditsInTurn("/class")
		b.Run(chromedp.SendKeys("#name", "teacher", chromedp.ByQuery), chromedp.Click(`form[action="/class"] button`, chromedp.ByQuery))
		b.Until(`document.querySelector("[role=alert]") !== null && document.getElementById("name").value === "teacher"`)
		b.Forgive() // the refusal has the status of one
		b.AuditsInTurn("/class with a name that is taken")
		var sent int
		b.Eval(`(() => {
			let sent = 0;
			document.addEventListener("submit", (e) => { sent += !e.defaultPrevented; e.preventDefault(); });
			const form = document.querySelector('form[action="/class"]');
			form.requestSubmit();
			form.requestSubmit();
			return sent;
		})()`, &sent)
		if sent != 1 {
			t.Errorf("two quick clicks send the form %d times", sent)
		}
		b.Open(at)
		b.Run(chromedp.SetValue("#name", "student", chromedp.ByQuery), chromedp.Click(`form[action="/class"] button`, chromedp.ByQuery))
		b.Until(`document.querySelector("pre code") !== null`)
		b.AuditsInTurn("/class with the token")
	})
}
