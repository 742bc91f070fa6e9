import { secretsNamedIn } from '../../model/named-secrets.ts';
import { kindOf, namespaceOf, qualifiedKind, type Ref, refOf } from '../../model/ref.ts';
import { groupOf } from '../../model/resource.ts';
import { type Fields, fieldsOf, given, listOf, messageOf, numberOf, textOf, timeOf } from './fields.ts';
import type { WatchedKind } from './kind.ts';
import { type Condition, type Meta, metaOf, statusWriter } from './meta.ts';
import type { ObjectLink } from './object-links.ts';
import { secretMadeBy } from './secret-makers.ts';
import { type Traffic, trafficOf } from './traffic.ts';

/** A condition of a custom resource, with the generation it speaks of where it says that. */
export type CustomCondition = Condition & { readonly observedGeneration?: number };

/**
 * An object of any kind that a CustomResourceDefinition defines: what its controller says of it. One view for all such kinds;
 * which it is, its ref tells.
 */
export type CustomResourceView = Meta & {
  readonly kind: 'CustomResource';
  readonly apiVersion: string;
  readonly conditions: readonly CustomCondition[];
  /** The generation that the status speaks of; absent: it does not say. */
  readonly observedGeneration?: number;
  /** Suspended or paused in its spec, or by a condition that says so. */
  readonly suspended: boolean;
  /** `status.phase`, one word. */
  readonly phase?: string;
  /** Who wrote its status last (field manager), where it is recorded. */
  readonly statusBy?: string;
  /** `status.message`, which goes with the phase. */
  readonly message?: string;
  /** `status.health`: of an Argo CD Application. */
  readonly health?: { readonly status: string; readonly message: string; readonly since?: number };
  /** How the last synchronization of an Argo CD Application ended, if it has. */
  readonly operation?: { readonly phase: string; readonly message: string; readonly since?: number };
  /** When a Certificate of cert-manager is renewed next (epoch milliseconds). */
  readonly renewsAt?: number;
  /** Whose traffic it decides about, where it is of a mesh or a network plug-in. */
  readonly traffic?: Traffic;
  /** Objects that it keeps as they are in Git and that can fail, but those that it says are healthy. */
  readonly manages: readonly Ref[];
  /** Objects that its spec refers to and that it cannot do without: its source, its issuer, its store. */
  readonly needs: readonly Ref[];
  /** The Secret that is made from it. */
  readonly makes?: Ref;
};

/** Kinds of the groups of Kubernetes have rows of their own; the ref of any other carries its group, which has a dot. */
export function isCustomKind(kind: string): boolean {
  return kind.includes('.');
}

/** The kind of the view of an object: that of its ref, or `CustomResource` for all that definitions define. */
export function viewKindOf(ref: Ref): string {
  const kind = kindOf(ref);
  return isCustomKind(kind) ? 'CustomResource' : kind;
}

/** The kind part of the ref of a custom resource, from what the object itself says; `undefined` when it is none. */
export function customKindOf(raw: Fields): string | undefined {
  const name = textOf(raw.kind);
  const kind = name === undefined ? undefined : qualifiedKind(groupOf(textOf(raw.apiVersion) ?? ''), name);
  return kind !== undefined && isCustomKind(kind) ? kind : undefined;
}

/** Objects kept of one list of what a custom resource manages or needs. */
const maxRefs = 50;

/** Conditions that say that somebody has paused it on purpose. */
const pausedConditions: ReadonlySet<string> = new Set(['Paused', 'Suspended', 'ReconciliationPaused']);

/** A condition without a status holds by being there (Argo CD Application). */
function customConditions(raw: Fields, createdAt: number): readonly CustomCondition[] {
  return listOf(fieldsOf(raw.status).conditions).map((condition) => ({
    type: textOf(condition.type) ?? '',
    status: statusOf(condition.status),
    reason: textOf(condition.reason) ?? '',
    message: messageOf(condition.message),
    since: timeOf(condition.lastTransitionTime) ?? createdAt,
    ...given({ observedGeneration: numberOf(condition.observedGeneration) }),
  }));
}

function statusOf(value: unknown): Condition['status'] {
  if (value === undefined) return 'True';
  return value === 'True' || value === 'False' ? value : 'Unknown';
}

/** Kinds of the groups of Kubernetes that may fail for reasons of their own; custom resources may as well. */
const canFail: ReadonlySet<string> = new Set([
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'ReplicaSet',
  'ReplicationController',
  'Pod',
  'Job',
  'CronJob',
  'PersistentVolumeClaim',
  'Service',
  'Ingress',
  'Gateway',
  'HTTPRoute',
  'HorizontalPodAutoscaler',
]);

function managed(group: string | undefined, kind: string, namespace: string | undefined, name: string): Ref[] {
  const qualified = qualifiedKind(group ?? '', kind);
  return isCustomKind(qualified) || canFail.has(qualified) ? [refOf(qualified, namespace, name)] : [];
}

/** Resources of an Argo CD Application, but those that it says are healthy. */
function unhealthy(status: Fields): Ref[] {
  return listOf(status.resources).flatMap(({ group, kind, namespace, name, health }) => {
    const [kindName, named] = [textOf(kind), textOf(name)];
    if (kindName === undefined || named === undefined || fieldsOf(health).status === 'Healthy') return [];
    return managed(textOf(group), kindName, textOf(namespace), named);
  });
}

/** What a Flux Kustomization has applied: `<namespace>_<name>_<group>_<kind>`. */
function inventory(status: Fields): Ref[] {
  return listOf(fieldsOf(status.inventory).entries).flatMap(({ id }) => {
    const [namespace, name, group, kind] = textOf(id)?.split('_') ?? [];
    return name && kind ? managed(group, kind, namespace, name) : [];
  });
}

/** Fields of specs that name what a custom resource cannot do without, and the kind where they do not say it. */
const neededBy: readonly { readonly path: readonly string[]; readonly kind?: string }[] = [
  { path: ['sourceRef'] },
  { path: ['chart', 'spec', 'sourceRef'] },
  { path: ['chartRef'] },
  { path: ['issuerRef'], kind: 'Issuer' },
  { path: ['secretStoreRef'], kind: 'SecretStore' },
  { path: ['infrastructureRef'] },
  { path: ['controlPlaneRef'] },
  { path: ['bootstrap', 'configRef'] },
  { path: ['nodeClassRef'] },
  { path: ['template', 'spec', 'nodeClassRef'] },
];

/** Groups of references that do not name theirs: it is that of the one who refers, but for these. */
const groupOfNeeded: Readonly<Record<string, string>> = {
  GitRepository: 'source.toolkit.fluxcd.io',
  OCIRepository: 'source.toolkit.fluxcd.io',
  HelmRepository: 'source.toolkit.fluxcd.io',
  HelmChart: 'source.toolkit.fluxcd.io',
  Bucket: 'source.toolkit.fluxcd.io',
};
/** Kinds that such references name and that have no namespace. */
const clusterScoped: ReadonlySet<string> = new Set(['ClusterIssuer', 'ClusterSecretStore', 'EC2NodeClass']);

function needsOf(raw: Fields): Ref[] {
  const own = groupOf(textOf(raw.apiVersion) ?? '');
  const home = textOf(fieldsOf(raw.metadata).namespace);
  return neededBy.flatMap(({ path, kind: usual }) => {
    const {
      kind = usual,
      name,
      namespace,
      ...rest
    } = path.reduce((at, step) => fieldsOf(at[step]), fieldsOf(raw.spec));
    const [kindName, named] = [textOf(kind), textOf(name)];
    if (kindName === undefined || named === undefined) return [];
    const stated = textOf(rest.apiGroup) ?? textOf(rest.group) ?? groupOf(textOf(rest.apiVersion) ?? '');
    const group = stated === '' ? (groupOfNeeded[kindName] ?? own) : stated;
    const where = clusterScoped.has(kindName) ? undefined : (textOf(namespace) ?? home);
    return [refOf(qualifiedKind(group, kindName), where, named)];
  });
}

function health(status: Fields): CustomResourceView['health'] {
  const said = fieldsOf(status.health);
  const is = textOf(said.status);
  return is === undefined
    ? undefined
    : { status: is, message: messageOf(said.message), ...given({ since: timeOf(said.lastTransitionTime) }) };
}

function operation(status: Fields): CustomResourceView['operation'] {
  const { phase, message, finishedAt } = fieldsOf(status.operationState);
  const is = textOf(phase);
  return is === undefined
    ? undefined
    : { phase: is, message: messageOf(message), ...given({ since: timeOf(finishedAt) }) };
}

function project(raw: Fields): CustomResourceView {
  const meta = metaOf(customKindOf(raw) ?? '', raw);
  const spec = fieldsOf(raw.spec);
  const status = fieldsOf(raw.status);
  const conditions = customConditions(raw, meta.createdAt);
  const isPaused = conditions.some(({ type, status: is }) => pausedConditions.has(type) && is === 'True');
  const makes = secretMadeBy(meta.ref, spec);
  const home = namespaceOf(meta.ref) || undefined;
  const secrets = Iterator.from(secretsNamedIn(spec))
    .map(({ name, namespace }) => refOf('Secret', namespace ?? home, name))
    .filter((secret) => secret !== makes)
    .take(maxRefs);
  return {
    ...meta,
    kind: 'CustomResource',
    apiVersion: textOf(raw.apiVersion) ?? '',
    conditions,
    suspended: isPaused || spec.suspend === true || spec.paused === true || spec.suspended === true,
    manages: [...unhealthy(status), ...inventory(status)].slice(0, maxRefs),
    needs: [...new Set([...needsOf(raw), ...secrets])].slice(0, maxRefs),
    ...given({
      observedGeneration: numberOf(status.observedGeneration),
      phase: textOf(status.phase)?.slice(0, 64),
      statusBy: statusWriter(raw)?.by,
      message: messageOf(status.message) || undefined,
      renewsAt: timeOf(status.renewalTime),
      health: health(status),
      operation: operation(status),
      traffic: trafficOf(meta.ref, spec),
      makes,
    }),
  };
}

function links({ manages, needs, makes }: CustomResourceView): readonly ObjectLink[] {
  return [
    ...manages.map((to): ObjectLink => ({ type: 'manages', to })),
    ...needs.map((to): ObjectLink => ({ type: 'uses', to })),
    ...(makes === undefined ? [] : [{ type: 'makes', to: makes } as const]),
  ];
}

/** What is kept of every custom resource, whatever its kind: replayed inputs need no more than the objects say. */
export const customResources: Pick<WatchedKind<CustomResourceView>, 'project' | 'links'> = { project, links };
