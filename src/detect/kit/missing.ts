import { kindOf, nameOf, type Ref, refOf } from '../../model/ref.ts';
import type { Projection } from '../../world/kinds/kinds.ts';
import type { ObservedWorld } from '../../world/view/world.ts';

/** What a text says is not there: an object, or one key of an object that is there. */
export type Missing = { readonly ref: Ref; readonly key?: string };

const kinds: Readonly<Record<string, string>> = {
  secret: 'Secret',
  configmap: 'ConfigMap',
  serviceaccount: 'ServiceAccount',
};

/** Reads a kubelet's message of CreateContainerConfigError (kubelet_pods.go, `makeEnvironmentVariables`) or FailedMount. */
export function missingForContainer(message: string, namespace: string): Missing | undefined {
  // secret "db" not found · configmap "app" not found
  const absent = /\b(secret|configmap|serviceaccount)s? "([^"]+)" not found/i.exec(message);
  const [, kind = '', name = ''] = absent ?? [];
  if (absent) return { ref: refOf(kinds[kind.toLowerCase()] ?? kind, namespace, name) };
  // couldn't find key url in Secret shop/db
  const noKey = /couldn't find key (\S+) in (Secret|ConfigMap) ([^/\s]+)\/(\S+)/i.exec(message);
  const [, key = '', keyKind = '', keyNamespace = '', keyName = ''] = noKey ?? [];
  if (noKey) return { ref: refOf(kinds[keyKind.toLowerCase()] ?? keyKind, keyNamespace, keyName), key };
  return undefined;
}

/**
 * The kind of the configuration that a failing webhook is called for. The API server says the same of both; the name and the
 * path of those that change objects tell of it by custom. The object is called as the webhook, the only name the text holds.
 */
function webhookKind(message: string): 'MutatingWebhookConfiguration' | 'ValidatingWebhookConfiguration' {
  return /mutat|inject|defaulting/i.test(message) ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration';
}

/** How a text of a failed create names what refused it. */
const refusals: readonly {
  readonly pattern: RegExp;
  readonly ref: (name: string, namespace: string, message: string) => Ref;
}[] = [
  // exceeded quota: compute, requested: pods=1, used: pods=10, limited: pods=10
  {
    pattern: /(?:exceeded|failed) quota: ([^,:\s]+)/,
    ref: (name, namespace) => refOf('ResourceQuota', namespace, name),
  },
  // error looking up service account shop/api: serviceaccount "api" not found
  {
    pattern: /serviceaccounts? "([^"]+)" not found/i,
    ref: (name, namespace) => refOf('ServiceAccount', namespace, name),
  },
  { pattern: /no PriorityClass with name (\S+) was found/, ref: (name) => refOf('PriorityClass', '', name) },
  // pod rejected: RuntimeClass "gvisor" not found
  { pattern: /RuntimeClass "([^"]+)" not found/, ref: (name) => refOf('RuntimeClass', '', name) },
  // failed calling webhook "validate.example.com": failed to call webhook: Post "https://…/validate": connection refused
  { pattern: /failed calling webhook "([^"]+)"/, ref: (name, _, message) => refOf(webhookKind(message), '', name) },
  {
    pattern: /persistentvolumeclaim "([^"]+)" not found/i,
    ref: (name, namespace) => refOf('PersistentVolumeClaim', namespace, name),
  },
];

/** Objects that a scheduler's or controller's text names as the obstacle. */
export function namedObstacles(message: string, namespace: string): readonly Ref[] {
  return refusals.flatMap(({ pattern, ref }) => {
    const name = pattern.exec(message)?.[1];
    return name === undefined ? [] : [ref(name, namespace, message)];
  });
}

/** What the API server says of a policy in CEL that it could not judge by (`plugin/policy/validating`): nothing is said of the object. */
const unjudged = /failed to configure (?:binding|policy)|no params found for policy binding|resulted in error/;

/** The policy that could not be judged by, from the text of a failed create: its binding, where it is known. */
export function unjudgedPolicy(message: string, world: ObservedWorld): readonly Ref[] {
  const [, name, binding] = /ValidatingAdmissionPolicy '([^']+)'(?: with binding '([^']+)')?/.exec(message) ?? [];
  if (name === undefined || !unjudged.test(message)) return [];
  if (binding !== undefined) return [refOf('ValidatingAdmissionPolicyBinding', '', binding)];
  const policy = refOf('ValidatingAdmissionPolicy', '', name);
  const [only = policy, ...others] = world.linked(policy, 'applies', 'in', 2);
  return [others.length === 0 ? only : policy];
}

/** Groups of Kubernetes itself: what a text says is missing of those is read by kind. */
const ownGroup = /^(?:[a-z]+|[a-z.]+\.k8s\.io)$/;

/** A custom resource that a text says is not there: `SecretProviderClass.secrets-store.csi.x-k8s.io "keys" not found`. */
export function missingCustom(message: string, namespace: string): Ref | undefined {
  const [, kind, group = '', name] = /\b([A-Z]\w+)\.([a-z0-9.-]+\.[a-z0-9-]+) "([^"/]+)" not found/.exec(message) ?? [];
  return kind === undefined || ownGroup.test(group) ? undefined : refOf(`${kind}.${group}`, namespace, name ?? '');
}

/** A Secret or ConfigMap that a controller says is not there: `secrets "keys" not found`, `Secret "team/keys" not found`. */
export function missingSettings(message: string, namespace: string): Ref | undefined {
  const found = /\b(secret|configmap)s? "(?:([a-z0-9-]+)\/)?([a-z0-9.-]+)" not found/i.exec(message);
  const [, kind = '', where = namespace, name = ''] = found ?? [];
  return found ? refOf(kinds[kind.toLowerCase()] ?? kind, where, name) : undefined;
}

/** A policy that refused an object, and what it says of that object. */
export type Denial = { readonly policy: string; readonly says: string };

/** How policies refuse: they work, and the object is at fault. */
const denials: readonly RegExp[] = [
  // admission webhook "validation.gatekeeper.sh" denied the request: [team-label] you must provide labels: {"team"}
  /admission webhook "(?<policy>[^"]+)" denied the request(?: without explanation)?:?(?<says>.*)/s,
  // ValidatingAdmissionPolicy 'replicas' with binding 'all' denied request: failed expression: …
  /(?<policy>ValidatingAdmissionPolicy '[^']+')(?: with binding '[^']+')? denied request:(?<says>.*)/s,
  // pods "web-" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false (…)
  /violates (?<policy>PodSecurity "[^"]+"):(?<says>.*)/s,
  // unable to validate against any security context constraint: [provider "anyuid": Forbidden: …]
  /unable to validate against any (?<policy>security context constraint):(?<says>.*)/s,
];

/** Reads who refused an object by policy, from the text of a failed create. */
export function denialOf(message: string): Denial | undefined {
  for (const pattern of denials) {
    const { policy, says = '' } = pattern.exec(message)?.groups ?? {};
    if (policy !== undefined) return { policy, says: says.trim() };
  }
  return undefined;
}

/**
 * What a LimitRange refuses, from the text of a failed create (limitranger `admission.go`): `maximum cpu usage per Container is 1,
 * but limit is 2`.
 */
export function limitOf(message: string): string | undefined {
  const limits = [
    ...message.matchAll(
      /(?:(?:minimum|maximum) \S+ usage per \w+ is \S+|\S+ max limit to request ratio per \w+ is \S+)(?:, but [^,\]]+?| {2}No \w+ is specified)?(?=[,\].]|$)/g,
    ),
  ];
  return limits.length === 0
    ? undefined
    : limits
        .map(([text]) =>
          text
            .replaceAll(/\s+/g, ' ')
            .replace(/\.? No/, '; no')
            .trim(),
        )
        .join('; ');
}

/** Kinds that controllers make besides Pods, by the resource that a refusal names. */
const made: Readonly<Record<string, string>> = { 'replicasets.apps': 'ReplicaSets', 'jobs.batch': 'Jobs' };

/** What is refused where that is not Pods, from the text of a failed create: `jobs.batch "backup-1" is forbidden: …`. */
export function refusedKind(message: string): string | undefined {
  return made[/(?:^|\s)(\S+) "[^"]+" is forbidden/.exec(message)?.[1] ?? ''];
}

/** What a quota has, and what was asked of it beyond that, from the text of a failed create: `pods: 10 of 10 used, 1 more asked for`. */
export function quotaShortage(message: string): string | undefined {
  const {
    requested = '',
    used = '',
    limited = '',
  } = /requested: (?<requested>.+?), used: (?<used>.+?), limited: (?<limited>.+)$/s.exec(
    message.trim().replace(/\.$/, ''),
  )?.groups ?? {};
  const [uses, limits] = [amounts(used), amounts(limited)];
  const short = [...amounts(requested)].map(
    ([resource, more]) =>
      `${resource}: ${uses.get(resource) ?? '?'} of ${limits.get(resource) ?? '?'} used, ${more} more asked for`,
  );
  return short.length === 0 ? undefined : short.join('; ');
}

/** What was asked of a quota, by resource, from the text of a failed create. */
export function asksOf(message: string): Readonly<Record<string, string>> {
  return Object.fromEntries(amounts(/requested: (.+?), used: /s.exec(message)?.[1] ?? ''));
}

function amounts(text: string): ReadonlyMap<string, string> {
  const pairs = text.split(',').map((pair) => pair.trim().split('='));
  return new Map(
    pairs.flatMap(([name = '', amount = '']) => (name === '' || amount === '' ? [] : [[name, amount] as const])),
  );
}

/** Whether an object is a configuration that has a webhook of a name. */
function hasWebhook(object: Projection, webhook: string): boolean {
  return 'webhooks' in object && object.webhooks.some(({ name }) => name === webhook);
}

/**
 * The obstacles of a text as objects: what it calls a webhook is one of a configuration, which is called otherwise. Where that
 * cannot be seen, the webhook stands for it.
 */
export function obstaclesIn(message: string, namespace: string, world: ObservedWorld): readonly Ref[] {
  return namedObstacles(message, namespace).map((ref) => {
    if (!kindOf(ref).endsWith('WebhookConfiguration')) return ref;
    for (const kind of ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'])
      for (const object of world.all(kind)) if (hasWebhook(object, nameOf(ref))) return object.ref;
    return ref;
  });
}
