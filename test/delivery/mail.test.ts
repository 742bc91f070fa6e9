/** The mailer against a real SMTP server; what every type shares is in the conformance suite. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { createAuthority } from '../../sandbox/certificate.ts';
import { Mailer } from '../../src/delivery/mail.ts';
import { Secret } from '../../src/model/secret.ts';
import type { Mail, MailMessage, Relay } from '../../src/providers/provider.ts';
import { TransportError } from '../../src/providers/provider.ts';
import { parseMail } from '../providers/conformance/mime.ts';
import { buildNetwork, certificateFor, reroute, resolver } from '../providers/conformance/wire.ts';
import { realClock } from './clock.ts';

buildNetwork();

const canary = 'canary-7f3a9c';
const relay: Relay = { host: 'smtp.example.com', port: 587, tls: 'required', name: 'example.org' };
const login = { username: 'tocsin', password: new Secret(canary) };
const message: MailMessage = {
  from: 'Tocsin <tocsin@example.org>',
  to: ['oncall@example.org', 'platform@example.org'],
  subject: 'A subject',
  text: 'text',
  html: '<p>html</p>',
  messageId: '<a.open@example.org>',
  date: 0,
};

/** What the server got of one mail. */
type Got = { readonly to: readonly string[]; readonly user: unknown; readonly tls: boolean; readonly raw: string };

/** Runs a server in place of ports 587, 465 and 25; `use` gets a mailer and what has arrived. */
async function withServer(
  options: SMTPServerOptions,
  use: (mail: Mail, got: readonly Got[]) => Promise<void>,
  rules: { readonly allPrivate?: boolean; readonly cidrs?: readonly string[]; readonly timeoutMs?: number } = {},
): Promise<void> {
  const got: Got[] = [];
  const { certificate: cert, key } = certificateFor('smtp.example.com');
  const server = new SMTPServer({
    cert,
    key,
    logger: false,
    disableReverseLookup: true,
    authMethods: ['PLAIN'],
    authOptional: true,
    onAuth: ({ username }, _session, done) => done(null, { user: username }),
    onData(stream, { envelope, user, secure }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = envelope.rcptTo.map(({ address }) => address);
        got.push({ to, user, tls: secure, raw: Buffer.concat(chunks).toString('latin1') });
        done();
      });
    },
    ...options,
  });
  // Clients that turn away in the middle of TLS.
  server.on('error', () => undefined);
  await new Promise<void>((done) => server.server.listen(0, '127.0.0.1', done));
  // A TCP server's address is an AddressInfo.
  for (const port of [587, 465, 25]) reroute(port, (server.server.address() as AddressInfo).port);
  const { allPrivate = true, cidrs = [], timeoutMs = 5_000 } = rules;
  const settings = () => ({ timeoutMs, allowedPrivateDestinations: cidrs });
  try {
    await use(new Mailer({ clock: realClock, resolver, settings }).for({ allPrivate }), got);
  } finally {
    await new Promise<void>((done) => server.close(done));
  }
}

test('without TLS nothing is sent to a server that should have it, neither a password nor a message', async () => {
  let logins = 0;
  const options: SMTPServerOptions = {
    hideSTARTTLS: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth(_auth, _session, done) {
      logins += 1;
      done(null, { user: 'x' });
    },
  };
  await withServer(options, async (mail, got) => {
    const { outcome } = await mail.send({ ...relay, login }, message);
    assert.ok(outcome.is === 'permanent', inspect(outcome));
    assert.match(outcome.reason, /STARTTLS.*tls: none/);
    assert.deepEqual([got.length, logins], [0, 0]);
  });
});

test('`none` stays plain even where the server offers STARTTLS', async () => {
  await withServer({}, async (mail, got) => {
    const { outcome } = await mail.send({ ...relay, port: 25, tls: 'none' }, message);
    assert.deepEqual(outcome, { is: 'delivered' });
    assert.deepEqual([got[0]?.tls, got[0]?.user], [false, undefined]);
  });
});

test('TLS from the start, spoken to a server that does not, says so', async () => {
  await withServer({}, async (mail) => {
    await assert.rejects(mail.send({ ...relay, port: 465 }, message), (error) => {
      assert.ok(error instanceof TransportError);
      assert.match(error.message, /does not speak TLS on this port/);
      return !error.mayHaveArrived;
    });
  });
});

test('a certificate for another name or of an unknown authority is refused, before the password', async () => {
  const other = certificateFor('other.example.com');
  const strange = createAuthority('Strangers', Date.now()).sign({ commonName: 'x', names: ['smtp.example.com'] });
  const cases: readonly [SMTPServerOptions, RegExp][] = [
    [{ cert: other.certificate, key: other.key }, /certificate is for another name/],
    [{ cert: strange.certificate, key: strange.key }, /certificate is signed by an unknown authority/],
  ];
  for (const [options, says] of cases)
    for (const secure of [false, true])
      await withServer({ ...options, secure }, async (mail, got) => {
        await assert.rejects(mail.send({ ...relay, port: secure ? 465 : 587, login }, message), says);
        assert.deepEqual(got, []);
      });
});

test('addresses are vetted like those of HTTP: private ones need to be allowed', async () => {
  const blocked = (error: unknown): boolean => error instanceof TransportError && error.code === 'BlockedAddress';
  for (const host of ['smtp.example.com', '127.0.0.1', '169.254.169.254', 'metadata.google.internal'])
    await withServer(
      {},
      async (mail, got) => {
        await assert.rejects(mail.send({ ...relay, host }, message), blocked);
        await assert.rejects(mail.check({ ...relay, host }), blocked);
        assert.deepEqual(got, []);
      },
      { allPrivate: false },
    );
  await withServer(
    {},
    async (mail, got) => {
      assert.equal((await mail.send(relay, message)).outcome.is, 'delivered');
      assert.equal(got.length, 1);
    },
    { allPrivate: false, cidrs: ['127.0.0.0/8'] },
  );
});

test('a refused connection names host and port and cannot have arrived', async () => {
  reroute(25, 1);
  const settings = () => ({ timeoutMs: 5_000, allowedPrivateDestinations: [] });
  const mail = new Mailer({ clock: realClock, resolver, settings }).for({ allPrivate: true });
  await assert.rejects(mail.send({ ...relay, port: 25, tls: 'none' }, message), (error) => {
    assert.ok(error instanceof TransportError);
    assert.match(error.message, /^smtp\.example\.com:25 cannot be reached: the connection was refused$/);
    return error.code === 'Unreachable' && !error.mayHaveArrived;
  });
});

test('the whole conversation has one time-out, however it is spent', async () => {
  const slow: SMTPServerOptions = { onMailFrom: (_address, _session, done) => void setTimeout(done, 1_500) };
  await withServer(
    slow,
    async (mail) => {
      const begun = performance.now();
      await assert.rejects(
        mail.send(relay, message),
        (error) => error instanceof TransportError && error.code === 'Timeout' && !error.mayHaveArrived,
      );
      await assert.rejects(mail.check({ ...relay, host: '192.0.2.7' }), { code: 'Timeout' });
      assert.ok(performance.now() - begun < 1_400);
    },
    { timeoutMs: 400 },
  );
});

test('a relay is named with its port, an IPv6 address in brackets', async () => {
  const settings = () => ({ timeoutMs: 2_000, allowedPrivateDestinations: [] });
  const mail = new Mailer({ clock: realClock, resolver, settings }).for({ allPrivate: true });
  await assert.rejects(mail.check({ ...relay, host: '::1', port: 1 }), { message: /^\[::1\]:1 cannot be reached/ });
});

test('a TLS handshake that stalls ends at the time-out, and so does its connection', async () => {
  const closed = Promise.withResolvers<void>();
  const server = createServer((socket) => socket.resume().on('close', () => closed.resolve()));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  // A TCP server's address is an AddressInfo.
  reroute(465, (server.address() as AddressInfo).port);
  const settings = () => ({ timeoutMs: 200, allowedPrivateDestinations: [] });
  const mail = new Mailer({ clock: realClock, resolver, settings }).for({ allPrivate: true });
  const begun = performance.now();
  await assert.rejects(mail.send({ ...relay, port: 465 }, message), { code: 'Timeout', mayHaveArrived: false });
  await closed.promise;
  assert.ok(performance.now() - begun < 1_500);
  server.close();
});

test('recipients that must wait are named, and the next attempt is for them alone', async () => {
  let grey = true;
  const options: SMTPServerOptions = {
    onRcptTo({ address }, _session, done) {
      const wait = grey && address.startsWith('platform');
      done(wait ? Object.assign(new Error('4.7.1 Greylisted'), { responseCode: 451 }) : undefined);
    },
  };
  await withServer(options, async (mail, got) => {
    const first = await mail.send(relay, message);
    assert.ok(first.outcome.is === 'retryable' && first.outcome.mayHaveArrived, 'the other one has it');
    assert.deepEqual(first.waiting, ['platform@example.org']);
    grey = false;
    const second = await mail.send(relay, { ...message, recipients: first.waiting });
    assert.deepEqual(second, { outcome: { is: 'delivered' }, waiting: [] });
    assert.deepEqual(
      got.map(({ to }) => to),
      [['oncall@example.org'], ['platform@example.org']],
    );
    // Everybody still sees who else has it.
    assert.match(parseMail(got[1]?.raw ?? '').headers.to ?? '', /oncall@example\.org, platform@example\.org/);
  });
});

test('no text can add a header or a recipient', async () => {
  const evil = 'x\r\nBcc: evil@example.com\r\n\r\nbody\r\n.\r\nMAIL FROM:<evil@example.com>';
  await withServer({}, async (mail, got) => {
    const { outcome } = await mail.send(relay, {
      ...message,
      subject: evil,
      text: evil,
      html: evil,
      headers: { 'X-A': evil },
    });
    assert.deepEqual(outcome, { is: 'delivered' });
    assert.equal(got.length, 1);
    assert.deepEqual(got[0]?.to, message.to);
    const { lines } = parseMail(got[0]?.raw ?? '');
    assert.ok(!lines.some((line) => /^bcc:/i.test(line)), lines.join('\n'));
    for (const address of ['a@example.org>\r\nRCPT TO:<evil@example.com', 'a@example.org, evil@example.com'])
      for (const change of [{ to: [address] }, { from: address }, { recipients: [address] }]) {
        const refused = await mail.send(relay, { ...message, ...change });
        assert.ok(refused.outcome.is === 'permanent', inspect(change));
      }
    assert.equal(got.length, 1);
  });
});

test('a check logs in and sends nothing', async () => {
  await withServer({}, async (mail, got) => {
    assert.deepEqual(await mail.check({ ...relay, login }), { is: 'delivered' });
    assert.deepEqual(got, []);
  });
  const refusing: SMTPServerOptions = {
    onAuth: (_auth, _session, done) => done(Object.assign(new Error(`5.7.8 no, not ${canary}`), { responseCode: 535 })),
  };
  await withServer(refusing, async (mail) => {
    const outcome = await mail.check({ ...relay, login });
    assert.ok(outcome.is === 'permanent' && outcome.credential);
    assert.doesNotMatch(inspect(outcome), new RegExp(canary));
  });
});

test('a password is never sent to a server that offers no login', async () => {
  await withServer({ disabledCommands: ['AUTH'] }, async (mail, got) => {
    const { outcome } = await mail.send({ ...relay, login }, message);
    assert.ok(outcome.is === 'permanent' && outcome.credential, inspect(outcome));
    assert.match(outcome.reason, /leave `password` and `oauth` out/);
    assert.deepEqual(got, []);
  });
});

test('closing ends a conversation with a relay that says nothing, at once', async () => {
  const silent = createServer((socket) => void socket.on('error', () => undefined));
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
  // A TCP server's address is an AddressInfo.
  reroute(587, (silent.address() as AddressInfo).port);
  const settings = () => ({ timeoutMs: 600_000, allowedPrivateDestinations: [] });
  const mailer = new Mailer({ clock: realClock, resolver, settings });
  const connected = once(silent, 'connection');
  const sent = mailer.for({ allPrivate: true }).send(relay, message);
  const isOver = assert.rejects(sent, TransportError);
  await connected;
  mailer.close();
  await isOver;
  await new Promise<void>((done) => silent.close(() => done()));
});
