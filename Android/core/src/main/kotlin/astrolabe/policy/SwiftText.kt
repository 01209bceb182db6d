package astrolabe.policy

import java.math.BigDecimal
import kotlin.math.abs

/** Returns the text of a number below a billion as Swift writes it: `0.0005`, `86400.0` and `5e-05`. */
internal fun swiftText(number: Double): String {
    if (number == 0.0) return number.toString()
    val decimal = BigDecimal(number.toString()).stripTrailingZeros()
    if (abs(number) >= 0.0001) {
        val plain = decimal.toPlainString()
        return if ('.' in plain) plain else "$plain.0"
    }
    val digits = decimal.unscaledValue().toString()
    val exponent = decimal.scale() - decimal.precision() + 1
    val first = if (number < 0) 2 else 1
    val fraction = if (digits.length > first) ".${digits.drop(first)}" else ""
    return digits.take(first) + fraction + "e-" + "$exponent".padStart(2, '0')
}
