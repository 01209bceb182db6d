/// A list that can be searched.
package enum SearchedList: Sendable {
    case logs
    case traces
    case sessions
    case devices
}
