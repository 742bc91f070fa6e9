/** The agent of EKS Pod Identity is the one link-local address that is asked, by the process itself and nobody else. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import net, { type AddressInfo } from 'node:net';
import { mock, test } from 'node:test';
import { createSender } from '../../src/delivery/send.ts';
import { createVet } from '../../src/delivery/vet.ts';
import { Secret } from '../../src/model/secret.ts';
import { realClock } from './clock.ts';

const agents = ['169.254.170.23', 'fd00:ec2::23'];

test('the way to the agent leads nowhere else, and no other way leads to it', () => {
  const toAgent = createVet({ cidrs: ['0.0.0.0/0'], allPrivate: true, podAgentOnly: true });
  for (const agent of agents) assert.equal(toAgent.address(agent), undefined);
  assert.equal(toAgent.address('fd00:ec2:0:0:0:0:0:23'), undefined);
  for (const other of [
    '169.254.169.254',
    '169.254.170.2',
    '127.0.0.1',
    '192.0.2.1',
    'fd00:ec2::254',
    '::ffff:169.254.169.254',
  ])
    assert.match(toAgent.address(other) ?? '', /is not the agent of EKS Pod Identity/);
  assert.match(toAgent.name('agent.example') ?? '', /is not the agent/);
  const usual = createVet({ cidrs: ['169.254.0.0/16', 'fd00::/8'], allPrivate: true });
  for (const agent of agents) assert.match(usual.address(agent) ?? '', /never contacted/);
});

test('it is asked without the proxy, over the address that the Pod was given', async (t) => {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    response.end('{"AccessKeyId":"ASIA"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const connect = net.connect.bind(net);
  // Loopback in place of the Node's own network, which tests do not have.
  mock.method(net, 'connect', (options: net.TcpNetConnectOpts, done?: () => void) => {
    const socket = connect({ ...options, host: '127.0.0.1', port }, done);
    Object.defineProperty(socket, 'remoteAddress', { get: () => options.host });
    return socket;
  });
  syncBuiltinESMExports();
  const settings = { timeoutMs: 2_000, allowedPrivateDestinations: [], proxyURL: 'http://127.0.0.1:1' };
  const resolver = { resolve: () => assert.fail('no name is asked for') };
  const sender = createSender({ clock: realClock, version: '1', resolver, settings: () => settings });
  t.after(() => sender.close());
  const ask = sender.for({ allPrivate: true, podAgentOnly: true });
  const headers = { authorization: new Secret('canary-token') };
  const answer = await ask({ method: 'GET', url: 'http://169.254.170.23/v1/credentials', headers });
  assert.deepEqual(answer.json(), { AccessKeyId: 'ASIA' });
  assert.deepEqual(
    seen.map(({ method, url, headers: { host, authorization } }) => [method, url, host, authorization]),
    [['GET', '/v1/credentials', '169.254.170.23', 'canary-token']],
  );
  for (const url of ['http://169.254.169.254/latest/meta-data', 'http://localhost/x', 'https://agent.example/x'])
    await assert.rejects(ask({ method: 'GET', url, headers }), { code: 'BlockedAddress' });
  assert.equal(seen.length, 1);
});
