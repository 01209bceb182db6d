package astrolabe.remote

/**
 * A fault of a policy document: where it is, what was expected, and what was found.
 *
 *     finding.toString()    // "$.rates.normal: expected a number from 0 to 1, found 1.5"
 *
 * @property path The place in the document, such as `$.triggers.rules[0].span`; `$` is the document itself.
 * @property problem What was expected and what was found, without a full stop.
 */
public data class PolicyFinding(public val path: String, public val problem: String) {
    override fun toString(): String = "$path: $problem"
}
