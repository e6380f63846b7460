//! A bot for molerun: cargo run --release [PORT]
//! Put your strategy into choose; the rest can stay as it is.

mod json;
mod server;
mod webhook;

#[cfg(test)]
mod bot_test;

use json::Json;
use server::{Reply, Request};
use std::time::SystemTime;
use std::{env, panic};

const NAME: &str = "rust starter";
const GAMES: [&str; 5] = ["cia", "demol", "mole", "molehill", "molemajority"];

/// Answers a turn; turn["view"] is all you see, turn["offer"] all you may do.
///
/// The answer is {"choose": k}, the action at place k of the offer's list, or
/// {"action": {…}}, made from one of the offer's forms.
fn choose(turn: &Json, random: &mut Random) -> Json {
    let list = turn["offer"]["list"].list();
    if !list.is_empty() {
        return Json::object([("choose", Json::number(random.below(list.len())))]);
    }
    let form = random.one(turn["offer"]["forms"].list());
    let mut action = vec![("type", form["type"].clone())];
    for field in form["fields"].list() {
        action.push((field["name"].text(), pick(field, random)));
    }
    Json::object([("action", Json::object(action))])
}

/// Picks any value that the field of a form allows.
fn pick(field: &Json, random: &mut Random) -> Json {
    if !field["one_of"].list().is_empty() {
        return random.one(field["one_of"].list()).clone();
    }
    if !field["of"].list().is_empty() {
        let mut left = field["of"].list().to_vec();
        let picked = (0..field["choose"].whole()).map(|_| left.swap_remove(random.below(left.len())));
        return Json::List(picked.collect());
    }
    let (min, max) = (field["min"].whole(), field["max"].whole());
    Json::number(min + random.below((max - min + 1) as usize) as i64)
}

/// Answers any message of the platform; unknown ones with {}.
fn answer(message: &Json) -> Json {
    match message["type"].text() {
        "hello" => Json::object([
            ("challenge", message["challenge"].clone()),
            ("name", Json::from(NAME)),
            ("games", Json::List(GAMES.iter().map(|&g| Json::from(g)).collect())),
        ]),
        "turn" => {
            // The luck follows from the decision: asked again, the answer is the same.
            let mut random = Random::new(message["decision"].text());
            let mut out = choose(message, &mut random);
            out.put("decision", message["decision"].clone());
            out
        }
        _ => Json::object([]),
    }
}

/// Random numbers that follow from a text (SplitMix64).
struct Random(u64);

impl Random {
    fn new(text: &str) -> Random {
        let fnv = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        Random(text.bytes().fold(0xcbf2_9ce4_8422_2325, fnv))
    }

    /// A whole number from 0 to n-1.
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn one<'a>(&mut self, all: &'a [Json]) -> &'a Json {
        &all[self.below(all.len())]
    }
}

/// MOLERUN_SECRET without quotes, spaces and marks that shells and editors
/// leave around it.
fn known_secret() -> String {
    let secret = env::var("MOLERUN_SECRET").unwrap_or_default();
    secret.trim_matches(|c: char| !c.is_ascii_alphanumeric() && !"_+/=".contains(c)).to_string()
}

/// The status and the answer for one request.
fn handle(request: &Request) -> Reply {
    if request.method != "POST" {
        // a person, or a host's health check
        return Reply::new(200, "text/plain", format!("{} is a bot of molerun and runs.\n", NAME));
    }
    let reply = |status, answer: Json| Reply::new(status, "application/json", answer.to_string());
    let secret = known_secret();
    if !secret.is_empty() && !webhook::genuine(&secret, request, SystemTime::now()) {
        return reply(401, Json::object([])); // refuse what the platform did not send
    }
    let message = match Json::read(&request.body) {
        Some(message) => message,
        None => return reply(400, Json::object([])),
    };
    match panic::catch_unwind(|| answer(&message)) {
        Ok(out) => reply(200, out),
        Err(_) => reply(500, Json::object([])), // a slip in choose: the platform plays for you this once
    }
}

/// Listens on the port of the command line, of PORT, or 8000.
fn main() -> std::io::Result<()> {
    let secret = known_secret();
    if secret.is_empty() {
        eprintln!("MOLERUN_SECRET is not set: messages are accepted from anybody");
    } else if secret.strip_prefix("whsec_").and_then(webhook::from_base64).is_none() {
        eprintln!("MOLERUN_SECRET is no secret: want it whole, whsec_ and base64, as you got it when you registered the bot");
        std::process::exit(1);
    }
    let host = env::var("HOST").unwrap_or_else(|_| "127.0.0.1".to_string());
    let port = env::args().nth(1).or_else(|| env::var("PORT").ok()).unwrap_or_else(|| "8000".to_string());
    server::serve(&format!("{}:{}", host, port), handle)
}
