package astrolabe.demo

import astrolabe.conditions.Medium
import astrolabe.conditions.NetworkPath
import java.io.IOException

/** The actions of the user of the phone. */
internal class Trip(private val phone: Phone) {
    private val telemetry = phone.telemetry
    private val shop = phone.shop

    fun run(role: String) {
        if (role == "first") untilKilled() else untilOrdered()
    }

    /** Looks at products, puts one into the cart, loses the network, and is killed. */
    private fun untilKilled() {
        telemetry.event("session.start")
        telemetry.event("app.launched")
        screen("Products") { shop.get("/api/products") }
        screen("Product") {
            shop.get("/api/products/$PRODUCT")
            val item = mapOf("productId" to PRODUCT, "quantity" to 1)
            shop.post("/api/cart", mapOf("userId" to phone.sessionId, "item" to item))
        }
        setNetwork(Medium.OFFLINE)
        screen("Cart") { failing { shop.get("/api/cart?sessionId=${phone.sessionId}") } }
        println("The phone is offline with ${phone.queue.statistics().records} records in its queue.")
        phone.die()
    }

    /** Starts again with what the killed process left, gets the network back, and places the order. */
    private fun untilOrdered() {
        println("The phone starts again with ${phone.queue.statistics().records} records in its queue.")
        telemetry.event("session.resume")
        telemetry.event("app.launched")
        setNetwork(Medium.CELLULAR)
        screen("Cart") { shop.get("/api/cart?sessionId=${phone.sessionId}") }
        setNetwork(Medium.WIFI)
        screen("Checkout") { shop.post("/api/checkout", order()) }
        phone.close()
        println("The session ${phone.sessionId} is complete.")
    }

    private fun screen(name: String, body: () -> Any?) {
        telemetry.event("app.screen.view_did_appear", mapOf("app.screen.name" to name, "app.screen.id" to name))
        telemetry.span(name, attributes = mapOf("app.screen.name" to name)) { body() }
    }

    private fun setNetwork(medium: Medium) {
        val path = NetworkPath(medium)
        phone.signals.update { it.copy(network = path) }
        telemetry.event("network.change", path.attributes)
    }

    /** The app shows a message; the span has the error. */
    private fun failing(body: () -> Any?) {
        try {
            body()
        } catch (failure: IOException) {
            println("The app shows: ${failure.message}")
        }
    }

    private fun order(): Map<String, Any> = mapOf(
        "userId" to phone.sessionId,
        "userCurrency" to "USD",
        "email" to "ada@example.com",
        "address" to mapOf(
            "streetAddress" to "1 Observatory Road", "city" to "Berlin", "state" to "BE", "country" to "Germany",
            "zipCode" to "14482"
        ),
        "creditCard" to mapOf(
            // A number for tests.
            "creditCardNumber" to "4432-8015-6152-0454", "creditCardCvv" to 672, "creditCardExpirationYear" to 2039,
            "creditCardExpirationMonth" to 1
        )
    )

    private companion object {
        const val PRODUCT = "LS4PSXUNUM"
    }
}
