// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.os;

import astrolabe.stubs.FakeDevice;

public final class SystemClock {
    public static long elapsedRealtimeNanos() { return FakeDevice.current.elapsedMilliseconds * 1_000_000; }
}
