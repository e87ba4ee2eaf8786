/**
 * Models as ONNX files, for programs that know nothing of Discreet.
 *
 * <p>What is written is handed in: a model, which may be released, and words about it. No training
 * and no reading of data enters this room, so that nothing private can reach a file through it.
 */
package dev.discreet.onnx;
