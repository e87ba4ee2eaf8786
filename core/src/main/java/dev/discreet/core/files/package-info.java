/** Files that are replaced whole or not at all, and the formats inside: safetensors and JSON. */
package dev.discreet.core.files;
