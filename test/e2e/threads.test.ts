/**
 * The crash-loop story where people read it: open, update, resolve and reopen as one thread in Slack and as one thread of mails,
 * with nothing between Tocsin and the product but what a cluster has too: a proxy, and an authority of one's own.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createAuthority } from '../../sandbox/certificate.ts';
import { type MailSecurity, type MailServer, type ReceivedMail, startMailServer } from './mail-server.ts';
import { type OperatorProcess, spawnOperator } from './process.ts';
import { type SlackWorkspace, startSlackWorkspace } from './slack-workspace.ts';
import { deployment, ready, type Stage, startStage } from './stage.ts';

const token = 'xoxb-canary-3f9a-slack';
const password = 'canary-77c1-mail';
const securities: readonly MailSecurity[] = ['tls', 'starttls', 'plain'];

let stage: Stage;
let operator: OperatorProcess;
let slack: SlackWorkspace;
const servers = new Map<MailSecurity, MailServer>();

/** What changes from chapter to chapter: who is told, and how bad people find it. */
const settings = (provider: string, overrides: readonly object[] = []): object => ({
  apiVersion: 'tocsin.dev/v1alpha1',
  kind: 'AlertConfig',
  metadata: { name: 'default', namespace: 'tocsin' },
  spec: {
    app: { clusterName: 'test', communityProvider: provider, proxyURL: slack.proxyURL },
    incidents: { holdSeconds: 10 },
    detection: { overrides },
  },
});
const provider = (name: string, spec: object): object => ({
  apiVersion: 'tocsin.dev/v1alpha1',
  kind: 'AlertProvider',
  metadata: { name, namespace: 'tocsin' },
  spec,
});

before(async () => {
  stage = await startStage({ nodes: ['n1', 'n2'] });
  const authority = createAuthority('Of the company', Date.now());
  slack = await startSlackWorkspace(authority, token);
  for (const security of securities) servers.set(security, await startMailServer(security, authority, password));
  const authorityFile = join(stage.folder, 'company-ca.pem');
  writeFileSync(authorityFile, authority.certificate);
  await stage.apply(
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'credentials', namespace: 'tocsin' },
      stringData: { token, password },
    },
    settings('slack'),
    provider('slack', {
      type: 'slack',
      slack: { channel: '#alerts', token: { secretKeyRef: { name: 'credentials', key: 'token' } } },
    }),
    ...[...servers].map(([security, { host, port }]) =>
      provider(security, {
        type: 'email',
        email: {
          ...{ host, port: `${port}`, from: 'Tocsin <tocsin@example.com>', to: 'oncall@example.com' },
          ...(security === 'plain'
            ? { tls: 'none' }
            : { password: { secretKeyRef: { name: 'credentials', key: 'password' } } }),
        },
      }),
    ),
  );
  operator = await spawnOperator(stage, [], { NODE_EXTRA_CA_CERTS: authorityFile });
  await ready(stage, operator, 60);
});
after(async () => {
  await operator?.end('SIGTERM');
  await Promise.all([slack, ...servers.values()].map((each) => each?.stop()));
  await stage?.stop();
});

/** Plays the story; `told` says how many messages have come in, and is waited for after each step. */
async function play(name: string, provider: string, told: () => number): Promise<void> {
  const well = deployment(name, { replicas: 2, image: `registry.example/${name}:1.0` });
  const script = { exit: { afterSeconds: 2, code: 1 }, log: ['starting', 'FATAL cannot open database'] };
  const broken = deployment(name, { replicas: 2, image: `registry.example/${name}:1.1`, script });
  const arrived = (count: number, what: string) =>
    stage.eventually(120, async () => assert.ok(told() >= count, `no ${what}: ${told()} of ${count} messages`));
  await stage.apply(settings(provider), well);
  await stage.kubectl(['-n', 'tocsin', 'wait', '--for=condition=Active', '--timeout=30s', `alertprovider/${provider}`]);
  await stage.kubectl(['-n', 'shop', 'rollout', 'status', `deployment/${name}`, '--timeout=60s']);

  await stage.apply(broken);
  await arrived(1, 'opening');
  await stage.apply(settings(provider, [{ selector: { names: [name] }, severity: 'critical' }]));
  await arrived(2, 'update');
  await stage.kubectl(['-n', 'shop', 'rollout', 'undo', `deployment/${name}`]);
  await arrived(3, 'resolution');
  await stage.apply(broken);
  await arrived(4, 'reopening');
  await stage.kubectl(['-n', 'shop', 'delete', 'deployment', name]);
  await arrived(5, 'end');
}

test('Slack shows one message that is kept up to date, and what happened in its thread', async () => {
  // The first act makes a message, each later one edits it and says more below it.
  await play('checkout', 'slack', () => slack.messages.length);
  const [first, ...others] = slack.messages;
  assert.ok(first);
  assert.equal(first.thread, undefined);
  assert.deepEqual(
    others.map(({ thread }) => thread),
    others.map(() => first.ts),
    'everything else is in its thread',
  );
  assert.equal(first.edits, others.length);
  const [update, resolved, again] = others.map(({ text }) => text);
  assert.match(update ?? '', /critical.*CrashLoopBackOff.*checkout/);
  assert.match(update ?? '', /checkout:1\.1/, 'names the change');
  assert.match(resolved ?? '', /resolved/);
  assert.match(again ?? '', /checkout/);
  assert.match(first.text, /resolved/, 'the head says how it ended');
});

describe('a mail server', () => {
  for (const security of securities)
    test(`shows one thread of mails (${security})`, async () => {
      const mails = (): readonly ReceivedMail[] => servers.get(security)?.mails ?? [];
      await play(`api-${security}`, security, () => mails().length);
      const [first, ...others] = mails();
      assert.ok(first);
      assert.match(first.text, /FATAL cannot open database/);
      const root = first.headers['message-id'];
      assert.ok(root);
      for (const { headers } of others) {
        assert.equal(headers['in-reply-to'], root);
        assert.ok(headers.references?.includes(root));
        assert.equal(headers.subject?.replace(/\[[a-z]+\] /, ''), first.headers.subject?.replace(/\[[a-z]+\] /, ''));
      }
      assert.equal(new Set(mails().map(({ headers }) => headers['message-id'])).size, mails().length);
      assert.deepEqual(
        mails().map(({ headers }) => headers['x-tocsin-act']),
        ['open', 'update', 'resolve', 'reopen', 'resolve'],
      );
      for (const { encrypted, user } of mails()) {
        assert.equal(encrypted, security !== 'plain');
        assert.equal(user, security === 'plain' ? undefined : 'tocsin@example.com');
      }
    });
});

test('no credential is in a message, a log line, a status, an event or a metric', async () => {
  const seen = [
    ...slack.messages.map(({ text }) => text),
    ...[...servers.values()].flatMap(({ mails }) => mails.flatMap(({ lines, text, html }) => [...lines, text, html])),
    ...operator.log,
    await stage.kubectl(['get', 'ap,ac,events', '-A', '-o', 'json']),
    await (await fetch(`${operator.url}/metrics`)).text(),
    await (await fetch(`${operator.url}/health`)).text(),
  ].join('\n');
  for (const secret of [token, password]) {
    assert.equal(seen.includes(secret), false);
    assert.equal(seen.includes(Buffer.from(secret).toString('base64')), false);
  }
});
