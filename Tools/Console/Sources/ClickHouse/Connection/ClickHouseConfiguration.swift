/// The connection to ClickHouse, and the limits of one answer.
package struct ClickHouseConfiguration: Sendable {
    package var address: ClickHouseAddress
    /// The password of the address's user. Never logged.
    package var password: String
    /// The transport of the requests.
    package var transport: any ClickHouseTransport
    /// The number of days after which ClickHouse removes records of the tables that the console creates. The default
    /// is 7.
    package var retentionDays = 7
    /// The timeout of a statement. The default is 30 s.
    package var timeout: Duration = .seconds(30)
    /// The largest answer to a statement in bytes. The default is 64 MiB.
    package var responseBytes = 64 << 20
    /// The most times that an insert is sent, with the same deduplication token. The default is 8.
    package var insertAttempts = 8
    /// The wait before the second attempt; it doubles with each, up to 5 s. The default is 100 ms.
    package var retryDelay: Duration = .milliseconds(100)

    package init(address: ClickHouseAddress, password: String = "", transport: any ClickHouseTransport) {
        self.address = address
        self.password = password
        self.transport = transport
    }
}
