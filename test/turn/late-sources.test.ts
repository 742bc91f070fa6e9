import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CoverageState } from '../../src/model/coverage.ts';
import type { RawObject } from '../../src/model/raw-object.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import type { Input } from '../../src/model/turn.ts';
import { Core } from '../../src/turn/core.ts';
import { provider } from '../delivery/stage.ts';
import { coverage } from '../runtime/helpers.ts';

const start = Date.parse('2026-11-20T09:00:00Z');
const hour = 3_600_000;

/** A Deployment without a ready replica for most of an hour before the start. */
function unavailable(name: string): RawObject {
  const since = new Date(start - 50 * 60_000).toISOString();
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment' },
    metadata: {
      name,
      namespace: 'shop',
      uid: name,
      generation: 1,
      creationTimestamp: new Date(start - hour).toISOString(),
    },
    spec: { replicas: 1, selector: { matchLabels: { app: name } }, template: { spec: { containers: [] } } },
    status: {
      ...{ observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: 0, availableReplicas: 0 },
      conditions: [{ type: 'Available', status: 'False', lastTransitionTime: since, lastUpdateTime: since }],
    },
  };
}

const source = (name: string, kind: string, state: CoverageState): Input => ({
  kind: 'source',
  coverage: { ...coverage(name, state), kind },
});

/** A core that started without sight of Deployments, and everything it enqueues. */
function blindToDeployments() {
  const core = new Core({ clusterId: 'c', version: '1', traits: new Map() });
  const settings = { ...defaultSettings, providers: [provider('oncall')] };
  const told: string[] = [];
  const leads: string[] = [];
  const turn = (inputs: readonly Input[], now: number): number | undefined => {
    const effects = core.turn(inputs, now);
    for (const { act, notification } of effects.save.enqueue) {
      told.push(act);
      leads.push(notification.lead);
    }
    return effects.wakeAt;
  };
  const seen = ['Pod', 'ReplicaSet', 'Node'].map((kind) => source(`${kind.toLowerCase()}s`, kind, 'Watching'));
  const denied = source('deployments.apps', 'Deployment', 'Denied');
  turn([...seen, denied, { kind: 'settings', settings }, { kind: 'baseline' }], start);
  return {
    told,
    leads,
    turn,
    /** Runs every turn that is asked for until an instant. */
    wait(from: number | undefined, until: number): void {
      let next = from;
      for (let turns = 0; turns < 100 && next !== undefined && next <= until; turns += 1)
        next = turn([{ kind: 'wake' }], next);
    },
  };
}

const objects: Input = {
  kind: 'objects',
  source: 'deployments.apps',
  events: Array.from({ length: 15 }, (_, index) => ({ is: 'put', raw: unavailable(`app-${index}`) })),
};

for (const [how, turns] of [
  ['in one turn', [[objects, source('deployments.apps', 'Deployment', 'Watching')]]],
  [
    'page by page',
    [
      [source('deployments.apps', 'Deployment', 'Syncing')],
      [objects],
      [source('deployments.apps', 'Deployment', 'Watching')],
    ],
  ],
] as const)
  test(`outages of a kind that Tocsin may see only an hour after its start (${how}) are one summary`, () => {
    const core = blindToDeployments();
    let next: number | undefined;
    for (const [index, inputs] of turns.entries()) next = core.turn(inputs, start + hour + index * 1_000);
    core.wait(next, start + 2 * hour);
    assert.deepEqual(core.told, ['startup']);
    assert.match(core.leads.join(), /now also sees Deployments\. Here are the worst 10 of 15\./);
  });

test('a source that fails and comes back is not late: what broke meanwhile is told', () => {
  const core = blindToDeployments();
  core.turn([source('deployments.apps', 'Deployment', 'Watching')], start + 1_000);
  core.turn([source('deployments.apps', 'Deployment', 'Failing')], start + 2_000);
  const next = core.turn([objects, source('deployments.apps', 'Deployment', 'Watching')], start + hour);
  core.wait(next, start + 2 * hour);
  assert.equal(core.told.filter((act) => act === 'open').length, 15);
});
