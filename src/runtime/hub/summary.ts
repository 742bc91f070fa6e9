import {
  type ClusterIncident,
  type ClusterRow,
  type HubVerdict,
  isOutside,
  type MemberReport,
  type OutsideCause,
} from '../../model/hub.ts';
import { pullCauses } from '../../model/pull-cause.ts';
import { type Reason, reasonTraits } from '../../model/reason.ts';
import { cleanText, redact } from '../../model/redact.ts';
import { isRef } from '../../model/ref.ts';
import { type Severity, severities } from '../../model/severity.ts';
import { mostCauses } from '../../turn/outside.ts';
import { fieldsOf, parsed } from './envelope.ts';

/** Open incidents that a summary names besides the causes outside. */
export const mostWorst = 10;
/** Characters of a name of a cluster, of a version, of a title and of a root. */
const most = { name: 63, version: 40, title: 120, root: 300 };
/** Objects and incidents are counted up to here. */
const mostCounted = 1_000_000;

/** What a member posts. `at`: its clock (epoch milliseconds). `nonce`: the answer repeats it. */
export type Summary = Omit<ClusterRow, 'heardAt'> &
  Pick<MemberReport, 'causes'> & { readonly at: number; readonly nonce: string };

/** What the hub answers. `to`: the nonce of the summary. `name`: of the hub. */
export type HubAnswer = {
  readonly to: string;
  readonly name: string;
  readonly verdicts: Readonly<Record<string, HubVerdict>>;
};

/** A text of another cluster, on one line: no control characters, no credentials, cut. */
function plain(value: unknown, max: number): string {
  if (typeof value !== 'string') return '';
  return cleanText(
    redact(
      cleanText(value.slice(0, 4 * max))
        .replace(/\s+/g, ' ')
        .trim(),
    ),
    max,
  );
}

const idOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[0-9a-z-]{4,64}$/i.test(value) ? value : undefined;

const wholeOf = (value: unknown, max: number): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? Math.min(value, max) : undefined;

const severityOf = (value: unknown): Severity | undefined => severities.find((one) => one === value);

const reasonOf = (value: unknown): Reason | undefined =>
  typeof value === 'string' && Object.hasOwn(reasonTraits, value) ? (value as Reason) : undefined;

const listOf = (value: unknown, max: number): readonly unknown[] => (Array.isArray(value) ? value.slice(0, max) : []);

/** `at`: nothing began later (epoch milliseconds). */
function causeOf(value: unknown, at: number): readonly OutsideCause[] {
  const fields = fieldsOf(value);
  const { root } = fields;
  const [id, reason, severity] = [idOf(fields.id), reasonOf(fields.reason), severityOf(fields.severity)];
  const [since, affected] = [wholeOf(fields.since, at), wholeOf(fields.affected, mostCounted)];
  if (typeof root !== 'string' || root.length > most.root || !isRef(root) || !isOutside(root)) return [];
  if (id === undefined || reason === undefined || severity === undefined) return [];
  if (since === undefined || affected === undefined) return [];
  const pullCause = pullCauses.find((one) => one === fields.pullCause);
  return [
    {
      ...{ id, root, reason, severity, since, affected },
      ...(pullCause !== undefined && { pullCause }),
      ...(fields.isUnsettled === true && { isUnsettled: true }),
      ...(fields.isClear === true && { isClear: true }),
    },
  ];
}

function incidentOf(value: unknown, at: number): readonly ClusterIncident[] {
  const fields = fieldsOf(value);
  const [reason, severity, since] = [reasonOf(fields.reason), severityOf(fields.severity), wholeOf(fields.since, at)];
  if (reason === undefined || severity === undefined || since === undefined) return [];
  return [{ reason, severity, since, title: plain(fields.title, most.title) }];
}

/**
 * What a member has signed, cut and checked: it may be of another version, or in other hands. What is not understood of it is left out; a summary
 * that does not say whose and when it is, is none.
 */
export function readSummary(text: string): Summary | undefined {
  const fields = fieldsOf(parsed(text));
  const [cluster, nonce] = [idOf(fields.cluster), idOf(fields.nonce)];
  const at = wholeOf(fields.at, Number.MAX_SAFE_INTEGER);
  if (cluster === undefined || nonce === undefined || at === undefined) return undefined;
  const open = fieldsOf(fields.open);
  const name = plain(fields.name, most.name);
  return {
    ...{ cluster, nonce, at, version: plain(fields.version, most.version) },
    // Who has no name is told apart by the beginning of its id.
    name: name === '' ? cluster.slice(0, 8) : name,
    open: {
      critical: wholeOf(open.critical, mostCounted) ?? 0,
      high: wholeOf(open.high, mostCounted) ?? 0,
      medium: wholeOf(open.medium, mostCounted) ?? 0,
      low: wholeOf(open.low, mostCounted) ?? 0,
    },
    worst: listOf(fields.worst, mostWorst).flatMap((one) => incidentOf(one, at)),
    causes: listOf(fields.causes, mostCauses).flatMap((one) => causeOf(one, at)),
  };
}

const isVerdict = (value: unknown): value is HubVerdict =>
  value === 'told' || value === 'declined' || value === 'pending';

/** What the hub has signed. `undefined`: it is no answer. */
export function readAnswer(text: string): HubAnswer | undefined {
  const { to, name, verdicts } = fieldsOf(parsed(text));
  if (typeof to !== 'string') return undefined;
  const known = Object.entries(fieldsOf(verdicts)).slice(0, mostCauses);
  return {
    to,
    name: plain(name, most.name).replaceAll('/', '-') || 'hub',
    verdicts: Object.fromEntries(known.flatMap(([id, verdict]) => (isVerdict(verdict) ? [[id, verdict]] : []))),
  };
}
