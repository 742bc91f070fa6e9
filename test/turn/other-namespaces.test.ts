import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObjectEvent } from '../../src/model/raw-object.ts';
import type { Settings } from '../../src/model/settings.ts';
import type { Effects, EventRequest, Input } from '../../src/model/turn.ts';
import { replaySettings } from '../../src/runtime/recording/replay-settings.ts';
import { Core } from '../../src/turn/core.ts';
import { app, podOf, twoNodes } from '../explain/proof.ts';
import { said, saying } from '../explain/said.ts';
import { endpointSlice, service } from '../world/network-objects.ts';
import { at, start } from '../world/objects.ts';
import { everyKind, sourceOf } from '../world/story.ts';
import { type Step, toldStories } from './told-stories.ts';

/** Providers of the cluster's people, and of these namespaces. */
function settingsFor(...namespaces: readonly string[]): Settings {
  const providers = ['tocsin', ...namespaces].flatMap((namespace) =>
    replaySettings.providers.map((provider) => ({
      ...provider,
      ...({ namespace, ref: `AlertProvider/${namespace}/p`, uid: namespace } as const),
    })),
  );
  return { ...replaySettings, edition: 'Pro', operatorNamespace: 'tocsin', providers };
}

/** Who is told what, by namespace, and which Events are written, within 40 minutes after the last step. */
function told(steps: readonly Step[], settings: Settings) {
  const core = new Core({ clusterId: 'c', version: '1', traits: new Map() });
  const texts: { readonly to: string; readonly text: string }[] = [];
  const events: EventRequest[] = [];
  let now = (steps[0]?.at ?? start) - 1000;
  let wakeAt: number | undefined;
  const turn = (then: number, ...inputs: readonly Input[]): void => {
    now = Math.max(now, then);
    const effects: Effects = core.turn(inputs, now);
    wakeAt = effects.wakeAt;
    for (const { provider, notification } of effects.save.enqueue)
      texts.push({ to: provider.split('/')[1] ?? '', text: JSON.stringify(notification) });
    events.push(...effects.events);
  };
  const pass = (until: number): void => {
    for (let turns = 0; turns < 80 && wakeAt !== undefined && wakeAt <= until; turns += 1)
      turn(wakeAt, { kind: 'wake' });
  };
  const sources = everyKind.map(({ kind, source }): Input => {
    const coverage = { source, kind, state: 'Watching', reason: 'Synced', since: 0, required: true } as const;
    return { kind: 'source', coverage };
  });
  turn(now, ...sources, { kind: 'settings', settings }, { kind: 'baseline' });
  for (const step of steps) {
    pass(step.at);
    turn(
      step.at,
      ...step.events.map((event): Input => ({ kind: 'objects', source: sourceOf(event.raw), events: [event] })),
    );
  }
  pass(now + 40 * 60_000);
  return { texts, events };
}

/** The same object in a namespace that nobody of `shop` may read. */
const hidden = ({ is, raw }: ObjectEvent): ObjectEvent => ({
  is,
  raw: JSON.parse(
    JSON.stringify(raw)
      .replaceAll('"shop"', '"hidden"')
      .replaceAll('shop/', 'hidden/')
      .replaceAll('uid-of-', 'hidden-uid-of-'),
  ),
});

test('whatever happens in two namespaces alike, the messages and Events of one show no name of the other', () => {
  const settings = settingsFor('shop');
  let heard = 0;
  for (const { reason, steps } of toldStories) {
    const both = steps.map((step) => ({
      ...step,
      events: step.events.flatMap((event) =>
        JSON.stringify(event.raw).includes('"shop"') ? [event, hidden(event)] : [event],
      ),
    }));
    const { texts, events } = told(both, settings);
    const read = [
      ...texts.filter(({ to }) => to === 'shop').map(({ text }) => text),
      ...events.filter(({ about }) => about.includes('/shop/')).map(({ message }) => message),
    ];
    heard += read.length;
    for (const text of read) assert.doesNotMatch(text, /hidden/, reason);
  }
  assert.ok(heard > 200, `${heard} texts`);
});

/** A Service of `shop` that nobody reaches, say two workloads of other namespaces, which are named in the message for the cluster. */
const unreached = (...namespaces: readonly [string, string]): readonly Step[] => [
  {
    at: start,
    events: [
      ...twoNodes,
      service('payments', { createdAt: at(-60) }),
      endpointSlice('payments', { ready: 2, createdAt: at(-60) }),
      ...['liar-a', 'liar-b'].flatMap((name, index) => [
        ...app(name, { namespace: namespaces[index] ?? '', uid: name }),
        podOf(name, 'a', {
          ...{ namespace: namespaces[index] ?? '', uid: `${name}-a`, node: `n${index + 1}` },
          ...saying(at(-60), at(0), said.refused('payments.shop.svc.cluster.local')),
        }),
      ]),
    ].map((raw) => ({ is: 'put', raw })),
  },
];

test("the Event on an object tells its namespace's readers as much as a message to them: no workloads of others", () => {
  const { texts, events } = told(unreached('team', 'team-b'), settingsFor('shop', 'team'));
  const to = (namespace: string): string => texts.find((each) => each.to === namespace)?.text ?? '';
  assert.match(to('tocsin'), /Service shop\/payments .*team\/liar-a/, 'the whole cluster reads who suffers');
  const event = events.find(({ about }) => about === 'Service/shop/payments')?.message ?? '';
  assert.match(event, /^Service shop\/payments refuses connections/);
  assert.match(to('shop'), /Service shop\/payments/);
  assert.doesNotMatch(event + to('shop'), /liar|team/);
});

test('what only programs of one other namespace say of a Service is no message to its team and no Event on it', () => {
  const { texts, events } = told(unreached('team', 'team'), settingsFor('shop', 'team'));
  assert.deepEqual([...new Set(texts.map(({ to }) => to))].sort(), ['team', 'tocsin']);
  assert.deepEqual(
    events.filter(({ about }) => about.includes('/shop/')),
    [],
  );
});

test('a tenant learns by no line that it logs which Services other namespaces have', () => {
  const looked = (there: boolean) =>
    told(
      [
        {
          at: start,
          events: [
            ...twoNodes,
            ...(there ? [service('acquisition', { namespace: 'secret' })] : []),
            ...app('api', { namespace: 'team' }),
            podOf('api', 'a', { namespace: 'team', ...saying(at(-60), at(0), said.unresolved('acquisition')) }),
          ].map((raw) => ({ is: 'put', raw })),
        },
      ],
      settingsFor('team'),
    ).texts;
  const [with_, without] = [looked(true), looked(false)];
  const read = (texts: ReturnType<typeof looked>) => texts.filter(({ to }) => to === 'team');
  assert.ok(read(with_).length > 0);
  assert.deepEqual(read(with_), read(without));
  assert.match(with_.find(({ to }) => to === 'tocsin')?.text ?? '', /namespace secret has a Service of that name/);
});
