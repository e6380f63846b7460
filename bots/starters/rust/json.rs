//! Reads and writes JSON.

use std::fmt;
use std::ops::Index;

const DEEPEST: usize = 100;
const NULL: &Json = &Json::Null;

#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(String), // as it was written
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    pub fn object<'a>(keys: impl IntoIterator<Item = (&'a str, Json)>) -> Json {
        Json::Object(keys.into_iter().map(|(key, value)| (key.to_string(), value)).collect())
    }

    pub fn number(n: impl ToString) -> Json {
        Json::Number(n.to_string())
    }

    /// Adds a key to an object.
    pub fn put(&mut self, key: &str, value: Json) {
        if let Json::Object(keys) = self {
            keys.push((key.to_string(), value));
        }
    }

    /// The members of a list; none of anything else.
    pub fn list(&self) -> &[Json] {
        match self {
            Json::List(list) => list,
            _ => &[],
        }
    }

    /// A string; "" of anything else.
    pub fn text(&self) -> &str {
        match self {
            Json::Text(text) => text,
            _ => "",
        }
    }

    /// A whole number; 0 of anything else.
    pub fn whole(&self) -> i64 {
        match self {
            Json::Number(n) => n.parse().unwrap_or(0),
            _ => 0,
        }
    }

    /// Reads one value; None if the text is not JSON.
    pub fn read(text: &[u8]) -> Option<Json> {
        let text = std::str::from_utf8(text).ok()?;
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(0)?;
        match reader.peek() {
            None => Some(value),
            Some(_) => None,
        }
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::Text(text.to_string())
    }
}

/// The value of an object's key; null if there is none.
impl Index<&str> for Json {
    type Output = Json;

    fn index(&self, key: &str) -> &Json {
        match self {
            Json::Object(keys) => keys.iter().find(|(k, _)| k == key).map_or(NULL, |(_, value)| value),
            _ => NULL,
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn value(&mut self, depth: usize) -> Option<Json> {
        if depth > DEEPEST {
            return None;
        }
        match self.peek()? {
            b'{' => {
                let mut keys = Vec::new();
                self.members(b'}', |r| {
                    let key = r.string()?;
                    r.take(b':')?;
                    keys.push((key, r.value(depth + 1)?));
                    Some(())
                })?;
                Some(Json::Object(keys))
            }
            b'[' => {
                let mut list = Vec::new();
                self.members(b']', |r| {
                    list.push(r.value(depth + 1)?);
                    Some(())
                })?;
                Some(Json::List(list))
            }
            b'"' => Some(Json::Text(self.string()?)),
            _ => self.word(),
        }
    }

    /// Reads what stands between the brackets, with commas between.
    fn members(&mut self, end: u8, mut member: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.at += 1;
        if self.peek()? != end {
            member(self)?;
            while self.peek()? != end {
                self.take(b',')?;
                member(self)?;
            }
        }
        self.at += 1;
        Some(())
    }

    /// The next byte that is no white space; None at the end.
    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        if self.peek()? != byte {
            return None;
        }
        self.at += 1;
        Some(())
    }

    fn string(&mut self) -> Option<String> {
        self.take(b'"')?;
        let mut out = String::new();
        loop {
            let rest = &self.text[self.at..];
            let plain = rest.find(['"', '\\'])?;
            out.push_str(&rest[..plain]);
            self.at += plain + 1;
            if rest.as_bytes()[plain] == b'"' {
                return Some(out);
            }
            out.push(self.escaped()?);
        }
    }

    fn escaped(&mut self) -> Option<char> {
        let kind = *self.text.as_bytes().get(self.at)?;
        self.at += 1;
        match kind {
            b'b' => Some('\u{8}'),
            b'f' => Some('\u{c}'),
            b'n' => Some('\n'),
            b'r' => Some('\r'),
            b't' => Some('\t'),
            b'"' | b'\\' | b'/' => Some(char::from(kind)),
            b'u' => {
                let high = self.hex()?;
                if !(0xd800..0xdc00).contains(&high) {
                    return char::from_u32(high);
                }
                // a character beyond 16 bits is written as two escapes
                self.at += self.text.get(self.at..)?.strip_prefix("\\u").map(|_| 2)?;
                let low = self.hex()?.checked_sub(0xdc00)?;
                char::from_u32(0x10000 + ((high - 0xd800) << 10) + low)
            }
            _ => None,
        }
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }

    fn word(&mut self) -> Option<Json> {
        let rest = &self.text[self.at..];
        let word = &rest[..rest.find([',', ']', '}', ' ', '\t', '\r', '\n']).unwrap_or(rest.len())];
        self.at += word.len();
        match word {
            "null" => Some(Json::Null),
            "true" => Some(Json::Bool(true)),
            "false" => Some(Json::Bool(false)),
            _ if word.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => word.parse::<f64>().ok().map(|_| Json::number(word)),
            _ => None,
        }
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Json::Null => f.write_str("null"),
            Json::Bool(b) => write!(f, "{}", b),
            Json::Number(n) => f.write_str(n),
            Json::Text(text) => quote(text, f),
            Json::List(list) => {
                for (i, value) in list.iter().enumerate() {
                    write!(f, "{}{}", if i == 0 { "[" } else { "," }, value)?;
                }
                f.write_str(if list.is_empty() { "[]" } else { "]" })
            }
            Json::Object(keys) => {
                for (i, (key, value)) in keys.iter().enumerate() {
                    f.write_str(if i == 0 { "{" } else { "," })?;
                    quote(key, f)?;
                    write!(f, ":{}", value)?;
                }
                f.write_str(if keys.is_empty() { "{}" } else { "}" })
            }
        }
    }
}

fn quote(text: &str, f: &mut fmt::Formatter) -> fmt::Result {
    f.write_str("\"")?;
    for c in text.chars() {
        match c {
            '"' | '\\' => write!(f, "\\{}", c)?,
            c if c < ' ' => write!(f, "\\u{:04x}", c as u32)?,
            c => write!(f, "{}", c)?,
        }
    }
    f.write_str("\"")
}
