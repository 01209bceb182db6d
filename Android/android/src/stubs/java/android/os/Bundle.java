// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.os;

public final class Bundle {}
