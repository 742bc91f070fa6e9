import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ref } from '../../src/model/ref.ts';
import type { SummaryTelling } from '../../src/model/telling.ts';
import { deliveriesOf, testDelivery } from '../../src/runtime/deliveries.ts';
import { notification, provider } from '../delivery/stage.ts';

const known: ReadonlyMap<Ref, ReturnType<typeof provider>> = new Map(
  ['a', 'b'].map((name) => [provider(name).ref, provider(name)]),
);
const summary: SummaryTelling = {
  ...{ act: 'overview', id: 'storm-1', phase: 'opening', audience: '', total: 0, entries: [] },
  bySeverity: { critical: 0, high: 0, medium: 0, low: 0 },
  providers: [...known.keys()],
};
const made = (telling: SummaryTelling, providers = known) =>
  deliveriesOf(telling, notification(telling.act), providers, 10, 20);

test('one delivery for each provider there is, not before its instant, in the stream of what is told', () => {
  const deliveries = made({ ...summary, providers: [...summary.providers, 'AlertProvider/tocsin/deleted'] });
  assert.deepEqual(
    deliveries.map(({ provider: to, stream, sequence, createdAt, notBefore }) => [
      to,
      stream,
      sequence,
      createdAt,
      notBefore,
    ]),
    [...known.keys()].map((ref) => [ref, 'storm-1', 1, 10, 20]),
  );
  assert.equal(new Set(deliveries.map(({ id }) => id)).size, 2);
});

test('the same telling gives the same ids; the closing of a summary comes after its opening', () => {
  assert.deepEqual(made(summary), made(summary));
  const [opening] = made(summary);
  const [closing] = made({ ...summary, phase: 'closing' });
  assert.equal(closing?.sequence, 2);
  assert.notEqual(closing?.id, opening?.id);
  assert.notEqual(closing?.attemptKey, opening?.attemptKey);
});

test('a provider made anew under the same name is another destination', () => {
  const [ref] = known.keys();
  const again = new Map(ref ? [[ref, provider('a', { uid: 'another' })]] : []);
  assert.notEqual(made(summary, again)[0]?.id, made(summary)[0]?.id);
});

test('each nonce is a test message of its own', () => {
  const to = provider('a');
  const ids = ['one', 'two', 'one'].map((nonce) => testDelivery(to, nonce, notification('test'), 10).id);
  assert.equal(ids[0], ids[2]);
  assert.notEqual(ids[0], ids[1]);
});
