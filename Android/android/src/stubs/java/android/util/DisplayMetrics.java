// A hand-written stub of the platform class for compiling here. It is no part of the library.
package android.util;

public class DisplayMetrics {
    public int widthPixels;
    public int heightPixels;
    public float density;
}
