package astrolabe.android

import android.content.Context
import android.net.ConnectivityManager
import android.net.Network
import android.net.NetworkCapabilities
import astrolabe.conditions.Medium
import astrolabe.conditions.NetworkPath

/** The default network of the app. */
internal class AndroidNetwork(context: Context) {
    private val connectivity = context.getSystemService(Context.CONNECTIVITY_SERVICE) as ConnectivityManager

    fun current(): NetworkPath {
        val capabilities = connectivity.activeNetwork?.let { connectivity.getNetworkCapabilities(it) }
        return if (capabilities == null) NetworkPath(Medium.OFFLINE) else path(capabilities)
    }

    fun follow(onChange: (NetworkPath) -> Unit) {
        connectivity.registerDefaultNetworkCallback(object : ConnectivityManager.NetworkCallback() {
            override fun onCapabilitiesChanged(network: Network, capabilities: NetworkCapabilities) {
                onChange(path(capabilities))
            }

            override fun onLost(network: Network) {
                onChange(NetworkPath(Medium.OFFLINE))
            }
        })
    }

    private fun path(capabilities: NetworkCapabilities): NetworkPath {
        val medium = when {
            capabilities.hasTransport(NetworkCapabilities.TRANSPORT_ETHERNET) -> Medium.ETHERNET
            capabilities.hasTransport(NetworkCapabilities.TRANSPORT_WIFI) -> Medium.WIFI
            capabilities.hasTransport(NetworkCapabilities.TRANSPORT_CELLULAR) -> Medium.CELLULAR
            else -> Medium.UNKNOWN
        }
        return NetworkPath(
            medium,
            isExpensive = !capabilities.hasCapability(NetworkCapabilities.NET_CAPABILITY_NOT_METERED),
            isConstrained = connectivity.restrictBackgroundStatus ==
                ConnectivityManager.RESTRICT_BACKGROUND_STATUS_ENABLED
        )
    }
}
