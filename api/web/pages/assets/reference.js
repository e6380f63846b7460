// The viewer of the document of the API (swagger-ui). It asks this host alone.
"use strict";
SwaggerUIBundle({
  domNode: document.getElementById("reference"),
  url: "/openapi.json",
  validatorUrl: null,
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
  onComplete: () => document.getElementById("servers")?.setAttribute("aria-label", "Server"),
});
