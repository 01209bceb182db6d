// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.provider;

import android.content.ContentResolver;
import astrolabe.stubs.FakeDevice;

public final class Settings {
    public static final class Global {
        public static final String BOOT_COUNT = "boot_count";

        public static int getInt(ContentResolver resolver, String name, int otherwise) {
            FakeDevice.called("Settings.getInt");
            Integer count = FakeDevice.current.bootCount;
            return name.equals(BOOT_COUNT) && count != null ? count : otherwise;
        }
    }
}
