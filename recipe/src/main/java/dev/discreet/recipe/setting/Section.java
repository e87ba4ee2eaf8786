package dev.discreet.recipe.setting;

/** The parts of the description of a run. */
public enum Section {
  /** What is learnt from. */
  DATA,
  /** Who is protected. */
  UNIT,
  /** What learns, and what it begins with. */
  MODEL,
  /** What the guarantee depends on: noise, lots and length, clipping. */
  PLAN,
  /** How released gradients move the model. */
  LEARNING,
  /** How the run goes, and what it leaves. */
  OUTPUTS,
  /** No part of a run: what one call is to do. */
  NONE
}
