package dev.discreet.core.engine;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Shape;
import java.io.Serializable;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Views of an image that a step looks at in its place: the gradient of an example is the mean over
 * them (De et al. 2022, augmentation multiplicity). The first view is the image itself, and where
 * images are mirrored every second view is.
 *
 * <p><b>Formal guarantee.</b> The views of an example follow from the example, from public settings
 * and from the secret bits of its unit in the release ({@link
 * dev.discreet.core.privacy.SamplingKey#choices}), and from nothing else. Their mean is taken
 * before the unit's gradient is clipped. So a unit still adds one clipped gradient to the sum, and
 * sensitivity and cost are those without views.
 *
 * <pre>{@code
 * Trainer trainer = Trainer.of(network, plan).augmentation(new Augmentation(true, 4, 0, 8));
 * }</pre>
 *
 * @param flip whether every second view is mirrored, left for right
 * @param crop views are moved by up to so many pixels in each direction, and what comes in at the
 *     rim mirrors what is inside
 * @param shift views are moved by up to so many pixels in each direction, and what comes in at the
 *     rim is 0
 * @param views how many there are of each example, the example itself among them
 */
@PublicApi
public record Augmentation(boolean flip, int crop, int shift, int views) implements Serializable {
  /** The image itself and nothing else. */
  public static final Augmentation NONE = new Augmentation(false, 0, 0, 1);

  /** The largest number of views. */
  public static final int MOST_VIEWS = 1024;

  private static final int MOST_PIXELS = 64;
  private static final Pattern KIND = Pattern.compile("flip|(crop|shift)\\((\\d{1,4})\\)");
  private static final String KINDS = "some of flip, crop(N) and shift(N), each once, with commas";

  /** In the place of a dropout layer's name, which never is a word. */
  private static final int VIEW = "view".hashCode();

  /** Refuses movements and numbers of views that make no sense. */
  public Augmentation {
    Check.that(crop >= 0 && crop <= MOST_PIXELS, "crop", "in [0, " + MOST_PIXELS + "]", crop);
    Check.that(shift >= 0 && shift <= MOST_PIXELS, "shift", "in [0, " + MOST_PIXELS + "]", shift);
    Check.that(views >= 1 && views <= MOST_VIEWS, "views", "in [1, " + MOST_VIEWS + "]", views);
    Check.that(
        crop > 0 || shift > 0 || views <= (flip ? 2 : 1),
        "views",
        flip ? "at most 2 where images are only mirrored" : "1 where nothing makes others",
        views);
  }

  /**
   * Reads what {@link #toString} writes, such as {@code flip,crop(4)}.
   *
   * @param kinds what makes the views
   * @param views how many there are of each example
   * @return the augmentation
   */
  public static Augmentation parse(String kinds, int views) {
    boolean flip = false;
    int crop = 0;
    int shift = 0;
    for (String each : kinds.toLowerCase(Locale.ROOT).split(",", -1)) {
      Matcher kind = KIND.matcher(each.strip());
      Check.that(kind.matches(), "augment", KINDS, kinds);
      if (kind.group(1) == null) {
        Check.that(!flip, "augment", KINDS, kinds);
        flip = true;
        continue;
      }
      boolean crops = kind.group(1).equals("crop");
      int pixels = Integer.parseInt(kind.group(2));
      Check.that(
          pixels >= 1 && pixels <= MOST_PIXELS,
          kind.group(1),
          "in [1, " + MOST_PIXELS + "]",
          pixels);
      Check.that((crops ? crop : shift) == 0, "augment", KINDS, kinds);
      crop = crops ? pixels : crop;
      shift = crops ? shift : pixels;
    }
    return new Augmentation(flip, crop, shift, views);
  }

  /**
   * As many views of the same kinds.
   *
   * @param number how many there are of each example, itself among them
   * @return that augmentation; this one stays as it is
   */
  public Augmentation of(int number) {
    return new Augmentation(flip, crop, shift, number);
  }

  /** {@return whether views are moved, and not only mirrored} */
  public boolean moves() {
    return crop > 0 || shift > 0;
  }

  /** {@return whether there are views beside the example itself} */
  public boolean hasViews() {
    return views > 1;
  }

  /**
   * Refuses a network whose inputs have no such views.
   *
   * @param layout the network on its input
   */
  public void check(Layout layout) {
    Shape input = layout.input();
    Check.that(
        !hasViews() || (input.height() > 1 && input.width() > 1),
        "augment",
        "absent where inputs are no images",
        this + " of " + input);
    int side = Math.min(input.height(), input.width());
    Check.that(
        !hasViews() || Math.max(crop, shift) < side,
        "augment",
        "by less than the sides of an image, " + side,
        this);
    Check.that(
        !hasViews() || layout.afterFeatures() == layout || (crop == 0 && shift == 0),
        "augment",
        "flip alone before features that are computed once, " + layout.network().layers().get(0),
        this);
  }

  /**
   * Writes a view of an example.
   *
   * @param choice the unit's secret bits in this release
   * @param example which of the unit's examples, from 0
   * @param view 0 for the example itself
   * @param shape of the example
   * @param image the example, channels last
   * @param to receives the view
   * @param at where in {@code to} its first value goes
   */
  public void view(
      long choice, int example, int view, Shape shape, float[] image, float[] to, int at) {
    if (view == 0) {
      System.arraycopy(image, 0, to, at, shape.size());
      return;
    }
    long key = DropoutMask.mix((choice ^ example) + DropoutMask.STEP);
    key = DropoutMask.mix((key ^ VIEW) + view * DropoutMask.STEP);
    int[] rows = places(shape.height(), key, false);
    int[] columns =
        places(shape.width(), DropoutMask.mix(key + DropoutMask.STEP), flip && view % 2 == 1);
    int channels = shape.channels();
    int next = at;
    for (int row : rows) {
      for (int column : columns) {
        int from = (row * shape.width() + column) * channels;
        for (int c = 0; c < channels; c++) {
          to[next++] = row < 0 || column < 0 ? 0 : image[from + c];
        }
      }
    }
  }

  /** For each place along a side, where its pixel comes from; −1 for a 0. */
  private int[] places(int side, long bits, boolean mirrored) {
    int cropped = upTo(crop, (int) bits);
    int shifted = upTo(shift, (int) (bits >>> 32));
    int[] places = new int[side];
    for (int i = 0; i < side; i++) {
      int inside = i + shifted;
      int moved = Math.abs(inside + cropped);
      int place = moved < side ? moved : 2 * (side - 1) - moved;
      places[i] = inside < 0 || inside >= side ? -1 : mirrored ? side - 1 - place : place;
    }
    return places;
  }

  /** From −most to most, all about as likely. */
  private static int upTo(int most, int bits) {
    return (int) ((bits & 0xffffffffL) * (2 * most + 1) >>> 32) - most;
  }

  /** {@return what makes the views, as {@link #parse} reads it; empty for nothing} */
  @Override
  public String toString() {
    String text =
        (flip ? ",flip" : "")
            + (crop > 0 ? ",crop(" + crop + ")" : "")
            + (shift > 0 ? ",shift(" + shift + ")" : "");
    return text.isEmpty() ? "" : text.substring(1);
  }
}
