package dev.discreet.cli.leaks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.leaks.WhatWasTold.Compared;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The searches of {@link MarkedDataTest} find what they are to find. */
class MarksTest {
  private static final byte[] DATA = NeighbouringData.text("id\n" + Marks.ID + ",734.19\n");
  private static final Marks MARKS = new Marks(Map.of("rows.csv", DATA));

  private static WhatWasTold told(int code, String out, String name, byte[] file, long time) {
    return new WhatWasTold(
        code,
        out,
        "",
        Map.of(name, file, "run.json", NeighbouringData.text("{\"heldOutAccuracy\" : 0.5}")),
        Map.of(name, FileTime.fromMillis(time), "run.json", FileTime.fromMillis(5)),
        Path.of("/nowhere"));
  }

  private static WhatWasTold file(String name, byte[] bytes) {
    return told(0, "", name, bytes, 1);
  }

  private static void found(byte[] bytes) {
    assertTrue(file("a.txt", bytes).told(MARKS).isPresent(), Arrays.toString(bytes));
  }

  private static byte[] numbers(int size, double value, ByteOrder order) {
    ByteBuffer bytes = ByteBuffer.allocate(3 + size).order(order);
    return (size == 4 ? bytes.putFloat(3, (float) value) : bytes.putDouble(3, value)).array();
  }

  @Test
  void marksAreFoundInEveryForm() throws Exception {
    byte[] sentence = NeighbouringData.text("It is " + Marks.ID + " who lives here.");
    found(sentence);
    found(Marks.NOTE.getBytes(StandardCharsets.UTF_16LE));
    found(Marks.CITY.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8));
    for (int cut = 0; cut < 3; cut++) {
      byte[] moved = Arrays.copyOfRange(sentence, cut, sentence.length);
      found(Base64.getEncoder().encode(moved));
    }
    found(NeighbouringData.text(HexFormat.of().formatHex(sentence)));
    found(NeighbouringData.text("{\"most\" : 7.3419E2}"));
    for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
      for (int size : new int[] {4, 8}) {
        found(numbers(size, 734.19, order));
        found(numbers(size, 0.73419, order));
      }
    }
    for (String algorithm : new String[] {"SHA-256", "SHA-1", "MD5"}) {
      byte[] hash = MessageDigest.getInstance(algorithm).digest(DATA);
      found(NeighbouringData.text(HexFormat.of().formatHex(hash)));
      found(NeighbouringData.text(Base64.getEncoder().encodeToString(hash)));
    }
    assertTrue(file(Marks.ID + ".txt", new byte[1]).told(MARKS).isPresent());
    assertTrue(told(0, "the value " + Marks.NUMBER, "a", new byte[1], 1).told(MARKS).isPresent());
    assertEquals(Optional.empty(), file("a.txt", NeighbouringData.text("734.2")).told(MARKS));
  }

  /** Where noise may differ, a value of a row may not stand instead of it; nor as a picture. */
  @Test
  void marksAreFoundInThePlacesOfNoiseAndInPictures() throws Exception {
    byte[] weights = NeighbouringData.text("{\"weights\" : [0.25, 734.19]}");
    assertTrue(file("sub/run.json", weights).told(MARKS).isPresent());
    byte[] noisy = NeighbouringData.text("{\"weights\" : [17.34195, 2.734190625]}");
    assertEquals(Optional.empty(), file("sub/run.json", noisy).told(MARKS));
    byte[] other = Marks.PIXELS.clone();
    other[0]++;
    WhatWasTold one = file("report.html", picture(Marks.PIXELS));
    assertTrue(one.told(MARKS).isPresent());
    assertEquals(Optional.empty(), file("report.html", picture(other)).told(MARKS));
    assertThrows(
        AssertionError.class,
        () -> one.sameAs(file("report.html", picture(other)), Compared.BUT_FOR_NOISE));
  }

  private static byte[] picture(byte[] pixels) throws IOException {
    String png = Base64.getEncoder().encodeToString(NeighbouringData.png(pixels));
    return NeighbouringData.text("<img src=\"data:image/png;base64," + png + "\">");
  }

  @Test
  void aLabelCoversItsOwnLinesAlone() {
    String console = "x: 1 row (outside the guarantee, for your eyes):\n  734.19\nleft\n  kept";
    assertEquals("left\n  kept", WhatWasTold.unlabelled(console));
  }

  @Test
  void everyDifferenceIsNoticed() {
    byte[] same = {1, 2};
    WhatWasTold one = file("a", same);
    one.sameAs(file("a", same), Compared.TO_THE_BYTE);
    for (WhatWasTold other :
        new WhatWasTold[] {
          told(1, "", "a", same, 1),
          told(0, "1 row", "a", same, 1),
          told(0, "", "b", same, 1),
          told(0, "", "a", new byte[] {1, 3}, 1),
          told(0, "", "a", new byte[] {1, 2, 0}, 1),
          told(0, "", "a", same, 9)
        }) {
      assertThrows(AssertionError.class, () -> one.sameAs(other, Compared.BUT_FOR_NOISE));
    }
  }

  /** Numbers that are noised may differ; the names, shapes and number of them may not. */
  @Test
  void ofTensorsOnlyTheNumbersMayDiffer() {
    WhatWasTold one = file("m.safetensors", tensors("{\"a\":[2]}", 1, 2));
    one.sameAs(file("m.safetensors", tensors("{\"a\":[2]}", 3, 4)), Compared.BUT_FOR_NOISE);
    for (byte[] other :
        new byte[][] {tensors("{\"a\":[2]}", 1, 2, 3), tensors("{\"b\":[2]}", 1, 2)}) {
      assertThrows(
          AssertionError.class,
          () -> one.sameAs(file("m.safetensors", other), Compared.BUT_FOR_NOISE));
    }
  }

  private static byte[] tensors(String head, int... values) {
    ByteBuffer bytes = ByteBuffer.allocate(8 + head.length() + values.length);
    bytes.order(ByteOrder.LITTLE_ENDIAN).putLong(head.length()).put(NeighbouringData.text(head));
    for (int each : values) {
      bytes.put((byte) each);
    }
    return bytes.array();
  }
}
