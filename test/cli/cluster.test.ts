import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import type { AckArguments } from '../../src/cli/ack/arguments.ts';
import { runAck } from '../../src/cli/ack/run.ts';
import { UsageError } from '../../src/cli/command.ts';
import type { ProviderArguments } from '../../src/cli/provider/arguments.ts';
import { runSend } from '../../src/cli/provider/send.ts';
import { runSilenceAdd } from '../../src/cli/silence/add.ts';
import type { AddArguments } from '../../src/cli/silence/arguments.ts';
import { runSilenceExpire } from '../../src/cli/silence/expire.ts';
import { address, broken, hasStarted, hasty, type Stage, startStage, webhook } from '../runtime/stage.ts';
import { type Printed, printed } from './streams.ts';

let stage: Stage;
before(async () => {
  stage = await startStage({});
  await stage.create(hasty, address('chat', stage.receiver.url), webhook('chat'));
  await stage.until('ready', () => hasStarted(stage));
});
after(() => stage.stop());

const send = (provider: string, more: Partial<ProviderArguments> = {}): Promise<Printed> =>
  printed((streams) =>
    runSend({ provider, namespace: 'tocsin', output: 'text', timeoutSeconds: 20, ...more }, streams, stage.client),
  );

const add = (asked: Partial<AddArguments>): Promise<Printed> =>
  printed((streams) =>
    runSilenceAdd({ namespace: 'tocsin', output: 'text', dryRun: false, ...asked }, streams, stage.client),
  );

const expire = (name: string): Promise<Printed> =>
  printed((streams) => runSilenceExpire({ name, namespace: 'tocsin', output: 'text' }, streams, stage.client));

/** The Silence that a command names first. */
const nameIn = (out: string): string => /^tocsin\/([^:]+):/.exec(out)?.[1] ?? '';

test('send: the test message arrives through the running operator, and the terminal says so', async () => {
  const { code, out, err } = await send('chat');
  assert.deepEqual([code, err], [0, '']);
  assert.match(out, /^tocsin\/chat: delivered/);
  assert.deepEqual(
    stage.receiver.messages.map(({ type }) => type),
    ['test'],
  );
});

test('send: a second test waits for its own answer, not for the one that stands there', async () => {
  assert.equal((await send('chat')).code, 0);
  assert.equal(stage.receiver.messages.filter(({ type }) => type === 'test').length, 2);
});

test('send: a provider that is down is said in its own words, with exit code 1', async () => {
  await stage.create(address('down', 'http://127.0.0.1:1/'), webhook('down'));
  const { code, out } = await send('down', { output: 'json' });
  const { outcome, message } = JSON.parse(out);
  assert.equal(code, 1);
  assert.notEqual(outcome, 'Delivered');
  assert.notEqual(message, '');
});

test('send: a name that does not exist is said with what lists the names', async () => {
  const { code, err } = await send('chta');
  assert.equal(code, 1);
  assert.match(err, /there is no AlertProvider "chta" in the namespace "tocsin"; `kubectl get ap -A` lists them/);
});

test('silence add: the object alone is enough; what breaks there is counted and not told, until expire', async () => {
  const { code, out, err } = await add({ object: 'deploy/shop/cart', forSeconds: 7200, comment: 'a move' });
  assert.deepEqual([code, err], [0, '']);
  assert.match(
    out,
    /^tocsin\/cart-[a-z0-9]+: Mutes the incidents it selects until .*\nEnd it early: tocsin silence expire cart-/,
  );
  const name = nameIn(out);
  const silence = () => Object(stage.sandbox.objects.get('silences.tocsin.dev', 'tocsin', name));
  assert.deepEqual(silence().spec.selector, { kinds: ['Deployment'], names: ['cart'], namespaces: ['shop'] });
  assert.equal(silence().spec.createdBy !== undefined, true, 'the API server says who asked');

  const told = () => stage.receiver.messages.filter(({ type }) => type === 'incident.opened').length;
  await stage.create(broken('cart'));
  await stage.until('it is counted', () => silence().status?.suppressed === 1);
  assert.equal(told(), 0);
  const over = await expire(name);
  assert.equal(over.code, 0);
  assert.match(over.out, /it is over; it muted 1 incident\. What is still broken is told as it stands now/);
  await stage.until('what is still broken is told', () => told() === 1);
  const again = await expire(name);
  assert.equal(again.code, 0);
  assert.match(again.out, /it ended at .*; nothing was changed/);
});

test('silence expire: one that has not begun is deleted', async () => {
  const { out } = await add({
    ...{ reasons: ['NodeNotReady'], from: '2999-01-01T00:00:00Z', until: '2999-01-02T00:00:00Z' },
  });
  assert.match(out, /: Starts at 2999-01-01T00:00:00Z\./);
  const { code, out: said } = await expire(nameIn(out));
  assert.equal(code, 0);
  assert.match(said, /it had not begun, and is deleted/);
  assert.equal(stage.sandbox.objects.get('silences.tocsin.dev', 'tocsin', nameIn(out)), undefined);
});

test('silence add: a reason that nothing can have is said, with what was probably meant', async () => {
  const { code, out } = await add({ reasons: ['CrashLoopBackof'], forSeconds: 60 });
  assert.equal(code, 1);
  assert.match(out, /CrashLoopBackof.*CrashLoopBackOff/);
});

test('silence add --dry-run: prints what would be made and makes nothing', async () => {
  const before = stage.sandbox.objects.list('silences.tocsin.dev').length;
  const { code, out } = await add({ object: 'node/n1', forSeconds: 60, dryRun: true, by: 'me' });
  assert.equal(code, 0);
  assert.deepEqual(parse(out), {
    ...{ apiVersion: 'tocsin.dev/v1beta1', kind: 'Silence', metadata: { namespace: 'tocsin', generateName: 'n1-' } },
    spec: { selector: { kinds: ['Node'], names: ['n1'] }, durationSeconds: 60, createdBy: 'me' },
  });
  assert.equal(stage.sandbox.objects.list('silences.tocsin.dev').length, before);
});

test('silence add: what would mute everything, has no end, or names no kind is refused before anything is made', async () => {
  const refused = async (asked: Partial<AddArguments>, why: RegExp): Promise<void> => {
    await assert.rejects(add(asked), (error) => error instanceof UsageError && why.test(error.message));
  };
  await refused({ forSeconds: 60 }, /say what to mute/);
  await refused({ object: 'pod/shop/a' }, /say when it ends/);
  await refused({ object: 'pod/shop/a', forSeconds: 1, until: '2999-01-01T00:00:00Z' }, /can end only once/);
  await refused({ object: 'pod/shop/a', until: '2020-01-01T00:00:00Z' }, /is over/);
  await refused({ object: 'pod/a', forSeconds: 60 }, /a Pod is in a namespace: write pod\/NAMESPACE\/a/);
  await refused({ object: 'deploymnet/shop/a', forSeconds: 60 }, /the cluster serves no "deploymnet"/);
  await refused({ object: 'pod/shop/a', names: ['b'], forSeconds: 60 }, /says its names already/);
  await refused({ object: 'api', forSeconds: 60 }, /"api" is not an object/);
});

const ack = (incident: string, more: Partial<AckArguments> = {}): Promise<Printed> =>
  printed((streams) =>
    runAck({ incident, namespace: 'tocsin', output: 'text', undo: false, ...more }, streams, stage.client),
  );

const config = () => Object(stage.sandbox.objects.get('alertconfigs.tocsin.dev', 'tocsin', 'default'));
const listedAs = (name: string) =>
  config().status?.incidents?.find(({ root }: { readonly root: string }) => root === `Deployment/shop/${name}`);

test('ack: who has taken it on stands in the status and in the log of the operator, until it is undone', async () => {
  await stage.create(broken('pay'));
  await stage.until('it is open', () => listedAs('pay') !== undefined);
  const { id } = listedAs('pay');
  const { code, out, err } = await ack(id, { by: 'ada' });
  assert.deepEqual([code, err], [0, '']);
  assert.equal(out, `${id}: acknowledged: nobody is reminded of it, what is new is told\n`);
  assert.match(config().metadata.annotations[`acknowledged.tocsin.dev/${id}`], /^ada via tocsin ack at 20\S+Z$/);
  await stage.until('the incident says so', () => listedAs('pay').acknowledgedBy === 'ada via tocsin ack');
  assert.ok(!Number.isNaN(Date.parse(listedAs('pay').acknowledgedAt)));

  assert.equal((await ack(id, { undo: true })).out, `${id}: nobody has acknowledged it any more\n`);
  await stage.until('it is taken back', () => listedAs('pay').acknowledgedBy === undefined);
  const lines = stage.log.map((line) => JSON.parse(line)).filter(({ incident }) => incident === id);
  assert.deepEqual(
    lines.slice(-2).map(({ msg, by }) => [msg, by]),
    [
      ['incident acknowledged', 'ada via tocsin ack'],
      ['acknowledgement withdrawn', 'ada via tocsin ack'],
    ],
  );
});

test('ack: an ID that nothing open has acknowledges nothing, and leaves nothing behind', async () => {
  const { code, out } = await ack('0123456789abcdef', { output: 'json' });
  const { outcome } = JSON.parse(out);
  assert.deepEqual([code, outcome], [1, 'NotOpen']);
  assert.equal(config().metadata.annotations?.['acknowledged.tocsin.dev/0123456789abcdef'], undefined);
});

test('silence add: the ID of an open incident mutes its object', async () => {
  const { id } = listedAs('pay');
  const { code, out } = await add({ object: id, forSeconds: 60 });
  assert.equal(code, 0, out);
  const silence = Object(stage.sandbox.objects.get('silences.tocsin.dev', 'tocsin', nameIn(out)));
  assert.deepEqual(silence.spec.selector, { kinds: ['Deployment'], names: ['pay'], namespaces: ['shop'] });
  await assert.rejects(add({ object: '0123456789abcdef', forSeconds: 60 }), /lists no open incident 0123456789abcdef/);
});
