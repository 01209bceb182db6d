"""Lists and calls tools with the official client of the Model Context Protocol.

    client.py MODE http URL CALLS
    client.py MODE stdio EXECUTABLE CONSOLE CALLS

MODE is `legacy` for the handshake, or `auto` for the newest version. CALLS is a JSON object of arguments by tool.
Prints JSON: the protocol's version, the names of the tools, and for each call whether it failed and its text.
"""

import asyncio
import json
import sys

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client


async def main(mode, transport, *rest):
    calls = json.loads(rest[-1])
    if transport == "http":
        server = rest[0]
    else:
        server = stdio_client(StdioServerParameters(command=rest[0], args=["mcp", "--console", rest[1]]))
    async with Client(server, mode=mode) as client:
        tools = (await client.list_tools()).tools
        results = {}
        for name, arguments in calls.items():
            result = await client.call_tool(name, arguments)
            results[name] = {"isError": bool(result.is_error), "text": result.content[0].text}
        print(
            json.dumps(
                {"version": client.protocol_version, "tools": [tool.name for tool in tools], "results": results}
            )
        )


asyncio.run(main(*sys.argv[1:]))
