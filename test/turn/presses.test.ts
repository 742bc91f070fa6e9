import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Acknowledged } from '../../src/model/acknowledgement.ts';
import type { Incident } from '../../src/model/incident.ts';
import {
  askedBy,
  buttonsOf,
  type HeardPresses,
  lasting,
  type Press,
  type PressedRequest,
} from '../../src/model/press.ts';
import { defaultSettings, type ProviderSettings, type Settings } from '../../src/model/settings.ts';
import { isRemembered, Presses } from '../../src/turn/presses.ts';
import { fc } from '../fast-check.ts';
import { at, explanation, provider } from '../incident/helpers.ts';

const ada = { id: '7', name: 'Ada' };
const mallory = { id: '666', name: 'Ada' };
const chat = provider('chat', { type: 'telegram', config: { actions: { users: ['7', '8'] } } });
const other = provider('other', { type: 'telegram', config: { actions: { users: ['9'] } } });
const settings: Settings = { ...defaultSettings, providers: [chat, other] };

function incident(more: Partial<Incident> = {}): Incident {
  return {
    ...{
      id: 'i1',
      alertKey: 'k',
      state: 'Open',
      explanation: explanation('Deployment/shop/api'),
      startedAt: 0,
      revision: 1,
    },
    ...{ recoveries: [], standings: {}, hearings: { chat: { knows: 'open' } } },
    ...more,
  };
}

const carried = (act: 0 | 1, of: ProviderSettings = chat, id = 'i1'): string =>
  buttonsOf(id, of, false)[act]?.carries ?? '';

let count = 0;
function press(carries: string, user = ada, known?: string): Press {
  count += 1;
  const id = known ?? `p${count}`;
  return { id, user, carries };
}

const heard = (presses: readonly Press[], cursor?: string, from: ProviderSettings = chat): HeardPresses => ({
  ...{ channel: 'c', provider: from.ref, product: 'Telegram', presses },
  ...(cursor !== undefined && { cursor }),
});

function take(
  presses: Presses,
  what: HeardPresses,
  one: Incident | undefined = incident(),
  more: Partial<Settings> = {},
) {
  const known = (id: string): Incident | undefined => (id === one?.id ? one : undefined);
  return presses.take(what, { settings: { ...settings, ...more }, incident: known, now: at(100) });
}

const deeds = (requests: readonly PressedRequest[]): readonly string[] =>
  requests.flatMap(({ deed }) => deed?.is ?? []);

test('who may acknowledges and silences by a button, under the name that the product gives', () => {
  const [acknowledged, silenced] = take(new Presses(), heard([press(carried(0)), press(carried(1), ada, 'once')]));
  assert.deepEqual(acknowledged?.deed, {
    ...{ is: 'acknowledge', incident: 'i1' },
    acknowledgement: { by: 'Ada', via: 'Telegram', since: at(100) },
  });
  assert.ok(silenced?.deed?.is === 'silence');
  const { selector, createdBy, name } = silenced.deed;
  assert.deepEqual(selector, { kinds: ['Deployment'], names: ['api'], namespaces: ['shop'] });
  assert.equal(createdBy, 'Ada via Telegram');
  const [again] = take(new Presses(), heard([press(carried(1), ada, 'once')]));
  assert.ok(again?.deed?.is === 'silence' && again.deed.name === name, 'the same press makes the same object');
  assert.match(name, /^pressed-[0-9a-f]{16}$/);
});

test('who presses may say for how long to silence, within bounds; to acknowledge lasts', () => {
  const silence = { carries: carried(1) };
  const [said] = take(new Presses(), heard([press(lasting(silence, 7_200))]));
  assert.ok(said?.deed?.is === 'silence');
  assert.equal(said.deed.seconds, 7_200);
  assert.match(said.says, /^Silenced for 2 h: /);
  const [usual] = take(new Presses(), heard([press(silence.carries)]));
  assert.equal(usual?.deed?.is === 'silence' && usual.deed.seconds, 3_600);
  for (const carries of [
    ...[59, 604_801, 0, -1, Number.NaN].map((seconds) => lasting(silence, seconds)),
    ...[lasting({ carries: carried(0) }, 7_200), `${silence.carries}:0x100`, `${silence.carries}:60:60`],
  ])
    assert.deepEqual(deeds(take(new Presses(), heard([press(carries)]))), [], carries);
});

describe('strangers, and who may not, do nothing', () => {
  for (const [who, request] of Object.entries({
    'an account that is not in the list': heard([press(carried(0), mallory)]),
    'an account of another list, on a message of this one': heard([press(carried(0), { id: '9', name: 'Bob' })]),
    'an account of this list, on a message of the other one': heard([press(carried(0, other))]),
    'no account': heard([press(carried(0), { id: '', name: 'Ada' })]),
    'words that are no button': heard([
      press('rm -rf'),
      press(''),
      press('ack:i1'),
      press('ack::chat'),
      press('ack:i1:chat:x'),
    ]),
    'a provider that is not there': heard([press('ack:i1:gone')]),
  }))
    test(who, () => {
      const requests = take(new Presses(), request);
      assert.deepEqual(deeds(requests), []);
      assert.ok(requests.length > 0 && requests.every(({ isRefused }) => isRefused === true));
    });

  test('a provider of a namespace: buttons act for the whole cluster', () => {
    const tenant = { ...chat, namespace: 'shop' };
    assert.deepEqual(deeds(take(new Presses(), heard([press(carried(0))]), incident(), { providers: [tenant] })), []);
  });
  test('a provider that lets nobody, or is suspended', () => {
    for (const one of [
      { ...chat, config: {} },
      { ...chat, config: { actions: { users: [] } } },
      { ...chat, suspended: true },
    ])
      assert.deepEqual(deeds(take(new Presses(), heard([press(carried(0))]), incident(), { providers: [one] })), []);
  });
});

test('what is over, unknown, or was never told there, is left alone, and who pressed hears so', () => {
  for (const one of [
    undefined,
    incident({ state: 'Resolved' }),
    incident({ state: 'Settling' }),
    incident({ hearings: {} }),
  ]) {
    const [request] = new Presses().take(heard([press(carried(0))]), {
      ...{ settings, incident: () => one, now: at(100) },
    });
    assert.deepEqual([request?.deed, request?.isRefused], [undefined, undefined]);
    assert.match(request?.says ?? '', /nothing was done/);
  }
});

test('of several who press at once the first takes it on, and the others hear who', () => {
  const bob = { id: '8', name: 'Bob' };
  const presses = new Presses();
  const [first, second] = take(presses, heard([press(carried(0)), press(carried(0), bob)]));
  assert.equal(first?.deed?.is, 'acknowledge');
  assert.deepEqual([second?.deed, second?.says], [undefined, 'Ada via Telegram acknowledged it at 08:01 UTC.']);
  const acknowledged: Acknowledged = { by: 'carol', at: at(20), severity: 'high', reason: 'CrashLoopBackOff' };
  const [third] = take(presses, heard([press(carried(0), bob)]), incident({ acknowledged }));
  assert.deepEqual([third?.deed, third?.says], [undefined, 'carol acknowledged it at 08:00 UTC.']);
});

test('a press is decided once: in one answer, in the next, and after a restart', () => {
  const presses = new Presses();
  const same = press(carried(1), ada, 'same');
  assert.deepEqual(deeds(take(presses, heard([same, same], '11'))), ['silence']);
  assert.deepEqual(take(presses, heard([same], '11')), []);
  const saved = JSON.parse(JSON.stringify([...presses.memory()]));
  for (const [, value] of saved) assert.ok(isRemembered(value));
  const next = new Presses();
  next.restore(new Map(saved));
  assert.equal(next.cursor('c', at(200)), '11');
  assert.deepEqual(take(next, heard([same])), []);
  assert.equal(next.cursor('c', at(200) + 7 * 24 * 3_600_000), undefined, 'products count anew after a week');
  assert.equal(next.cursor('elsewhere', at(200)), undefined);
});

test('what is remembered is bounded, and strangers push nothing out of it', () => {
  const presses = new Presses();
  const same = press(carried(1), ada, 'same');
  const flood = (user: typeof ada): void => {
    for (let round = 0; round < 30; round += 1)
      take(
        presses,
        heard(
          Array.from({ length: 100 }, () => press(carried(1), user)),
          `${count}`,
        ),
      );
  };
  assert.deepEqual(deeds(take(presses, heard([same]))), ['silence']);
  flood(mallory);
  assert.deepEqual(take(presses, heard([same])), []);
  flood(ada);
  const [known] = presses.memory().values();
  assert.equal(known?.decided.length, 200);
});

test('whatever a product sends, nobody but the listed account acts, and nothing throws', () => {
  const text = fc.string({ unit: 'binary', maxLength: 80 });
  const carries = fc.oneof(text, fc.constantFrom(carried(0), carried(1)));
  const user = fc.record({ id: fc.oneof(text, fc.constantFrom('7', '07', ' 7', '7 ', '77')), name: text });
  const any = fc.record({ id: text, user, carries });
  fc.assert(
    fc.property(fc.array(any, { maxLength: 20 }), (all) => {
      const requests = take(new Presses(), heard(all));
      for (const { deed, press: one } of requests) if (deed) assert.ok(one.user.id === '7' || one.user.id === '8');
      assert.equal(requests.length, new Set(all.map(({ id }) => id)).size);
    }),
  );
});

test('a button fits what Telegram carries, and is read back', () => {
  const uid = crypto.randomUUID();
  for (const { carries } of buttonsOf('0123456789abcdef', { uid }, false)) {
    assert.ok(Buffer.byteLength(carries) <= 64, carries);
    assert.deepEqual({ ...askedBy({ carries }), act: 0 }, { act: 0, incident: '0123456789abcdef', uid });
  }
  assert.deepEqual(
    buttonsOf('i', { uid }, true).map(({ text }) => text),
    ['Silence 1 h'],
  );
});
