//! A small HTTP/1.1 server: a thread for each connection, which is kept.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

const MAX_BYTES: usize = 4 << 20; // of a message
const MAX_LINE: u64 = 64 << 10;
const MAX_HEADERS: usize = 100;
const THREE_MINUTES: Duration = Duration::from_secs(180);

pub struct Request {
    pub method: String,
    pub headers: Vec<(String, String)>, // names in small letters
    pub body: Vec<u8>,
    kept: bool, // the connection, after the answer
}

impl Request {
    /// A message, as a test makes it.
    #[cfg(test)]
    pub fn post(headers: Vec<(String, String)>, body: Vec<u8>) -> Request {
        Request { method: "POST".to_string(), headers, body, kept: true }
    }

    /// The value of a header; "" if it was not sent.
    pub fn header(&self, name: &str) -> &str {
        find(&self.headers, name)
    }
}

fn find<'a>(headers: &'a [(String, String)], name: &str) -> &'a str {
    headers.iter().find(|(n, _)| n == name).map_or("", |(_, value)| value)
}

pub struct Reply {
    status: u16,
    kind: &'static str,
    body: String,
}

impl Reply {
    pub fn new(status: u16, kind: &'static str, body: String) -> Reply {
        Reply { status, kind, body }
    }

    /// Writes head and body at once, so that no answer waits 40 ms.
    fn send(&self, out: &mut TcpStream, method: &str, kept: bool) -> io::Result<()> {
        let head = format!(
            "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{}\r\n",
            self.status,
            if self.status == 200 { "OK" } else { "Refused" },
            self.kind,
            self.body.len(),
            if kept { "" } else { "Connection: close\r\n" }
        );
        let body = if method == "HEAD" { "" } else { &self.body };
        out.write_all([head.as_str(), body].concat().as_bytes())
    }
}

/// Listens at an address, prints the URL, and answers every request with handle.
pub fn serve(address: &str, handle: fn(&Request) -> Reply) -> io::Result<()> {
    let listener = TcpListener::bind(address)?;
    println!("http://127.0.0.1:{}", listener.local_addr()?.port());
    for stream in listener.incoming() {
        // an error ends this connection alone: the other side has gone
        thread::spawn(move || stream.and_then(|s| connection(s, handle)));
    }
    Ok(())
}

fn connection(stream: TcpStream, handle: fn(&Request) -> Reply) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(THREE_MINUTES))?; // the platform ends connections, not we
    let mut out = stream.try_clone()?;
    let mut input = BufReader::new(stream);
    loop {
        match read(&mut input, &mut out) {
            Ok(None) => return Ok(()), // the other side is done
            Ok(Some(request)) => {
                handle(&request).send(&mut out, &request.method, request.kept)?;
                if !request.kept {
                    return Ok(());
                }
            }
            Err(e) => {
                // where the next request begins is unknown
                Reply::new(400, "text/plain", format!("{}\n", e)).send(&mut out, "", false)?;
                return Err(e);
            }
        }
    }
}

fn broken(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// Reads a request; None at the end of the connection.
fn read(input: &mut BufReader<TcpStream>, out: &mut TcpStream) -> io::Result<Option<Request>> {
    let first = match line(input)? {
        Some(first) => first,
        None => return Ok(None),
    };
    let words: Vec<&str> = first.split(' ').collect();
    if words.len() != 3 || !words[2].starts_with("HTTP/1.") {
        return Err(broken("this is not HTTP/1.1"));
    }
    let headers = headers(input)?;
    if find(&headers, "expect").eq_ignore_ascii_case("100-continue") {
        out.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    let body = if find(&headers, "transfer-encoding").is_empty() {
        let length = match find(&headers, "content-length") {
            "" => 0,
            digits => digits.parse().map_err(|_| broken("the length of the message is no number"))?,
        };
        take(input, length, MAX_BYTES)?
    } else {
        chunks(input)?
    };
    let kept = words[2] != "HTTP/1.0" && !find(&headers, "connection").eq_ignore_ascii_case("close");
    let method = words[0].to_string();
    Ok(Some(Request { method, headers, body, kept }))
}

/// Reads a line without its end; None where nothing comes any more.
fn line(input: &mut BufReader<TcpStream>) -> io::Result<Option<String>> {
    let mut line = String::new();
    if input.by_ref().take(MAX_LINE).read_line(&mut line)? == 0 {
        return Ok(None);
    }
    match line.strip_suffix('\n') {
        Some(whole) => Ok(Some(whole.trim_end_matches('\r').to_string())),
        None => Err(broken("a line has no end")),
    }
}

/// Reads headers up to the empty line.
fn headers(input: &mut BufReader<TcpStream>) -> io::Result<Vec<(String, String)>> {
    let mut out = Vec::new();
    while out.len() < MAX_HEADERS {
        let line = line(input)?.ok_or_else(|| broken("the request ended early"))?;
        if line.is_empty() {
            return Ok(out);
        }
        let (name, value) = line.split_once(':').ok_or_else(|| broken("a header has no colon"))?;
        out.push((name.to_ascii_lowercase(), value.trim().to_string()));
    }
    Err(broken("there are too many headers"))
}

/// Reads a body in chunks, as some proxies send it.
fn chunks(input: &mut BufReader<TcpStream>) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let line = line(input)?.unwrap_or_default();
        let digits = line.split(';').next().unwrap_or("").trim();
        match usize::from_str_radix(digits, 16) {
            Ok(0) => break,
            Ok(size) => body.extend(take(input, size, MAX_BYTES - body.len())?),
            Err(_) => return Err(broken("the size of a chunk is no number")),
        }
        take(input, 2, 2)?; // the end of the chunk's last line
    }
    headers(input)?; // behind the body they say nothing to us
    Ok(body)
}

/// Reads exactly so many bytes.
fn take(input: &mut BufReader<TcpStream>, size: usize, most: usize) -> io::Result<Vec<u8>> {
    if size > most {
        return Err(broken("the message is too large"));
    }
    let mut out = vec![0; size];
    input.read_exact(&mut out)?;
    Ok(out)
}
