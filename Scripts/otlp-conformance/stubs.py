"""Sends OTLP with the messages and stubs that are generated from the protocol's definition, without an SDK.

    stubs.py grpc gzip http://127.0.0.1:4317       exports one record of each signal; prints the trace id
    stubs.py http none http://127.0.0.1:4318
    stubs.py rejection http://127.0.0.1:4317       exports one trace; prints the status and the seconds to wait
"""

import gzip
import sys
import urllib.request

import grpc
from google.rpc import error_details_pb2, status_pb2
from opentelemetry.proto.collector.logs.v1 import logs_service_pb2, logs_service_pb2_grpc
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2, metrics_service_pb2_grpc
from opentelemetry.proto.collector.profiles.v1development import profiles_service_pb2_grpc
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc

import profiles

TRACE = bytes(range(1, 17))
NOW = 1_790_000_000_000_000_000


def traces():
    request = trace_service_pb2.ExportTraceServiceRequest()
    group = request.resource_spans.add()
    group.resource.attributes.add(key="service.name").value.string_value = "stubs"
    spans = group.scope_spans.add().spans
    spans.add(trace_id=TRACE, span_id=b"parent00", name="parent", start_time_unix_nano=NOW, end_time_unix_nano=NOW + 9)
    spans.add(
        trace_id=TRACE,
        span_id=b"child000",
        parent_span_id=b"parent00",
        name="child",
        start_time_unix_nano=NOW + 1,
        end_time_unix_nano=NOW + 2,
    )
    return request


def logs():
    request = logs_service_pb2.ExportLogsServiceRequest()
    record = request.resource_logs.add().scope_logs.add().log_records.add(trace_id=TRACE, time_unix_nano=NOW + 1)
    record.body.string_value = "a line of the stubs"
    return request


def metrics():
    request = metrics_service_pb2.ExportMetricsServiceRequest()
    metric = request.resource_metrics.add().scope_metrics.add().metrics.add(name="stubs.items", unit="{item}")
    metric.gauge.data_points.add(time_unix_nano=NOW, as_double=0.5)
    return request


def stubs(endpoint: str):
    channel = grpc.insecure_channel(endpoint.removeprefix("http://"))
    return [
        (trace_service_pb2_grpc.TraceServiceStub(channel), traces()),
        (logs_service_pb2_grpc.LogsServiceStub(channel), logs()),
        (metrics_service_pb2_grpc.MetricsServiceStub(channel), metrics()),
        (profiles_service_pb2_grpc.ProfilesServiceStub(channel), profiles.request()),
    ]


def over_grpc(compression: str, endpoint: str) -> None:
    encoding = {"none": grpc.Compression.NoCompression, "gzip": grpc.Compression.Gzip}[compression]
    for stub, request in stubs(endpoint):
        response = stub.Export(request, timeout=20, compression=encoding)
        if response.HasField("partial_success"):
            raise ValueError(response)


def over_http(compression: str, endpoint: str) -> None:
    for path, request in (
        ("v1/traces", traces()), ("v1/logs", logs()), ("v1/metrics", metrics()),
        ("v1development/profiles", profiles.request()),
    ):
        body = request.SerializeToString()
        headers = {"Content-Type": "application/x-protobuf"}
        if compression == "gzip":
            body = gzip.compress(body)
            headers["Content-Encoding"] = "gzip"
        with urllib.request.urlopen(urllib.request.Request(f"{endpoint}/{path}", body, headers)) as response:
            if response.read():
                raise ValueError("expected a response without a partial success")


def rejection(endpoint: str) -> str:
    stub, request = stubs(endpoint)[0]
    try:
        stub.Export(request, timeout=20)
    except grpc.RpcError as error:
        details = dict(error.trailing_metadata())["grpc-status-details-bin"]
        status = status_pb2.Status.FromString(details)
        if (status.code, status.message) != (error.code().value[0], error.details()):
            raise ValueError(status) from error
        info = error_details_pb2.RetryInfo()
        (detail,) = status.details
        detail.Unpack(info)
        return f"{error.code().name} {info.retry_delay.seconds}"
    raise ValueError("expected a rejection")


def main() -> None:
    what, *rest = sys.argv[1:]
    if what == "rejection":
        print(rejection(*rest))
        return
    {"grpc": over_grpc, "http": over_http}[what](*rest)
    print(TRACE.hex())


if __name__ == "__main__":
    main()
