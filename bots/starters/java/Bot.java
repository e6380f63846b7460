// A bot for molerun: java Bot.java [PORT]
// Put your strategy into choose; the rest can stay as it is.

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class Bot {
  static final String NAME = "java starter";
  static final List<String> GAMES = List.of("cia", "demol", "mole", "molehill", "molemajority");
  static final int FIVE_MINUTES = 300; // in seconds
  static final int MAX_BYTES = 4 << 20; // of a message
  static final String SECRET = "whsec_([A-Za-z0-9+/]{4})+([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?";

  /**
   * Answers a turn: view is all you see, offer all you may do.
   *
   * <p>The answer is {"choose": k}, the action at place k of the offer's list, or {"action": {…}},
   * made from one of the offer's forms.
   */
  static Map<String, Object> choose(Map<String, Object> turn, Random random) {
    Map<String, Object> offer = object(turn.get("offer"));
    List<Object> list = list(offer.get("list"));
    if (!list.isEmpty()) {
      return answer("choose", random.nextInt(list.size()));
    }
    List<Object> forms = list(offer.get("forms"));
    Map<String, Object> form = object(forms.get(random.nextInt(forms.size())));
    Map<String, Object> action = answer("type", form.get("type"));
    for (Object field : list(form.get("fields"))) {
      action.put((String) object(field).get("name"), pick(object(field), random));
    }
    return answer("action", action);
  }

  /** Picks any value that the field of a form allows. */
  static Object pick(Map<String, Object> field, Random random) {
    List<Object> oneOf = list(field.get("one_of"));
    if (!oneOf.isEmpty()) {
      return oneOf.get(random.nextInt(oneOf.size()));
    }
    if (field.containsKey("of")) {
      List<Object> of = new ArrayList<>(list(field.get("of")));
      Collections.shuffle(of, random);
      return of.subList(0, number(field.get("choose")));
    }
    int min = number(field.get("min"));
    return min + random.nextInt(number(field.get("max")) - min + 1);
  }

  /** Answers any message of the platform; unknown ones with {}. */
  static Map<String, Object> answer(Map<String, Object> message) {
    Map<String, Object> out = new LinkedHashMap<>();
    if ("hello".equals(message.get("type"))) {
      out.put("challenge", message.get("challenge"));
      out.put("name", NAME);
      out.put("games", GAMES);
    } else if ("turn".equals(message.get("type"))) {
      // The luck follows from the decision: asked again, the answer is the same.
      String decision = (String) message.get("decision");
      out.put("decision", decision);
      out.putAll(choose(message, new Random(decision.hashCode())));
    }
    return out;
  }

  private static Map<String, Object> answer(String key, Object value) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put(key, value);
    return out;
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> object(Object json) {
    return (Map<String, Object>) json;
  }

  @SuppressWarnings("unchecked")
  static List<Object> list(Object json) {
    return json == null ? List.of() : (List<Object>) json;
  }

  static int number(Object json) {
    return ((Number) json).intValue();
  }

  /** Reports whether the platform sent this: https://www.standardwebhooks.com */
  static boolean genuine(String secret, Headers headers, byte[] body, Instant now) {
    String stamp = String.valueOf(headers.getFirst("webhook-timestamp"));
    if (!stamp.matches("[0-9]{1,15}") || Math.abs(now.getEpochSecond() - Long.parseLong(stamp)) > FIVE_MINUTES) {
      return false;
    }
    byte[] digest;
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.replaceFirst("^whsec_", "")), "HmacSHA256"));
      mac.update((headers.getFirst("webhook-id") + "." + stamp + ".").getBytes(StandardCharsets.UTF_8));
      digest = mac.doFinal(body);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      return false; // the secret is none
    }
    byte[] good = ("v1," + Base64.getEncoder().encodeToString(digest)).getBytes(StandardCharsets.UTF_8);
    for (String one : String.valueOf(headers.getFirst("webhook-signature")).split(" ")) {
      if (MessageDigest.isEqual(good, one.getBytes(StandardCharsets.UTF_8))) {
        return true;
      }
    }
    return false;
  }

  /** MOLERUN_SECRET without quotes, spaces and marks that shells and editors leave around it. */
  static String knownSecret() {
    String secret = System.getenv().getOrDefault("MOLERUN_SECRET", "");
    return secret.replaceAll("^\\W+|[^\\w+/=]+$", "");
  }

  static void handle(HttpExchange exchange) throws IOException {
    if (!exchange.getRequestMethod().equals("POST")) { // a person, or a host's health check
      send(exchange, 200, "text/plain", NAME + " is a bot of molerun and runs.\n");
      return;
    }
    byte[] body = exchange.getRequestBody().readNBytes(MAX_BYTES + 1);
    String secret = knownSecret();
    int status = 200;
    String text = "{}";
    if (body.length > MAX_BYTES) {
      status = 413;
    } else if (!secret.isEmpty() && !genuine(secret, exchange.getRequestHeaders(), body, Instant.now())) {
      status = 401; // refuse what the platform did not send
    } else {
      try {
        text = Json.text(answer(object(new Json(new String(body, StandardCharsets.UTF_8)).whole())));
      } catch (Json.Broken e) {
        status = 400;
      } catch (Throwable e) { // also StackOverflowError: without an answer the platform would ask again and again
        e.printStackTrace(); // a slip in choose: the platform plays for you this once
        status = 500;
      }
    }
    send(exchange, status, "application/json", text);
  }

  static void send(HttpExchange exchange, int status, String kind, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", kind);
    boolean head = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(status, head ? -1 : body.length);
    try (OutputStream out = exchange.getResponseBody()) { // exchange.close() would end the connection
      out.write(head ? new byte[0] : body);
    }
  }

  /** Listens on the port of the command line, of PORT, or 8000. */
  public static void main(String[] args) throws IOException {
    String secret = knownSecret();
    if (secret.isEmpty()) {
      System.err.println("MOLERUN_SECRET is not set: messages are accepted from anybody");
    } else if (!secret.matches(SECRET)) {
      System.err.println("MOLERUN_SECRET is no secret: want it whole, whsec_ and base64, as you got it when you registered the bot");
      System.exit(1);
    }
    System.setProperty("sun.net.httpserver.nodelay", "true"); // otherwise every answer may wait 40 ms
    System.setProperty("sun.net.httpserver.idleInterval", "180"); // the platform ends connections, not we
    Map<String, String> env = System.getenv();
    int port = Integer.parseInt(args.length > 0 ? args[0] : env.getOrDefault("PORT", "8000"));
    HttpServer server = HttpServer.create(new InetSocketAddress(env.getOrDefault("HOST", "127.0.0.1"), port), 128);
    server.createContext("/", Bot::handle);
    server.setExecutor(Executors.newCachedThreadPool());
    server.start();
    System.out.println("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** Reads and writes JSON: objects are maps, lists lists, numbers Long or Double. */
  static final class Json {
    /** A text is not JSON. */
    static final class Broken extends RuntimeException {
      private static final long serialVersionUID = 1;

      Broken(String why, int at) {
        super(why + " at " + at);
      }
    }

    private static final int DEEPEST = 100;

    private final String text;
    private int at;

    Json(String text) {
      this.text = text;
    }

    /** Reads the whole text, which is one value. */
    Object whole() {
      Object value = value(0);
      if (peek() != 0) {
        throw new Broken("more after the value", at);
      }
      return value;
    }

    private Object value(int depth) {
      if (depth > DEEPEST) {
        throw new Broken("too deep", at);
      }
      switch (peek()) {
        case '{':
          Map<String, Object> map = new LinkedHashMap<>();
          for (boolean more = open('}'); more; more = next('}')) {
            String key = string();
            take(':');
            map.put(key, value(depth + 1));
          }
          return map;
        case '[':
          List<Object> list = new ArrayList<>();
          for (boolean more = open(']'); more; more = next(']')) {
            list.add(value(depth + 1));
          }
          return list;
        case '"':
          return string();
        default:
          return word();
      }
    }

    private char peek() {
      while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
        at++;
      }
      return at < text.length() ? text.charAt(at) : 0;
    }

    private void take(char c) {
      if (peek() != c) {
        throw new Broken("no " + c, at);
      }
      at++;
    }

    private boolean open(char end) {
      at++;
      return peek() != end || !skip();
    }

    private boolean next(char end) {
      if (peek() == end) {
        return !skip();
      }
      take(',');
      return true;
    }

    private boolean skip() {
      at++;
      return true;
    }

    private String string() {
      take('"');
      StringBuilder out = new StringBuilder();
      while (at < text.length()) {
        char c = text.charAt(at++);
        if (c == '"') {
          return out.toString();
        }
        out.append(c == '\\' ? escaped() : c);
      }
      throw new Broken("a string without an end", at);
    }

    private char escaped() {
      int kind = at < text.length() ? "\"\\/bfnrtu".indexOf(text.charAt(at++)) : -1;
      if (kind < 0) {
        throw new Broken("no such escape", at);
      }
      if (kind < 8) {
        return "\"\\/\b\f\n\r\t".charAt(kind);
      }
      try {
        at += 4;
        return (char) Integer.parseInt(text.substring(at - 4, at), 16);
      } catch (NumberFormatException | IndexOutOfBoundsException e) {
        throw new Broken("no such escape", at);
      }
    }

    private Object word() {
      int from = at;
      while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
        at++;
      }
      String word = text.substring(from, at);
      switch (word) {
        case "null":
          return null;
        case "true":
          return true;
        case "false":
          return false;
        default:
          try {
            return word.matches("-?[0-9]{1,18}") ? (Object) Long.valueOf(word) : (Object) Double.valueOf(word);
          } catch (NumberFormatException e) {
            throw new Broken("no value", from);
          }
      }
    }

    /** Writes a value as JSON. */
    static String text(Object value) {
      StringBuilder out = new StringBuilder();
      write(value, out);
      return out.toString();
    }

    private static void write(Object value, StringBuilder out) {
      if (value instanceof Map) {
        String before = "{";
        for (Map.Entry<String, Object> e : object(value).entrySet()) {
          write(e.getKey(), out.append(before));
          write(e.getValue(), out.append(':'));
          before = ",";
        }
        out.append(before.equals("{") ? "{}" : "}");
      } else if (value instanceof List) {
        String before = "[";
        for (Object one : list(value)) {
          write(one, out.append(before));
          before = ",";
        }
        out.append(before.equals("[") ? "[]" : "]");
      } else if (value instanceof String) {
        out.append('"');
        for (char c : ((String) value).toCharArray()) {
          if (c < ' ' || c == '"' || c == '\\') {
            out.append(String.format("\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
        out.append('"');
      } else {
        out.append(value); // a number, true, false or null
      }
    }
  }
}
