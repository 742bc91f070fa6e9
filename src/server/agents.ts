import type { Request } from 'express';
import type { AgentCall } from './views.ts';

/** Where agents ask. */
export const agentsPath = '/status/mcp';

/** A question is a name and a few texts; bytes. */
const mostBytes = 64 * 1024;

/** Headers that the protocol reads. */
const headersRead = ['accept', 'content-type', 'mcp-protocol-version'] as const;

/**
 * What an agent posted, or why it is not read: what is too large, is no JSON, or was sent by a page in a browser, which says where it is from.
 */
export async function agentCall(
  request: Request,
): Promise<AgentCall | { readonly status: number; readonly refused: string }> {
  if (request.headers.origin !== undefined)
    return { status: 403, refused: 'Agents are answered, pages in browsers are not.' };
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    return { status: 415, refused: 'Send application/json.' };
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > mostBytes) return { status: 413, refused: `A question has ${mostBytes / 1024} KiB at most.` };
    parts.push(part);
  }
  const headers = headersRead.flatMap((name) => {
    const value = request.headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return { headers: Object.fromEntries(headers), body: Buffer.concat(parts).toString() };
}
