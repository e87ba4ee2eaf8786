/** What the CPU engine is made of, for this engine only. Here: the threads that its parts share. */
package dev.discreet.core.engine.cpu.internal;
