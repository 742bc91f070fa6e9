/** `spec.tls` over real TLS on loopback: whom a provider trusts, as whom it comes, and that no connection is used as somebody else. */
import assert from 'node:assert/strict';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { test } from 'node:test';
import tls from 'node:tls';
import { inspect } from 'node:util';
import { SMTPServer } from 'smtp-server';
import { createAuthority, type KeyPair } from '../../sandbox/certificate.ts';
import { Mailer } from '../../src/delivery/mail.ts';
import type { Names } from '../../src/delivery/resolver.ts';
import { createSender, type SendFor } from '../../src/delivery/send.ts';
import { Secret } from '../../src/model/secret.ts';
import type { ProviderTls } from '../../src/providers/kit/tls.ts';
import { type Relay, TransportError } from '../../src/providers/provider.ts';
import { realClock } from './clock.ts';

const own = createAuthority('Own', Date.now());
const other = createAuthority('Other', Date.now());
const everybodys = createAuthority("Everybody's", Date.now());
tls.setDefaultCACertificates([everybodys.certificate]);
const names = { commonName: 'receiver', names: ['receiver.example'], addresses: ['127.0.0.1'] };
const serverPair = own.sign(names);
const shop = own.sign({ commonName: 'shop' });
const bank = own.sign({ commonName: 'bank' });

const trusting = (certificate: string): ProviderTls => ({ caBundle: new Secret(certificate) });
const as = ({ certificate, key }: KeyPair, caBundle = own.certificate): ProviderTls => ({
  ...trusting(caBundle),
  clientCertificate: new Secret(certificate),
  clientKey: new Secret(key),
});

const resolver: Names = { resolve: async () => [{ address: '127.0.0.1', family: 4 }] };

/** Nobody whom the provider trusts has signed its certificate. */
const untrusted = /^Unreachable: .*(?:unknown authority|self-signed); .*`tls.caBundle`/;

/** Listens on loopback; ends every connection afterwards. */
async function listening<T extends Server>(server: T): Promise<AsyncDisposable & { readonly port: number }> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => void sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A server over TLS that says who asks. `strict`: nobody unknown to the authority gets in. `count`: connections. */
async function receiver({ pair = serverPair, strict = false, maxVersion = 'TLSv1.3' as tls.SecureVersion } = {}) {
  const seen = { connections: 0, clients: [] as string[] };
  const server = createServer(
    {
      ...{ cert: pair.certificate, key: pair.key, ca: own.certificate, maxVersion },
      ...{ requestCert: true, rejectUnauthorized: strict },
    },
    ({ socket }, response) => {
      const { subject } = (socket as tls.TLSSocket).getPeerCertificate();
      const client = String(subject?.CN ?? 'nobody');
      seen.clients.push(client);
      response.end(client);
    },
  );
  server.on('secureConnection', () => {
    seen.connections += 1;
  });
  server.on('tlsClientError', () => undefined);
  return { ...(await listening(server)), seen };
}

/** Senders of one process. `proxy`: the port of one. */
function sending(proxy?: number) {
  const settings = {
    ...{ timeoutMs: 5_000, allowedPrivateDestinations: ['127.0.0.1/32'] },
    ...(proxy !== undefined && { proxyURL: `http://127.0.0.1:${proxy}` }),
  };
  const sender = createSender({ clock: realClock, version: '1', resolver, settings: () => settings });
  return {
    async ask(url: string, provider: Partial<SendFor>): Promise<string> {
      return (await sender.for({ allPrivate: true, ...provider })({ method: 'POST', url, body: 'x' })).body;
    },
    [Symbol.asyncDispose]: () => sender.close(),
  };
}

/** What an exchange is refused with; nothing of any key stands in it. */
async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => assert.fail('it was not refused'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof TransportError, inspect(error));
  for (const { key } of [shop, bank]) {
    const bytes = key.split('\n')[1] ?? assert.fail();
    assert.ok(!inspect(error, { depth: 9, showHidden: true }).includes(bytes), 'the error holds a key');
  }
  return `${error.code}: ${error.message}`;
}

test('the authorities of the bundle are trusted, and nobody else is', async () => {
  await using server = await receiver();
  await using public_ = await receiver({ pair: everybodys.sign(names) });
  await using senders = sending();
  const [url, known] = [`https://127.0.0.1:${server.port}/`, `https://127.0.0.1:${public_.port}/`];
  assert.equal(await senders.ask(url, { tls: trusting(own.certificate) }), 'nobody');
  assert.match(await refusal(senders.ask(url, {})), untrusted);
  assert.match(await refusal(senders.ask(url, { tls: trusting(other.certificate) })), untrusted);
  assert.equal(await senders.ask(known, {}), 'nobody');
  assert.match(await refusal(senders.ask(known, { tls: trusting(own.certificate) })), untrusted);
  const both = `# ours\n${own.certificate}\n# and theirs\n${everybodys.certificate}`;
  for (const each of [url, known]) assert.equal(await senders.ask(each, { tls: trusting(both) }), 'nobody');
});

test('a certificate below the root is enough, such as that of the server itself', async () => {
  await using server = await receiver();
  await using senders = sending();
  const url = `https://127.0.0.1:${server.port}/`;
  assert.equal(await senders.ask(url, { tls: trusting(serverPair.certificate) }), 'nobody');
  const another = own.sign(names).certificate;
  assert.match(await refusal(senders.ask(url, { tls: trusting(another) })), untrusted);
});

test('a bundle that holds no certificate trusts nobody', async () => {
  await using known = await receiver({ pair: everybodys.sign(names) });
  await using senders = sending();
  for (const text of ['', 'CANARY', '-----BEGIN CERTIFICATE-----\nCANARY\n-----END CERTIFICATE-----'])
    assert.match(
      await refusal(senders.ask(`https://127.0.0.1:${known.port}/`, { tls: trusting(text) })),
      /^(?:Unreachable|InvalidCertificate): /,
    );
});

test('the name in the certificate is checked as ever', async () => {
  await using server = await receiver({ pair: own.sign({ commonName: 'x', names: ['elsewhere.example'] }) });
  await using senders = sending();
  const asked = senders.ask(`https://127.0.0.1:${server.port}/`, { tls: trusting(own.certificate) });
  assert.match(await refusal(asked), /for another name/);
});

for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const)
  test(`${maxVersion}: a server that demands a certificate gets it, and who has none is told which field`, async () => {
    await using server = await receiver({ strict: true, maxVersion });
    await using senders = sending();
    const url = `https://127.0.0.1:${server.port}/`;
    assert.equal(await senders.ask(url, { tls: as(shop) }), 'shop');
    // By TLS 1.3 the server refuses after the handshake, and the client hears no more than the end.
    const says = maxVersion === 'TLSv1.3' ? /^Unreachable: / : /^Unreachable: .*give one in `tls.clientCertificate`/;
    assert.match(await refusal(senders.ask(url, { tls: trusting(own.certificate) })), says);
    const stranger = as(other.sign({ commonName: 'stranger' }));
    assert.match(await refusal(senders.ask(url, { tls: stranger })), /^Unreachable: /);
    assert.deepEqual(server.seen.clients, ['shop']);
  });

test('no provider is heard over the connection of another, and one identity keeps one connection', async () => {
  await using server = await receiver();
  await using senders = sending();
  const url = `https://127.0.0.1:${server.port}/`;
  const identities = [as(shop), as(bank), trusting(own.certificate)];
  for (let round = 0; round < 3; round += 1)
    for (const identity of identities) await senders.ask(url, { tls: identity });
  assert.deepEqual(server.seen.clients, Array(3).fill(['shop', 'bank', 'nobody']).flat());
  assert.equal(server.seen.connections, 3);
  // The same certificate with other authorities is a connection of its own: that server is not trusted by them.
  assert.match(await refusal(senders.ask(url, { tls: as(shop, other.certificate) })), untrusted);
});

test('a renewed certificate is used by the next request', async () => {
  await using server = await receiver();
  await using senders = sending();
  const url = `https://127.0.0.1:${server.port}/`;
  await senders.ask(url, { tls: as(shop) });
  await senders.ask(url, { tls: as(own.sign({ commonName: 'shop renewed' })) });
  assert.deepEqual(server.seen.clients, ['shop', 'shop renewed']);
});

test('what the TLS library does not take is a refusal that waits for other certificates', async () => {
  await using senders = sending();
  const broken: readonly ProviderTls[] = [
    { ...as(shop), clientKey: new Secret(bank.key) },
    { ...as(shop), clientKey: new Secret('-----BEGIN PRIVATE KEY-----\nCANARY\n-----END PRIVATE KEY-----') },
  ];
  for (const each of broken)
    assert.match(await refusal(senders.ask('https://127.0.0.1:1/', { tls: each })), /^InvalidCertificate: `spec.tls`/);
});

for (const tenant of [undefined, 'shop'])
  test(`${tenant ? 'by address' : 'by name'} through a proxy: it sees a tunnel, the server the certificate`, async () => {
    await using server = await receiver({ strict: true });
    const asked: string[] = [];
    const proxy = createHttpServer();
    proxy.on('connect', ({ url = '' }, client: Socket) => {
      asked.push(url);
      const upstream = connect({ port: server.port, host: '127.0.0.1' }, () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        upstream.pipe(client).pipe(upstream);
      });
      upstream.on('error', () => client.destroy());
      client.on('error', () => upstream.destroy());
    });
    await using tunnel = await listening(proxy);
    await using senders = sending(tunnel.port);
    const whose = { allPrivate: tenant === undefined, ...(tenant !== undefined && { tenant }) };
    const url = 'https://receiver.example/';
    assert.equal(await senders.ask(url, { ...whose, tls: as(shop) }), 'shop');
    assert.equal(await senders.ask(url, { ...whose, tls: as(bank) }), 'bank');
    assert.match(await refusal(senders.ask(url, whose)), untrusted);
    assert.deepEqual(new Set(asked), new Set([tenant ? '127.0.0.1:443' : 'receiver.example:443']));
  });

test('a conversation is begun with it as well', async () => {
  await using server = await receiver({ strict: true });
  const settings = { timeoutMs: 5_000, allowedPrivateDestinations: [] };
  const sender = createSender({ clock: realClock, version: '1', resolver, settings: () => settings });
  const url = new Secret(`wss://127.0.0.1:${server.port}/`);
  const conversation = { url, signal: new AbortController().signal, heard: () => undefined };
  // It answers 200 instead of the upgrade; by then it has seen who asks.
  await assert.rejects(sender.converse({ allPrivate: true, tls: as(shop) })(conversation), TransportError);
  await sender.close();
  assert.deepEqual(server.seen.clients, ['shop']);
});

test('mail: the relay is trusted by the bundle and shown the certificate', async () => {
  const clients: string[] = [];
  const server = new SMTPServer({
    ...{ cert: serverPair.certificate, key: serverPair.key, ca: own.certificate },
    ...{ requestCert: true, rejectUnauthorized: true, authOptional: true, logger: false, disableReverseLookup: true },
    onSecure(socket, _session, done) {
      if (socket instanceof tls.TLSSocket) clients.push(String(socket.getPeerCertificate().subject?.CN));
      done();
    },
  });
  server.on('error', () => undefined);
  await using relayServer = await listening(server.server);
  const settings = () => ({ timeoutMs: 5_000, allowedPrivateDestinations: [] });
  const mailer = new Mailer({ clock: realClock, resolver, settings });
  const relay: Relay = { host: '127.0.0.1', port: relayServer.port, tls: 'required', name: 'example.org' };
  const check = (own_: Partial<SendFor>) => mailer.for({ allPrivate: true, ...own_ }).check(relay);
  assert.deepEqual(await check({ tls: as(shop) }), { is: 'delivered' });
  assert.match(await refusal(check({})), untrusted);
  assert.match(await refusal(check({ tls: as(shop, other.certificate) })), untrusted);
  assert.match(await refusal(check({ tls: { ...as(shop), clientKey: new Secret(bank.key) } })), /^InvalidCertificate/);
  assert.match(await refusal(check({ tls: trusting(own.certificate) })), /^Unreachable/);
  assert.deepEqual(clients, ['shop']);
});
