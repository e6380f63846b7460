// The viewer of the document of the API (swagger-ui), read when it is asked for. It asks this host alone. Without this file the list stands.
(() => {
	"use strict";
	const $ = (id) => document.getElementById(id), box = $("reference");
	let viewer = null, asked = false;

	// open reads the viewer, which goes to the operation in the address by itself; later it is led there.
	function open(hash) {
		viewer?.layoutActions.parseDeepLinkHash(hash);
		if (asked) return;
		asked = true;
		$("open").hidden = true;
		box.hidden = false;
		const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: box.dataset.sheet });
		const script = Object.assign(document.createElement("script"), { src: box.dataset.script });
		script.onload = () => viewer = SwaggerUIBundle({
			domNode: box,
			url: "/openapi.json",
			validatorUrl: null,
			deepLinking: true,
			docExpansion: "none",
			filter: true,
			tryItOutEnabled: true,
			defaultModelsExpandDepth: 0,
			onComplete: () => $("servers")?.setAttribute("aria-label", "Server"),
		});
		document.head.append(style, script);
	}

	$("trying").hidden = false;
	for (const link of document.querySelectorAll(".try")) {
		link.hidden = false;
		link.addEventListener("click", () => {
			open(link.hash);
			box.scrollIntoView();
		});
	}
	$("open").addEventListener("click", () => open(""));
	if (location.hash.startsWith("#/")) open(""); // a link to an operation
})();
