import AsyncHTTPClient
package import ClickHouse
package import NIOCore
import NIOHTTP1

/// Sends statements to ClickHouse with AsyncHTTPClient, by HTTP or HTTPS.
package struct ClickHouseHTTP: ClickHouseTransport {
    package init() {}

    package func send(
        _ request: ClickHouseRequest, part: (ByteBuffer) throws -> Void,
    ) async throws -> ClickHouseRejection? {
        var outgoing = HTTPClientRequest(url: request.url)
        outgoing.method = .POST
        for (name, value) in request.headers { outgoing.headers.add(name: name, value: value) }
        outgoing.body = .bytes(request.body)
        do {
            let response = try await Self.client.execute(outgoing, timeout: TimeAmount(request.timeout))
            guard response.status == .ok else { return try await Self.rejection(response) }
            for try await bytes in response.body { try part(bytes) }
            return nil
        } catch let error as ClickHouseError {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch let error as HTTPClientError where Self.timeouts.contains(error) {
            throw ClickHouseError.timedOut(seconds: request.timeout.components.seconds)
        } catch let error as HTTPClientError {
            if error == .cancelled { throw CancellationError() }
            throw ClickHouseError.unreachable(error.shortDescription)
        } catch {
            throw ClickHouseError.unreachable("\(error)")
        }
    }

    private static func rejection(_ response: HTTPClientResponse) async throws -> ClickHouseRejection {
        let body = try await response.body.collect(upTo: ClickHouseRejection.bodyLimit)
        return ClickHouseRejection(
            status: Int(response.status.code), code: response.headers.first(name: ClickHouseRejection.codeHeader),
            body: String(buffer: body))
    }

    /// Fails at once if nothing listens; an insert that may be sent again waits itself.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    private static let timeouts: [HTTPClientError] = [.deadlineExceeded, .connectTimeout, .readTimeout, .writeTimeout]
}
