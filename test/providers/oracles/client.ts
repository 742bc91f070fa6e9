/** What a vendor's own client sends for the same thing. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request of a client. */
export type Sent = {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** What the client is answered. */
export type ClientAnswer = { readonly type: string; readonly body: string };

const emptyJSON: ClientAnswer = { type: 'application/json', body: '{}' };

/** Lets a client talk to `address`, a server on loopback, and resolves with the one request that it made. */
export async function sentBy(
  use: (address: string) => Promise<unknown>,
  answer: ClientAnswer = emptyJSON,
): Promise<Sent> {
  const sent: Sent[] = [];
  const server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request;
    request.setEncoding('utf8');
    let body = '';
    request.on('data', (text: string) => (body += text));
    request.on('end', () => {
      sent.push({ method, path, headers, body });
      response.writeHead(200, { 'content-type': answer.type }).end(answer.body);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    // A TCP server's address is an AddressInfo.
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
  const [only, ...others] = sent;
  assert.ok(only && others.length === 0, `the client made ${sent.length} requests`);
  return only;
}
