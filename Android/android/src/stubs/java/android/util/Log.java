// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.util;

import astrolabe.stubs.FakeDevice;

public final class Log {
    public static int w(String tag, String message) {
        FakeDevice.current.log.add(message);
        return 0;
    }
}
