import { describeRef, namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import type { IngressBackend, IngressView } from '../../world/kinds/network/ingress.ts';
import { given } from '../../world/reading/fields.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { type Detector, detector, type Problem } from '../kit/detector.ts';
import { editMs } from '../kit/lost-part.ts';

const ingresses = { judges: 'Ingress', symptom: 'route' } as const;
const minute = 60_000;

/** The port of a backend that is no Service but an action of the AWS load balancer controller. */
const actionPort = 'use-annotation';

/** What an Ingress leads to and cannot: the Service is not there, or does not have the port. */
function brokenBackend({ service, port }: IngressBackend, world: ObservedWorld): Problem | undefined {
  if (port === actionPort) return undefined;
  const view = world.get(service);
  const facts = { service: describeRef(service) };
  const found = { since: 'observed', scope: `${service} ${port}`, names: [service] } as const;
  if (view === 'absent') return { ...found, facts };
  if (view === 'unknown' || view.kind !== 'Service' || view.type === 'ExternalName') return undefined;
  if (port === 0 || view.ports.some((own) => own.port === port || own.name === port)) return undefined;
  const open = view.ports.map((own) => (own.name === '' ? `${own.port}` : `${own.name} (${own.port})`)).join(', ');
  return { ...found, reason: 'IngressPortMissing', facts: { ...facts, port, ...given({ open: open || undefined }) } };
}

const ingressBackend = detector({
  ...ingresses,
  id: 'T8',
  reasons: [
    { reason: 'IngressBackendNotFound', family: 'named', sure: 'high' },
    { reason: 'IngressPortMissing', family: 'named', sure: 'high' },
  ],
  reads: ['Service'],
  severity: 'high',
  forSeconds: 20,
  settle: 'conclusive',
  source:
    'networking.k8s.io/v1 Ingress spec.rules[].http.paths[].backend.service against core/v1 Services and their ports',
  predicate: 'an Ingress leads to a Service that does not exist, or to a port that it does not have, for 20 s',
  clears: 'the Service and its port exist',
  patience: '20 s: what is applied together arrives one after the other',
  isNot:
    'backends that are no Services (`resource`, actions of the AWS load balancer controller); ports of `ExternalName`',
  judge: ({ backends }, world) => backends.flatMap((backend) => brokenBackend(backend, world) ?? []),
});

/** The IngressClass that an Ingress is of; `undefined`: none is named and none is the default, or that cannot be seen. */
function classOf({ ingressClass }: IngressView, world: ObservedWorld): Ref | undefined {
  if (ingressClass !== undefined) return refOf('IngressClass', '', ingressClass);
  const usual = Iterator.from(world.all('IngressClass')).find((view) => view.kind === 'IngressClass' && view.isDefault);
  return usual?.ref;
}

const ingressClassMissing = detector({
  ...ingresses,
  id: 'T9',
  reasons: [{ reason: 'IngressClassMissing', family: 'named', sure: 'high' }],
  reads: ['IngressClass'],
  severity: 'medium',
  forSeconds: 60,
  settle: 'conclusive',
  source: 'networking.k8s.io/v1 Ingress spec.ingressClassName against IngressClasses and their default',
  predicate:
    'an Ingress has no address, and its class does not exist (60 s), or it names none where there are classes and none is the default (5 min)',
  clears: 'its class exists, or a controller gives it an address',
  patience: '60 s: a class comes with its controller, which may be installed just now',
  isNot:
    'one that a controller serves all the same; one with the annotation `kubernetes.io/ingress.class`; a cluster without any class',
  judge: (ingress, world, now) => {
    const { addresses, ingressClass, legacyClass } = ingress;
    if (addresses > 0 || legacyClass !== undefined || world.get('IngressClass//') === 'unknown') return false;
    const facts = given({ ingressClass });
    if (ingressClass !== undefined) {
      const missing = refOf('IngressClass', '', ingressClass);
      return world.get(missing) === 'absent' && { since: 'observed', facts, names: [missing] };
    }
    if (world.count('IngressClass') === 0 || classOf(ingress, world) !== undefined) return false;
    // A default that comes is linked with nobody.
    return { since: 'observed', forSeconds: 300, facts, lookAgainAt: now + minute };
  },
});

/** What controllers say of a Secret that is not there, or of no use to them. */
const secretMissing: readonly RegExp[] = [
  // secret "tls" not found · secrets "shop/tls" does not exist
  /\bsecrets? "?(?:[\w.-]+\/)?([\w.-]+?)"? (?:not found|does not exist|is not found|has no)/i,
  // TLS secret tls is invalid: secret doesn't exist or of an unsupported type · is of a wrong type 'Opaque' (NGINX Ingress Controller)
  /\bTLS secret (?:[\w.-]+\/)?([\w.-]+?) is (?:invalid|of a wrong type)/i,
];
/** The controller of GKE (ingress-gce `toRuntimeInfo`) does not say which. */
const certificatesMissing = /^Could not find TLS certificates\b/;

/** The Secret of an Ingress that a controller complains about. */
function secretAtFault(message: string, secrets: readonly string[]): string | undefined {
  const names = secretMissing.map((pattern) => pattern.exec(message)?.[1]);
  const named = secrets.find((name) => names.includes(name));
  return named ?? (secrets.length === 1 && certificatesMissing.test(message) ? secrets[0] : undefined);
}

/** When the Secret of an Ingress was deleted that was there before and is not back (epoch milliseconds); `undefined`: it was not, or nobody may see it. */
function deletionOf(ingress: Ref, name: string, world: ObservedWorld, now: number): number | undefined {
  const namespace = namespaceOf(ingress);
  if (world.get(refOf('SecretMetadata', namespace, name)) !== 'absent') return undefined;
  const changes = world.changes(refOf('Secret', namespace, name), now - editMs);
  return changes.findLast(({ field }) => field === 'deletion')?.at;
}

/** A controller tries again within this time. */
const quietMs = 15 * minute;

const ingressTlsSecretMissing = detector({
  ...ingresses,
  id: 'T10',
  reasons: [{ reason: 'IngressTLSSecretMissing', family: 'named', sure: 'high' }],
  reads: ['SecretMetadata'],
  severity: 'high',
  forSeconds: 60,
  settle: 'conclusive',
  source:
    'Events of Ingress controllers that name a Secret of spec.tls[].secretName; the deletion of that Secret, where its metadata may be seen',
  predicate:
    'the controller of an Ingress says for 60 s that the Secret with its certificate is not there or unusable, or somebody deleted that Secret and it is not back within 60 s',
  clears: 'it has not said so for 15 min; the Secret is there again',
  patience: '60 s: cert-manager makes the Secret a moment after the Ingress, or anew',
  isNot:
    'a Secret that was never there and that nobody complains about: controllers show a certificate of their own instead',
  judge: ({ ref, secrets }, world, now) => {
    for (const name of secrets) {
      const deletedAt = deletionOf(ref, name, world, now);
      if (deletedAt !== undefined) return { since: deletedAt, scope: name, facts: { secret: name, deletedAt } };
    }
    const said = world
      .events(ref)
      .findLast(({ isWarning, message }) => isWarning && secretAtFault(message, secrets) !== undefined);
    const overAt = said && said.lastAt + quietMs;
    if (!said || overAt === undefined || now >= overAt) return false;
    const name = secretAtFault(said.message, secrets) ?? '';
    return { since: said.firstAt, scope: name, detail: said.message, facts: { secret: name }, lookAgainAt: overAt };
  },
});

/** Ingresses of a class that are looked at for one with an address. */
const maxSiblings = 200;
const addressSeconds = 900;

const ingressNoAddress = detector({
  ...ingresses,
  id: 'T11',
  reasons: [{ reason: 'IngressNoAddress', family: 'create', sure: 'likely' }],
  reads: ['Ingress', 'IngressClass'],
  severity: 'medium',
  forSeconds: addressSeconds,
  source: 'networking.k8s.io/v1 Ingress status.loadBalancer.ingress, against others of its class',
  predicate: 'an Ingress has had no address for 15 min, while others of its class have one',
  clears: 'it has an address',
  patience: '15 min: clouds make a load balancer for each Ingress in up to 10 min',
  isNot: 'controllers that write no addresses at all; an Ingress without a class',
  judge: (ingress, world, now) => {
    const { ref, addresses, ingressClass } = ingress;
    if (addresses > 0 || ingressClass === undefined) return false;
    const own = refOf('IngressClass', '', ingressClass);
    const hasSibling = Iterator.from(world.linked(own, 'of-class', 'in', maxSiblings)).some((other) => {
      const view = world.get(other);
      return typeof view === 'object' && view.kind === 'Ingress' && view.addresses > 0;
    });
    const since = world.since(ref, 'unaddressed');
    if (hasSibling) return { since, facts: { ingressClass } };
    // One that gets its address later is linked with its class, and not with this one.
    const dueAt = since + addressSeconds * 1000;
    return { lookAgainAt: now < dueAt ? dueAt : now + 15 * minute };
  },
});

/** Ingresses, what tells most first. */
export const ingressDetectors: readonly Detector[] = [
  ingressBackend,
  ingressClassMissing,
  ingressTlsSecretMissing,
  ingressNoAddress,
];
