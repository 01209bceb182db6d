"""Describes OTLP requests in a form that another language can compare field by field.

Every scalar is a string: integers in decimal, doubles as the 16 hex digits of their bits, bytes and ids in hex, so that
no JSON library rounds or reorders anything. Of attributes with one key the last value counts, at the first one's place.
"""

import base64
import json
import struct
import unicodedata

from google.protobuf import json_format
from opentelemetry.proto.collector.logs.v1 import logs_service_pb2
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2

REQUESTS = {
    "traces": trace_service_pb2.ExportTraceServiceRequest,
    "logs": logs_service_pb2.ExportLogsServiceRequest,
    "metrics": metrics_service_pb2.ExportMetricsServiceRequest,
}

IDS = ("traceId", "spanId", "parentSpanId")
NO_RECORDED_VALUE = 1
HAS_IS_REMOTE, IS_REMOTE = 0x100, 0x200


def parse(signal: str, data: bytes):
    request = REQUESTS[signal]()
    request.ParseFromString(data)
    return request


def parse_json(signal: str, data: bytes):
    return json_format.ParseDict(base64_ids(json.loads(data)), REQUESTS[signal]())


def base64_ids(value):
    """OTLP/JSON is protobuf's JSON, but for its ids, which are hexadecimal."""
    if isinstance(value, dict):
        return {
            key: base64.b64encode(bytes.fromhex(item)).decode() if key in IDS else base64_ids(item)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [base64_ids(item) for item in value]
    return value


def describe(signal: str, request) -> list:
    groups, scopes, records, record = {
        "traces": ("resource_spans", "scope_spans", "spans", span),
        "logs": ("resource_logs", "scope_logs", "log_records", log_record),
        "metrics": ("resource_metrics", "scope_metrics", "metrics", metric),
    }[signal]
    return [
        {
            "resource": {
                "attributes": attributes(group.resource.attributes),
                "dropped": str(group.resource.dropped_attributes_count),
            },
            "schemaUrl": group.schema_url,
            "scopes": [
                {
                    "scope": {
                        "name": scope.scope.name,
                        "version": scope.scope.version,
                        "attributes": attributes(scope.scope.attributes),
                        "dropped": str(scope.scope.dropped_attributes_count),
                    },
                    "schemaUrl": scope.schema_url,
                    "records": [record(item) for item in getattr(scope, records)],
                }
                for scope in getattr(group, scopes)
            ],
        }
        for group in getattr(request, groups)
    ]


def bits(number: float) -> str:
    return struct.pack(">d", number).hex()


def attributes(pairs) -> list:
    values = {}
    for pair in pairs:
        # Keys that are canonically equivalent in Unicode are one key to Swift.
        first = values.setdefault(unicodedata.normalize("NFC", pair.key), [pair.key, None])
        first[1] = any_value(pair.value)
    return list(values.values())


def any_value(value):
    kind = value.WhichOneof("value")
    if kind is None:
        return ["empty"]
    if kind == "string_value":
        return ["string", value.string_value]
    if kind == "bool_value":
        return ["bool", "true" if value.bool_value else "false"]
    if kind == "int_value":
        return ["int", str(value.int_value)]
    if kind == "double_value":
        return ["double", bits(value.double_value)]
    if kind == "bytes_value":
        return ["bytes", value.bytes_value.hex()]
    if kind == "array_value":
        return ["array", [any_value(item) for item in value.array_value.values]]
    if kind == "kvlist_value":
        return ["map", attributes(value.kvlist_value.values)]
    raise ValueError(f"no such kind of value: {kind}")


def span(item) -> dict:
    return {
        "traceId": item.trace_id.hex(),
        "spanId": item.span_id.hex(),
        "parentSpanId": item.parent_span_id.hex() or "0" * 16,
        "traceState": item.trace_state,
        "flags": str(item.flags),
        "name": item.name,
        "kind": str(item.kind),
        "start": str(item.start_time_unix_nano),
        "end": str(item.end_time_unix_nano),
        "attributes": attributes(item.attributes),
        "droppedAttributes": str(item.dropped_attributes_count),
        "events": [
            {
                "name": event.name,
                "time": str(event.time_unix_nano),
                "attributes": attributes(event.attributes),
                "dropped": str(event.dropped_attributes_count),
            }
            for event in item.events
        ],
        "droppedEvents": str(item.dropped_events_count),
        "links": [
            {
                "traceId": link.trace_id.hex() or "0" * 32,
                "spanId": link.span_id.hex() or "0" * 16,
                "traceState": link.trace_state,
                "flags": str(link.flags),
                "isRemote": "true" if link.flags & HAS_IS_REMOTE and link.flags & IS_REMOTE else "false",
                "attributes": attributes(link.attributes),
                "dropped": str(link.dropped_attributes_count),
            }
            for link in item.links
        ],
        "droppedLinks": str(item.dropped_links_count),
        # A message belongs to an error alone.
        "status": [str(item.status.code), item.status.message if item.status.code == 2 else ""],
    }


def log_record(item) -> dict:
    return {
        "time": str(item.time_unix_nano),
        "observed": str(item.observed_time_unix_nano),
        "severity": [str(item.severity_number), item.severity_text],
        "eventName": item.event_name,
        "body": any_value(item.body),
        "attributes": attributes(item.attributes),
        "dropped": str(item.dropped_attributes_count),
        "flags": str(item.flags & 0xFF),
        "traceId": item.trace_id.hex() or "0" * 32,
        "spanId": item.span_id.hex() or "0" * 16,
    }


def metric(item) -> dict:
    kind = item.WhichOneof("data") or "unknown"
    described = {
        "name": item.name,
        "description": item.description,
        "unit": item.unit,
        "metadata": attributes(item.metadata),
        "kind": kind,
    }
    if kind in ("gauge", "sum"):
        described["points"] = [number_point(point) for point in getattr(item, kind).data_points if has_value(point)]
    elif kind == "histogram":
        described["points"] = [
            histogram_point(point) for point in item.histogram.data_points if not point.flags & NO_RECORDED_VALUE
        ]
    elif kind == "exponential_histogram":
        described["points"] = [
            exponential_histogram_point(point)
            for point in item.exponential_histogram.data_points
            if not point.flags & NO_RECORDED_VALUE
        ]
    elif kind == "summary":
        described["points"] = [
            summary_point(point) for point in item.summary.data_points if not point.flags & NO_RECORDED_VALUE
        ]
    if kind in ("sum", "histogram", "exponential_histogram"):
        described["temporality"] = str(getattr(item, kind).aggregation_temporality)
    if kind == "sum":
        described["monotonic"] = "true" if item.sum.is_monotonic else "false"
    return described


def has_value(point) -> bool:
    return point.WhichOneof("value") is not None and not point.flags & NO_RECORDED_VALUE


def number(item):
    kind = item.WhichOneof("value")
    if kind is None:
        return "none"
    return ["int", str(item.as_int)] if kind == "as_int" else ["double", bits(item.as_double)]


def exemplars(point) -> list:
    return [
        {
            "attributes": attributes(exemplar.filtered_attributes),
            "time": str(exemplar.time_unix_nano),
            "value": number(exemplar),
            "traceId": exemplar.trace_id.hex() or "0" * 32,
            "spanId": exemplar.span_id.hex() or "0" * 16,
        }
        for exemplar in point.exemplars
    ]


def number_point(point) -> dict:
    return {
        "attributes": attributes(point.attributes),
        "start": str(point.start_time_unix_nano),
        "time": str(point.time_unix_nano),
        "value": number(point),
        "exemplars": exemplars(point),
    }


def histogram_point(point) -> dict:
    return {
        "attributes": attributes(point.attributes),
        "start": str(point.start_time_unix_nano),
        "time": str(point.time_unix_nano),
        "count": str(point.count),
        "sum": bits(point.sum) if point.HasField("sum") else "none",
        "min": bits(point.min) if point.HasField("min") else "none",
        "max": bits(point.max) if point.HasField("max") else "none",
        "buckets": [str(count) for count in point.bucket_counts],
        "bounds": [bits(bound) for bound in point.explicit_bounds],
        "exemplars": exemplars(point),
    }


def exponential_histogram_point(point) -> dict:
    return {
        "attributes": attributes(point.attributes),
        "start": str(point.start_time_unix_nano),
        "time": str(point.time_unix_nano),
        "count": str(point.count),
        "sum": bits(point.sum) if point.HasField("sum") else "none",
        "min": bits(point.min) if point.HasField("min") else "none",
        "max": bits(point.max) if point.HasField("max") else "none",
        "scale": str(point.scale),
        "zero": [str(point.zero_count), bits(point.zero_threshold)],
        "positive": buckets(point.positive),
        "negative": buckets(point.negative),
        "exemplars": exemplars(point),
    }


def buckets(side) -> list:
    return [str(side.offset), [str(count) for count in side.bucket_counts]]


def summary_point(point) -> dict:
    return {
        "attributes": attributes(point.attributes),
        "start": str(point.start_time_unix_nano),
        "time": str(point.time_unix_nano),
        "count": str(point.count),
        "sum": bits(point.sum),
        "quantiles": [[bits(item.quantile), bits(item.value)] for item in point.quantile_values],
    }
