import { clusterDnsServices } from '../../model/cluster-dns.ts';
import { loggedReasons } from '../../model/logged-reasons.ts';
import type { Reason } from '../../model/reason.ts';
import { kindOf, namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import type { SignKind } from '../../model/sign.ts';
import { refusedSigns, unreachedSigns } from '../../model/sign-groups.ts';
import { isReady } from '../../world/pods/readiness.ts';
import { settledMs } from '../../world/view/bounds.ts';
import { routesSaid } from '../../world/view/routes-said.ts';
import { secretsSaid } from '../../world/view/secret-files.ts';
import type { PlacedSign, World } from '../../world/view/world.ts';
import { isAboutSecrets, loginSecretsOf } from './login-secrets.ts';

/** Pods of a Job or workload that are asked what they say. */
const podsAsked = 8;

const explained: ReadonlySet<Reason> = new Set(loggedReasons);

/** Signs that are about whom the program calls. */
const reaching: ReadonlySet<SignKind> = new Set<SignKind>([...unreachedSigns, ...refusedSigns, 'CallFailed']);

/** What may be wrong with a file that is given to a program. */
const ofFiles: ReadonlySet<SignKind> = new Set<SignKind>([
  ...(['CertificateInvalid', 'SecretUnusable', 'SettingsUnusable', 'FileMissing'] as const),
]);

/** Kinds of places that are named for what is said of them; a Pod or Node has trouble of its own, or none. */
const judged: ReadonlySet<string> = new Set(['Service', 'ExternalEndpoint']);

/** Who is who for the API server: `system:serviceaccount:shop:api`. */
const account = /^system:serviceaccount:([a-z0-9-]+):([a-z0-9.-]+)$/;

/** What a sign of a Pod names. As which account it asks is in its spec: what it logs of another one is not believed. */
export function namedBySign({ kind, to, name = '' }: PlacedSign, pod: Ref, world: World): Ref | undefined {
  if (to !== undefined && reaching.has(kind) && judged.has(kindOf(to))) return to;
  const [, namespace, user] = (kind === 'AccessForbidden' && account.exec(name)) || [];
  if (user === undefined || namespace !== namespaceOf(pod)) return undefined;
  const view = world.get(pod);
  const isOwn = typeof view === 'object' && view.kind === 'Pod' && view.template.serviceAccount === user;
  return isOwn ? refOf('ServiceAccount', namespace, user) : undefined;
}

/** Kinds that say nothing themselves, and whose Pods do. */
const speakThroughPods: ReadonlySet<string> = new Set([
  ...['CronJob', 'Job', 'Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'],
]);

/** The Services of cluster DNS that there are, or may be: what is out of sight is named as before, and where there is none, its usual name. */
function clusterDnsIn(world: World): readonly Ref[] {
  const there = clusterDnsServices.filter((service) => world.get(service) !== 'absent');
  return there.length > 0 ? there : clusterDnsServices.slice(0, 1);
}

/** The Pods of an object of which a finding is: itself, those of a Job that did not end well, or those of a workload that do not serve. */
export function podsOf(ref: Ref, world: World): readonly Ref[] {
  if (kindOf(ref) === 'Pod') return [ref];
  if (!speakThroughPods.has(kindOf(ref))) return [];
  const children = [...world.linked(ref, 'owned-by', 'in', podsAsked)];
  return children.flatMap((child) => (isWell(child, world) ? [] : podsOf(child, world))).slice(0, podsAsked);
}

/** Whether a Pod serves, or has done what it was for. */
function isWell(ref: Ref, world: World): boolean {
  const view = kindOf(ref) === 'Pod' ? world.get(ref) : undefined;
  return typeof view === 'object' && view.kind === 'Pod' && (isReady(view) || view.phase === 'Succeeded');
}

/** What was said lately of what an object fails of. `scope`: the container, where it is one. */
export function saidOf(ref: Ref, since: number, world: World, scope?: string): readonly PlacedSign[] {
  return podsOf(ref, world).flatMap((pod) => {
    const signs = world.signs(pod).filter(({ at }) => at >= since - settledMs);
    const own = signs.filter(({ container }) => container === scope);
    return own.length > 0 ? own : signs;
  });
}

/**
 * The objects that programs name as why they fail, where a log can explain the reason at all: by the most telling sign, and by
 * others of its kind. Whose credentials are rejected names by that the Secrets that it has them from, who cannot resolve a name the cluster's DNS.
 */
export function saidNames(
  {
    ref,
    reason,
    since,
    scope,
  }: { readonly ref: Ref; readonly reason: Reason; readonly since: number; readonly scope?: string },
  world: World,
): readonly Ref[] {
  if (!explained.has(reason)) return [];
  const signs = saidOf(ref, since, world, scope);
  const [first] = signs;
  // Pods of one workload have one account.
  const [pod = ref] = podsOf(ref, world);
  const names = signs.filter(({ kind }) => kind === first?.kind).map((sign) => namedBySign(sign, pod, world));
  const secrets = first && isAboutSecrets(first) ? podsOf(ref, world).flatMap((pod) => loginSecretsOf(pod, world)) : [];
  const files =
    first && ofFiles.has(first.kind)
      ? [...podsOf(ref, world).flatMap((pod) => secretsSaid(first, pod, world)), ...routesSaid(first, world)]
      : [];
  const dns = first?.kind === 'NameNotResolved' ? clusterDnsIn(world) : [];
  return [...new Set([...names.filter((name) => name !== undefined), ...secrets, ...files, ...dns])];
}
