// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.app;

import astrolabe.stubs.FakeDevice;

public class ActivityManager {
    public static class MemoryInfo {
        public long totalMem;
        public boolean lowMemory;
    }

    public static class RunningAppProcessInfo {
        public static final int IMPORTANCE_FOREGROUND = 100;

        public int importance;
    }

    public static void getMyMemoryState(RunningAppProcessInfo state) {
        FakeDevice.called("getMyMemoryState");
        state.importance = FakeDevice.current.importance;
    }
    public void getMemoryInfo(MemoryInfo info) {
        FakeDevice.called("getMemoryInfo");
        info.totalMem = FakeDevice.current.totalMemory;
        info.lowMemory = FakeDevice.current.isMemoryLow;
    }
    public boolean isLowRamDevice() {
        FakeDevice.called("isLowRamDevice");
        return false;
    }
}
