// Tests of Bot.java: javac *.java && java BotTest

import com.sun.net.httpserver.Headers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;

public final class BotTest {
  static final String SECRET = "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";
  static final String BODY = "{\"protocol\":1,\"type\":\"turn\"}";
  static final String ID = "dec_e10b910330c5436d01d1b6442362fa73";
  static final String SIGNATURE = "v1,QZH6KClkyKzYz4QF+zxu5zw0I2UFRu/RuF68MAfd528=";

  static void want(boolean good, String what, Object got) {
    if (!good) {
      throw new AssertionError(what + ": got " + got);
    }
  }

  static Map<String, Object> read(String text) {
    return Bot.object(new Bot.Json(text).whole());
  }

  static void listsAreAnsweredWithAnIndex() {
    Map<String, Object> turn = read("{\"offer\":{\"list\":[{\"type\":\"pass\"},{\"type\":\"move\",\"to\":\"d3\"}]}}");
    for (int k = 0; k < 100; k++) {
      Object index = Bot.choose(turn, new Random(k)).get("choose");
      want(index.equals(0) || index.equals(1), "0 or 1", index);
    }
  }

  static void formsAreAnsweredWithAnAction() {
    Map<String, Object> turn = read("{\"offer\":{\"forms\":[{\"type\":\"go\",\"fields\":[{\"name\":\"who\",\"one_of\":[\"ada\",\"bob\"]},"
        + "{\"name\":\"team\",\"choose\":2,\"of\":[0,1,2,3]},{\"name\":\"speed\",\"min\":1,\"max\":9,\"unit\":\"mm/s\"}]}],\"examples\":[]}}");
    for (int k = 0; k < 100; k++) {
      Map<String, Object> action = Bot.object(Bot.choose(turn, new Random(k)).get("action"));
      want(action.size() == 4 && action.get("type").equals("go"), "type go and three fields", action);
      want(List.of("ada", "bob").contains(action.get("who")), "ada or bob", action);
      List<Object> team = Bot.list(action.get("team"));
      want(team.size() == 2 && new HashSet<>(team).size() == 2 && List.of(0L, 1L, 2L, 3L).containsAll(team), "two different ones", team);
      int speed = Bot.number(action.get("speed"));
      want(1 <= speed && speed <= 9, "1 to 9", speed);
    }
  }

  static void theSameQuestionGetsTheSameAnswer() {
    Map<String, Object> turn = read("{\"type\":\"turn\",\"decision\":\"dec_1\",\"offer\":{\"list\":[1,2,3,4,5,6,7,8,9]}}");
    Map<String, Object> one = Bot.answer(turn);
    want(one.equals(Bot.answer(turn)) && one.get("decision").equals("dec_1"), "the same, for dec_1", one);
  }

  static void helloEchoesTheChallenge() {
    want("abc".equals(Bot.answer(read("{\"type\":\"hello\",\"challenge\":\"abc\"}")).get("challenge")), "abc", null);
    want(Bot.answer(read("{\"type\":\"weather\"}")).isEmpty(), "{} to an unknown message", null);
  }

  static void onlyGenuineMessagesAreTaken() {
    want(genuine(ID, SIGNATURE, BODY, 1790000100), "good", false);
    want(genuine(ID, "v1,AAAA " + SIGNATURE, BODY, 1790000100), "two signatures", false);
    want(!genuine(ID, SIGNATURE, BODY + " ", 1790000100), "another body", true);
    want(!genuine("dec_1", SIGNATURE, BODY, 1790000100), "another id", true);
    want(!genuine(ID, SIGNATURE, BODY, 1790000301), "too old", true);
    want(!Bot.genuine(SECRET, new Headers(), new byte[0], Instant.now()), "no headers", true);
  }

  static boolean genuine(String id, String signature, String body, long at) {
    Headers headers = new Headers();
    headers.set("webhook-id", id);
    headers.set("webhook-timestamp", "1790000000");
    headers.set("webhook-signature", signature);
    return Bot.genuine(SECRET, headers, body.getBytes(StandardCharsets.UTF_8), Instant.ofEpochSecond(at));
  }

  static void jsonIsReadAndWritten() {
    String text = "{\"a\":[1,-2,0.5,true,false,null,{},[]],\"b\":\"\u00e9\\u0022\\u005c\\u000a\"}";
    want(Bot.Json.text(read(" " + text.replace(",", " , ") + "\n")).equals(text), text, Bot.Json.text(read(text)));
    want(read("{\"b\":\"\\ud83d\\ude00\\n\\/\"}").get("b").equals("\ud83d\ude00\n/"), "escapes", null);
    for (String broken : List.of("", "{", "[1,]", "{\"a\"}", "{\"a\":}", "\"a", "\"\\x\"", "\"\\u12\"", "nul", "1 2", "[".repeat(1000))) {
      try {
        Object read = new Bot.Json(broken).whole();
        throw new AssertionError(broken + ": read as " + read);
      } catch (Bot.Json.Broken e) {
        // as it should be
      }
    }
  }

  public static void main(String[] args) {
    listsAreAnsweredWithAnIndex();
    formsAreAnsweredWithAnAction();
    theSameQuestionGetsTheSameAnswer();
    helloEchoesTheChallenge();
    onlyGenuineMessagesAreTaken();
    jsonIsReadAndWritten();
    System.out.println("all tests pass");
  }
}
