// Whoever wants no results before the last step of a match has said so on an earlier page: nothing of them is to flash up on this one.
try {
	if (localStorage.getItem("spoilers") === "hide") document.documentElement.classList.add("hiding");
} catch { /* nothing can be remembered here */ }
