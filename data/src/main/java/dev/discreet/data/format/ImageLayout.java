package dev.discreet.data.format;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which images there are, and of which class and part each is, by its own name alone: whatever
 * other files come or go, it stays where it is.
 *
 * @param train by class in order of the alphabet, then by name; last those of no declared class
 * @param test empty where there is no such part
 */
record ImageLayout(List<Image> train, List<Image> test) {
  private static final Pattern IMAGE =
      Pattern.compile("[^/]+\\.(png|jpg|jpeg)", Pattern.CASE_INSENSITIVE);
  // Taken for a folder around everything, such a part would be trained on.
  private static final Set<String> OTHER_PARTS = Set.of("val", "valid", "validation", "dev");

  /**
   * @param folder the last one around the file, which is the class; empty where there is none
   * @param wrong why it cannot be used, to go on after its name; empty where it can
   */
  record Image(String name, String folder, String wrong) {}

  /**
   * @param names relative, with slashes; a folder's ends with one
   * @param classes the declared ones
   */
  static ImageLayout of(List<String> names, Collection<String> classes) {
    List<Image> train = new ArrayList<>();
    List<Image> test = new ArrayList<>();
    for (String name : names) {
      boolean known = classes.contains(folder(name, 1));
      // Read-me files beside the classes' folders are passed over.
      if (shows(name) && (isImage(name) || known && !name.endsWith("/"))) {
        String part = folder(name, 2);
        String wrong =
            !known
                ? "must be in the folder of a declared class"
                : OTHER_PARTS.contains(part.toLowerCase(Locale.ROOT))
                    ? "must be in train/ or test/, where there are parts"
                    : isImage(name) ? "" : "must be a .png, .jpg or .jpeg file";
        (part.equals("test") ? test : train).add(new Image(name, folder(name, 1), wrong));
      }
    }
    Comparator<Image> order =
        Comparator.comparing((Image image) -> !classes.contains(image.folder))
            .thenComparing(Image::folder)
            .thenComparing(Image::name);
    train.sort(order);
    test.sort(order);
    return new ImageLayout(train, test);
  }

  /** The folders that hold an image, in order of the alphabet: of a public folder its classes. */
  static List<String> classes(List<String> names) {
    return names.stream()
        .filter(name -> shows(name) && isImage(name))
        .map(name -> folder(name, 1))
        .filter(folder -> !folder.isEmpty())
        .distinct()
        .sorted()
        .toList();
  }

  private static boolean isImage(String name) {
    return IMAGE.matcher(name.substring(name.lastIndexOf('/') + 1)).matches();
  }

  /** The folder so many levels above a file; empty where there is none. */
  private static String folder(String name, int up) {
    String[] parts = name.split("/");
    return parts.length > up ? parts[parts.length - 1 - up] : "";
  }

  /** What systems add by themselves starts with a dot, or has one of these names. */
  private static boolean shows(String name) {
    for (String part : name.split("/")) {
      if (part.startsWith(".")
          || part.equals("__MACOSX")
          || part.equals("Thumbs.db")
          || part.equals("desktop.ini")) {
        return false;
      }
    }
    return true;
  }
}
