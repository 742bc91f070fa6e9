import { Detection } from '../../src/detect/detection.ts';
import { sentenceOf } from '../../src/message/phrases/phrases.ts';
import type { CoverageState } from '../../src/model/coverage.ts';
import type { Edition } from '../../src/model/edition.ts';
import type { Finding } from '../../src/model/finding.ts';
import type { ObjectEvent, RawObject } from '../../src/model/raw-object.ts';
import type { Ref } from '../../src/model/ref.ts';
import { sourceOf as sourceOfResource } from '../../src/model/resource.ts';
import { heldKinds } from '../../src/world/kinds/kinds.ts';
import { customKindOf } from '../../src/world/reading/custom-resource.ts';
import { WatchedWorld } from '../../src/world/watched-world.ts';

/** Every kind that is watched, with the name of its source. */
export const everyKind = heldKinds.map((row) => ({ kind: row.kind, source: sourceOfResource(row) }));

/** The source that a raw object comes from. */
export function sourceOf(raw: RawObject): string {
  const kind = raw.kind === 'PartialObjectMetadata' ? 'ConfigMap' : raw.kind;
  const custom = customKindOf(raw)?.toLowerCase().replace('.', 's.');
  return custom ?? everyKind.find((row) => row.kind === kind)?.source ?? '';
}

/** A world in which every kind is watched, and what an edition detects in it; every step evaluates only what became dirty. */
export function story(edition: Edition = 'Community') {
  const world = new WatchedWorld();
  const detection = new Detection(world, { edition });
  const see = (kind: string, state: CoverageState, now: number): void => {
    const source = everyKind.find((row) => row.kind === kind)?.source ?? '';
    const row = { source, kind, state, reason: 'Synced', since: now, required: false } as const;
    detection.evaluate([...world.see(row, now), ...detection.standing()], now);
  };
  for (const { kind } of everyKind) see(kind, 'Watching', 0);

  const apply = (now: number, events: readonly ObjectEvent[]): void => {
    const dirty = new Set<Ref>();
    for (const event of events) for (const ref of world.apply(sourceOf(event.raw), [event], now)) dirty.add(ref);
    detection.evaluate(dirty, now);
  };
  const finding = (ref: Ref, reason: string): Finding => {
    const found = detection.findings(ref).find((entry) => entry.reason === reason);
    if (!found) throw new Error(`${ref} has no ${reason}: ${detection.findings(ref).map((entry) => entry.reason)}`);
    return found;
  };
  return {
    world,
    detection,
    see,
    put: (now: number, ...raws: RawObject[]): void =>
      apply(
        now,
        raws.map((raw) => ({ is: 'put', raw })),
      ),
    /** Objects that were there before anybody watched. */
    load(now: number, ...raws: RawObject[]): void {
      for (const raw of raws) world.load(sourceOf(raw), [{ is: 'put', raw }], now);
      detection.evaluate(new Set(world.everything()), now);
    },
    gone: (now: number, ...raws: RawObject[]): void =>
      apply(
        now,
        raws.map((raw) => ({ is: 'gone', raw })),
      ),
    /** Lets time pass: evaluates at every instant at which time alone may change something. */
    wait(until: number): void {
      for (let turns = 0; turns < 1000; turns++) {
        const due = detection.dueAt;
        if (due === undefined || due > until) break;
        detection.evaluate([], due);
      }
      detection.evaluate([], until);
    },
    /** The reasons found, as `Kind/namespace/name Reason`. */
    found: (): string[] => [...detection.all()].map(({ subject, reason }) => `${subject.ref} ${reason}`),
    finding,
    /** What people read of a finding. */
    says: (ref: Ref, reason: string): string => sentenceOf(finding(ref, reason)),
  };
}
