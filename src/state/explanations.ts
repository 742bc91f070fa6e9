import type { Explanation } from '../model/explanation.ts';
import { dispositions, type Incident } from '../model/incident.ts';

/** With more findings an explanation is large: it is not saved for every one of them that comes or goes. */
const fewMembers = 100;
/** A large one is saved anew when its findings have become more or fewer by this share. */
const worthSaving = 0.2;

/** An incident as its row holds it: what it is about stands in rows of its own. */
export type IncidentRow = Omit<Incident, 'explanation' | 'left' | 'blamed'> & {
  /** The namespaces of `left`. */
  readonly leftOf?: readonly string[];
  /** Where `blamed` stands: it is the explanation, or has a row of its own. */
  readonly blamedIs?: 'explanation' | 'own';
};

const leftKey = (id: string, audience: string): string => `${id}|${audience}`;
/** No namespace has a name like this. */
const blamedKey = (id: string): string => `${id}|/blamed`;

/** The explanations that an incident holds, by the keys of their rows. */
export function* explanationsOf({
  id,
  explanation,
  left,
  blamed,
}: Incident): Generator<readonly [string, Explanation]> {
  yield [id, explanation];
  if (blamed && blamed !== explanation) yield [blamedKey(id), blamed];
  for (const [audience, last] of Object.entries(left ?? {})) yield [leftKey(id, audience), last];
}

/** The row of an incident. */
export function incidentRowOf({ explanation, left, blamed, ...row }: Incident): IncidentRow {
  return {
    ...row,
    ...(left && { leftOf: Object.keys(left) }),
    ...(blamed && { blamedIs: blamed === explanation ? 'explanation' : 'own' }),
  };
}

const known: ReadonlySet<string> = new Set(dispositions);

/** Without what a newer version has decided in words of its own: that is decided anew. What people were told stands elsewhere. */
const decidedHere = (standings: Incident['standings']): Incident['standings'] =>
  Object.fromEntries(Object.entries(standings).filter(([, { disposition }]) => known.has(disposition)));

/** The incident of a row. `undefined`: a row of its explanations is missing. */
export function incidentOf(
  { leftOf, blamedIs, ...row }: IncidentRow,
  explanationAt: (key: string) => Explanation | undefined,
): Incident | undefined {
  const explanation = explanationAt(row.id);
  if (explanation === undefined) return undefined;
  const blamed = blamedIs === 'own' ? explanationAt(blamedKey(row.id)) : blamedIs && explanation;
  const whole = { ...row, standings: decidedHere(row.standings), explanation, ...(blamed && { blamed }) };
  if (leftOf === undefined) return whole;
  const left = leftOf.flatMap((audience) => {
    const last = explanationAt(leftKey(row.id, audience));
    return last === undefined ? [] : [[audience, last] as const];
  });
  return { ...whole, left: Object.fromEntries(left) };
}

/**
 * Whether a saved explanation must be replaced by what it has become. Of a large one single findings do not matter: after a
 * restart it is worked out again from the cluster, and compared with what people were told, which the incident itself holds.
 */
export function mustReplace(saved: Explanation, now: Explanation): boolean {
  if (saved === now) return false;
  if (now.members.length <= fewMembers || saved.members.length <= fewMembers) return true;
  return (
    saved.root.ref !== now.root.ref ||
    saved.reason !== now.reason ||
    saved.severity !== now.severity ||
    Math.abs(saved.members.length - now.members.length) > worthSaving * saved.members.length
  );
}
