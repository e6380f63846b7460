//! Signatures of messages: https://www.standardwebhooks.com

use crate::server::Request;
use std::time::{SystemTime, UNIX_EPOCH};

const FIVE_MINUTES: u64 = 300; // in seconds

/// Reports whether the platform sent this.
pub fn genuine(secret: &str, request: &Request, now: SystemTime) -> bool {
    let stamp = request.header("webhook-timestamp");
    let now = now.duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    match stamp.parse::<u64>() {
        Ok(then) if now.max(then) - now.min(then) <= FIVE_MINUTES => (),
        _ => return false,
    }
    let key = match from_base64(secret.trim_start_matches("whsec_")) {
        Some(key) => key,
        None => return false,
    };
    let mut signed = format!("{}.{}.", request.header("webhook-id"), stamp).into_bytes();
    signed.extend(&request.body);
    let good = hmac(&key, &signed);
    request.header("webhook-signature").split(' ').any(|one| {
        let given = one.strip_prefix("v1,").and_then(from_base64);
        given.map_or(false, |given| same(&given, &good))
    })
}

/// Compares in a time that does not depend on where two signatures differ.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |differ, (x, y)| differ | (x ^ y)) == 0
}

pub fn from_base64(text: &str) -> Option<Vec<u8>> {
    if text.is_empty() || text.len() % 4 != 0 {
        return None;
    }
    const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut out, mut bits, mut held) = (Vec::new(), 0u32, 0);
    for c in text.trim_end_matches('=').chars() {
        bits = bits << 6 | LETTERS.find(c)? as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
        }
    }
    Some(out)
}

/// HMAC-SHA256 (RFC 2104).
pub fn hmac(key: &[u8], message: &[u8]) -> [u8; 32] {
    let mut block = [0; 64];
    if key.len() > 64 {
        block[..32].copy_from_slice(&sha256(key));
    } else {
        block[..key.len()].copy_from_slice(key);
    }
    let padded = |pad: u8, rest: &[u8]| sha256(&[&block.map(|b| b ^ pad), rest].concat());
    padded(0x5c, &padded(0x36, message))
}

/// SHA-256 (FIPS 180-4).
pub fn sha256(message: &[u8]) -> [u8; 32] {
    let mut padded = message.to_vec();
    padded.push(0x80);
    padded.resize((padded.len() + 8 + 63) / 64 * 64 - 8, 0);
    padded.extend((message.len() as u64 * 8).to_be_bytes());

    let mut hash = H;
    for block in padded.chunks(64) {
        let mut w = [0u32; 64];
        for (word, bytes) in w.iter_mut().zip(block.chunks(4)) {
            *word = bytes.iter().fold(0, |word, &b| word << 8 | u32::from(b));
        }
        for i in 16..64 {
            let s0 = w[i - 15].rotate_right(7) ^ w[i - 15].rotate_right(18) ^ (w[i - 15] >> 3);
            let s1 = w[i - 2].rotate_right(17) ^ w[i - 2].rotate_right(19) ^ (w[i - 2] >> 10);
            w[i] = w[i - 16].wrapping_add(s0).wrapping_add(w[i - 7]).wrapping_add(s1);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = hash;
        for i in 0..64 {
            let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let t1 = h.wrapping_add(s1).wrapping_add(e & f ^ !e & g).wrapping_add(K[i]).wrapping_add(w[i]);
            let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let t2 = s0.wrapping_add(a & b ^ a & c ^ b & c);
            (h, g, f, e) = (g, f, e, d.wrapping_add(t1));
            (d, c, b, a) = (c, b, a, t1.wrapping_add(t2));
        }
        for (word, add) in hash.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *word = word.wrapping_add(add);
        }
    }
    let mut out = [0; 32];
    for (bytes, word) in out.chunks_mut(4).zip(hash) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    out
}

const H: [u32; 8] = [
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

const K: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];
