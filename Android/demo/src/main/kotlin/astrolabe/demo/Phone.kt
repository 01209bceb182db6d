package astrolabe.demo

import astrolabe.conditions.AttributeKey
import astrolabe.conditions.Conditions
import astrolabe.conditions.ConditionsStore
import astrolabe.conditions.DeviceContext
import astrolabe.conditions.LifecycleState
import astrolabe.conditions.Medium
import astrolabe.conditions.NetworkPath
import astrolabe.conditions.Orientation
import astrolabe.conditions.Power
import astrolabe.conditions.PowerSource
import astrolabe.delivery.ThreadFlushExecutor
import astrolabe.http.AllowedHosts
import astrolabe.http.HeaderRules
import astrolabe.http.HttpIdentity
import astrolabe.http.RequestContext
import astrolabe.http.TracingInterceptor
import astrolabe.otel.OtlpDelivery
import astrolabe.otel.OtlpSender
import astrolabe.queue.OfflineQueue
import astrolabe.support.JdbcSql
import java.io.File
import java.io.IOException
import java.util.UUID
import okhttp3.Interceptor
import okhttp3.OkHttpClient

/** A phone with the shop's app, whose device signals the demo sets. */
internal class Phone(settings: DemoSettings) {
    private val state = File(settings.folder, "session")

    /** True if a previous process of the phone left the session. */
    val isResumed: Boolean = state.exists()
    val sessionId: String
    private val installationId: String

    val signals = ConditionsStore(
        Conditions(
            // A previous process has ended without a network.
            network = NetworkPath(if (isResumed) Medium.OFFLINE else Medium.WIFI),
            power = Power(0.8, PowerSource.CHARGING),
            lifecycle = LifecycleState.ACTIVE
        )
    )

    private val device = DeviceContext(
        osVersion = "15", sdkVersion = 35, deviceModel = "Pixel 9", deviceManufacturer = "Google",
        deviceBrand = "google", screenWidthPx = 1_080, screenHeightPx = 2_424, screenDensity = 2.625,
        isEmulator = true, processorCount = 8, totalMemoryMB = 11_600, power = signals.current.power,
        orientation = Orientation.PORTRAIT, locale = "en_US", timezone = "Europe/Berlin", appVersion = "1.0.0",
        buildNumber = "1"
    )

    val queue = OfflineQueue(File(settings.folder, "queue.db"), JdbcSql.opener)
    private val executor = ThreadFlushExecutor()
    private val delivery: OtlpDelivery
    val telemetry: Telemetry
    val shop: ShopClient

    init {
        if (!isResumed) state.writeText("${UUID.randomUUID()}\n${UUID.randomUUID()}")
        val (session, installation) = state.readText().split("\n")
        sessionId = session
        installationId = installation
        val resource = device.resourceAttributes + mapOf(
            AttributeKey.SERVICE_NAME to "astronomy-shop-android",
            AttributeKey.APP_INSTALLATION_ID to installationId,
            "telemetry.sdk.name" to "astrolabe-android",
            "telemetry.sdk.language" to "java",
            "telemetry.sdk.version" to "0.1.0"
        )
        val radio = OkHttpClient.Builder().addInterceptor(Radio(signals)).build()
        val sender = OtlpSender(radio, settings.console)
        delivery = OtlpDelivery(queue, signals, device.installedMemoryGB, sender, executor = executor)
        telemetry = Telemetry(delivery.exporters, resource, mapOf(AttributeKey.SESSION_ID to sessionId))
        val identity = HttpIdentity({ sessionId }, installationId, device.appVersion, hasHeaders = true)
        val host = requireNotNull(okhttp3.HttpUrl.parse(settings.shop)) { "no address: ${settings.shop}" }.host()
        val tracing = TracingInterceptor(HeaderRules(AllowedHosts(host), identity)) {
            RequestContext(telemetry.current)
        }
        shop = ShopClient(radio.newBuilder().addNetworkInterceptor(tracing).build(), settings.shop, telemetry)
        delivery.scheduler.start()
    }

    /** Sends what waits and ends. */
    fun close() {
        delivery.scheduler.flush()
        executor.close(seconds = 60.0)
        queue.close()
    }

    /** Ends as an app that the system kills. */
    fun die(): Nothing {
        ProcessBuilder("kill", "-KILL", ProcessHandle.current().pid().toString()).start().waitFor()
        throw IllegalStateException("the process still runs after SIGKILL")
    }
}

/** Fails requests while the phone is offline. */
private class Radio(private val signals: ConditionsStore) : Interceptor {
    override fun intercept(chain: Interceptor.Chain): okhttp3.Response {
        if (!signals.current.network.isOnline) throw IOException("The phone is offline.")
        return chain.proceed(chain.request())
    }
}
