import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IncidentAnnouncement, SummaryAnnouncement } from '../../src/model/announcement.ts';
import type { Ref } from '../../src/model/ref.ts';
import type { Traits } from '../../src/model/traits.ts';
import { deliveriesOf, testDelivery } from '../../src/turn/deliveries.ts';
import { notification, provider } from '../delivery/stage.ts';
import { explanation } from '../incident/helpers.ts';

const known: ReadonlyMap<Ref, ReturnType<typeof provider>> = new Map(
  ['a', 'b'].map((name) => [provider(name).ref, provider(name)]),
);
const summary: SummaryAnnouncement = {
  ...{ act: 'overview', id: 'storm-1', phase: 'opening', audience: '', total: 0, entries: [] },
  bySeverity: { critical: 0, high: 0, medium: 0, low: 0 },
  providers: [...known.keys()],
};
const made = (announcement: SummaryAnnouncement, providers = known) =>
  deliveriesOf(announcement, notification(announcement.act), { providers, traits: new Map() }, 10, 20);

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

test('the same announcement gives the same ids; the closing of a summary comes after its opening', () => {
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

test('the end of the alert of a startup summary is a resolution under the key of its opening', () => {
  const startup = { ...summary, act: 'startup', alertKey: 'start-key' } as const;
  const [opening] = made(startup);
  const [closing] = made({ ...startup, phase: 'closing' });
  assert.deepEqual([opening?.act, opening?.alertKey], ['startup', 'start-key']);
  assert.deepEqual([closing?.act, closing?.alertKey, closing?.stream], ['resolve', 'start-key', opening?.stream]);
  assert.equal(made(summary)[0]?.alertKey, 'storm-1', 'other summaries are known by their stream');
});

test('a delivery of an incident has its key and names the incident before it', () => {
  const announcement: IncidentAnnouncement = {
    ...{ act: 'open', reasonCode: 'Settled', audience: '', providers: [...known.keys()] },
    incident: {
      ...{ id: 'now', alertKey: 'k', state: 'Open', explanation: explanation('Deployment/shop/api'), startedAt: 0 },
      ...{ revision: 3, recoveries: [], standings: {}, hearings: {}, previous: { id: 'earlier', times: 2 } },
    },
  };
  const [delivery] = deliveriesOf(announcement, notification('open'), { providers: known, traits: new Map() }, 10, 20);
  assert.deepEqual(
    [delivery?.stream, delivery?.sequence, delivery?.alertKey, delivery?.previous],
    ['now', 3, 'k', 'earlier'],
  );
});

test('the end of an incident is not sent to who wants none, unless a message there would show it', () => {
  const traits: Traits = new Map([
    ['scripted', { plain: 'native', family: 'chat', closesByKey: false, edits: ['token'] }],
  ]);
  const token = { secrets: { token: { secret: 'a', key: 'b' } } };
  const rows = {
    usual: provider('usual'),
    quiet: provider('quiet', { sendResolved: false }),
    shown: provider('shown', { sendResolved: false, ...token }),
  };
  const providers = new Map(Object.values(rows).map((one) => [one.ref, one]));
  const unsent = (act: 'open' | 'resolve'): readonly unknown[] => {
    const announcement: IncidentAnnouncement = {
      ...{ act, reasonCode: 'HeldGood', audience: '', providers: [...providers.keys()] },
      incident: {
        ...{ id: 'now', alertKey: 'k', state: 'Open', explanation: explanation('Deployment/shop/api'), startedAt: 0 },
        ...{ revision: 3, recoveries: [], standings: {}, hearings: {} },
      },
    };
    return deliveriesOf(announcement, notification(act), { providers, traits }, 10, 20).map((each) => each.unsent);
  };
  assert.deepEqual(unsent('open'), [undefined, undefined, undefined]);
  assert.deepEqual(unsent('resolve'), [undefined, true, undefined]);
});
