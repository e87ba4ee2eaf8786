package dev.discreet.core.train;

import dev.discreet.core.engine.Examples;

/**
 * Examples to evaluate on, and who may see the result. How a model does on held-out rows depends on
 * those rows, and nothing protects them: so the caller says which of the two they are.
 */
public sealed interface TestSet {
  Examples examples();

  /** Rows that need no protection. Their evaluations are part of the result and its files. */
  record Public(Examples examples) implements TestSet {}

  /** Rows of people. Their evaluations reach listeners as the operator's own, and no file. */
  record OperatorOnly(Examples examples) implements TestSet {}

  /** The caller's word that these examples are public. */
  static TestSet declaredPublic(Examples examples) {
    return new Public(examples);
  }
}
