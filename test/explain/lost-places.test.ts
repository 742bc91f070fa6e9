/** Machines of a pool over three zones, or of a zone with parts of two pools, as a control plane gives them up: one after the other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, node } from '../world/objects.ts';
import { app, long, podOf, unready } from './proof.ts';
import { house } from './raw.ts';

const zones = ['eu-1a', 'eu-1b', 'eu-1c'];
type Machine = { readonly name: string; readonly zone: string; readonly pool: string };
/** 60 machines: 20 in each zone, and a third of them, over all zones, of the pool `spot`. */
const machines = Array.from({ length: 60 }, (_, index): Machine => {
  const zone = zones[index % 3] ?? '';
  return { name: `m${String(index).padStart(2, '0')}`, zone, pool: index % 9 < 3 ? 'spot' : 'standard' };
});
const clients = Array.from({ length: 10 }, (_, index) => `client-${index}`);

const made = ({ name, zone, pool }: Machine, since: number, ready: 'True' | 'Unknown' = 'True') =>
  node(name, {
    ...{ since, ready },
    labels: { 'topology.kubernetes.io/zone': zone, 'eks.amazonaws.com/nodegroup': pool },
  });

/** Everybody in turn from every place, so that each comes late and nothing is in order. */
const mixed = (lost: readonly Machine[]): Machine[] =>
  lost.map((_, index) => lost[(index * 11) % lost.length]).filter((machine) => machine !== undefined);
const byZone = (lost: readonly Machine[]): Machine[] => [...lost].sort((a, b) => (a.zone < b.zone ? -1 : 1));

/** What is told while machines are lost one after the other, and when they are all back in another order. */
function told(lost: readonly Machine[], gapMs: number): readonly string[] {
  const k8s = house();
  const podsOn = (machine: Machine, conditions?: ReturnType<typeof unready>) => {
    const index = machines.indexOf(machine);
    const client = clients[index % clients.length] ?? '';
    return podOf(client, String(index), { node: machine.name, ...(conditions && { conditions }) });
  };
  k8s.put(
    long,
    ...machines.map((machine) => made(machine, long)),
    ...clients.flatMap((name) => app(name)),
    ...lost.map((machine) => podsOn(machine)),
  );
  k8s.wait(at(0));
  for (const [index, machine] of lost.entries()) {
    const now = at(0, 40) + index * gapMs;
    k8s.wait(now);
    k8s.put(now, made(machine, now, 'Unknown'));
    k8s.put(now + 50, podsOn(machine, unready(now)));
  }
  k8s.wait(at(6));
  for (const [index, machine] of mixed(lost).reverse().entries()) {
    const now = at(6) + index * gapMs;
    k8s.wait(now);
    k8s.put(now, made(machine, now), podsOn(machine));
  }
  k8s.wait(at(20));
  return k8s.told;
}

const openings = (lines: readonly string[]): string[] =>
  lines.filter((line) => line.startsWith('open ')).map((line) => line.split(' ')[1] ?? '');
const ends = (lines: readonly string[]): number => lines.filter((line) => line.startsWith('resolve ')).length;

const pool = machines.filter((machine) => machine.pool === 'spot');
const zone = machines.filter((machine) => machine.zone === 'eu-1b');

for (const gapMs of [100, 1_000, 3_000]) {
  test(`a pool over three zones, lost machine by machine every ${gapMs} ms, is one message of the pool and its end`, () => {
    const lines = told(mixed(pool), gapMs);
    assert.deepEqual(openings(lines), ['NodePool//spot']);
    assert.equal(lines.length, 2);
    assert.equal(ends(lines), 1);
  });

  test(`a zone with parts of two pools, lost machine by machine every ${gapMs} ms, is one message of the zone and its end`, () => {
    const lines = told(mixed(zone), gapMs);
    assert.deepEqual(openings(lines), ['Zone//eu-1b']);
    assert.equal(lines.length, 2);
    assert.equal(ends(lines), 1);
  });

  test(`a pool and a zone that are lost together, every ${gapMs} ms a machine, stay two`, () => {
    const lines = told(mixed([...new Set([...pool, ...zone])]), gapMs);
    assert.deepEqual(openings(lines).sort(), ['NodePool//spot', 'Zone//eu-1b']);
    assert.equal(ends(lines), 2);
  });
}

test('a pool that is lost zone by zone, slowly: who is told of the first zone is told that it is the pool, in the same incident', () => {
  const lines = told(byZone(pool), 3_000);
  assert.deepEqual(openings(lines), ['Zone//eu-1a']);
  assert.ok(
    lines.some((line) => line.startsWith('update NodePool//spot RootRevised')),
    lines.join('\n'),
  );
  assert.equal(ends(lines), 1);
});
