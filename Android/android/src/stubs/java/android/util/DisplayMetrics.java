// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.util;

public class DisplayMetrics {
    public int widthPixels = 1080;
    public int heightPixels = 2400;
    public float density = 2.5f;
}
