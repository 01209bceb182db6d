"""Lists and calls tools with the official client of the Model Context Protocol.

    client.py MODE http URL CALLS
    client.py MODE stdio EXECUTABLE CONSOLE CALLS

MODE is `legacy` for the handshake, or `auto` for the newest version. CALLS is a JSON object of arguments by tool.
Reads the pages of a tool that has some, up to the last one. Prints JSON: the protocol's version, the names of the
tools, and for each call whether one of its pages failed, the text of the first, the number of pages, and the size of
the longest in bytes.
"""

import asyncio
import json
import sys

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client


async def read(client, tool, arguments):
    """Calls a tool for each of its pages."""
    properties = tool.model_dump(by_alias=True)["inputSchema"]["properties"]
    position = next((name for name in ("cursor", "offset") if name in properties), None)
    texts, failed, following = [], False, None
    while not texts or following is not None:
        page = arguments if following is None else {**arguments, position: following}
        result = await client.call_tool(tool.name, page)
        texts.append(result.content[0].text)
        failed = failed or bool(result.is_error)
        answer = {} if failed or position is None else json.loads(texts[-1])
        following = answer.get("next")
    longest = max(len(text.encode()) for text in texts)
    return {"isError": failed, "text": texts[0], "pages": len(texts), "longest": longest}


async def main(mode, transport, *rest):
    calls = json.loads(rest[-1])
    if transport == "http":
        server = rest[0]
    else:
        server = stdio_client(StdioServerParameters(command=rest[0], args=["mcp", "--console", rest[1]]))
    async with Client(server, mode=mode) as client:
        tools = (await client.list_tools()).tools
        known = {tool.name: tool for tool in tools}
        results = {name: await read(client, known[name], arguments) for name, arguments in calls.items()}
        print(
            json.dumps(
                {"version": client.protocol_version, "tools": [tool.name for tool in tools], "results": results}
            )
        )


asyncio.run(main(*sys.argv[1:]))
