/**
 * Networks as immutable descriptions over one flat parameter vector.
 *
 * <p>A {@link dev.discreet.core.nn.Network} says which layers and which loss; a {@link
 * dev.discreet.core.nn.Layout} puts it on an input shape and says where each parameter lives. No
 * arithmetic on examples happens here (that is {@code engine}), no data, no privacy.
 */
package dev.discreet.core.nn;
