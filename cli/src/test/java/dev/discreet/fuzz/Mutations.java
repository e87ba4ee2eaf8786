package dev.discreet.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Changes to bytes and to texts that know a little of what files are made of. */
final class Mutations {
  private static final long[] NUMBERS = {
    0,
    1,
    2,
    3,
    7,
    8,
    127,
    128,
    255,
    256,
    0x7fff,
    0xffff,
    0x10000,
    1 << 24,
    1 << 26,
    1 << 30,
    0x7fffffffL,
    0x80000000L,
    0xffffffffL,
    0x100000000L,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    -1,
    -2
  };

  static final List<String> NUMBER_TEXTS =
      List.of(
          "0",
          "-0",
          "1",
          "-1",
          "2147483647",
          "2147483648",
          "-2147483649",
          "4294967296",
          "9223372036854775807",
          "9223372036854775808",
          "-9223372036854775809",
          "1e999",
          "-1e999",
          "1e-999",
          "4.9e-324",
          "1e308",
          "0.1e400000000",
          "1e999999999",
          "NaN",
          "Infinity",
          "-Infinity",
          "0x1p3",
          "1d",
          "1_000",
          "+1",
          ".5",
          "5.",
          "1e",
          "--1",
          "1/0",
          "0/0",
          "1/3",
          "1".repeat(400),
          "9".repeat(1200),
          "0." + "0".repeat(400) + "1",
          "٣",
          "１２",
          "1,5",
          "1..2",
          "..",
          "2..1",
          "-1e308..1e308",
          "{0..99999999}");

  static final List<String> WORDS =
      List.of(
          "",
          " ",
          "\t",
          "\n",
          "\r\n",
          "\r",
          "\n\n",
          "\0",
          "\uFEFF",
          "\u2028",
          "\u0085",
          "\u001b[2J",
          "\u202e",
          "é",
          "\uD83D\uDE00",
          "\uD800",
          "\uFFFD",
          "\"",
          "'",
          "\\",
          "\"\"",
          "\\u0000",
          "{",
          "}",
          "[",
          "]",
          "(",
          ")",
          ",",
          ":",
          ";",
          "|",
          "=",
          "#",
          "&",
          "*",
          "!",
          "%",
          "@",
          "`",
          "- ",
          "? ",
          "---\n",
          "...\n",
          "null",
          "true",
          "false",
          "~",
          "None",
          "../../etc/passwd",
          "/etc/passwd",
          "C:\\windows",
          "file:///etc/passwd",
          "http://127.0.0.1:9/x",
          "jdbc:postgresql://127.0.0.1:9/x#y",
          "${jndi:ldap://127.0.0.1:9/x}",
          "!!javax.script.ScriptEngineManager [!!java.net.URLClassLoader [[!!java.net.URL"
              + " [\"http://127.0.0.1:9/\"]]]]",
          "!!dev.discreet.fuzz.LoadedByAFile []",
          "&a [*a]",
          "&a [x,x]\nb: &b [*a,*a,*a,*a]",
          "<<: *a",
          "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>",
          "<?xml version=\"1.0\"?>",
          "dev.discreet.fuzz.LoadedByAFile");

  private static final Pattern TOKEN =
      Pattern.compile("\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|[A-Za-z_-]+|\\s+|.", Pattern.DOTALL);
  private static final int LARGEST = 1 << 16;

  private Mutations() {}

  static <T> T pick(SplittableRandom random, List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  static boolean chance(SplittableRandom random, int in) {
    return random.nextInt(in) == 0;
  }

  /** One to four changes, seldom many more. */
  static int times(SplittableRandom random) {
    return chance(random, 20) ? 1 + random.nextInt(30) : 1 + random.nextInt(4);
  }

  // ---- bytes

  static byte[] bytes(SplittableRandom random, byte[] from) {
    byte[] now = from;
    for (int i = times(random); i > 0; i--) {
      now = change(random, now);
    }
    return now;
  }

  private static byte[] change(SplittableRandom random, byte[] b) {
    if (b.length == 0) {
      return new byte[random.nextInt(20)];
    }
    // Most of what a file says of itself stands at its beginning.
    int at = random.nextInt(chance(random, 2) ? b.length : Math.min(b.length, 64));
    int length = 1 + random.nextInt(Math.min(b.length - at, chance(random, 3) ? b.length : 16));
    byte[] copy = b.clone();
    switch (random.nextInt(10)) {
      case 0 -> copy[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> copy[at] = (byte) random.nextInt(256);
      case 2 -> {
        return Arrays.copyOf(b, at);
      }
      case 3 -> {
        return cut(b, at, length, new byte[0]);
      }
      case 4 -> {
        byte[] part = Arrays.copyOfRange(b, at, at + length);
        return b.length > LARGEST ? b : cut(b, at, 0, part);
      }
      case 5 -> {
        int width = pick(random, List.of(1, 2, 4, 8));
        ByteBuffer number = ByteBuffer.allocate(8).order(order(random));
        long value = NUMBERS[random.nextInt(NUMBERS.length)];
        switch (width) {
          case 1 -> number.put((byte) value);
          case 2 -> number.putShort((short) value);
          case 4 -> number.putInt((int) value);
          default -> number.putLong(value);
        }
        System.arraycopy(number.array(), 0, copy, at, Math.min(width, b.length - at));
      }
      case 6 -> Arrays.fill(copy, at, at + length, (byte) (chance(random, 2) ? 0 : 255));
      case 7 -> {
        int other = random.nextInt(b.length - length + 1);
        System.arraycopy(b, other, copy, at, length);
        System.arraycopy(b, at, copy, other, length);
      }
      case 8 -> {
        byte[] noise = new byte[random.nextInt(chance(random, 10) ? 2000 : 12)];
        random.nextBytes(noise);
        return cut(b, chance(random, 3) ? b.length : at, 0, noise);
      }
      default -> {
        byte[] word = pick(random, WORDS).getBytes(StandardCharsets.UTF_8);
        return cut(b, at, chance(random, 2) ? 0 : length, word);
      }
    }
    return copy;
  }

  private static ByteOrder order(SplittableRandom random) {
    return chance(random, 2) ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
  }

  private static byte[] cut(byte[] b, int at, int length, byte[] between) {
    return HostileFiles.joined(
        Arrays.copyOf(b, at),
        between,
        Arrays.copyOfRange(b, Math.min(b.length, at + length), b.length));
  }

  // ---- texts

  static byte[] text(SplittableRandom random, byte[] from) {
    return text(random, new String(from, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
  }

  /** Changes whole tokens and lines. */
  static String text(SplittableRandom random, String from) {
    String now = from;
    for (int i = times(random); i > 0; i--) {
      now = chance(random, 4) ? lines(random, now) : tokens(random, now);
    }
    return now;
  }

  private static String lines(SplittableRandom random, String text) {
    List<String> lines = new ArrayList<>(List.of(text.split("(?<=\n)", -1)));
    int at = random.nextInt(lines.size());
    int other = random.nextInt(lines.size());
    switch (random.nextInt(8)) {
      case 0 -> lines.remove(at);
      case 1 -> lines.add(other, lines.get(at));
      case 2 -> lines.set(at, lines.set(other, lines.get(at)));
      case 3 -> lines.replaceAll(line -> line.replace("\n", "\r\n"));
      case 4 -> lines.set(at, lines.get(at).replace("\n", chance(random, 2) ? "\r" : "\r\n"));
      case 5 -> lines.set(at, lines.get(at).replace("\n", ""));
      case 6 -> lines.set(at, lines.get(at).substring(random.nextInt(lines.get(at).length() + 1)));
      default -> lines.add(0, "\uFEFF");
    }
    return String.join("", lines);
  }

  private static String tokens(SplittableRandom random, String text) {
    List<String> tokens = new ArrayList<>();
    Matcher found = TOKEN.matcher(text);
    while (found.find()) {
      tokens.add(found.group());
    }
    if (tokens.isEmpty()) {
      return pick(random, WORDS);
    }
    int at = random.nextInt(tokens.size());
    int other = random.nextInt(tokens.size());
    switch (random.nextInt(10)) {
      case 0, 1 -> tokens.set(number(random, tokens, at), pick(random, NUMBER_TEXTS));
      case 2 -> tokens.set(at, pick(random, WORDS));
      case 3 -> tokens.add(at, pick(random, WORDS));
      case 4 -> tokens.remove(at);
      case 5 -> tokens.set(at, tokens.set(other, tokens.get(at)));
      case 6 -> tokens.add(other, tokens.get(at));
      case 7 -> {
        int times = text.length() > LARGEST ? 1 : chance(random, 30) ? 3000 : random.nextInt(60);
        tokens.set(at, tokens.get(at).repeat(times));
      }
      case 8 -> {
        // Nests what stands there.
        String[] pair = pick(random, List.of("()", "[]", "{}", "\"\"", "''", "<>")).split("");
        int deep = text.length() > LARGEST ? 1 : chance(random, 10) ? 3000 : 1 + random.nextInt(80);
        tokens.set(at, pair[0].repeat(deep) + tokens.get(at) + pair[1].repeat(deep));
      }
      default -> {
        return String.join("", tokens.subList(0, at));
      }
    }
    return String.join("", tokens);
  }

  /** The first number from some place on. */
  private static int number(SplittableRandom random, List<String> tokens, int from) {
    for (int i = 0; i < tokens.size(); i++) {
      int at = (from + i) % tokens.size();
      if (Character.isDigit(tokens.get(at).charAt(0))) {
        return at;
      }
    }
    return random.nextInt(tokens.size());
  }
}
