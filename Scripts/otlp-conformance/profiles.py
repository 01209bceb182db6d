"""A request of OTLP's profiles, made with the messages that are generated from the protocol's definition.

    profiles.py        prints the request in hexadecimal digits

Two stacks that share their outermost function: `main` calls `encode`, into which `pack` was inlined, and code of
`libfoo.so` without a name. The first has the values 30 and 12, the second 8.
"""

from opentelemetry.proto.collector.profiles.v1development import profiles_service_pb2
from opentelemetry.proto.profiles.v1development import profiles_pb2

TRACE = bytes(range(1, 17))
SPAN = b"parent00"
NOW = 1_790_000_000_000_000_000


def request(service: str = "stubs"):
    message = profiles_service_pb2.ExportProfilesServiceRequest()
    dictionary = message.dictionary
    strings = [""]

    def text(value: str) -> int:
        if value not in strings:
            strings.append(value)
        return strings.index(value)

    for table in (
        dictionary.mapping_table, dictionary.location_table, dictionary.function_table, dictionary.link_table,
        dictionary.attribute_table, dictionary.stack_table,
    ):
        table.add()
    dictionary.mapping_table.add(
        memory_start=0x1000, memory_limit=0x9000, file_offset=0x20, filename_strindex=text("/usr/lib/libfoo.so"))
    for name in ("main", "encode", "pack"):
        dictionary.function_table.add(name_strindex=text(name), filename_strindex=text(f"{name}.c"))
    line = profiles_pb2.Line
    dictionary.location_table.add(lines=[line(function_index=1, line=7)])
    dictionary.location_table.add(lines=[line(function_index=3, line=40), line(function_index=2, line=20)])
    dictionary.location_table.add(mapping_index=1, address=0x1A04)
    dictionary.stack_table.add(location_indices=[2, 1])
    dictionary.stack_table.add(location_indices=[3, 1])
    dictionary.link_table.add(trace_id=TRACE, span_id=SPAN)
    dictionary.attribute_table.add(key_strindex=text("session.id")).value.string_value = "s-profile"

    group = message.resource_profiles.add()
    group.resource.attributes.add(key="service.name").value.string_value = service
    scope = group.scope_profiles.add()
    scope.scope.name = "profiler"
    profile = scope.profiles.add(
        time_unix_nano=NOW, duration_nano=2_500_000_000, profile_id=bytes(range(16)), attribute_indices=[1])
    profile.sample_type.type_strindex = text("cpu")
    profile.sample_type.unit_strindex = text("nanoseconds")
    profile.samples.add(stack_index=1, values=[30, 12], link_index=1)
    profile.samples.add(stack_index=2, timestamps_unix_nano=[NOW + number for number in range(8)], link_index=1)
    dictionary.string_table.extend(strings)
    return message


if __name__ == "__main__":
    print(request().SerializeToString().hex())
