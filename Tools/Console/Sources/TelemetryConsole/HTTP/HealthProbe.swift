import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// The questions of balancers and supervisors, without a key.
///
///     GET /healthz    200 ok                                if the process answers
///     GET /readyz     200 ok, or 503 and a line with why    if the console can take requests
enum HealthProbe: String {
    case alive = "/healthz"
    case ready = "/readyz"

    init?(path: String) { self.init(rawValue: path) }

    func response(_ readiness: Readiness) async -> Response {
        let obstacle = self == .ready ? await readiness.obstacle() : nil
        return Response(
            status: obstacle == nil ? .ok : .serviceUnavailable,
            headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: (obstacle ?? "ok") + "\n")))
    }
}
