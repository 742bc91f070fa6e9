import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Detection } from '../../src/detect/detection.ts';
import { Explainer } from '../../src/explain/explainer.ts';
import type { CoverageState } from '../../src/model/coverage.ts';
import type { Finding } from '../../src/model/finding.ts';
import type { ObjectEvent, RawObject } from '../../src/model/raw-object.ts';
import { kindOf, type Ref } from '../../src/model/ref.ts';
import type { ObservedWorld } from '../../src/world/view/world.ts';
import { WatchedWorld } from '../../src/world/watched-world.ts';
import { fc } from '../fast-check.ts';
import { runs } from '../runs.ts';
import { at, stamp } from '../world/objects.ts';
import { portrait } from '../world/portrait.ts';
import { everyKind, sourceOf } from '../world/story.ts';
import { clusters, type Happening, nameOf, type Versions } from './any-cluster.ts';

/** Everything happens at this instant: what is told of since when is then told by the objects alone. */
const now = at(60);
/** Nothing that is seen to change is taken to have happened longer ago than a minute. */
const earliest = stamp(now - 50_000);

/** The object as if all of it had happened in the last minute. */
const recent = (raw: RawObject): RawObject =>
  JSON.parse(JSON.stringify(raw), (_, value: unknown) =>
    typeof value === 'string' && /^20\d\d-\d\d-\d\dT[\d:.]+Z$/.test(value) && value < earliest ? earliest : value,
  ) as RawObject;

/** Every source there is here, by its kind in refs: of all kinds, and of a custom resource that one story has. */
const sources = [...everyKind, { kind: 'Certificate.cert-manager.io', source: 'certificates.cert-manager.io' }];

const kindOfSource = (source: string): string => sources.find((row) => row.source === source)?.kind ?? '';

/** A world with all that is judged of it, as the turn drives them. */
class Watcher {
  readonly world = new WatchedWorld();
  readonly detection = new Detection(this.world, { edition: 'Pro' });
  readonly explainer = new Explainer(this.world, this.detection);
  dirty = new Set<Ref>();

  constructor() {
    for (const { source } of sources) this.see(source, 'Syncing');
  }

  see(source: string, state: CoverageState): void {
    const [kind = ''] = kindOfSource(source).split('.');
    const row = { source, kind, state, reason: 'Synced', since: 0, required: false } as const;
    for (const ref of [...this.world.see(row, now), ...this.detection.standing()]) this.dirty.add(ref);
  }

  hear(...events: readonly ObjectEvent[]): void {
    for (const event of events)
      for (const ref of this.world.apply(sourceOf(event.raw), [event], now)) this.dirty.add(ref);
  }

  /** Every object of a source as it is, and what is not there any more, as a list after a watch that broke off. */
  relist(source: string, objects: readonly RawObject[]): void {
    const own = objects.filter((raw) => sourceOf(raw) === source);
    const known = new Set(own.map(nameOf));
    this.see(source, 'Syncing');
    this.hear(...own.map((raw) => ({ is: 'put' as const, raw })));
    const kind = kindOfSource(source);
    const [name = '', group] = kind.split(/\.(.*)/);
    for (const { uid, ...key } of this.world.keys(kind)) {
      const gone = { apiVersion: group === undefined ? 'v1' : `${group}/v1`, kind: name, metadata: { ...key, uid } };
      if (!known.has(nameOf(gone))) this.hear({ is: 'gone', raw: gone });
    }
    this.see(source, 'Watching');
  }

  judge(): void {
    const { changed } = this.detection.evaluate(this.dirty, now);
    this.explainer.explain(new Set([...this.dirty, ...changed]), now, []);
    this.dirty = new Set();
  }

  findings = (): readonly Finding[] => [...this.detection.all()];
}

/** What a cluster is in the end, and how it was watched on the way. */
function live(objects: readonly Versions[], happenings: readonly Happening[]) {
  const watcher = new Watcher();
  const truth = new Map<string, RawObject>();
  const versions = objects.map((each) => each.map(recent));
  for (const [first] of versions) if (first) truth.set(nameOf(first), first);
  const missed = new Set<string>();
  const relist = (source: string): void => {
    watcher.relist(source, [...truth.values()]);
    missed.delete(source);
  };
  for (const { source } of sources) relist(source);
  for (const { what, object, version } of happenings) {
    const own = versions[object % versions.length] ?? [];
    const raw = own[version % own.length];
    if (!raw) continue;
    const [name, source] = [nameOf(raw), sourceOf(raw)];
    const known = truth.get(name);
    // A watch tells things in their order: after one that was missed nothing, until there is a list.
    const isHeard = !missed.has(source) && !what.startsWith('missed');
    if (what === 'put' || what === 'missedPut') truth.set(name, raw);
    if (what === 'gone' || what === 'missedGone') truth.delete(name);
    if (what === 'relist') relist(source);
    else if (!isHeard) missed.add(source);
    else if (what === 'put') watcher.hear({ is: 'put', raw }, { is: 'put', raw });
    else if (what === 'gone' && known) watcher.hear({ is: 'gone', raw: known }, { is: 'gone', raw: known });
    else if (what === 'again' && known) watcher.hear({ is: 'put', raw: known });
    watcher.judge();
  }
  for (const source of missed) relist(source);
  watcher.judge();
  return { watcher, truth: [...truth.values()] };
}

/** A watcher that has seen nothing but the last list. */
function fresh(truth: readonly RawObject[]): Watcher {
  const watcher = new Watcher();
  for (const { source } of sources) watcher.relist(source, truth);
  watcher.judge();
  return watcher;
}

const remembered: ReadonlySet<PropertyKey> = new Set<keyof ObservedWorld>([
  ...([
    'lostOn',
    'instability',
    'warnings',
    'changes',
    'departures',
    'events',
    'restartsAfter',
    'pullError',
    'since',
    'turns',
    'runsSinceSuccess',
    'ownNormal',
    'restartsChangeAt',
    'starts',
  ] as const),
]);

/**
 * A world with the memory of another: what only somebody who kept watching can know. Edits, how Pods went, restarts, texts of
 * pulls, since when something without a time has been so, turns of conditions, runs of CronJobs, Events,
 * what is normal for a workload, how long its Pods took to start, and who replaces whom.
 */
function withMemoryOf(other: ObservedWorld, world: ObservedWorld): ObservedWorld {
  return new Proxy(world, {
    get(target, name) {
      if (name === 'linked')
        return (...[ref, type, way, limit]: Parameters<ObservedWorld['linked']>) =>
          (type === 'replaces' ? other : target).linked(ref, type, way, limit);
      const from: ObservedWorld = remembered.has(name) ? other : target;
      const value: unknown = Reflect.get(from, name, from);
      return typeof value === 'function' ? value.bind(from) : value;
    },
  });
}

/**
 * What is looked at when its time has come, not whenever what it goes by changes: a Lease when it should have been renewed, whoever else
 * renews; a claim for devices at the end of its wait, whatever devices come and go. Who looks more often sees these earlier.
 */
const isJudgedAtOnce = ({ subject }: Finding): boolean => !['Lease', 'ResourceClaim'].includes(kindOf(subject.ref));

test('whatever was seen and missed on the way, the world is that of a fresh list of what there is', () => {
  fc.assert(
    fc.property(clusters, ({ objects, happenings }) => {
      const { watcher, truth } = live(objects, happenings);
      const { world } = fresh(truth);
      const targets = [...watcher.world.everything()];
      assert.deepEqual(portrait(watcher.world, targets), portrait(world, targets));
    }),
    { numRuns: runs(50) },
  );
});

test('whatever was seen on the way, what is found and blamed is that of a fresh list, given what only watching can tell', () => {
  fc.assert(
    fc.property(clusters, ({ objects, happenings }) => {
      const { watcher, truth } = live(objects, happenings);
      const world = withMemoryOf(watcher.world, fresh(truth).world);
      const detection = new Detection(world, { edition: 'Pro' });
      const all = [...fresh(truth).world.everything()];
      detection.evaluate(all, now);
      // What stands for want of sight is what only somebody knows who saw it before.
      const standing = new Set(watcher.detection.standing());
      const isJudged = (finding: Finding): boolean => !standing.has(finding.subject.ref) && isJudgedAtOnce(finding);
      assert.deepEqual(watcher.findings().filter(isJudged), [...detection.all()].filter(isJudged));
      if (standing.size > 0 || ![...detection.all()].every(isJudgedAtOnce)) return;
      const explain = (seen: ObservedWorld, by: Detection) => new Explainer(seen, by).explain(new Set(all), now, []);
      assert.deepEqual(explain(watcher.world, watcher.detection), explain(world, detection));
    }),
    { numRuns: runs(50) },
  );
});

test('judging only what became dirty finds the same as judging everything, in a cluster of any kinds', () => {
  fc.assert(
    fc.property(clusters, fc.nat(300), ({ objects, happenings }, seconds) => {
      const world = new WatchedWorld();
      const lazy = new Detection(world, { edition: 'Pro' });
      const eager = new Detection(world, { edition: 'Pro' });
      for (const { source } of sources) {
        const [kind = ''] = kindOfSource(source).split('.');
        world.see({ source, kind, state: 'Watching', reason: 'Synced', since: 0, required: false }, at(0));
      }
      const seen = new Set<Ref>();
      const step = (when: number, ...events: readonly ObjectEvent[]): void => {
        const dirty = new Set<Ref>();
        for (const event of events) for (const ref of world.apply(sourceOf(event.raw), [event], when)) dirty.add(ref);
        for (const ref of dirty) seen.add(ref);
        lazy.evaluate(dirty, when);
        eager.evaluate(seen, when);
        assert.deepEqual([...lazy.all()].filter(isJudgedAtOnce), [...eager.all()].filter(isJudgedAtOnce));
      };
      step(at(0), ...objects.flatMap(([raw]) => (raw ? [{ is: 'put' as const, raw }] : [])));
      for (const [index, { what, object, version }] of happenings.entries()) {
        const own = objects[object % objects.length] ?? [];
        const raw = own[version % own.length];
        if (raw) step(at(0, (index + 1) * seconds), { is: what === 'gone' ? 'gone' : 'put', raw });
      }
    }),
    { numRuns: runs(50) },
  );
});
