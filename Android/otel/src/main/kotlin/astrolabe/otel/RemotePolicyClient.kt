package astrolabe.otel

import astrolabe.delivery.FlushScheduler
import astrolabe.remote.PolicyExchange
import astrolabe.remote.PolicyKeeper
import astrolabe.remote.PolicyReply
import java.io.IOException
import okhttp3.Call
import okhttp3.Request

/**
 * Asks a server of OpAMP for signed documents of remote policy, which a scheduler follows.
 *
 *     val client = RemotePolicyClient(http, "https://policy.example.com/v1/opamp", keeper, exchange, delivery.scheduler)
 *     client.ask { reply -> if (reply is PolicyReply.Taken) store(keeper.carriedOut, reply.offer, reply.serverHash) }
 *
 * The app decides when to ask, on a background thread.
 *
 * @param headers Asked for each request.
 * @param now Seconds since 1970.
 */
public class RemotePolicyClient(
    private val http: Call.Factory,
    private val address: String,
    private val keeper: PolicyKeeper,
    private val exchange: PolicyExchange,
    private val scheduler: FlushScheduler,
    private val headers: () -> Map<String, String> = { emptyMap() },
    private val now: () -> Long = { System.currentTimeMillis() / 1_000 }
) {
    /** Lets the scheduler follow the document that is in force now: at a start, and when the app comes to the front. */
    @Synchronized
    public fun follow(): Unit = scheduler.follow(keeper.policy(now()))

    /** Asks the server, and says what became of its document, before the scheduler follows it. */
    @Synchronized
    public fun ask(onReply: (PolicyReply) -> Unit) {
        for (attempt in 1..MESSAGES) {
            val reply = exchanged()
            onReply(reply)
            if (!reply.goesOn) break
        }
        follow()
    }

    private fun exchanged(): PolicyReply = try {
        val request = Request.Builder().url(address).post(UntypedBody(exchange.request()))
        for ((name, value) in headers()) request.header(name, value)
        request.header("Content-Type", PolicyExchange.CONTENT_TYPE)
        http.hidden(request.build(), TIMEOUT) { response ->
            if (response.code() in 200..299) {
                exchange.follow(response.peekBody(LONGEST).bytes(), now())
            } else {
                PolicyReply.Failed("The server responded with HTTP ${response.code()}", retryAfter(response))
            }
        }
    } catch (failure: IOException) {
        PolicyReply.Failed("The server did not respond: $failure", retryAfter = null)
    }

    private companion object {
        /** A document, its fate, and one more if the server does not know the client. */
        const val MESSAGES = 3

        /** Seconds. */
        const val TIMEOUT = 30L

        /** Bytes. [PolicyExchange] refuses longer messages, and this one too. */
        const val LONGEST = 524_288L
    }
}
