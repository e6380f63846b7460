// placeholder until the taps come
(() => {
	"use strict";
})();
