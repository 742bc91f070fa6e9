import type { Request } from 'express';
import { postedText, type Unread } from './posted.ts';
import type { AgentCall } from './views.ts';

/** Where agents ask. */
export const agentsPath = '/status/mcp';

/** A question is a name and a few texts. */
const rules = { who: 'Agents may ask here', mostBytes: 64 * 1024, tooLarge: 'A question has 64 KiB at most.' };

/** Headers that the protocol reads. */
const headersRead = ['accept', 'content-type', 'mcp-protocol-version'] as const;

/**
 * What an agent posted, or why it is not read: what is too large, is no JSON, or was sent by a page in a browser, which says where it is from.
 */
export async function agentCall(request: Request): Promise<AgentCall | Unread> {
  const posted = await postedText(request, rules);
  if ('refused' in posted) return posted;
  const headers = headersRead.flatMap((name) => {
    const value = request.headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return { headers: Object.fromEntries(headers), body: posted.text };
}
