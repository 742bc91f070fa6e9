import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority } from '../certificate.ts';

/** What the kubelet keeps of one container's output. Lines come with the epoch milliseconds they were written at. */
export type LogLine = { readonly at: number; readonly text: string };

/** The runs of a container as far as their logs go; `refusal` says why there is no log. */
export type ContainerLog = { readonly lines: readonly LogLine[] } | { readonly refusal: string };

/** Finds a container's log; `undefined`: no such node, Pod or container here, or its node is gone. */
export type FindLog = (
  namespace: string,
  pod: string,
  container: string,
  previous: boolean,
) => ContainerLog | undefined;

/** How many requests for logs there were. */
export type LogReads = {
  /** Those that were under way at the same time, at most. */
  readonly mostAtOnce: number;
  readonly total: number;
};

/** Serves `/containerLogs/<namespace>/<pod>/<container>` as a kubelet does, over HTTPS with a certificate nobody knows. */
export async function startLogServer(
  find: FindLog,
  answersAfterMs = 0,
): Promise<{ readonly port: number; reads(): LogReads; forget(): void; stop(): Promise<void> }> {
  let underWay = 0;
  let reads: LogReads = { mostAtOnce: 0, total: 0 };
  const authority = createAuthority('simulated-kubelet', Date.now());
  const { certificate, key } = authority.sign({
    commonName: 'simulated-kubelet',
    addresses: ['127.0.0.1'],
    names: ['localhost'],
  });
  const server = createServer({ cert: certificate, key }, (request, response) => {
    const url = new URL(request.url ?? '/', 'https://kubelet');
    const [, route, namespace = '', pod = '', container = ''] = url.pathname.split('/').map(decodeURIComponent);
    if (route !== 'containerLogs') return void response.writeHead(404).end();
    underWay += 1;
    reads = { mostAtOnce: Math.max(reads.mostAtOnce, underWay), total: reads.total + 1 };
    response.once('close', () => {
      underWay -= 1;
    });
    const answer = (): void => {
      const log = find(namespace, pod, container, url.searchParams.get('previous') === 'true');
      // A lost node does not answer at all.
      if (!log) request.socket.destroy();
      else if ('refusal' in log) response.writeHead(400, { 'content-type': 'text/plain' }).end(log.refusal);
      else response.writeHead(200, { 'content-type': 'text/plain' }).end(select(log.lines, url.searchParams));
    };
    if (answersAfterMs > 0) setTimeout(answer, answersAfterMs);
    else answer();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    reads: () => reads,
    forget() {
      reads = { mostAtOnce: underWay, total: 0 };
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The part of a log that the query asks for: `tailLines`, `sinceSeconds` are lines, `limitBytes` cuts, `timestamps` prefixes. */
function select(lines: readonly LogLine[], query: URLSearchParams): string {
  const tail = query.get('tailLines');
  const picked = tail === null ? lines : Number(tail) === 0 ? [] : lines.slice(-Number(tail));
  const stamped = query.get('timestamps') === 'true';
  const text = picked
    .map(({ at, text: line }) => `${stamped ? `${new Date(at).toISOString()} ` : ''}${line}\n`)
    .join('');
  const limit = query.get('limitBytes');
  return limit === null ? text : Buffer.from(text).subarray(0, Number(limit)).toString('utf8');
}

/** How the kubelet's log handler words two of the waiting reasons. */
const pullWords: Readonly<Record<string, string>> = {
  ErrImagePull: "image can't be pulled",
  ImagePullBackOff: 'trying and failing to pull image',
};

/** Why there is no log of a container that waits, in the kubelet's words. */
export function waitingWords(reason: string): string {
  return pullWords[reason] ?? reason;
}
