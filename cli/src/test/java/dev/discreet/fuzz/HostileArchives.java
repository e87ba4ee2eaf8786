package dev.discreet.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** Packed files and archives whose own sums are right, so that readers look inside. */
final class HostileArchives {
  private static final List<String> NAMES =
      List.of(
          "../outside.png",
          "../../outside.png",
          "/tmp/outside.png",
          "a/../../outside.png",
          "..",
          ".",
          "",
          "/",
          "a\\..\\b.png",
          "C:/x.png",
          "a\0b.png",
          "./a/b.png",
          "a//b.png",
          "CON",
          "a/b/c/d/e/f/g/h/i/j.png",
          "é/ü.png",
          "\u202egnp.a",
          "x".repeat(300) + ".png",
          "train/a/1.png",
          "test/a/1.png",
          ".hidden/1.png",
          "__MACOSX/a/1.png",
          "a/1.png/2.png",
          "META-INF/versions/99999999999999999999/x.png",
          "META-INF/MANIFEST.MF");

  private HostileArchives() {}

  static byte[] gzip(byte[] bytes) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }

  static String name(SplittableRandom random, String before) {
    return switch (random.nextInt(4)) {
      case 0 -> Mutations.pick(random, NAMES);
      case 1 -> Mutations.text(random, before);
      case 2 -> "../" + before;
      default -> before + Mutations.pick(random, Mutations.WORDS);
    };
  }

  // ---- zip

  /** Each twice as likely as not with one field that is not what it should be. */
  static byte[] zip(SplittableRandom random, Map<String, byte[]> entries) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    List<byte[]> central = new ArrayList<>();
    int wrong = Mutations.chance(random, 3) ? random.nextInt(entries.size()) : -1;
    int i = 0;
    for (Map.Entry<String, byte[]> each : entries.entrySet()) {
      boolean hostile = i++ == wrong;
      String name =
          hostile && Mutations.chance(random, 2) ? name(random, each.getKey()) : each.getKey();
      int copies = hostile && Mutations.chance(random, 6) ? 2 : 1;
      for (int copy = 0; copy < copies; copy++) {
        byte[] data = each.getValue();
        boolean stored = Mutations.chance(random, 4);
        byte[] packed = stored ? data : deflated(data);
        CRC32 crc = new CRC32();
        crc.update(data);
        int[] fields = {
          stored ? 0 : 8, (int) crc.getValue(), packed.length, data.length, all.size()
        };
        int[] told = fields.clone();
        if (hostile && Mutations.chance(random, 2)) {
          told[random.nextInt(told.length)] = (int) oneNumber(random);
        }
        byte[] local = entry(0x04034b50, name, Mutations.chance(random, 2) ? fields : told, false);
        all.writeBytes(local);
        all.writeBytes(packed);
        central.add(entry(0x02014b50, name, told, true));
      }
    }
    int start = all.size();
    central.forEach(all::writeBytes);
    int count = Mutations.chance(random, 20) ? (int) oneNumber(random) : central.size();
    int size = Mutations.chance(random, 20) ? (int) oneNumber(random) : all.size() - start;
    int at = Mutations.chance(random, 20) ? (int) oneNumber(random) : start;
    ByteBuffer end = ByteBuffer.allocate(22).order(ByteOrder.LITTLE_ENDIAN);
    end.putInt(0x06054b50).putInt(0).putShort((short) count).putShort((short) count);
    all.writeBytes(end.putInt(size).putInt(at).putShort((short) 0).array());
    return all.toByteArray();
  }

  private static long oneNumber(SplittableRandom random) {
    return Mutations.pick(
        random, List.of(0L, 1L, 9L, 99L, 0xffffL, 0x10000L, 0x7fffffffL, 0x80000000L, 0xffffffffL));
  }

  private static byte[] entry(int magic, String name, int[] fields, boolean central) {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    ByteBuffer to =
        ByteBuffer.allocate((central ? 46 : 30) + text.length).order(ByteOrder.LITTLE_ENDIAN);
    to.putInt(magic);
    if (central) {
      to.putShort((short) 20);
    }
    to.putShort((short) 20).putShort((short) 0x800).putShort((short) fields[0]).putInt(0);
    to.putInt(fields[1]).putInt(fields[2]).putInt(fields[3]);
    to.putShort((short) text.length).putShort((short) 0);
    if (central) {
      to.putShort((short) 0).putShort((short) 0).putShort((short) 0).putInt(0).putInt(fields[4]);
    }
    return to.put(text).array();
  }

  private static byte[] deflated(byte[] data) {
    Deflater deflater = new Deflater(9, true);
    deflater.setInput(data);
    deflater.finish();
    byte[] buffer = new byte[data.length + 64];
    int length = deflater.deflate(buffer);
    deflater.end();
    return Arrays.copyOf(buffer, length);
  }

  // ---- tar

  static byte[] tar(SplittableRandom random, Map<String, byte[]> entries) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    int wrong = Mutations.chance(random, 2) ? random.nextInt(entries.size()) : -1;
    int i = 0;
    for (Map.Entry<String, byte[]> each : entries.entrySet()) {
      boolean hostile = i++ == wrong;
      String name = each.getKey();
      char type = '0';
      String size = Integer.toOctalString(each.getValue().length);
      if (hostile) {
        switch (random.nextInt(5)) {
          case 0 -> name = name(random, name);
          case 1 -> type = Mutations.pick(random, List.of('1', '2', '5', 'x', 'L', 'g', '\0', 'S'));
          case 2 ->
              size =
                  Mutations.pick(
                      random,
                      List.of(
                          "0", "1", "77777777777", "-1", "", "9", "17777777777", "777777777777"));
          case 3 -> all.writeBytes(header(random, name, '2', "0", "../../outside", false));
          default -> all.writeBytes(header(random, name, type, size, "", true));
        }
      }
      all.writeBytes(header(random, name, type, size, "", false));
      all.writeBytes(each.getValue());
      all.writeBytes(new byte[(512 - each.getValue().length % 512) % 512]);
    }
    all.writeBytes(new byte[Mutations.chance(random, 8) ? 0 : 1024]);
    return all.toByteArray();
  }

  private static byte[] header(
      SplittableRandom random, String name, char type, String size, String link, boolean damaged) {
    byte[] header = new byte[512];
    put(header, 0, 100, name);
    put(header, 100, 8, "0000644");
    put(header, 124, 12, size);
    put(header, 136, 12, "00000000000");
    header[156] = (byte) type;
    put(header, 157, 100, link);
    put(header, 257, 8, "ustar");
    if (damaged) {
      header[random.nextInt(512)] ^= (byte) (1 << random.nextInt(8));
    }
    int sum = 8 * ' ';
    for (int i = 0; i < 512; i++) {
      sum += i >= 148 && i < 156 ? 0 : header[i] & 0xff;
    }
    put(header, 148, 8, Integer.toOctalString(sum));
    return header;
  }

  private static void put(byte[] to, int at, int length, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(bytes, 0, to, at, Math.min(length, bytes.length));
  }

  // ---- png

  /** A PNG file in which one chunk is changed and has the checksum of what it then is. */
  static byte[] png(SplittableRandom random, byte[] png) {
    List<byte[]> chunks = new ArrayList<>();
    ByteBuffer in = ByteBuffer.wrap(png);
    int at = 8;
    while (at + 12 <= png.length) {
      int length = in.getInt(at);
      chunks.add(Arrays.copyOfRange(png, at + 4, at + 8 + length));
      at += 12 + length;
    }
    int one = random.nextInt(chunks.size());
    switch (random.nextInt(5)) {
      case 0 -> chunks.set(one, Mutations.bytes(random, chunks.get(one)));
      case 1 -> chunks.add(one, chunks.get(random.nextInt(chunks.size())));
      case 2 -> chunks.remove(one);
      case 3 -> chunks.add(one, bomb(random));
      default -> {
        byte[] copy = chunks.get(0).clone();
        // Width, height, depth, colours, packing, filter and interlacing stand after the name.
        int field = random.nextInt(7);
        if (field < 2) {
          ByteBuffer.wrap(copy).putInt(4 + 4 * field, (int) oneNumber(random));
        } else {
          copy[10 + field] = (byte) random.nextInt(20);
        }
        chunks.set(0, copy);
      }
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(png, 0, 8);
    for (byte[] chunk : chunks) {
      CRC32 crc = new CRC32();
      crc.update(chunk);
      all.writeBytes(ByteBuffer.allocate(4).putInt(chunk.length - 4).array());
      all.writeBytes(chunk);
      all.writeBytes(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
    }
    return all.toByteArray();
  }

  /** A chunk that unpacks to a thousand times its size. */
  private static byte[] bomb(SplittableRandom random) {
    Deflater deflater = new Deflater(9);
    deflater.setInput(new byte[1 << 20]);
    deflater.finish();
    byte[] packed = new byte[4096];
    int length = deflater.deflate(packed);
    deflater.end();
    String name = Mutations.pick(random, List.of("zTXt", "iCCP", "iTXt", "IDAT", "tRNS", "PLTE"));
    String start = name.equals("iTXt") ? "iTXtkey\0\1\0en\0key\0" : name + "key\0\0";
    return HostileFiles.joined(
        start.getBytes(StandardCharsets.ISO_8859_1), Arrays.copyOf(packed, length));
  }
}
