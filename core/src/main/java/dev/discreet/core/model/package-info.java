/**
 * Trained parameters as a thing of their own: a network that predicts, says what it promises about
 * the people in its data, is saved and loaded, and may be the start of another. Nothing here
 * trains.
 */
package dev.discreet.core.model;
