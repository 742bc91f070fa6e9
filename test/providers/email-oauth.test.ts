/** Mail by OAuth 2.0 against a real SMTP server and a token endpoint. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { inspect } from 'node:util';
import { SMTPServer } from 'smtp-server';
import { outcomeOfError } from '../../src/delivery/classify.ts';
import { Mailer } from '../../src/delivery/mail.ts';
import type { Outcome } from '../../src/model/delivery.ts';
import { Secret } from '../../src/model/secret.ts';
import type { OAuth } from '../../src/providers/email/oauth.ts';
import { email } from '../../src/providers/email.ts';
import type { Mail, Send } from '../../src/providers/provider.ts';
import { realClock } from '../delivery/clock.ts';
import type { HttpAnswer } from './conformance/case-file.ts';
import { startHttpProduct } from './conformance/http-product.ts';
import { buildNetwork, certificateFor, reroute, resolver, type Wire } from './conformance/wire.ts';
import { deliveryOf, notifications } from './notifications.ts';

buildNetwork();
const now = Date.parse('2026-11-20T10:00:00Z');
/** Tokens that the server takes, logins that it saw, and what it says to the others. */
const smtp = { takes: new Set<string>(), logins: [] as string[], mails: 0, says: 'challenge' as 'challenge' | '535' };
let server: SMTPServer;
let wire: Wire;
let send: Send;
let mail: Mail;
before(async () => {
  const { certificate: cert, key } = certificateFor('smtp.example.com');
  server = new SMTPServer({
    ...{ cert, key, logger: false, disableReverseLookup: true, authMethods: ['XOAUTH2'], authOptional: false },
    onAuth({ username, accessToken = '', method }, _session, done) {
      smtp.logins.push(`${method} ${username} ${accessToken}`);
      if (smtp.takes.has(accessToken)) return done(null, { user: username });
      if (smtp.says === '535')
        return done(Object.assign(new Error(`5.7.3 unsuccessful ${accessToken}`), { responseCode: 535 }));
      return done(null, { data: { status: '401', schemes: 'bearer mac', scope: 'https://mail.google.com/' } });
    },
    onData(stream, _session, done) {
      smtp.mails += 1;
      stream.resume().on('end', () => done());
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((done) => server.server.listen(0, '127.0.0.1', done));
  reroute(587, (server.server.address() as AddressInfo).port);
  wire = await startHttpProduct([]);
  send = wire.ways(undefined, false).send;
  const settings = () => ({ timeoutMs: 5_000, allowedPrivateDestinations: [] });
  mail = new Mailer({ clock: realClock, resolver, settings }).for({ allPrivate: true });
});
after(async () => {
  await wire[Symbol.asyncDispose]();
  await new Promise<void>((done) => server.close(() => done()));
});

const endpoint = 'https://login.example.com/oauth2/token';
const client = { clientId: 'tocsin', clientSecret: new Secret('canary-client-secret') };
/** Each test has a client of its own: tokens are kept by who asks. */
const google = (test_: string): OAuth => ({
  ...{ tokenURL: endpoint, ...client, clientId: test_, refreshToken: new Secret('canary-refresh-token') },
});
const gives = (access_token: string, expires_in?: number): HttpAnswer => ({
  ...{ match: 'login.', status: 200 },
  json: { access_token, token_type: 'Bearer', ...(expires_in !== undefined && { expires_in }) },
});
const refuses = (status: number, error: string): HttpAnswer => ({
  ...{ match: 'login.', status },
  json: { error, error_description: 'Bad canary-refresh-token' },
});

/** One delivery; its outcome, in which no credential stands. */
async function deliver(oauth: OAuth, at = now): Promise<Outcome> {
  smtp.logins = [];
  smtp.mails = 0;
  const config = {
    ...{ host: 'smtp.example.com', port: '587', tls: 'required' as const, oauth },
    ...{ from: 'Tocsin <tocsin@example.org>', to: 'oncall@example.org' },
  } as const;
  const { open } = notifications;
  const outcome = await email
    .deliver({ notification: open, delivery: deliveryOf(open), config, send, mail, now: at })
    .catch(outcomeOfError);
  assert.doesNotMatch(inspect(outcome, { depth: 9, showHidden: true }), /canary/);
  return outcome;
}
const asked = () => wire.arrived().map(({ body }) => Object.fromEntries(new URLSearchParams(body)));

test('an access token of a Secret logs in', async () => {
  smtp.takes = new Set(['canary-given']);
  assert.equal((await deliver({ accessToken: new Secret('canary-given') })).is, 'delivered');
  assert.deepEqual([smtp.logins, smtp.mails], [['XOAUTH2 tocsin@example.org canary-given'], 1]);
});

for (const says of ['challenge', '535'] as const)
  test(`a given token that is refused (${says}) is a refused credential, tried once`, async () => {
    smtp.takes = new Set();
    smtp.says = says;
    const outcome = await deliver({ accessToken: new Secret('canary-given') });
    assert.ok(outcome.is === 'permanent' && outcome.credential, inspect(outcome));
    assert.match(outcome.reason, /^SMTP AUTH XOAUTH2: 535/);
    assert.deepEqual([smtp.logins.length, smtp.mails], [1, 0]);
  });

test('a server without XOAUTH2 is named as that', async (t) => {
  const { certificate: cert, key } = certificateFor('smtp.example.com');
  const plain = new SMTPServer({ cert, key, logger: false, disableReverseLookup: true, authMethods: ['PLAIN'] });
  plain.on('error', () => undefined);
  await new Promise<void>((done) => plain.server.listen(0, '127.0.0.1', done));
  reroute(587, (plain.server.address() as AddressInfo).port);
  t.after(async () => {
    reroute(587, (server.server.address() as AddressInfo).port);
    await new Promise<void>((done) => plain.close(() => done()));
  });
  const outcome = await deliver({ accessToken: new Secret('canary-given') });
  assert.ok(outcome.is === 'permanent' && outcome.credential, inspect(outcome));
  assert.match(outcome.reason, /by `oauth` it must offer XOAUTH2/);
});

test('a refresh token gets an access token, which is kept until shortly before it ends', async () => {
  smtp.takes = new Set(['canary-one', 'canary-two']);
  const oauth = google('kept');
  wire.script([gives('canary-one', 3600)]);
  for (const at of [now, now + 54 * 60_000]) assert.equal((await deliver(oauth, at)).is, 'delivered');
  assert.deepEqual(asked(), [
    {
      ...{ grant_type: 'refresh_token', client_id: 'kept' },
      ...{ client_secret: 'canary-client-secret', refresh_token: 'canary-refresh-token' },
    },
  ]);
  wire.script([gives('canary-two', 3600)]);
  await deliver(oauth, now + 56 * 60_000);
  assert.deepEqual(smtp.logins, ['XOAUTH2 tocsin@example.org canary-two']);
});

test('without a refresh token the client asks for itself, with its scope', async () => {
  smtp.takes = new Set(['canary-own']);
  wire.script([gives('canary-own', 3599)]);
  const scope = 'https://outlook.office365.com/.default';
  assert.equal((await deliver({ tokenURL: endpoint, ...client, scope })).is, 'delivered');
  assert.deepEqual(asked(), [
    { grant_type: 'client_credentials', client_id: 'tocsin', client_secret: 'canary-client-secret', scope },
  ]);
});

for (const says of ['challenge', '535'] as const)
  test(`a kept token that is refused (${says}) is replaced once, and the mail goes out`, async () => {
    smtp.takes = new Set(['canary-old']);
    smtp.says = says;
    const oauth = google(`replaced by ${says}`);
    wire.script([gives('canary-old', 3600)]);
    await deliver(oauth);
    smtp.takes = new Set(['canary-new']);
    wire.script([gives('canary-new', 3600)]);
    assert.equal((await deliver(oauth)).is, 'delivered');
    assert.deepEqual(
      smtp.logins,
      ['old', 'new'].map((name) => `XOAUTH2 tocsin@example.org canary-${name}`),
    );
    assert.deepEqual([smtp.mails, asked().length], [1, 1]);
    smtp.takes = new Set();
    wire.script([gives('canary-third', 3600)]);
    const outcome = await deliver(oauth);
    assert.ok(outcome.is === 'permanent' && outcome.credential);
    assert.equal(smtp.logins.length, 2, 'no third time');
  });

test('a token without an end is not kept', async () => {
  smtp.takes = new Set(['canary-short']);
  wire.script([gives('canary-short')]);
  for (let round = 0; round < 2; round += 1) await deliver(google('short'));
  assert.equal(asked().length, 2);
});

test('what the token endpoint refuses is said, with what to do, and nobody has the mail', async () => {
  const rows: readonly [HttpAnswer, Outcome['is'], RegExp][] = [
    [refuses(400, 'invalid_grant'), 'permanent', /no access token: HTTP 400: invalid_grant .*get a new one/],
    [refuses(401, 'invalid_client'), 'permanent', /`oauth.clientId` and `oauth.clientSecret`/],
    [refuses(400, 'invalid_scope'), 'permanent', /`oauth.scope`/],
    [refuses(400, 'unauthorized_client'), 'permanent', /refreshToken/],
    [refuses(503, 'temporarily_unavailable'), 'retryable', /temporarily_unavailable/],
    [{ match: 'login.', status: 500, text: 'x' }, 'retryable', /HTTP 500/],
    [{ match: 'login.', status: 404, text: 'x' }, 'permanent', /HTTP 404/],
    [{ match: 'login.', status: 200, text: '<html>' }, 'permanent', /without an access token.*`oauth.tokenURL`/],
    [{ match: 'login.', status: 200, json: { access_token: 5 } }, 'permanent', /without an access token/],
  ];
  for (const [answer, is, says] of rows) {
    wire.script([answer]);
    const outcome = await deliver(google('refused'));
    assert.equal(outcome.is, is, inspect(outcome));
    assert.match('reason' in outcome ? outcome.reason : '', says);
    if (outcome.is === 'retryable') assert.equal(outcome.mayHaveArrived, false);
  }
  wire.script([{ match: 'login.', status: 429 }]);
  assert.equal((await deliver(google('refused'))).is, 'rateLimited');
  wire.script('half');
  const broken = await deliver(google('refused'));
  assert.ok(broken.is === 'retryable' && !broken.mayHaveArrived, inspect(broken));
});

test('the test of the credentials logs in the same way, and sends nothing', async () => {
  smtp.takes = new Set(['canary-check']);
  smtp.mails = 0;
  wire.script([gives('canary-check', 3600)]);
  const config = {
    ...{ host: 'smtp.example.com', port: '587', tls: 'required' as const, oauth: google('check') },
    ...{ from: 'tocsin@example.org', to: 'oncall@example.org' },
  } as const;
  assert.deepEqual(await email.check?.({ config, send, mail, now }), { is: 'delivered' });
  assert.equal(smtp.mails, 0);
});
