// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.content;

import java.util.HashMap;
import java.util.Map;

public class Intent {
    public static final String ACTION_BATTERY_CHANGED = "android.intent.action.BATTERY_CHANGED";

    private final Map<String, Integer> extras = new HashMap<>();

    public int getIntExtra(String name, int otherwise) { return extras.getOrDefault(name, otherwise); }
    public Intent putExtra(String name, int value) {
        extras.put(name, value);
        return this;
    }
}
