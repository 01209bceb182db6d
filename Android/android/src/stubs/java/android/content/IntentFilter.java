// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.content;

public class IntentFilter {
    private final String action;

    public IntentFilter(String action) { this.action = action; }

    public String getAction(int index) { return action; }
}
