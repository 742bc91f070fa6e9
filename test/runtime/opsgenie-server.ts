import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { Authority } from '../../sandbox/certificate.ts';
import { listen, tunnelTo } from './tunnel.ts';

/** An alert as the console of the product shows it. */
export type Alert = {
  readonly alias: string;
  readonly message: string;
  readonly createdAt: string;
  status: 'open' | 'closed';
  readonly notes: string[];
  /** By whom, and how long after it was created (milliseconds). */
  acknowledged?: { readonly by: string; readonly afterMs: number };
};

/** api.opsgenie.com with one key, by what docs.opsgenie.com says of the Alert API. Behind a proxy, as it is reached from a cluster. */
export type OpsgenieServer = {
  readonly proxyURL: string;
  readonly alerts: readonly Alert[];
  /** Questions about an alert. */
  readonly looks: { asked: number };
  /** Answers every question about an alert so from now on; `undefined`: as it should. */
  answerLooks(status: number | undefined): void;
  stop(): Promise<void>;
};

/** Starts it. `authority` signs for api.opsgenie.com; `now`: epoch milliseconds. */
export async function startOpsgenieServer(
  authority: Authority,
  key: string,
  now: () => number,
): Promise<OpsgenieServer> {
  const alerts: Alert[] = [];
  const looks = { asked: 0 };
  let failing: number | undefined;

  const accepted: Reply = [202, { result: 'Request will be processed', took: 0.1, requestId: crypto.randomUUID() }];
  function create({ alias, message, note }: ReturnType<typeof Object>): Reply {
    const open = alerts.find((alert) => alert.alias === alias && alert.status === 'open');
    if (open) open.notes.push(String(note));
    else alerts.push({ alias, message, createdAt: new Date(now()).toISOString(), status: 'open', notes: [] });
    return accepted;
  }

  function look(alert: Alert | undefined): Reply {
    looks.asked += 1;
    if (failing !== undefined) return [failing, { message: `no rights for ${key}`, took: 0.1, requestId: 'x' }];
    if (alert === undefined) return [404, { message: 'Alert does not exist', took: 0.1, requestId: 'x' }];
    const { acknowledged: by, alias, createdAt, status } = alert;
    const report = by ? { report: { ackTime: by.afterMs, acknowledgedBy: by.by } } : {};
    const owner = by?.by ?? '';
    return [
      200,
      { data: { alias, createdAt, status, acknowledged: by !== undefined, isSeen: true, owner, ...report } },
    ];
  }

  async function answer(request: IncomingMessage): Promise<Reply> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.headers.authorization !== `GenieKey ${key}`) return [401, { message: 'Key format is not valid!' }];
    const body = Object(JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}'));
    const { pathname, searchParams } = new URL(request.url ?? '', 'https://server');
    const [, , , alias, act] = pathname.split('/');
    if (alias === undefined) return create(body);
    if (searchParams.get('identifierType') !== 'alias') return [422, { message: 'identifierType' }];
    const alert = alerts.findLast((each) => each.alias === alias);
    if (request.method === 'GET') return look(alert);
    if (act === 'close' && alert) alert.status = 'closed';
    return accepted;
  }

  const pair = authority.sign({ commonName: 'api.opsgenie.com', names: ['api.opsgenie.com'] });
  const server = createServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
    void answer(request).then(([status, body]) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    );
  });
  const port = await listen(server);
  const { proxy, proxyURL } = await tunnelTo(port, ['api.opsgenie.com']);
  return {
    ...{ proxyURL, alerts, looks },
    answerLooks(status) {
      failing = status;
    },
    async stop() {
      server.closeAllConnections();
      proxy.closeAllConnections();
      await Promise.all([server, proxy].map((each) => new Promise((done) => each.close(done))));
    },
  };
}

/** Status and body. */
type Reply = readonly [number, object];
