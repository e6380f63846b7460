// Plays a demo, looks at a page of every type with Lighthouse as a phone does, and prints a table:
//
//	node run.mjs PROGRAM [FOLDER]
//
// PROGRAM is molerun, or the address of a demo that runs; FOLDER takes the reports as HTML. Exits 1 where a page has less than the bounds. Performance is the best
// of three looks: a busy machine makes a page slower, never faster.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

const least = { performance: 95, accessibility: 100, "best-practices": 100, seo: 100 }, looks = 3;
const [program, reports] = process.argv.slice(2);

// demo plays one to its end and goes on serving; its address.
async function demo(folder) {
	const child = spawn(program, ["demo", "--json", "--keep", "--seed", "7", "--dir", folder], { stdio: ["ignore", "pipe", "ignore"] });
	let url;
	for await (const line of createInterface({ input: child.stdout })) {
		const said = JSON.parse(line);
		url ||= said.event === "serving" && said.url;
		if (said.event === "done") return { child, url };
	}
	throw new Error("the demo did not come to its end");
}

// pages are one of each type, by name.
async function pages(url) {
	const get = async (path) => (await (await fetch(url + path)).json()).data;
	const cups = await get("/v1/tournaments?limit=100"), cup = cups.find((c) => c.game === "demol" && c.format === "round_robin");
	const [best] = await get("/v1/ladders/demol/entries?limit=1"), [match] = await get(`/v1/tournaments/${cup.id}/matches?limit=1`);
	return {
		home: "/",
		game: "/games/demol",
		ladder: "/ladders/demol",
		tournaments: "/tournaments",
		tournament: `/tournaments/${cup.id}`,
		matches: "/matches",
		match: `/matches/${match.id}`,
		bot: `/bots/${best.bot_id}`,
		guide: "/guides/bot",
		play: "/play/demol",
	};
}

// look is the best of some looks at a page, each in a browser of its own: what one has kept does not help the next.
async function look(address) {
	let best;
	for (let n = 0; n < looks && !(best?.lhr.categories.performance.score * 100 >= least.performance); n++) {
		const flags = ["--headless=new", "--disable-background-networking", ...(process.getuid() === 0 ? ["--no-sandbox"] : [])];
		const chrome = await launch({ chromePath: process.env.CHROME_PATH || "/usr/bin/chromium", chromeFlags: flags });
		try {
			const seen = await lighthouse(address, { port: chrome.port, output: "html", onlyCategories: Object.keys(least) });
			if (!best || seen.lhr.categories.performance.score > best.lhr.categories.performance.score) best = seen;
		} finally {
			await chrome.kill();
		}
	}
	return best;
}

// wrong lists what a page has too little of, and why.
function wrong(lhr) {
	const out = [];
	for (const [id, bound] of Object.entries(least)) {
		const category = lhr.categories[id];
		if (Math.round(category.score * 100) >= bound) continue;
		const faults = category.auditRefs.filter((r) => r.weight > 0 && lhr.audits[r.id].score !== null && lhr.audits[r.id].score < 0.9);
		out.push(`${id}: ${faults.map((r) => `${r.id} ${lhr.audits[r.id].displayValue || ""}`).join(", ")}`);
	}
	const shift = lhr.audits["cumulative-layout-shift"].numericValue;
	if (shift > 0) out.push(`things move while the page loads: CLS ${shift}`);
	return out;
}

const folder = mkdtempSync(join(tmpdir(), "lighthouse-"));
if (reports) mkdirSync(reports, { recursive: true });
const running = program.startsWith("http") ? { url: program } : await demo(folder);
try {
	console.log("page         performance  accessibility  best practices  SEO  LCP, ms  CLS    kB");
	for (const [name, path] of Object.entries(await pages(running.url))) {
		const { lhr, report } = await look(running.url + path);
		const score = Object.keys(least).map((id) => Math.round(lhr.categories[id].score * 100)), figure = (id) => lhr.audits[id].numericValue;
		const row = [[name, 11], [score[0], 12], [score[1], 14], [score[2], 15], [score[3], 4], [Math.round(figure("largest-contentful-paint")), 8],
			[figure("cumulative-layout-shift").toFixed(3), 6], [(figure("total-byte-weight") / 1000).toFixed(0), 4]];
		console.log(row.map(([what, wide], i) => i ? String(what).padStart(wide) : String(what).padEnd(wide)).join(" "));
		for (const fault of wrong(lhr)) {
			console.log(`  ${fault}`);
			process.exitCode = 1;
		}
		if (reports) writeFileSync(join(reports, `${name}.html`), report);
	}
} finally {
	running.child?.kill();
	rmSync(folder, { recursive: true, force: true });
}
