// A hand-written stub of the platform class for compiling here. It is no part of the library.
package android.app;

public class ActivityManager {
    public static class MemoryInfo {
        public long totalMem;
        public boolean lowMemory;
    }

    public void getMemoryInfo(MemoryInfo info) { throw new UnsupportedOperationException(); }
    public boolean isLowRamDevice() { throw new UnsupportedOperationException(); }
}
