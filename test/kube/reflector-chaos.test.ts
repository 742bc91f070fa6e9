import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiClient } from '../../src/kube/client.ts';
import { fixedClusterConfig } from '../../src/kube/config.ts';
import { Gate } from '../../src/kube/gate.ts';
import { LineBudget } from '../../src/kube/lines.ts';
import { Prober } from '../../src/kube/prober.ts';
import { Reflector } from '../../src/kube/reflector.ts';
import { runs } from '../runs.ts';
import { Enemy, type Fault, faults } from './support/enemy-api.ts';
import { pods } from './support/reflector-harness.ts';
import { virtualClock } from './support/virtual-clock.ts';

/** Seeds that have found something, or that draw many kinds of faults. The nightly run (`PROPERTY_RUNS=10`) draws others besides. */
const kept = [7, 330, 600, 519_363_933];
const usual = kept.length;
const drawn = Array.from({ length: runs(usual) - usual }, () => Math.floor(Math.random() * 2 ** 31));

/** In one go, so many faults; each lasts for 3 to 60 s, with a pause of as much. */
const faultsAtOnce = 12;
const stepMs = 1_000;
/** What is not known by then is never known: the silence of a watch takes 180 s to be noticed, a back-off 30 s. */
const soonMs = 260_000;
/** Where events were swallowed, a count must find it. */
const countedMs = 780_000;
/** A server that refuses must not be hammered. */
const requestsPerMinute = 40;

function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

for (const [index, seed] of [...kept, ...drawn].entries())
  test(`after ${faultsAtOnce} random faults everything there is is known, and nothing else: seed ${seed}`, async () => {
    const random = seeded(seed);
    const enemy = await Enemy.start(index % 2 === 0);
    const clock = virtualClock();
    const client = createApiClient(fixedClusterConfig({ server: enemy.api.url }), { clock, version: '0' });
    const world = new Map<string, { uid: string; edit: string }>();
    const log: string[] = [];
    let row = '';
    const reflector = new Reflector({
      ...{ client, clock, random, resource: pods, version: 'v1', gate: new Gate(2), budget: new LineBudget() },
      prober: new Prober({ client, clock, random }),
      onEvents(events) {
        for (const { is, raw } of events)
          if (is === 'put')
            world.set(raw.metadata.name, {
              uid: raw.metadata.uid ?? '',
              edit: String(Object.values(raw.metadata.labels ?? {})),
            });
          else world.delete(raw.metadata.name);
      },
      onCoverage: ({ state, reason }) => {
        row = `${state} ${reason}`;
      },
      known: () => [...world].map(([name, { uid }]) => ({ namespace: 'shop', name, uid })),
    });
    const seen = (): Map<string, string> =>
      new Map([...world].map(([name, { uid, edit }]) => [name, `${uid}/${edit}`]));
    /** Lets time pass while things happen, at most so long, until it holds. */
    async function pass(milliseconds: number, holds: () => boolean = () => false, changes = 0.3): Promise<boolean> {
      for (let passed = 0; passed < milliseconds && !holds(); passed += stepMs) {
        if (random() < changes) enemy.change(random);
        if (passed % 30_000 === 0) enemy.bookmark();
        await clock.advance(stepMs);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      return holds();
    }

    try {
      for (let n = 0; n < 8; n++) enemy.change(random);
      reflector.start();
      await pass(20_000);
      let limitMs = soonMs;
      for (let n = 0; n < faultsAtOnce; n++) {
        const fault: Fault | undefined = faults[Math.floor(random() * faults.length)];
        assert.ok(fault);
        const lastsMs = 3_000 + random() * 57_000;
        log.push(`${fault.name} (${Math.round(lastsMs / 1_000)} s)`);
        enemy.fault = fault;
        await fault.begins?.(enemy);
        if (fault.cuts) enemy.cut();
        await pass(lastsMs);
        enemy.fault = undefined;
        await fault.ends?.(enemy);
        if (fault.onlyMakes) limitMs = countedMs;
        if (random() < 0.3) enemy.cut();
        await pass(3_000 + random() * 57_000);
      }
      const requests = enemy.api.seen.filter(({ path }) => path !== '/readyz').length;
      const minutes = (clock.now() - virtualClock().now()) / 60_000;
      const faultsSeen = `${log.join(', ')}; ${row}`;
      assert.ok(requests / minutes <= requestsPerMinute, `${requests} requests in ${minutes} minutes: ${faultsSeen}`);

      const isKnown = (): boolean => {
        const [truth, told] = [enemy.truth(), seen()];
        return (
          row === 'Watching Synced' &&
          truth.size === told.size &&
          [...truth].every(([name, is]) => told.get(name) === is)
        );
      };
      if (!(await pass(limitMs, isKnown, 0))) {
        assert.deepEqual(
          [row, new Map([...seen()].sort())],
          ['Watching Synced', new Map([...enemy.truth()].sort())],
          faultsSeen,
        );
      }
      // What happens from then on is told as it happens.
      for (let n = 0; n < 5; n++) {
        enemy.change(random);
        assert.ok(await pass(5_000, isKnown, 0), `a change after: ${faultsSeen}`);
      }
      assert.equal(reflector.stats().handlerErrors, 0);
    } finally {
      await reflector.stop();
      await client.close();
      await enemy.api.close();
    }
    assert.equal(clock.pending(), 0, 'no timer is left');
  });
