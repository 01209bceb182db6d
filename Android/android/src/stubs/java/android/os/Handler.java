// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.os;

import astrolabe.stubs.FakeDevice;

public class Handler {
    public Handler(Looper looper) {}

    public final boolean postDelayed(Runnable work, long milliseconds) {
        FakeDevice.called("postDelayed");
        FakeDevice.current.post(work, milliseconds);
        return true;
    }
}
