/** What a claim rests on: it falls with the object that is blamed, and stands whatever else there is. */
import type { RawObject } from '../../src/model/raw-object.ts';
import { kindOf, type Ref, refOf } from '../../src/model/ref.ts';
import { long } from '../explain/proof.ts';
import { at, managed } from '../world/objects.ts';
import { type Claim, claims, type Edge, newHouse } from './adapter.ts';
import { tellWith } from './tell.ts';

const refOfRaw = ({ kind = '', metadata }: RawObject): Ref => refOf(kind, metadata.namespace ?? '', metadata.name);

/** Who is blamed for the trouble of others, as `root < sufferer`. */
const blameIn = (all: readonly Claim[]): ReadonlySet<string> =>
  new Set(all.flatMap(({ root, sufferers }) => sufferers.flatMap((ref) => (ref === root ? [] : [`${root} < ${ref}`]))));

function plainClaims(edge: Edge): readonly Claim[] {
  const k8s = newHouse();
  edge.guilty.tell(k8s);
  return claims(k8s);
}

/** Kinds that are blamed and are no objects of the API that could be taken away, and Pods, which are the trouble itself. */
const noObjects: ReadonlySet<string> = new Set(['Pod', 'Registry', 'ExternalEndpoint', 'Zone']);

/** Whether who is blamed is blamed as well where it never was. `undefined`: it is no object of the story, or its story is about nobody else. */
export function standsWithoutItsCause(edge: Edge): boolean | undefined {
  const cited = plainClaims(edge).filter(
    ({ root, sufferers }) => !noObjects.has(kindOf(root)) && sufferers.some((ref) => ref !== root),
  );
  if (cited.length === 0) return undefined;
  let removed = 0;
  const without = tellWith(edge.guilty, [], (raws) =>
    raws.filter((raw) => {
      const isCited = cited.some(({ root }) => root === refOfRaw(raw));
      if (isCited) removed += 1;
      return !isCited;
    }),
  );
  if (removed === 0) return undefined;
  // That it is not there may be a cause as well, and a true one: then it has another reason.
  return claims(without).some(
    ({ root, reason, confidence, sufferers }) =>
      confidence === 'high' &&
      sufferers.some((ref) => ref !== root) &&
      cited.some((claim) => claim.root === root && claim.reason === reason),
  );
}

/** Irrelevant objects, each edited a moment before the trouble of a story begins. */
const noiseObjects = (now: number): readonly RawObject[] =>
  Array.from({ length: 500 }, (_, number) => ({
    ...{ apiVersion: 'v1', kind: 'ConfigMap' },
    metadata: {
      ...{ name: `noise-${number}`, namespace: `team-${number % 20}`, uid: `noise-${number}` },
      ...{ creationTimestamp: new Date(long).toISOString(), resourceVersion: String(now), generation: 1 },
      managedFields: [managed('kubectl-edit', now, { 'f:data': {} })],
    },
    data: { value: String(now) },
  }));

/** Whether the story of an edge is told otherwise beside 500 objects that have nothing to do with it, and their edits. */
export function fallsInNoise(edge: Edge): boolean {
  const k8s = tellWith(edge.guilty, [
    { at: long, does: (cluster) => cluster.put(long, ...noiseObjects(long)) },
    { at: at(0, 55), does: (cluster) => cluster.put(at(0, 55), ...noiseObjects(at(0, 55))) },
  ]);
  const [plain, noisy] = [blameIn(plainClaims(edge)), blameIn(claims(k8s))];
  return plain.size !== noisy.size || [...plain].some((each) => !noisy.has(each));
}
