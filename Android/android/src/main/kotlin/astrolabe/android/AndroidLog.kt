package astrolabe.android

import android.util.Log

/** Writes a diagnostic to the device's log. */
internal fun logWarning(text: String) {
    Log.w("Astrolabe", text)
}
