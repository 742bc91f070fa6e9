import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { hostile } from '../providers/conformance/hostile.ts';
import { nodeRed, preparePackages } from './packages.ts';
import { answers, ask, directoryFor, freePort, type Server, startServer } from './server.ts';
import { configure, notifications } from './story.ts';

const { open, update, resolve, reopen, digest, overview, test: testMessage } = notifications;

/** 32 bytes, as a receiver of Standard Webhooks makes them. */
const signingSecret = `whsec_${Buffer.from('a secret of thirty-two bytes ok?').toString('base64')}`;

/**
 * A flow as people draw it: an address that takes events; a function that compares the signature with that of the library of Standard
 * Webhooks (its `verify` would look at the clock too, and that of the tests stands still) and keeps what rules would go by; an answer. And
 * an address that shows what was kept.
 */
const flow = [
  { id: 'tab', type: 'tab', label: 'Incidents' },
  { id: 'in', type: 'http in', z: 'tab', url: '/incidents', method: 'post', wires: [['judge']] },
  {
    ...{ id: 'judge', type: 'function', z: 'tab', wires: [['out']], outputs: 1 },
    func: `
      const seen = flow.get('seen') || [];
      try {
        const { 'webhook-id': id, 'webhook-timestamp': second, 'webhook-signature': given } = msg.req.headers;
        const judge = new (global.get('Webhook'))('${signingSecret}');
        const right = judge.sign(id, new Date(second * 1000), JSON.stringify(msg.payload));
        if (given !== right) throw new Error('signed by ' + given + ' and not by ' + right);
        const { type, status, severity, title, incident } = msg.payload;
        seen.push({ type, status, severity, title, logs: incident && incident.logs, event: msg.req.headers['ce-type'] });
        msg.statusCode = 204;
      } catch (error) {
        msg.statusCode = 401;
        seen.push({ refused: String(error) });
      }
      flow.set('seen', seen);
      msg.payload = '';
      return msg;`,
  },
  { id: 'out', type: 'http response', z: 'tab', wires: [] },
  { id: 'ask', type: 'http in', z: 'tab', url: '/seen', method: 'get', wires: [['tell']] },
  {
    ...{ id: 'tell', type: 'function', z: 'tab', wires: [['out']], outputs: 1 },
    func: `msg.payload = flow.get('seen') || []; flow.set('seen', []); return msg;`,
  },
];

/** An event as the flow kept it. */
type Seen = {
  readonly type?: string;
  readonly status?: string | null;
  readonly severity?: string;
  readonly title?: string;
  readonly logs?: string | null;
  readonly event?: string;
  readonly refused?: string;
};

describe('Node-RED, with a flow that verifies the signature by the library of Standard Webhooks', () => {
  let server: Server;
  let url: string;
  before(async () => {
    const modules = preparePackages(nodeRed);
    const directory = directoryFor('node-red');
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const library = JSON.stringify(join(modules, 'standardwebhooks'));
    writeFileSync(
      join(directory, 'settings.js'),
      `module.exports = { uiHost: '127.0.0.1', uiPort: ${port}, flowFile: 'flows.json', telemetry: { enabled: false },
        disableEditor: true, functionGlobalContext: { Webhook: require(${library}).Webhook } };`,
    );
    writeFileSync(join(directory, 'flows.json'), JSON.stringify(flow));
    server = await startServer({
      ...{ name: 'node-red', path: process.execPath, directory, cwd: directory },
      args: [join(modules, 'node-red/red.js'), '--userDir', directory],
      healthy: () => answers(`${url}/seen`),
    });
  });
  after(() => server[Symbol.asyncDispose]());

  async function seen(): Promise<readonly Seen[]> {
    const all: unknown = await ask('GET', `${url}/seen`);
    assert.ok(Array.isArray(all));
    return all;
  }

  test('the whole story arrives with good signatures, and rules can tell its end', async () => {
    await using hook = configure('webhook', {}, { url: `${url}/incidents`, signingSecret });
    await hook.tell(open, update, resolve, reopen, digest, overview, notifications['overview-over'], testMessage);
    const told = await seen();
    assert.deepEqual(
      told.map(({ type, status, severity }) => [type, status, severity]),
      [
        ['incident.opened', 'open', 'high'],
        ['incident.updated', 'open', 'critical'],
        ['incident.resolved', 'resolved', 'high'],
        ['incident.reopened', 'open', 'high'],
        ['message.digest', null, 'low'],
        ['message.plain', null, 'high'],
        ['message.plain', 'resolved', 'high'],
        ['test', null, 'low'],
      ],
    );
    assert.equal(told[0]?.logs, 'starting "payments" <2.4>\npanic: no config ✗');
    assert.equal(told[0]?.event, 'tocsin.incident.opened.v1');
  });

  test('a hostile text arrives as it is, under a signature that holds', async () => {
    await using hook = configure('webhook', {}, { url: `${url}/incidents`, signingSecret });
    await hook.tell(hostile());
    const [{ title = '', refused } = {}] = await seen();
    assert.equal(refused, undefined);
    assert.match(title, /<script>|<!channel>/);
  });

  test('another secret is refused by the library, which ends the delivery', async () => {
    const other = `whsec_${Buffer.from('another secret of the same size!').toString('base64')}`;
    await using hook = configure('webhook', {}, { url: `${url}/incidents`, signingSecret: other });
    const report = await hook.try(open);
    assert.equal(report.ended, 'failed');
    assert.match((await seen())[0]?.refused ?? '', /signed by v1,/);
  });
});
