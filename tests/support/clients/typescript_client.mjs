// A client of the official TypeScript SDK. Prints one JSON object with what the server answered.
// Arguments: `stdio COMMAND ARGUMENT...` or `http URL TOKEN`.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [kind, target, ...rest] = process.argv.slice(2);
const transport =
  kind === "stdio"
    ? new StdioClientTransport({ command: target, args: rest, env: process.env })
    : new StreamableHTTPClientTransport(new URL(target), {
        requestInit: { headers: { Authorization: `Bearer ${rest[0]}` } },
      });
const client = new Client({ name: "typescript-client", version: "1" });
await client.connect(transport);

// The SDK checks structured answers against the output schema of their tool.
const call = (name, args) => client.callTool({ name, arguments: args });
let unknown = "";
try {
  await call("memory_delete", {});
} catch (error) {
  unknown = error.message;
}
const answers = {
  instructions: client.getInstructions(),
  tools: (await client.listTools()).tools.map((tool) => tool.name),
  search: (await call("memory_search", { query: "router attic" })).structuredContent,
  pages: (await call("memory_get", { path: ["MEMORY.md", "Nowhere.md"] })).structuredContent,
  list: (await call("memory_list", {})).structuredContent,
  links: (await call("memory_links", { path: "memory/2026-05-08.md" })).structuredContent,
  context: (await call("memory_context", { message: "Where is the router?" })).structuredContent,
  status: (await call("memory_status", {})).structuredContent,
  write: (await call("memory_write", { text: "The TypeScript client was here." })).structuredContent,
  refusal: await call("memory_get", { path: "../secret.md" }),
  unknown,
  resources: (await client.listResources()).resources.map((resource) => resource.uri),
  resource: (await client.readResource({ uri: "memory://agent/MEMORY.md" })).contents[0].text,
  prompts: (await client.listPrompts()).prompts.map((prompt) => prompt.name),
  prompt: (await client.getPrompt({ name: "recall", arguments: { topic: "tea" } })).messages[0].content
    .text,
};
await client.close();
console.log(JSON.stringify(answers));
