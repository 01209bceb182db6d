#define _GNU_SOURCE

#include "CCurl.h"

#if defined(__linux__)

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

// libcurl's binary interface, which has not changed since 2006: <curl/curl.h> of any libcurl.so.4.
enum {
    CURL_GLOBAL_DEFAULT = 3,
    CURLE_OK = 0,
    CURLE_OPERATION_TIMEDOUT = 28,
    CURLOPT_WRITEDATA = 10001,
    CURLOPT_URL = 10002,
    CURLOPT_ERRORBUFFER = 10010,
    CURLOPT_POSTFIELDS = 10015,
    CURLOPT_HTTPHEADER = 10023,
    CURLOPT_HEADERDATA = 10029,
    CURLOPT_NOPROGRESS = 43,
    CURLOPT_POST = 47,
    CURLOPT_XFERINFODATA = 10057,
    CURLOPT_NOSIGNAL = 99,
    CURLOPT_TIMEOUT_MS = 155,
    CURLOPT_PROTOCOLS = 181,
    CURLOPT_SUPPRESS_CONNECT_HEADERS = 265,
    CURLOPT_WRITEFUNCTION = 20011,
    CURLOPT_HEADERFUNCTION = 20079,
    CURLOPT_XFERINFOFUNCTION = 20219,
    CURLOPT_POSTFIELDSIZE_LARGE = 30120,
    CURLPROTO_HTTP_AND_HTTPS = 3,
    CURL_ERROR_SIZE = 256,
};

enum {
    body_limit = 131072,
    head_limit = 65536,
};

// The CPU time of this thread that a response may cost, in seconds. One within the limits costs some milliseconds.
static const double cpu_limit = 0.1;

static struct {
    int (*global_init)(long);
    void *(*easy_init)(void);
    int (*easy_setopt)(void *, int, ...);
    int (*easy_perform)(void *);
    void (*easy_cleanup)(void *);
    const char *(*easy_strerror)(int);
    void *(*slist_append)(void *, const char *);
    void (*slist_free_all)(void *);
    bool is_available;
} curl;

static pthread_once_t once = PTHREAD_ONCE_INIT;

struct astrolabe_transfer {
    atomic_bool is_cancelled;
    // The head is complete, and so are those of responses with a status of 1xx.
    bool has_head;
    bool has_enough;
    bool is_endless;
    int status;
    size_t head_size;
    size_t body_size;
    double start;
    char retry_after[64];
    char content_type[128];
    char error[CURL_ERROR_SIZE];
    uint8_t body[body_limit];
};

static void find(void) {
    curl.global_init = (int (*)(long))dlsym(RTLD_DEFAULT, "curl_global_init");
    curl.easy_init = (void *(*)(void))dlsym(RTLD_DEFAULT, "curl_easy_init");
    curl.easy_setopt = (int (*)(void *, int, ...))dlsym(RTLD_DEFAULT, "curl_easy_setopt");
    curl.easy_perform = (int (*)(void *))dlsym(RTLD_DEFAULT, "curl_easy_perform");
    curl.easy_cleanup = (void (*)(void *))dlsym(RTLD_DEFAULT, "curl_easy_cleanup");
    curl.easy_strerror = (const char *(*)(int))dlsym(RTLD_DEFAULT, "curl_easy_strerror");
    curl.slist_append = (void *(*)(void *, const char *))dlsym(RTLD_DEFAULT, "curl_slist_append");
    curl.slist_free_all = (void (*)(void *))dlsym(RTLD_DEFAULT, "curl_slist_free_all");
    curl.is_available = curl.global_init && curl.easy_init && curl.easy_setopt && curl.easy_perform
        && curl.easy_cleanup && curl.easy_strerror && curl.slist_append && curl.slist_free_all
        && curl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

bool astrolabe_transfer_is_available(void) {
    pthread_once(&once, find);
    return curl.is_available;
}

astrolabe_transfer *astrolabe_transfer_create(void) {
    return calloc(1, sizeof(astrolabe_transfer));
}

void astrolabe_transfer_cancel(astrolabe_transfer *transfer) { atomic_store(&transfer->is_cancelled, true); }

void astrolabe_transfer_free(astrolabe_transfer *transfer) { free(transfer); }

static double cpu_time(void) {
    struct timespec time;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0) return 0;
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static bool is_name(const char *line, size_t length, const char *name) {
    size_t count = strlen(name);
    return length > count && line[count] == ':' && strncasecmp(line, name, count) == 0;
}

static void copy_value(const char *line, size_t length, char *target, size_t size) {
    const char *value = memchr(line, ':', length);
    if (!value) return;
    const char *end = line + length;
    value += 1;
    while (value < end && (*value == ' ' || *value == '\t')) value += 1;
    while (end > value && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r' || end[-1] == '\n')) end -= 1;
    size_t count = (size_t)(end - value);
    if (count >= size) count = size - 1;
    memcpy(target, value, count);
    target[count] = 0;
}

static void begin_head(astrolabe_transfer *transfer, const char *line, size_t length) {
    transfer->retry_after[0] = 0;
    transfer->content_type[0] = 0;
    transfer->status = 0;
    const char *digits = memchr(line, ' ', length);
    for (int index = 1; digits && index <= 3 && digits + index < line + length; index += 1) {
        char digit = digits[index];
        if (digit < '0' || digit > '9') break;
        transfer->status = transfer->status * 10 + (digit - '0');
    }
}

// Called with each line of a head, and with each line of the trailers.
static size_t on_header(char *line, size_t size, size_t count, void *context) {
    astrolabe_transfer *transfer = context;
    size_t length = size * count;
    if (transfer->head_size == 0) transfer->start = cpu_time();
    transfer->head_size += length;
    if (transfer->head_size > head_limit) {
        transfer->is_endless = true;
        return 0;
    }
    if (transfer->has_head) return length;
    if (length >= 5 && memcmp(line, "HTTP/", 5) == 0) begin_head(transfer, line, length);
    if (is_name(line, length, "Retry-After")) {
        copy_value(line, length, transfer->retry_after, sizeof transfer->retry_after);
    }
    if (is_name(line, length, "Content-Type")) {
        copy_value(line, length, transfer->content_type, sizeof transfer->content_type);
    }
    bool is_end = length == 2 && line[0] == '\r' && line[1] == '\n';
    if ((is_end || (length == 1 && line[0] == '\n')) && transfer->status >= 200) transfer->has_head = true;
    return length;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *context) {
    astrolabe_transfer *transfer = context;
    size_t length = size * count;
    size_t room = body_limit - transfer->body_size;
    size_t kept = length < room ? length : room;
    memcpy(transfer->body + transfer->body_size, bytes, kept);
    transfer->body_size += kept;
    transfer->has_enough = transfer->body_size == body_limit;
    return transfer->has_enough ? 0 : length;
}

// Called whenever something has been sent or received, and about once a second otherwise.
static int on_progress(void *context, int64_t d0, int64_t d1, int64_t u0, int64_t u1) {
    (void)d0, (void)d1, (void)u0, (void)u1;
    astrolabe_transfer *transfer = context;
    if (atomic_load(&transfer->is_cancelled)) return 1;
    if (transfer->head_size > 0 && cpu_time() - transfer->start > cpu_limit) transfer->is_endless = true;
    return transfer->is_endless ? 1 : 0;
}

static void *header_lines(const astrolabe_transfer_request *request) {
    // Without a value, a line removes the field that libcurl would add.
    void *lines = curl.slist_append(NULL, "Expect:");
    for (size_t index = 0; lines && index < request->header_count; index += 1) {
        void *longer = curl.slist_append(lines, request->headers[index]);
        if (!longer) {
            curl.slist_free_all(lines);
            return NULL;
        }
        lines = longer;
    }
    return lines;
}

static int perform(astrolabe_transfer *transfer, const astrolabe_transfer_request *request, void *handle, void *lines) {
    int (*set)(void *, int, ...) = curl.easy_setopt;
    // Without a body, libcurl would read one from the standard input.
    const char *body = request->body_size > 0 ? (const char *)request->body : "";
    int result = set(handle, CURLOPT_URL, request->url);
    if (result == CURLE_OK) result = set(handle, CURLOPT_PROTOCOLS, (long)CURLPROTO_HTTP_AND_HTTPS);
    if (result == CURLE_OK) result = set(handle, CURLOPT_NOSIGNAL, 1L);
    if (result == CURLE_OK) result = set(handle, CURLOPT_ERRORBUFFER, transfer->error);
    if (result == CURLE_OK) result = set(handle, CURLOPT_POST, 1L);
    if (result == CURLE_OK) result = set(handle, CURLOPT_POSTFIELDS, body);
    if (result == CURLE_OK) result = set(handle, CURLOPT_POSTFIELDSIZE_LARGE, (int64_t)request->body_size);
    if (result == CURLE_OK) result = set(handle, CURLOPT_HTTPHEADER, lines);
    if (result == CURLE_OK) result = set(handle, CURLOPT_TIMEOUT_MS, request->timeout);
    if (result == CURLE_OK) result = set(handle, CURLOPT_HEADERFUNCTION, on_header);
    if (result == CURLE_OK) result = set(handle, CURLOPT_HEADERDATA, transfer);
    if (result == CURLE_OK) result = set(handle, CURLOPT_WRITEFUNCTION, on_body);
    if (result == CURLE_OK) result = set(handle, CURLOPT_WRITEDATA, transfer);
    if (result == CURLE_OK) result = set(handle, CURLOPT_XFERINFOFUNCTION, on_progress);
    if (result == CURLE_OK) result = set(handle, CURLOPT_XFERINFODATA, transfer);
    if (result == CURLE_OK) result = set(handle, CURLOPT_NOPROGRESS, 0L);
    // Since 7.54. An older one gives the head of a proxy's tunnel, too, which has a status below that of the server.
    (void)set(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    return result == CURLE_OK ? curl.easy_perform(handle) : result;
}

astrolabe_transfer_outcome astrolabe_transfer_perform(
    astrolabe_transfer *transfer, const astrolabe_transfer_request *request) {
    // With CURLOPT_NOSIGNAL, a write to a closed TLS connection may raise SIGPIPE in this thread.
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    void *handle = curl.easy_init();
    void *lines = handle ? header_lines(request) : NULL;
    int result = -1;
    if (lines) result = perform(transfer, request, handle, lines);
    if (lines) curl.slist_free_all(lines);
    if (handle) curl.easy_cleanup(handle);
    if (transfer->has_head && (result == CURLE_OK || transfer->has_enough)) return ASTROLABE_TRANSFER_RESPONSE;
    if (result == CURLE_OPERATION_TIMEDOUT) return ASTROLABE_TRANSFER_TIMED_OUT;
    const char *reason = NULL;
    if (transfer->is_endless) reason = "the response does not end";
    else if (atomic_load(&transfer->is_cancelled)) reason = "cancelled";
    else if (result == CURLE_OK) reason = "the response is not HTTP";
    else if (result < 0) reason = "not enough memory";
    else if (transfer->error[0] == 0) reason = curl.easy_strerror(result);
    if (reason) snprintf(transfer->error, sizeof transfer->error, "%s", reason);
    return ASTROLABE_TRANSFER_FAILED;
}

int astrolabe_transfer_status(const astrolabe_transfer *transfer) { return transfer->status; }

const char *astrolabe_transfer_retry_after(const astrolabe_transfer *transfer) {
    return transfer->retry_after[0] ? transfer->retry_after : NULL;
}

const char *astrolabe_transfer_content_type(const astrolabe_transfer *transfer) {
    return transfer->content_type[0] ? transfer->content_type : NULL;
}

const uint8_t *astrolabe_transfer_body(const astrolabe_transfer *transfer, size_t *size) {
    *size = transfer->body_size;
    return transfer->body;
}

const char *astrolabe_transfer_error(const astrolabe_transfer *transfer) { return transfer->error; }

#endif
