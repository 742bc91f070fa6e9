import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Seen } from '../diagnose/diagnosis.ts';
import type { AgentAnswer, AgentCall } from '../server/views.ts';
import { createMcpServer } from './server.ts';

/** The transport asks for an address, and reads nothing of it. */
const anywhere = 'http://localhost/status/mcp';

/**
 * Answers one request of the Model Context Protocol over HTTP: each by itself, without a session, as JSON. So nothing is held for agents that do
 * not come back, and any replica could answer.
 */
export async function answerAgent(version: string, seen: Seen, call: AgentCall): Promise<AgentAnswer> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = createMcpServer(version, () => Promise.resolve(seen), {
    ofNamespace: seen.audience !== undefined,
    remembers: seen.past !== undefined,
  });
  await server.connect(transport);
  try {
    const request = new Request(anywhere, { method: 'POST', headers: { ...call.headers }, body: call.body });
    const response = await transport.handleRequest(request);
    return {
      status: response.status,
      type: response.headers.get('content-type') ?? 'application/json',
      text: await response.text(),
    };
  } finally {
    await server.close();
  }
}
