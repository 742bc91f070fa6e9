import { type CollectOptions, collectDump, type Snapshot } from '../dump/collect.ts';
import { Growth } from '../dump/growth.ts';
import { ofDeployment } from '../dump/made-by.ts';
import { Rollouts } from '../dump/rollouts.ts';
import type { Coverage } from '../model/coverage.ts';
import type { RawObject } from '../model/raw-object.ts';
import { refOf } from '../model/ref.ts';
import { sourceOf } from '../model/resource.ts';
import { defaultSettings } from '../model/settings.ts';
import type { Effects, Input } from '../model/turn.ts';
import { Core } from '../turn/core.ts';
import { kindInRefs, watchedKinds } from '../world/kinds/kinds.ts';
import { collectGarbage } from './collect-garbage.ts';
import type { Seen } from './diagnosis.ts';
import { linesFor } from './dump-logs.ts';
import { HeldSince } from './held-since.ts';
import { dumpLimits } from './limits.ts';
import { byWeight, unseenResource } from './unseen.ts';

/** Objects handed to the core at once. */
const atOnce = 500;
/** Logs that are held in others' incidents are asked for little by little: so many seconds at most. */
const longestReadingSeconds = 30;
/**
 * What keeps no time of its own (a volume that its driver will not grow) is as old as it is seen. A dump takes longer to write than what is
 * final takes to be called so, 15 s: its objects are seen a second more before its end.
 */
const seenBeforeMs = 16_000;
/** Dumps with so many characters of objects leave garbage that is worth collecting: below it, 20 MiB of 230 would be saved at most. */
const worthCollecting = 8 * 1024 ** 2;

/** Judges what a dump holds, by the dump's own clock. Rejects with `DumpError` where it cannot be read. */
export async function lookAtDump(options: CollectOptions & { readonly version: string }): Promise<Seen> {
  return judged(await collectDump(options), options.version);
}

function judged(snapshot: Snapshot, version: string): Seen {
  const { name, format, now, serverVersion } = snapshot;
  const held = new HeldSince(now, now - seenBeforeMs);
  const core = new Core({
    clusterId: name,
    version,
    traits: new Map(),
    setsAside: true,
    isAsked: true,
    heldSince: held.of,
  });
  core.turn([{ kind: 'settings', settings: defaultSettings }], now);
  const coverage = coverageOf(snapshot);
  core.turn(
    coverage.map((row): Input => ({ kind: 'source', coverage: row })),
    now,
  );
  const hasReplicaSets = snapshot.kinds.some(
    ({ resource, objects }) => resource.kind === 'ReplicaSet' && objects.length > 0,
  );
  const [rollouts, growth] = [new Rollouts(), new Growth()];
  const read = (json: string): RawObject => {
    const raw = growth.told(rollouts.told(snapshot.writeOrder.told(JSON.parse(json) as RawObject)));
    rollouts.note(raw);
    growth.note(raw);
    return hasReplicaSets ? raw : ofDeployment(raw);
  };
  // What the core has taken in is let go: as text and as objects it would be held twice.
  for (const { resource, objects } of inOrder(snapshot.kinds))
    while (objects.length > 0) {
      const events = objects.splice(0, atOnce).map((json) => {
        const raw = read(json);
        held.note(refOf(kindInRefs(resource), raw.metadata.namespace, raw.metadata.name), raw, json);
        return { is: 'put', raw } as const;
      });
      core.turn([{ kind: 'objects', source: sourceOf(resource), events }], now);
    }
  held.spread(core.view.world);
  if (snapshot.size >= worthCollecting) collectGarbage();
  const end = readLogs(core, core.turn([{ kind: 'baseline' }], now), snapshot);
  return {
    ...{ view: core.view, now: end, watchedMs: 0, coverage: [] },
    looked: { is: 'file', name, format, ...(serverVersion !== undefined && { serverVersion }) },
    unseen: watchedKinds
      .map(sourceOf)
      .filter((source) => !coverage.some((row) => row.source === source))
      .map((source) => unseenResource(source, 'there are none in the dump'))
      .sort(byWeight),
    limits: dumpLimits(snapshot),
  };
}

/** In the order in which an operator lists them: what others refer to comes first, Events last. */
function inOrder(kinds: Snapshot['kinds']): Snapshot['kinds'] {
  const order = new Map(watchedKinds.map((row, index) => [sourceOf(row), index]));
  const place = ({ resource }: Snapshot['kinds'][number]): number => order.get(sourceOf(resource)) ?? 0;
  return kinds.toSorted((a, b) => place(a) - place(b));
}

/** What is in a dump is seen; that something is not there only where the dump has all of it. */
function coverageOf({ kinds, now }: Snapshot): readonly Coverage[] {
  const namespaces = namespacesIn(kinds);
  return kinds.map(({ resource, whole }): Coverage => {
    const { kind, namespaced } = resource;
    const everywhere = namespaced ? namespaces?.every((name) => whole.has(name)) === true : whole.has('');
    const row = {
      source: sourceOf(resource),
      kind,
      state: 'Watching',
      reason: 'Synced',
      since: now,
      required: false,
    } as const;
    return everywhere ? row : { ...row, within: [...whole] };
  });
}

/** All namespaces that there are; `undefined`: that is not known. */
function namespacesIn(kinds: Snapshot['kinds']): readonly string[] | undefined {
  const all = kinds.find(({ resource, whole }) => resource.kind === 'Namespace' && whole.has(''));
  return all?.objects.map((json) => (JSON.parse(json) as RawObject).metadata.name);
}

/** Answers every request for a log from the dump, until none comes any more. Returns the time at which that is so. */
function readLogs(core: Core, first: Effects, { logs, now }: Snapshot): number {
  let at = now;
  let { fetch } = first;
  for (let quiet = 0; quiet < 3 && at < now + longestReadingSeconds * 1000; ) {
    const answers = fetch.map(
      (request): Input => ({ kind: 'evidence', evidence: linesFor(request, logs.get(request.pod) ?? []) }),
    );
    quiet = fetch.length > 0 ? 0 : quiet + 1;
    at += fetch.length > 0 ? 1 : 1_000;
    fetch = core.turn(answers.length > 0 ? answers : [{ kind: 'wake' }], at).fetch;
  }
  return at;
}
