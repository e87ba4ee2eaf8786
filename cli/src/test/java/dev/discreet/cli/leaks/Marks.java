package dev.discreet.cli.leaks;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/** What occurs nowhere but in the rows of one person, and every form in which it could come out. */
final class Marks {
  static final String ID = "Zylophant-9137";
  static final String NOTE = "quibblefrost";
  static final String CITY = "Xanthuria";
  static final String LABEL = "perhapsly";
  static final double NUMBER = 734.19;

  /** One picture's bytes. */
  static final byte[] PIXELS = {73, 41, (byte) 219, (byte) 137, 7, 34, 19, (byte) 201, 55};

  private static final List<Charset> CHARSETS =
      List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE);

  /** As a whole number: its digits alone come up by chance in the midst of noisy ones. */
  private static final Pattern SPELT =
      Pattern.compile("(?<![\\d.])(?:734[.,]19|7\\.3419|0?\\.73419)0*(?!\\d)");

  private final Map<String, byte[]> forms = new LinkedHashMap<>();

  /**
   * @param files the files that hold the marked rows: no plain hash of them may come out
   */
  Marks(Map<String, byte[]> files) {
    for (String word : List.of(ID, NOTE, CITY, LABEL)) {
      text(word);
      hashes(word, word.getBytes(StandardCharsets.UTF_8));
    }
    for (String spelling : List.of("734.19", "7.3419", "0.73419", "734,19")) {
      text(spelling);
      forms.remove(spelling + " in UTF-8"); // see SPELT
      forms.remove(spelling + " in small letters");
    }
    for (double value : new double[] {NUMBER, NUMBER / 1000}) {
      for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
        forms.put(
            value + " as a double, " + order,
            ByteBuffer.allocate(8).order(order).putDouble(0, value).array());
        forms.put(
            value + " as a float, " + order,
            ByteBuffer.allocate(4).order(order).putFloat(0, (float) value).array());
      }
    }
    forms.put("the pixels", PIXELS);
    ByteBuffer scaled = ByteBuffer.allocate(4 * 2).order(ByteOrder.LITTLE_ENDIAN);
    scaled.putFloat((73 & 0xff) / 255f).putFloat((41 & 0xff) / 255f);
    forms.put("the pixels, scaled", scaled.array());
    files.forEach(this::hashes);
    for (byte[] each : files.values()) {
      for (String line : new String(each, StandardCharsets.ISO_8859_1).split("\n")) {
        if (line.contains(ID)) {
          hashes("a row", line.getBytes(StandardCharsets.ISO_8859_1));
        }
      }
    }
  }

  private void text(String word) {
    for (Charset charset : CHARSETS) {
      byte[] bytes = word.getBytes(charset);
      forms.put(word + " in " + charset, bytes);
      // Wherever in a text that is encoded as a whole the word begins.
      for (int before = 0; before < 3; before++) {
        byte[] moved = new byte[before + bytes.length];
        System.arraycopy(bytes, 0, moved, before, bytes.length);
        String all = Base64.getEncoder().withoutPadding().encodeToString(moved);
        String sure = all.substring((8 * before + 5) / 6, 8 * moved.length / 6);
        if (sure.length() >= 6) {
          forms.put(word + " in base 64 of " + charset + ", " + before, ascii(sure));
        }
      }
    }
    forms.put(
        word + " in hexadecimal",
        ascii(HexFormat.of().formatHex(word.getBytes(StandardCharsets.UTF_8))));
    String lower = word.toLowerCase(Locale.ROOT);
    forms.put(word + " in small letters", ascii(lower));
  }

  private void hashes(String what, byte[] content) {
    try {
      for (String algorithm : List.of("SHA-256", "SHA-1", "MD5")) {
        byte[] hash = MessageDigest.getInstance(algorithm).digest(content);
        String of = algorithm + " of " + what;
        forms.put(of, Arrays.copyOf(hash, 8));
        forms.put(of + " in hexadecimal", ascii(HexFormat.of().formatHex(hash).substring(0, 12)));
        forms.put(
            of + " in base 64", ascii(Base64.getEncoder().encodeToString(hash).substring(0, 10)));
      }
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
    CRC32 crc = new CRC32();
    crc.update(content);
    forms.put("CRC-32 of " + what, ascii(HexFormat.of().toHexDigits((int) crc.getValue())));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The first mark in some bytes. */
  Optional<String> in(byte[] bytes) {
    return forms.entrySet().stream()
        .filter(form -> contains(bytes, form.getValue()))
        .map(Map.Entry::getKey)
        .findFirst()
        .or(
            () ->
                SPELT
                    .matcher(new String(bytes, StandardCharsets.ISO_8859_1))
                    .results()
                    .map(MatchResult::group)
                    .findFirst());
  }

  private static boolean contains(byte[] all, byte[] part) {
    for (int start = 0; start <= all.length - part.length; start++) {
      if (all[start] == part[0]
          && Arrays.equals(all, start, start + part.length, part, 0, part.length)) {
        return true;
      }
    }
    return false;
  }
}
