package api_test

import (
	"github.com/chromedp/chromedp"

	"github.com/molerun/molerun/internal/browsertest"
)

// tries asks for an operation on the page of the API: our policy lets its viewer load nothing from elsewhere, and its style nothing inline.
func (g *gallery) tries(b *browsertest.Browser) {
	b.Open("/api")
	b.Run(chromedp.Click("#open", chromedp.ByQuery))
	b.Until(`document.querySelector("#operations-tag-operation") !== null`)
	b.AuditsInTurn("the viewer of the API")
	const operation = "#operations-operation-getVersion"
	b.Run(
		chromedp.Click("#operations-tag-operation", chromedp.ByQuery),
		chromedp.Click(operation+" .opblock-summary-control", chromedp.ByQuery),
		chromedp.WaitVisible(operation+" .responses-inner", chromedp.ByQuery),
		chromedp.Click(operation+" .execute", chromedp.ByQuery),
	)
	b.Until(`document.querySelector("#reference .live-responses-table .response .response-col_status").textContent.startsWith("200")`)
	var body string
	b.Eval(`document.querySelector("#reference .live-responses-table").textContent`, &body)
	holds(b.T, "the answer is shown", between(body, `"version": "`, `"`) == "test")
	b.Clean("the viewer of the API")
}
