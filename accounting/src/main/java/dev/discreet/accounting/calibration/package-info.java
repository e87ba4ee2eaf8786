/**
 * From a target to parameters: how much noise, which sampling rate or how many steps a given (ε, δ)
 * allows, and which δ to take where none is given. Answers are always on the safe side.
 */
package dev.discreet.accounting.calibration;
