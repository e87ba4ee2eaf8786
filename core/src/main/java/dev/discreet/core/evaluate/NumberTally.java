package dev.discreet.core.evaluate;

import java.util.Optional;

/** Adds up how far predicted numbers lie from true ones, row after row. */
public final class NumberTally {
  private final int outputs;
  private final double[] targets;
  private final double[] squares;
  private final Variance variance;
  private final Variance absolutes = new Variance(1);
  private double sum;
  private double absolute;
  private int rows;

  /**
   * @param outputs how many numbers each row has
   * @param size how many rows will be added
   */
  public NumberTally(int outputs, int size) {
    this.outputs = outputs;
    targets = new double[size * outputs];
    squares = new double[size];
    variance = new Variance(outputs);
  }

  /** Adds one row. */
  public void add(double[] output, double[] target) {
    double square = 0;
    double away = 0;
    for (int j = 0; j < outputs; j++) {
      double error = output[j] - target[j];
      square += error * error;
      away += Math.abs(error);
    }
    sum += square;
    absolute += away;
    absolutes.add(away / outputs);
    squares[rows] = square / outputs;
    System.arraycopy(target, 0, targets, rows++ * outputs, outputs);
    variance.add(target);
  }

  /**
   * @param loss the sum over rows
   */
  public Evaluation.Regression evaluation(double loss) {
    double squared = sum / rows / outputs;
    double spread = variance.value();
    double ofSquares = 0;
    double ofRatio = 0;
    double[] means = variance.means();
    for (int i = 0; i < rows; i++) {
      double far = 0;
      for (int j = 0; j < outputs; j++) {
        double away = targets[i * outputs + j] - means[j];
        far += away * away;
      }
      double more = squares[i] - squared;
      // How much one row moves the ratio of the two means.
      double ratio = (squares[i] - squared / spread * far / outputs) / spread;
      ofSquares += more * more;
      ofRatio += ratio * ratio;
    }
    return new Evaluation.Regression(
        rows,
        loss / rows,
        squared,
        spread,
        Optional.of(
            new NumberQuality(
                absolute / rows / outputs,
                Math.sqrt(absolutes.value() / rows),
                Math.sqrt(ofSquares) / rows,
                Math.sqrt(ofRatio) / rows)));
  }
}
