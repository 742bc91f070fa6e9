import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../src/model/raw-object.ts';
import type { Settings } from '../../src/model/settings.ts';
import type { Effects, Input } from '../../src/model/turn.ts';
import { replaySettings } from '../../src/runtime/recording/replay-settings.ts';
import { Core } from '../../src/turn/core.ts';
import { at, condition, daemonSet, ended, job, node, pod, start, status, waiting, workload } from '../world/objects.ts';
import { everyKind, sourceOf } from '../world/story.ts';

/** What every object of JavaScript answers to, so that a table that is a plain object seems to have a row for it. */
const inherited = [
  ...['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__', 'isPrototypeOf', '__defineGetter__'],
  ...['toLocaleString', 'propertyIsEnumerable'],
] as const;

const refused = [condition('ReplicaFailure', 'True', at(-5), 'FailedCreate', 'failed calling webhook "w": refused')];
const short = { status: { readyReplicas: 0, availableReplicas: 0, numberReady: 0, numberAvailable: 0 } };
const crashing = waiting('api', 'CrashLoopBackOff', 'back-off 2m40s restarting failed container=api', {
  restartCount: 5,
  lastState: ended(at(-3), at(-2), 1, 'Error', 'FATAL'),
});
const taints = [{ key: 'node.kubernetes.io/unreachable', value: 'x', effect: 'NoExecute' }];
const pending = { node: undefined, phase: 'Pending', statuses: [] };

/** Objects in trouble, one of every kind and of every way to be told of. */
const samples: readonly RawObject[] = [
  pod('api', { statuses: [crashing], labels: { app: 'api' }, owner: { kind: 'ReplicaSet', name: 'api' } }),
  pod('api', { statuses: [waiting('api', 'ErrImagePull', 'x: not found')], phase: 'Pending' }),
  pod('api', { statuses: [waiting('api', 'CreateContainerConfigError', 'secret "db" not found')] }),
  pod('api', { phase: 'Failed', reason: 'Lost', statuses: [status('api', { ready: false, state: ended(0, at(-5)) })] }),
  pod('api', { ...pending, conditions: [condition('PodScheduled', 'False', at(-9), 'Unschedulable', '0/1 nodes')] }),
  node('n1', { ready: 'Unknown', since: at(-5), spec: { taints }, labels: { 'topology.kubernetes.io/zone': 'a' } }),
  workload('Deployment', 'api', { ...short, conditions: [condition('Available', 'False', at(-9), 'NoPods', 'none')] }),
  workload('ReplicaSet', 'api', { conditions: refused, owner: { kind: 'Deployment', name: 'api' } }),
  workload('StatefulSet', 'db', short),
  daemonSet('agent', short),
  job('report', { conditions: [condition('Failed', 'True', at(-1), 'BackoffLimitExceeded', 'too often')] }),
];

/** Every place of an object where a text is, as the path of keys to it. */
function* placesOf(value: unknown, path: readonly string[] = []): Iterable<readonly string[]> {
  if (typeof value === 'string') yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) yield* placesOf(part, [...path, key]);
}

const structural = new Set(['apiVersion', 'kind', 'creationTimestamp']);

/** The object with the word at one place. */
function withWord(sample: RawObject, [...path]: readonly string[], word: string): RawObject {
  const copy = structuredClone(sample);
  const last = path.pop() ?? '';
  const holder = path.reduce<unknown>(
    (part, key) => Object.entries(Object(part)).find(([own]) => own === key)?.[1],
    copy,
  );
  Object.assign(Object(holder), { [last]: word });
  return copy;
}

/** One provider, in the operator's namespace or a tenant's. */
function settingsFor(namespace: string): Settings {
  const providers = replaySettings.providers.map((provider) => ({ ...provider, namespace }));
  return { ...replaySettings, operatorNamespace: 'tocsin', providers };
}

/** Everything that the people of a namespace are told of this object in the hour after it was first seen. */
function told(raw: RawObject, audience = 'tocsin'): string {
  const core = new Core({ clusterId: 'c', version: '1', traits: new Map() });
  const sources = everyKind.map(({ kind, source }): Input => {
    const coverage = { source, kind, state: 'Watching', reason: 'Synced', since: 0, required: true } as const;
    return { kind: 'source', coverage };
  });
  core.turn([...sources, { kind: 'settings', settings: settingsFor(audience) }, { kind: 'baseline' }], start);
  const texts: string[] = [];
  let now = start + 1000;
  const collect = ({ save, wakeAt }: Effects): number | undefined => {
    for (const { notification } of save.enqueue) {
      const { title, lead, evidence, impact, facts, nextStep } = notification;
      texts.push(JSON.stringify([title, lead, evidence, impact, facts, nextStep]));
    }
    return wakeAt;
  };
  let wakeAt = collect(core.turn([{ kind: 'objects', source: sourceOf(raw), events: [{ is: 'put', raw }] }], now));
  for (let turns = 0; turns < 40 && wakeAt !== undefined && wakeAt < start + 3_600_000; turns += 1) {
    now = wakeAt;
    wakeAt = collect(core.turn([{ kind: 'wake' }], now));
  }
  return texts.join('\n');
}

/** A word that nothing knows, as long as another: titles are cut by length. */
const ordinaryFor = (word: string): string => 'ordinary'.repeat(word.length).slice(0, word.length);

test('names that every object of JavaScript has are words like any other, wherever the cluster says them', () => {
  let places = 0;
  let heard = 0;
  for (const sample of samples) {
    for (const place of placesOf(sample)) {
      if (place.length === 1 || structural.has(place.at(-1) ?? '')) continue;
      places += 1;
      for (const [length, words] of Map.groupBy(inherited, (word) => word.length)) {
        const other = ordinaryFor('x'.repeat(length));
        const plain = told(withWord(sample, place, other));
        if (plain !== '') heard += words.length / inherited.length;
        for (const word of words)
          assert.equal(
            told(withWord(sample, place, word)).replaceAll(word, other),
            plain,
            `${sample.kind} ${place.join('.')}: ${word}`,
          );
      }
    }
  }
  assert.ok(places > 150 && heard > 100, `${heard} of ${places}`);
});

test('a namespace may be called as what every object of JavaScript has', () => {
  const place = ['metadata', 'namespace'];
  const namespaced = samples.filter(({ metadata }) => metadata.namespace !== undefined);
  for (const sample of namespaced) {
    const other = ordinaryFor('constructor');
    assert.equal(
      told(withWord(sample, place, 'constructor'), 'constructor').replaceAll('constructor', other),
      told(withWord(sample, place, other), other),
    );
  }
  const heard = namespaced.filter((sample) => told(withWord(sample, place, 'constructor'), 'constructor') !== '');
  assert.ok(heard.length > 5, `${heard.length} of ${namespaced.length}`);
});
