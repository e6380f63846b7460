//! Tests of the bot: cargo test

use super::*;
use std::time::{Duration, UNIX_EPOCH};

fn read(text: &str) -> Json {
    Json::read(text.as_bytes()).unwrap()
}

#[test]
fn a_list_is_answered_with_an_index_into_it() {
    let turn = read(r#"{"offer":{"list":[{"type":"pass"},{"type":"move","to":"d3"}]}}"#);
    for k in 0..100 {
        let answer = choose(&turn, &mut Random(k)).to_string();
        assert!(answer == r#"{"choose":0}"# || answer == r#"{"choose":1}"#, "got {}", answer);
    }
}

#[test]
fn a_form_is_answered_with_an_action_made_of_it() {
    let turn = read(
        r#"{"offer":{"forms":[{"type":"go","fields":[{"name":"who","one_of":["ada","bob"]},{"name":"team","choose":2,"of":[0,1,2,3]},
        {"name":"speed","min":-1,"max":9,"unit":"mm/s"}]}],"examples":[]}}"#,
    );
    for k in 0..100 {
        let answer = choose(&turn, &mut Random(k));
        let action = &answer["action"];
        let (team, speed) = (action["team"].list(), action["speed"].whole());
        assert_eq!(action["type"].text(), "go");
        assert!(["ada", "bob"].contains(&action["who"].text()), "got {}", action);
        assert!(team.len() == 2 && team[0] != team[1], "got {}", action);
        assert!(team.iter().all(|m| ["0", "1", "2", "3"].contains(&m.to_string().as_str())), "got {}", action);
        assert!((-1..=9).contains(&speed), "got {}", action);
    }
}

#[test]
fn the_same_question_gets_the_same_answer() {
    let turn = read(r#"{"type":"turn","decision":"dec_1","offer":{"list":[0,1,2,3,4,5,6,7,8,9]}}"#);
    assert_eq!(answer(&turn), answer(&turn));
    assert_eq!(answer(&turn)["decision"].text(), "dec_1");
}

#[test]
fn hello_echoes_the_challenge_and_unknown_messages_are_answered_with_nothing() {
    assert_eq!(answer(&read(r#"{"type":"hello","challenge":"abc"}"#))["challenge"].text(), "abc");
    assert_eq!(answer(&read(r#"{"type":"weather","rain":true}"#)).to_string(), "{}");
}

#[test]
fn only_genuine_messages_are_taken() {
    const SECRET: &str = "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";
    const ID: &str = "dec_e10b910330c5436d01d1b6442362fa73";
    const GOOD: &str = "v1,QZH6KClkyKzYz4QF+zxu5zw0I2UFRu/RuF68MAfd528=";
    const BODY: &str = r#"{"protocol":1,"type":"turn"}"#;
    let two = format!("v1,AAAA {}", GOOD);
    for (what, id, stamp, signature, body, at, want) in [
        ("good", ID, "1790000000", GOOD, BODY, 1790000100, true),
        ("two signatures", ID, "1790000000", &two, BODY, 1790000100, true),
        ("another body", ID, "1790000000", GOOD, "{}", 1790000100, false),
        ("another id", "dec_1", "1790000000", GOOD, BODY, 1790000100, false),
        ("no headers", "", "", "", BODY, 1790000100, false),
        ("too old", ID, "1790000000", GOOD, BODY, 1790000301, false),
    ] {
        let names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
        let headers = names.iter().zip([id, stamp, signature]).map(|(n, v)| (n.to_string(), v.to_string())).collect();
        let request = Request::post(headers, body.as_bytes().to_vec());
        assert_eq!(webhook::genuine(SECRET, &request, UNIX_EPOCH + Duration::from_secs(at)), want, "{}", what);
    }
}

#[test]
fn hashes_are_those_of_the_standards() {
    let hex = |hash: [u8; 32]| hash.iter().map(|b| format!("{:02x}", b)).collect::<String>();
    for (message, want) in [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        // 56 bytes: the length needs a block of its own
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
        ),
    ] {
        assert_eq!(hex(webhook::sha256(message.as_bytes())), want, "{}", message);
    }
    // RFC 4231, cases 2 and 6
    assert_eq!(
        hex(webhook::hmac(b"Jefe", b"what do ya want for nothing?")),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    );
    assert_eq!(
        hex(webhook::hmac(&[0xaa; 131], b"Test Using Larger Than Block-Size Key - Hash Key First")),
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    );
}

#[test]
fn json_is_read_and_written() {
    let text = r#"{"a":[1,-2,0.5,true,false,null,{},[]],"b":"é\"\\\u000a"}"#;
    assert_eq!(read(&format!(" {}\n", text.replace(',', " , "))).to_string(), text);
    assert_eq!(read(r#""\ud83d\ude00\n\/\u00e9""#).text(), "\u{1f600}\n/é");
    let deep = "[".repeat(1000);
    for broken in ["", "{", "[1,]", r#"{"a"}"#, r#"{"a":}"#, r#""a"#, r#""\x""#, r#""\u12""#, r#""\ud83d""#, "nul", "inf", "1 2", &deep] {
        assert_eq!(Json::read(broken.as_bytes()), None, "{}", broken);
    }
}
