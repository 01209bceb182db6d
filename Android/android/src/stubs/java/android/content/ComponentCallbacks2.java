// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.content;

public interface ComponentCallbacks2 extends ComponentCallbacks {
    void onTrimMemory(int level);
}
