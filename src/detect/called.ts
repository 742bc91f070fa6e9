import { earliest } from '../model/instants.ts';
import { isAlike } from '../model/near-miss.ts';
import { describeRef, nameOf, namespaceOf, type Ref } from '../model/ref.ts';
import type { SignKind } from '../model/sign.ts';
import { given } from '../world/fields.ts';
import type { ObservedWorld, PlacedSign } from '../world/world.ts';
import type { NamedDetector, Naming, Problem } from './detector.ts';
import { namedBySign, saidOf } from './said.ts';

/** One workload's trouble with an address is its own; what is outside is judged by two, whose programs say the same. */
const minWorkloads = 2;
/** They begin within this time of each other (ms). */
const togetherMs = 30 * 60_000;
/** Callers looked at: enough to tell several workloads from one. */
const callerSample = 256;

const unreachable: readonly SignKind[] = [
  ...(['NameNotResolved', 'ConnectionRefused', 'ConnectionTimedOut', 'ConnectionReset', 'HostUnreachable'] as const),
];
const refusing: readonly SignKind[] = [
  ...(['CertificateInvalid', 'CredentialsRejected', 'TooManyConnections', 'LockHeld'] as const),
];

/** Who says something of an object, since when it fails, and what it says. */
type Caller = { readonly ref: Ref; readonly workload: Ref; readonly since: number; readonly sign: PlacedSign };

/** Those who say one of some things of an object, by when they began. */
function callersOf(ref: Ref, kinds: readonly SignKind[], naming: Naming, world: ObservedWorld): Caller[] {
  const callers: Caller[] = [];
  for (const [subject, findings] of Iterator.from(naming).take(callerSample)) {
    const [first] = findings;
    if (first === undefined) continue;
    const since = earliest(findings.map((finding) => finding.since));
    const sign = saidOf(subject, since, world, first.scope).find((said) => namedBySign(said) === ref);
    if (sign && kinds.includes(sign.kind))
      callers.push({ ref: subject, workload: world.topOwner(subject), since, sign });
  }
  return callers.sort((a, b) => a.since - b.since || (a.ref < b.ref ? -1 : 1));
}

const workloadsOf = (callers: readonly Caller[]): number => new Set(callers.map(({ workload }) => workload)).size;

/** What enough workloads say within half an hour of each other, from the first of them on. */
function problemOf(callers: readonly Caller[], least: number): Problem | false {
  const start = callers.findIndex(({ since }) => {
    const together = callers.filter((other) => other.since >= since && other.since <= since + togetherMs);
    return workloadsOf(together) >= least;
  });
  const from = callers.slice(Math.max(0, start));
  const [first] = from;
  if (start < 0 || first === undefined) return false;
  return {
    since: first.since,
    detail: first.sign.line,
    facts: {
      ...{ workloads: workloadsOf(from), sign: first.sign.kind },
      pods: new Set(from.map(({ ref }) => ref)).size,
    },
  };
}

/** An object of the same kind that somebody may have meant: another namespace, a slip of the pen, a name cut short. */
function meant(ref: Ref, world: ObservedWorld): Ref | undefined {
  const [name, namespace] = [nameOf(ref), namespaceOf(ref)];
  const isCut = (other: string): boolean => other.startsWith(`${name}-`) || name.startsWith(`${other}-`);
  const near: Ref[] = [];
  for (const { ref: other } of world.all('Service')) {
    const own = nameOf(other);
    const isNear = namespaceOf(other) === namespace ? isAlike(name, own) || isCut(own) : own === name;
    if (isNear) near.push(other);
  }
  // In its own namespace first.
  const rank = (other: Ref): number => Number(namespaceOf(other) !== namespace);
  return near.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))[0];
}

const common = {
  edition: 'Community',
  severity: 'high',
  settle: 'waits',
  symptom: 'service',
  patience: 'as long as the incident takes to settle',
} as const;
const logs = 'the last log lines and termination messages of containers that fail (`src/signs/`)';

const externalUnreachable: NamedDetector = {
  ...common,
  id: 'T30',
  judges: 'ExternalEndpoint',
  reasons: [{ reason: 'ExternalEndpointUnreachable', family: 'named', sure: 'likely' }],
  source: logs,
  predicate:
    'the programs of two or more workloads, which began to fail within 30 min of each other, say that they cannot resolve or reach one address outside the cluster',
  clears: 'fewer than two workloads fail for it',
  isNot:
    'the trouble of one workload with an address; an address of the cluster; what a program says beside the reason why it fails',
  judge: (ref, naming, world) => problemOf(callersOf(ref, unreachable, naming, world), minWorkloads),
};

const externalRefusing: NamedDetector = {
  ...common,
  id: 'T31',
  judges: 'ExternalEndpoint',
  reasons: [{ reason: 'ExternalEndpointRefusing', family: 'named', sure: 'likely' }],
  source: logs,
  predicate:
    'the programs of two or more workloads, which began to fail within 30 min of each other, say that one address outside the cluster shows a certificate that is not valid, rejects their credentials, or has no connections left',
  clears: 'fewer than two workloads fail for it',
  isNot: 'one workload with a wrong password of its own',
  judge: (ref, naming, world) => problemOf(callersOf(ref, refusing, naming, world), minWorkloads),
};

const serviceMissing: NamedDetector = {
  ...common,
  id: 'T32',
  judges: 'Service',
  reasons: [{ reason: 'ServiceMissing', family: 'named', sure: 'high' }],
  settle: 'conclusive',
  source: logs,
  predicate: 'a program that fails says that it cannot reach a Service of the cluster, and there is no such Service',
  clears: 'it is there, or no program fails for it any more',
  isNot: 'a Service that is there and does not answer; one that cannot be seen',
  judge: (ref, naming, world) => {
    if (naming.size === 0 || world.get(ref) !== 'absent') return false;
    const problem = problemOf(callersOf(ref, unreachable, naming, world), 1);
    if (!problem) return false;
    const near = meant(ref, world);
    return {
      ...problem,
      facts: { ...problem.facts, missing: describeRef(ref), ...given({ near: near && describeRef(near) }) },
    };
  },
};

const serviceRefusing: NamedDetector = {
  ...common,
  id: 'T33',
  judges: 'Service',
  reasons: [{ reason: 'ServiceRefusing', family: 'named', sure: 'likely' }],
  source: logs,
  predicate:
    'the programs of two or more workloads, which began to fail within 30 min of each other, say that a Service of the cluster shows a certificate that is not valid, rejects their credentials, or has no connections or locks left',
  clears: 'fewer than two workloads fail for it',
  isNot: 'one workload with a wrong password of its own',
  judge: (ref, naming, world) =>
    naming.size > 0 && world.get(ref) !== 'absent' && problemOf(callersOf(ref, refusing, naming, world), minWorkloads),
};

const accountForbidden: NamedDetector = {
  ...common,
  id: 'T34',
  judges: 'ServiceAccount',
  reasons: [{ reason: 'ServiceAccountForbidden', family: 'named', sure: 'high' }],
  symptom: 'restart',
  source: logs,
  predicate: 'a program that fails says that the API server forbids its ServiceAccount what it asks for',
  clears: 'no program fails for it any more',
  isNot: 'a refusal that a program lives with',
  judge: (ref, naming, world) => problemOf(callersOf(ref, ['AccessForbidden'], naming, world), 1),
};

/** What programs say of those they call, in the order of the catalogue. */
export const calledDetectors: readonly NamedDetector[] = [
  externalUnreachable,
  externalRefusing,
  serviceMissing,
  serviceRefusing,
  accountForbidden,
];
