// A hand-written stub of the platform class for compiling here. It is no part of the library.
package android.provider;

import android.content.ContentResolver;

public final class Settings {
    public static final class Global {
        public static final String BOOT_COUNT = "boot_count";

        public static int getInt(ContentResolver resolver, String name, int otherwise) {
            throw new UnsupportedOperationException();
        }
    }
}
