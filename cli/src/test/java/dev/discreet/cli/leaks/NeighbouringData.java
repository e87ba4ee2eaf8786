package dev.discreet.cli.leaks;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.imageio.ImageIO;

/**
 * The same people twice, in one of the formats: without and with one who carries marks.
 *
 * @param without files by their names
 * @param with the same files with the marked person
 * @param data the file that is the data; empty for the folder of all
 * @param declared the options that describe them
 */
record NeighbouringData(
    Map<String, byte[]> without, Map<String, byte[]> with, String data, List<String> declared) {
  static final int PEOPLE = 16;
  private static final String HEADER = "id,income,city,sick,note\n";
  private static final List<String> TABLE =
      List.of("--label", "sick=no|yes", "--column", "income=0..1000", "--column", "city=Ares|Bern");

  /** How {@link #otherwiseWritten} is written. */
  static final List<String> OTHERWISE =
      List.of(
          "--header",
          HEADER.strip(),
          "--delimiter",
          "semicolon",
          "--decimal",
          "comma",
          "--thousands",
          "apostrophe",
          "--quote",
          "single",
          "--charset",
          "windows-1252");

  /** Rows that can be used, the number in more than one spelling. */
  static final List<String> USABLE =
      List.of(
          Marks.ID + ",734.19,Bern,yes," + Marks.NOTE,
          Marks.ID + ",7.3419E2,Ares,yes," + Marks.NOTE);

  /** Rows of which none can be used, each for a reason of its own. */
  static final List<String> UNUSABLE =
      List.of(
          Marks.ID + ",734.19,Bern",
          Marks.ID + ",734.19,Bern,yes," + Marks.NOTE + ",more",
          Marks.ID + ",734.19.1,Bern,yes," + Marks.NOTE,
          Marks.ID + ",NaN,Bern,yes," + Marks.NOTE,
          Marks.ID + ",-Infinity,Bern,yes," + Marks.NOTE,
          Marks.ID + ",,Bern,yes," + Marks.NOTE,
          Marks.ID + ",734.19," + Marks.CITY + ",yes," + Marks.NOTE,
          Marks.ID + ",734.19,Bern," + Marks.LABEL + "," + Marks.NOTE,
          Marks.ID + ",\"734.19\" x,Bern,yes," + Marks.NOTE,
          Marks.ID + ",734.19,Bern\u0000,yes," + Marks.NOTE);

  static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Two rows for each person; those of one person may stand in the midst of the others. */
  private static String rows(List<String> one, boolean amidst) {
    StringBuilder rows = new StringBuilder(HEADER);
    for (int i = 0; i < 2 * PEOPLE; i++) {
      if (amidst && i == PEOPLE) {
        one.forEach(row -> rows.append(row).append('\n'));
      }
      rows.append(String.format("p%02d,%d,", i / 2, 61 * i % 1000));
      rows.append(i % 3 == 0 ? "Ares," : "Bern,").append(i % 2 == 0 ? "yes" : "no");
      rows.append(",plain\n");
    }
    if (!amidst) {
      one.forEach(row -> rows.append(row).append('\n'));
    }
    return rows.toString();
  }

  private static NeighbouringData table(String without, String with) {
    return new NeighbouringData(
        Map.of("rows.csv", text(without)), Map.of("rows.csv", text(with)), "rows.csv", TABLE);
  }

  /** One person more, at the end of the table. */
  static NeighbouringData oneMore(List<String> rows) {
    return table(rows(List.of(), false), rows(rows, false));
  }

  /** One person more, in the midst of the table. */
  static NeighbouringData oneMoreAmidst(List<String> rows) {
    return table(rows(List.of(), true), rows(rows, true));
  }

  /** Another person in one's place. */
  static NeighbouringData replaced(List<String> before, List<String> after) {
    return table(rows(before, true), rows(after, true));
  }

  /** The same with a number to predict, among them the marked one. */
  NeighbouringData predictingIncome() {
    return new NeighbouringData(
        without, with, data, List.of("--label", "income=0..1000", "--column", "city=Ares|Bern"));
  }

  /** The same as objects on a line each. */
  NeighbouringData json() {
    return changed(
        "rows.jsonl",
        bytes -> {
          StringBuilder objects = new StringBuilder();
          for (String row : new String(bytes, StandardCharsets.UTF_8).lines().skip(1).toList()) {
            String[] cells = row.split(",", -1);
            String[] names = HEADER.strip().split(",");
            objects.append('{');
            for (int i = 0; i < names.length; i++) {
              objects.append(i == 0 ? "" : ",").append('"').append(names[i]).append("\":\"");
              objects.append(cells[i]).append('"');
            }
            objects.append("}\n");
          }
          return text(objects.toString());
        });
  }

  /** The same by the notes, which are free text. */
  NeighbouringData byNotes(String column) {
    return new NeighbouringData(
        without, with, data, List.of("--label", "sick=no|yes", "--column", "note=" + column));
  }

  /** The same table with tabs between cells. */
  NeighbouringData tabs() {
    return changed(
        "rows.tsv", bytes -> text(new String(bytes, StandardCharsets.UTF_8).replace(',', '\t')));
  }

  /** The same table without a header, in another encoding, with decimal commas. */
  NeighbouringData otherwiseWritten() {
    NeighbouringData table =
        changed(
            "rows.csv",
            bytes ->
                new String(bytes, StandardCharsets.UTF_8)
                    .substring(HEADER.length())
                    .replace(',', ';')
                    .replace('.', ',')
                    .replace("plain", "schön")
                    .getBytes(Charset.forName("windows-1252")));
    return table.declaring(OTHERWISE.toArray(String[]::new));
  }

  /** Columns that say what cells become that are missing, or that are none of the listed ones. */
  NeighbouringData withOtherCells() {
    return new NeighbouringData(
        without,
        with,
        data,
        List.of(
            "--label",
            "sick=no|yes",
            "--column",
            "income=0..1000,missing=indicator(40),missing-cells=NaN",
            "--column",
            "city=Ares|Bern,other=else"));
  }

  /** The same table, its columns declared in a file. */
  NeighbouringData declaredInAFile() {
    byte[] columns =
        text(
            """
            label: sick
            columns:
              sick: no|yes
              income: {low: 0, high: 1000, missing: 40, missing-cells: [NaN, none]}
              city: {values: [Ares, Bern], other: else}
            """);
    Map<String, byte[]> less = new TreeMap<>(without);
    Map<String, byte[]> more = new TreeMap<>(with);
    less.put("columns.yaml", columns);
    more.put("columns.yaml", columns);
    return new NeighbouringData(less, more, data, List.of("--columns", "columns.yaml"));
  }

  /** The same table with a date in each row but the marked ones. */
  NeighbouringData dated() {
    return changed(
            data,
            bytes -> text(new String(bytes, StandardCharsets.UTF_8).replace("plain", "29.02.2024")))
        .declaring("--column", "note=2015-01-01..2024-12-31+month+weekday,pattern=dd.MM.yyyy");
  }

  private NeighbouringData declaring(String... more) {
    List<String> all = new ArrayList<>(declared);
    all.addAll(List.of(more));
    return new NeighbouringData(without, with, data, all);
  }

  NeighbouringData gzip() {
    return changed(data + ".gz", NeighbouringData::gzip);
  }

  private interface Change {
    byte[] of(byte[] bytes) throws IOException;
  }

  private NeighbouringData changed(String name, Change change) {
    try {
      return new NeighbouringData(
          Map.of(name, change.of(without.get(data))),
          Map.of(name, change.of(with.get(data))),
          name,
          declared);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(bytes);
    }
    return packed.toByteArray();
  }

  /** Pictures of three by three pixels; the marked one is the last. */
  private static byte[][] pictures(boolean marked) {
    byte[][] pictures = new byte[PEOPLE + (marked ? 1 : 0)][9];
    for (int i = 0; i < PEOPLE; i++) {
      for (int k = 0; k < 9; k++) {
        pictures[i][k] = (byte) (37 * i + 11 * k);
      }
    }
    if (marked) {
      pictures[PEOPLE] = Marks.PIXELS;
    }
    return pictures;
  }

  static NeighbouringData idx() {
    return new NeighbouringData(
        idx(false), idx(true), "", List.of("--label", "0|1", "--model", "logistic"));
  }

  private static Map<String, byte[]> idx(boolean marked) {
    byte[][] pictures = pictures(marked);
    ByteBuffer images = ByteBuffer.allocate(16 + 9 * pictures.length);
    images.putInt(0x803).putInt(pictures.length).putInt(3).putInt(3);
    ByteBuffer labels = ByteBuffer.allocate(8 + pictures.length);
    labels.putInt(0x801).putInt(pictures.length);
    for (int i = 0; i < pictures.length; i++) {
      images.put(pictures[i]);
      labels.put((byte) (i % 2));
    }
    Map<String, byte[]> files = new TreeMap<>();
    files.put("train-images-idx3-ubyte", images.array());
    files.put("train-labels-idx1-ubyte", labels.array());
    return files;
  }

  private static byte[] npy(int count, int width, float last) {
    String shape = width == 1 ? "(" + count + ",)" : "(" + count + ", " + width + ")";
    String head = "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }";
    head += " ".repeat(117 - head.length()) + "\n";
    ByteBuffer bytes =
        ByteBuffer.allocate(10 + head.length() + 4 * count * width)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0})
            .putShort((short) head.length())
            .put(text(head));
    for (int i = 0; i < count * width; i++) {
      bytes.putFloat(i >= PEOPLE * width ? last : width == 1 ? i % 2 : 53 * i % 1000);
    }
    return bytes.array();
  }

  private static Map<String, byte[]> arrays(int count) {
    Map<String, byte[]> files = new TreeMap<>();
    files.put("x.npy", npy(count, 3, (float) Marks.NUMBER));
    files.put("y.npy", npy(count, 1, 1));
    return files;
  }

  static NeighbouringData npy() {
    return new NeighbouringData(
        arrays(PEOPLE),
        arrays(PEOPLE + 1),
        "x.npy",
        List.of("--labels", "y.npy", "--label", "0|1", "--bounds", "0..1000"));
  }

  static NeighbouringData npz() {
    return zip(npy(), "rows.npz", List.of("--label", "0|1", "--bounds", "0..1000"));
  }

  private static NeighbouringData zip(NeighbouringData files, String name, List<String> declared) {
    try {
      return new NeighbouringData(
          Map.of(name, zip(files.without)), Map.of(name, zip(files.with)), name, declared);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static byte[] zip(Map<String, byte[]> files) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        zip.putNextEntry(new ZipEntry(file.getKey()));
        zip.write(file.getValue());
      }
    }
    return bytes.toByteArray();
  }

  /** The first pixels of the marked record are the marked ones. */
  static NeighbouringData cifar() {
    return new NeighbouringData(cifar(false), cifar(true), "", List.of("--model", "logistic"));
  }

  /** The same images, whose features lie in a file while the run goes on. */
  static NeighbouringData features() {
    return new NeighbouringData(
        cifar(false), cifar(true), "", List.of("--model", "scattering(2,1) flatten dense(10)"));
  }

  private static Map<String, byte[]> cifar(boolean marked) {
    Map<String, byte[]> files = new TreeMap<>();
    for (int batch = 1; batch <= 5; batch++) {
      int records = 3 + (marked && batch == 5 ? 1 : 0);
      byte[] bytes = new byte[3073 * records];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) (i % 251 + batch);
      }
      for (int i = 0; i < records; i++) {
        bytes[3073 * i] = (byte) i;
      }
      if (records == 4) {
        System.arraycopy(Marks.PIXELS, 0, bytes, 3 * 3073 + 1, Marks.PIXELS.length);
      }
      files.put("data_batch_" + batch + ".bin", bytes);
    }
    return files;
  }

  /** The records in a tar, as its name the one under which the set is published. */
  static NeighbouringData cifarTar() {
    NeighbouringData files = cifar();
    try {
      return new NeighbouringData(
          Map.of("cifar.tar.gz", gzip(tar(files.without))),
          Map.of("cifar.tar.gz", gzip(tar(files.with))),
          "cifar.tar.gz",
          files.declared);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] tar(Map<String, byte[]> files) throws IOException {
    ByteArrayOutputStream tar = new ByteArrayOutputStream();
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      byte[] head = new byte[512];
      byte[] name = text("cifar-10-batches-bin/" + file.getKey());
      System.arraycopy(name, 0, head, 0, name.length);
      byte[] fields =
          text(
              String.format(
                  "0000644\0000000000\0000000000\000%011o\00000000000000\000        0",
                  file.getValue().length));
      System.arraycopy(fields, 0, head, 100, fields.length);
      System.arraycopy(text("ustar\00000"), 0, head, 257, 8);
      int sum = 0;
      for (byte each : head) {
        sum += each & 0xff;
      }
      System.arraycopy(text(String.format("%06o\000 ", sum)), 0, head, 148, 8);
      tar.write(head);
      tar.write(file.getValue());
      tar.write(new byte[(512 - file.getValue().length % 512) % 512]);
    }
    tar.write(new byte[1024]);
    return tar.toByteArray();
  }

  /** The marked picture's file has the person's name. */
  static NeighbouringData images() {
    try {
      Map<String, byte[]> files = new TreeMap<>();
      byte[][] pictures = pictures(true);
      for (int i = 0; i < PEOPLE; i++) {
        files.put((i % 2 == 0 ? "cat/" : "dog/") + i + ".png", png(pictures[i]));
      }
      Map<String, byte[]> more = new TreeMap<>(files);
      more.put("dog/" + Marks.ID + ".png", png(pictures[PEOPLE]));
      return new NeighbouringData(
          files,
          more,
          "",
          List.of("--input", "3x3x1", "--classes", "cat|dog", "--model", "logistic"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static NeighbouringData zippedImages() {
    return zip(images(), "images.zip", images().declared);
  }

  static byte[] png(byte[] pixels) throws IOException {
    BufferedImage image = new BufferedImage(3, 3, BufferedImage.TYPE_BYTE_GRAY);
    image.getRaster().setDataElements(0, 0, 3, 3, pixels);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(image, "png", bytes);
    return bytes.toByteArray();
  }

  /** A table that says whose each example is: the last is the marked person's. */
  NeighbouringData withUnitMap() {
    Map<String, byte[]> less = new LinkedHashMap<>(without);
    Map<String, byte[]> more = new LinkedHashMap<>(with);
    StringBuilder map = new StringBuilder("row,unit\n");
    for (int i = 0; i < PEOPLE; i++) {
      map.append(i).append(",p").append(i).append('\n');
    }
    less.put("people.csv", text(map.toString()));
    more.put("people.csv", text(map + "" + PEOPLE + "," + Marks.ID + "\n"));
    return new NeighbouringData(less, more, data, declared)
        .declaring("--unit-map", "people.csv", "--unit", "person");
  }
}
