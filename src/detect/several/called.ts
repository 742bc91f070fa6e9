import { kindOf, type Ref } from '../../model/ref.ts';
import { refusedSigns, unreachedSigns } from '../../model/sign-groups.ts';
import { usersOfOne } from '../../world/view/bounds.ts';
import { backendsOf } from '../../world/view/endpoints.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import type { NamedDetector, Naming, Problem } from '../kit/detector.ts';
import { portRefused, serviceMissing, serviceUnreachable } from './called-services.ts';
import { type Caller, minWorkloads, problemOf, saidIn } from './callers.ts';
import { besideThose, callersOf, common, inOrder, logs, silentAbout, vague } from './calls.ts';
import { secretRejected, secretsBehind } from './credentials.ts';
import { dnsSaid } from './dns-said.ts';
import { inCommon } from './in-common.ts';
import { isUntrusting } from './login-secrets.ts';
import { isOfRelease } from './own-release.ts';

/** Those whose kubelets say that they cannot mount from it, or pull through it. */
function mountersOf(naming: Naming, world: ObservedWorld): Caller[] {
  return Iterator.from(naming)
    .flatMap(([ref, findings]) =>
      findings.flatMap(({ facts, since, detail: line = '' }): Caller[] => {
        const kind = unreachedSigns.find((each) => each === facts.serverSays);
        return kind === undefined ? [] : [{ ref, workload: world.topOwner(ref), since, sign: { kind, line } }];
      }),
    )
    .take(usersOfOne)
    .toArray();
}

const isVague = ({ sign }: Caller): boolean => sign.kind === vague;

/** Whether calls fail where nobody is: that others cannot reach it says why, and so does a Service without endpoints. */
function isUnreached(ref: Ref, naming: Naming, world: ObservedWorld): boolean {
  if (callersOf(ref, unreachedSigns, naming, world).length > 0) return true;
  return kindOf(ref) === 'Service' && backendsOf(ref, world)?.ready === 0;
}

/** What several workloads say that turns them away; with the Secrets that they share, where it rejects what they have from these. */
function refusal(ref: Ref, naming: Naming, world: ObservedWorld): Problem | false {
  const speakers = callersOf(ref, [...refusedSigns, vague], naming, world);
  if (speakers.length === 0 || (speakers.some(isVague) && isUnreached(ref, naming, world))) return false;
  const callers = inOrder([...speakers, ...silentAbout(ref, naming, world), ...besideThose(ref, speakers, world)]);
  const problem = problemOf(callers, minWorkloads);
  if (!problem) return false;
  const { sign } = speakers.find((caller) => !isVague(caller)) ?? speakers[0] ?? {};
  // Who keeps silent beside those who say it says nothing.
  const heard = { ...problem, ...saidIn(speakers.map((speaker) => speaker.ref)) };
  const told = sign ? { ...heard, detail: sign.line, facts: { ...problem.facts, sign: sign.kind } } : heard;
  return sign && (sign.kind === 'CredentialsRejected' || isUntrusting(sign))
    ? { ...told, names: secretsBehind(speakers, world) }
    : told;
}

const logsAndMounts = `${logs}; of a file server the Events FailedMount of those who mount from it, of a proxy the failed pulls of those whose images come through it`;

const externalUnreachable: NamedDetector = {
  ...common,
  id: 'T30',
  judges: 'ExternalEndpoint',
  reasons: [{ reason: 'ExternalEndpointUnreachable', family: 'named', sure: 'likely' }],
  source: logsAndMounts,
  predicate:
    'the programs of two or more workloads, which began to fail within 30 min of each other, say that they cannot resolve or reach one address outside the cluster',
  clears: 'fewer than two workloads fail for it',
  isNot:
    'the trouble of one workload with an address; an address of the cluster; what a program says besides the reason why it fails',
  judge: (ref, naming, world) => {
    const mounters = mountersOf(naming, world);
    const unreached = callersOf(ref, unreachedSigns, naming, world);
    const others = unreached.length > 0 ? callersOf(ref, [vague], naming, world) : [];
    const beside = besideThose(ref, [...unreached, ...others], world);
    const problem = problemOf([...unreached, ...others, ...beside, ...mounters], minWorkloads);
    return problem && mounters.length > 0
      ? { ...problem, facts: { ...problem.facts, mounted: mounters.length } }
      : problem;
  },
};

const externalRefusing: NamedDetector = {
  ...common,
  id: 'T31',
  judges: 'ExternalEndpoint',
  reasons: [{ reason: 'ExternalEndpointRefusing', family: 'named', sure: 'likely' }],
  source: logs,
  predicate:
    'the programs of two or more workloads, which began to fail within 30 min of each other, say that one address outside the cluster shows a certificate that is not valid, rejects their credentials, limits their requests, answers that it is unavailable, has no connections left, or fails their calls without saying why',
  clears: 'fewer than two workloads fail for it',
  isNot: 'one workload with a wrong password of its own',
  judge: refusal,
};

const serviceRefusing: NamedDetector = {
  ...common,
  id: 'T33',
  judges: 'Service',
  reasons: [{ reason: 'ServiceRefusing', family: 'named', sure: 'likely' }],
  source: logs,
  predicate:
    'the programs of two or more workloads, which began to fail within 30 min of each other, say that a Service of the cluster shows a certificate that is not valid, rejects their credentials, answers that it is unavailable, has no connections or locks left, or, while it has endpoints, fails their calls without saying why',
  clears: 'fewer than two workloads fail for it',
  isNot: 'one workload with a wrong password of its own',
  judge: (ref, naming, world) => naming.size > 0 && world.get(ref) !== 'absent' && refusal(ref, naming, world),
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
  isNot:
    'a refusal that a program lives with; a release that asks for what nobody granted, as the account has what it had',
  judge: (ref, naming, world) => {
    const callers = callersOf(ref, ['AccessForbidden'], naming, world);
    return problemOf(
      callers.filter((caller) => !isOfRelease(caller, world)),
      1,
    );
  },
};

/** What programs say of those they call, in the order of the catalogue. */
export const calledDetectors: readonly NamedDetector[] = [
  externalUnreachable,
  externalRefusing,
  serviceMissing,
  serviceRefusing,
  serviceUnreachable,
  portRefused,
  dnsSaid,
  accountForbidden,
  secretRejected,
  ...inCommon,
];
