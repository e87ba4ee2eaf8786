package dev.discreet.data.generate;

/**
 * How unruly a {@link DigitWriter} is. {@link #USUAL} was chosen by measurement, see {@code
 * docs/data-generators.md}.
 *
 * @param jitter deviation of a stroke's points, as a share of the box
 * @param bend deviation of the paper's nodes, likewise
 * @param turn deviation of the rotation, in radians
 * @param slant deviation of the shear
 * @param small least height of the box, in pixels
 * @param large greatest
 * @param narrow least width to height
 * @param shift greatest shift each way, in pixels
 * @param thin least half width of the pen, in pixels
 * @param thick greatest
 * @param pale least ink
 * @param strays how often there is a stray mark
 * @param grain deviation of a pixel's noise
 */
record Handwriting(
    double jitter,
    double bend,
    double turn,
    double slant,
    double small,
    double large,
    double narrow,
    double shift,
    double thin,
    double thick,
    double pale,
    double strays,
    double grain) {

  static final Handwriting USUAL =
      new Handwriting(0.03, 0.09, 0.16, 0.22, 16, 22, 0.7, 2.3, 0.75, 1.8, 0.6, 0.2, 0.04);
}
