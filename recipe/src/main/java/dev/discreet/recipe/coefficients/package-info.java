/**
 * The numbers inside a model without hidden layers, in the words and units of its table. What
 * predicts, and what it cost, is elsewhere.
 */
package dev.discreet.recipe.coefficients;
