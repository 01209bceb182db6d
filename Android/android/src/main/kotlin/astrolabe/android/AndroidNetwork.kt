package astrolabe.android

import android.content.Context
import android.net.ConnectivityManager
import android.net.Network
import android.net.NetworkCapabilities
import android.os.Build
import astrolabe.conditions.Guard
import astrolabe.conditions.Medium
import astrolabe.conditions.NetworkPath

/**
 * The default network of the app.
 *
 * Some versions of Android throw `SecurityException` at calls that are allowed. A network that cannot be read counts as
 * one over an unknown medium.
 */
internal class AndroidNetwork(private val context: Context, private val guard: Guard) {
    /** Whether the system reports changes. If not, [current] has to be asked. */
    @Volatile
    var isFollowed = false
        private set

    private val connectivity: ConnectivityManager
        get() = context.getSystemService(Context.CONNECTIVITY_SERVICE) as ConnectivityManager

    fun current(): NetworkPath = guard.call("Reading the network", { NetworkPath(Medium.UNKNOWN) }) {
        val capabilities = connectivity.activeNetwork?.let { connectivity.getNetworkCapabilities(it) }
        if (capabilities == null) NetworkPath(Medium.OFFLINE) else path(capabilities)
    }

    fun follow(onChange: (NetworkPath) -> Unit) {
        guard.run("Following the network") {
            connectivity.registerDefaultNetworkCallback(Callback(onChange))
            isFollowed = true
        }
    }

    /** Whether the user has switched Data Saver on for this app. */
    fun isConstrained(): Boolean = guard.call("Reading Data Saver", { false }) {
        connectivity.restrictBackgroundStatus == ConnectivityManager.RESTRICT_BACKGROUND_STATUS_ENABLED
    }

    private fun path(capabilities: NetworkCapabilities): NetworkPath {
        val medium = when {
            capabilities.hasTransport(NetworkCapabilities.TRANSPORT_ETHERNET) -> Medium.ETHERNET
            capabilities.hasTransport(NetworkCapabilities.TRANSPORT_WIFI) -> Medium.WIFI
            capabilities.hasTransport(NetworkCapabilities.TRANSPORT_CELLULAR) -> Medium.CELLULAR
            else -> Medium.UNKNOWN
        }
        val isMetered = !capabilities.hasCapability(NetworkCapabilities.NET_CAPABILITY_NOT_METERED)
        return NetworkPath(medium, isExpensive = isMetered, isConstrained = isConstrained())
    }

    private inner class Callback(private val onChange: (NetworkPath) -> Unit) : ConnectivityManager.NetworkCallback() {
        private var path = NetworkPath(Medium.OFFLINE)
        private var isBlocked = false

        override fun onAvailable(network: Network) {
            // Later versions go on with the capabilities; earlier ones may not.
            if (Build.VERSION.SDK_INT < Build.VERSION_CODES.O) change(current())
        }

        override fun onCapabilitiesChanged(network: Network, capabilities: NetworkCapabilities) =
            change(guard.call("Reading the network", { NetworkPath(Medium.UNKNOWN) }) { path(capabilities) })

        override fun onLost(network: Network) = change(NetworkPath(Medium.OFFLINE))

        /** Doze and App Standby block the network of an app and leave its capabilities. */
        override fun onBlockedStatusChanged(network: Network, blocked: Boolean) {
            isBlocked = blocked
            // Data Saver may have been switched since the path was reported.
            change(path.copy(isConstrained = path.medium != Medium.OFFLINE && isConstrained()))
        }

        private fun change(next: NetworkPath) {
            path = next
            onChange(if (isBlocked) NetworkPath(Medium.OFFLINE) else next)
        }
    }
}
