// On a form that nobody has filled in yet, times are shown on the clocks of this browser: it knows its zone, the server does not.
"use strict";
(() => {
	const zone = document.querySelector("input[data-fresh]"), here = Intl.DateTimeFormat().resolvedOptions().timeZone;
	if (!zone || zone.value !== "UTC" || !here || here === "UTC") return;
	const two = (n) => String(n).padStart(2, "0");
	for (const input of document.querySelectorAll("input[type=datetime-local]")) {
		const at = new Date(input.value + "Z");
		if (!isNaN(at)) input.value = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}${input.value.slice(16)}`;
	}
	zone.value = here;
})();
