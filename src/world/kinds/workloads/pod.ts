import {
  type Fields,
  fieldsOf,
  given,
  listOf,
  messageOf,
  numberOf,
  tailOf,
  textOf,
  timeOf,
} from '../../reading/fields.ts';
import type { WatchedKind } from '../../reading/kind.ts';
import { type Condition, conditionsOf, type Meta, metaOf, mirrorAnnotation } from '../../reading/meta.ts';
import { packedAddress, unpackedAddress } from '../../reading/packed-address.ts';
import { type PodTemplate, podTemplate } from '../../reading/pod-template.ts';

/** How a container ended. `reason` is the runtime's word: `Error`, `OOMKilled`, `Completed`, `ContainerCannotRun`. */
export type Termination = {
  readonly exitCode: number;
  readonly signal?: number;
  readonly reason: string;
  readonly message?: string;
  readonly startedAt?: number;
  readonly finishedAt?: number;
};

/** The status of one container, by name. Exactly one of `waiting`, `running` and `terminated` is there once it is known. */
export type ContainerState = {
  readonly name: string;
  readonly ready: boolean;
  readonly started?: boolean;
  readonly restarts: number;
  readonly image: string;
  readonly waiting?: { readonly reason: string; readonly message: string };
  readonly running?: { readonly startedAt: number };
  readonly terminated?: Termination;
  readonly last?: Termination;
  /** Devices of it that say they do not work, by resource (`nvidia.com/gpu`; KEP-4680). */
  readonly brokenDevices?: readonly string[];
};

/** core/v1 Pod. */
export type PodView = Meta & {
  readonly kind: 'Pod';
  readonly template: PodTemplate;
  readonly node?: string;
  readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly startedAt?: number;
  /** `status.podIP`, where it is of IPv4. */
  readonly address?: string;
  readonly conditions: readonly Condition[];
  /** Statuses, at most 100: init containers first, as the API lists them; of more than that, those first that are not ready. */
  readonly containers: readonly ContainerState[];
  /** `kubernetes.io/config.mirror`: a static Pod, owned by its Node. */
  readonly mirror: boolean;
};

function terminationOf(value: unknown): Termination | undefined {
  if (value === undefined || value === null) return undefined;
  const state = fieldsOf(value);
  const signal = numberOf(state.signal);
  return {
    exitCode: numberOf(state.exitCode) ?? 0,
    reason: textOf(state.reason) ?? '',
    ...given({
      signal: signal === 0 ? undefined : signal,
      message: tailOf(state.message),
      startedAt: runtimeTime(state.startedAt),
      finishedAt: runtimeTime(state.finishedAt),
    }),
  };
}

/** A container that never ran has the epoch as its times. */
function runtimeTime(value: unknown): number | undefined {
  const time = timeOf(value);
  return time === undefined || time <= 0 ? undefined : time;
}

function containerState(status: Fields): ContainerState {
  const state = fieldsOf(status.state);
  const waiting = state.waiting;
  const running = state.running;
  const started = status.started;
  return {
    name: textOf(status.name) ?? '',
    ready: status.ready === true,
    restarts: numberOf(status.restartCount) ?? 0,
    image: textOf(status.image) ?? '',
    ...given({
      started: typeof started === 'boolean' ? started : undefined,
      waiting:
        waiting === undefined || waiting === null
          ? undefined
          : {
              reason: textOf(fieldsOf(waiting).reason) ?? '',
              message: messageOf(fieldsOf(waiting).message),
            },
      running:
        running === undefined || running === null
          ? undefined
          : { startedAt: runtimeTime(fieldsOf(running).startedAt) ?? 0 },
      terminated: terminationOf(state.terminated),
      last: terminationOf(fieldsOf(status.lastState).terminated),
      brokenDevices: brokenDevicesOf(status),
    }),
  };
}

function brokenDevicesOf({ allocatedResourcesStatus }: Fields): ContainerState['brokenDevices'] {
  if (allocatedResourcesStatus === undefined) return undefined;
  const isBroken = ({ health }: Fields): boolean => health === 'Unhealthy';
  const broken = listOf(allocatedResourcesStatus).filter(({ resources }) => listOf(resources).some(isBroken));
  return broken.length === 0 ? undefined : broken.map(({ name }) => textOf(name) ?? '');
}

/**
 * Statuses of containers that are kept of a Pod. Real Pods have a dozen; nothing limits them but the size of an object, and
 * a Pod of thousands that fail would cost everybody else their turn.
 */
const maxContainers = 100;

/** The statuses that are kept: all, or of very many those first that are not ready. */
function keptStatuses(status: Fields): readonly Fields[] {
  const statuses = [...listOf(status.initContainerStatuses), ...listOf(status.containerStatuses)];
  if (statuses.length <= maxContainers) return statuses;
  const [ready, unready] = [true, false].map((is) => statuses.filter((each) => (each.ready === true) === is));
  return [...(unready ?? []), ...(ready ?? [])].slice(0, maxContainers);
}

const phases = ['Pending', 'Running', 'Succeeded', 'Failed'] as const;

/** Only addresses of IPv4 are kept: they take the place of a number. */
function addressOf(value: unknown): string | undefined {
  const packed = packedAddress(textOf(value));
  return packed === undefined ? undefined : unpackedAddress(packed);
}

/** What siblings share is found when it is stored (`pods.ts`). */
function project(raw: Fields): PodView {
  const meta = metaOf('Pod', raw);
  const spec = fieldsOf(raw.spec);
  const status = fieldsOf(raw.status);
  return {
    ...meta,
    kind: 'Pod',
    template: podTemplate(spec, textOf(fieldsOf(raw.metadata).name)),
    phase: phases.find((phase) => phase === status.phase) ?? (status.phase === 'Unknown' ? 'Unknown' : 'Pending'),
    conditions: conditionsOf(raw, meta.createdAt),
    containers: keptStatuses(status).map(containerState),
    mirror: meta.annotations?.[mirrorAnnotation] !== undefined,
    ...given({
      node: textOf(spec.nodeName),
      reason: textOf(status.reason),
      message: messageOf(status.message) || undefined,
      startedAt: timeOf(status.startTime),
      address: addressOf(status.podIP),
    }),
  };
}

/** core/v1 Pod. */
export const pods: WatchedKind<PodView> = {
  group: '',
  versions: ['v1'],
  plural: 'pods',
  kind: 'Pod',
  namespaced: true,
  required: true,
  withoutManagedFields: true,
  project,
  turning: ['Ready'],
  judgedBy: [
    'Deployment',
    'StatefulSet',
    'DaemonSet',
    'Job',
    'PodDisruptionBudget',
    'Service',
    'PersistentVolumeClaim',
    'ResourceClaim',
  ],
  // Whether it is there, ready, failed or going, where, and how often it was restarted.
  fingerprintForOwners({ uid, labels, node, phase, deletionAt, conditions, containers, template }) {
    const ready = conditions.find(({ type }) => type === 'Ready');
    const ends = phase === 'Failed' ? containers.map(({ terminated }) => terminated) : [];
    const needs = template.claims.length > 0 || template.resourceClaims !== undefined;
    const scheduled = needs && phase === 'Pending' ? conditions.find(({ type }) => type === 'PodScheduled') : undefined;
    const waits = scheduled?.status === 'False' ? scheduled.message : undefined;
    const restarts = containers.reduce((sum, container) => sum + container.restarts, 0);
    return [uid, labels, node, phase, deletionAt, ready?.status, ready?.since, ends, waits, restarts];
  },
};
