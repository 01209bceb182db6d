/// Reason phrases of HTTP statuses, after the IANA registry.
///
/// Servers may send any phrase or none, `URLSession` hides it, and Foundation's own text is translated and differs
/// between platforms.
package enum HTTPStatus {
    /// "Gateway Timeout" for 504; the name of the class for a status without a phrase of its own.
    package static func reasonPhrase(_ status: Int) -> String {
        phrases[status] ?? classPhrase(status)
    }

    private static let phrases: [Int: String] = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content",
        301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect",
        308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
        411: "Length Required", 413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type",
        421: "Misdirected Request", 422: "Unprocessable Content", 425: "Too Early", 426: "Upgrade Required",
        428: "Precondition Required", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
        451: "Unavailable For Legal Reasons",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported", 507: "Insufficient Storage", 508: "Loop Detected",
        511: "Network Authentication Required",
    ]

    private static func classPhrase(_ status: Int) -> String {
        switch status {
        case 200...299: "Success"
        case 300...399: "Redirection"
        case 400...499: "Client Error"
        case 500...599: "Server Error"
        default: "Unknown Status"
        }
    }
}
