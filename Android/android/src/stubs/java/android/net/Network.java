// A hand-written stub of the platform class for compiling here. It is no part of the library.
package android.net;

public class Network {}
