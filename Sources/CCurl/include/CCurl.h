#ifndef ASTROLABE_CCURL_H
#define ASTROLABE_CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The result of a transfer.
typedef enum {
    /// The status is set.
    ASTROLABE_TRANSFER_RESPONSE = 0,
    ASTROLABE_TRANSFER_TIMED_OUT = 1,
    /// The error is set.
    ASTROLABE_TRANSFER_FAILED = 2,
} astrolabe_transfer_outcome;

/// A POST request. The memory is the caller's until `astrolabe_transfer_perform` returns.
typedef struct {
    /// An address with the scheme http or https.
    const char *url;
    /// Lines `Name: value`. libcurl adds its default fields, except `Expect`, unless a line names them.
    const char *const *headers;
    size_t header_count;
    const uint8_t *body;
    size_t body_size;
    /// The limit of the whole request, in milliseconds; 0 for none.
    long timeout;
} astrolabe_transfer_request;

/// One exchange of a request and a response.
typedef struct astrolabe_transfer astrolabe_transfer;

/// Finds libcurl in this process, once. Returns false if it is not loaded: another HTTP client must be used.
///
/// FoundationNetworking loads and initialises it. Nothing is loaded here, so that there is never a second copy.
bool astrolabe_transfer_is_available(void);

/// Makes a transfer for one request. Returns NULL if libcurl is not available or memory is short.
astrolabe_transfer *astrolabe_transfer_create(void);

/// Sends the request and blocks until the transfer ends. Call it once, on a thread that ends soon after.
///
/// The first 128 KiB of the response's body are kept; then the transfer ends. A response head, trailers included, of
/// more than 64 KiB is an error, as is a response that costs this thread 0.1 s of CPU time. Redirects are not
/// followed. The connection is closed.
astrolabe_transfer_outcome astrolabe_transfer_perform(
    astrolabe_transfer *transfer, const astrolabe_transfer_request *request);

/// Makes `astrolabe_transfer_perform` return, within about a second. May be called from any thread, at any time
/// before `astrolabe_transfer_free`.
void astrolabe_transfer_cancel(astrolabe_transfer *transfer);

/// Frees the transfer, after `astrolabe_transfer_perform` has returned.
void astrolabe_transfer_free(astrolabe_transfer *transfer);

/// The status of the response.
int astrolabe_transfer_status(const astrolabe_transfer *transfer);
/// The field `Retry-After` of the response; NULL if there is none.
const char *astrolabe_transfer_retry_after(const astrolabe_transfer *transfer);
/// The field `Content-Type` of the response; NULL if there is none.
const char *astrolabe_transfer_content_type(const astrolabe_transfer *transfer);
/// The bytes of the response's body that were kept.
const uint8_t *astrolabe_transfer_body(const astrolabe_transfer *transfer, size_t *size);
/// The reason of a failure. It names no more of the address than the host and the port.
const char *astrolabe_transfer_error(const astrolabe_transfer *transfer);

#endif
