import type { EventView } from '../../world/kinds/cluster/event.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import type { ProbeName } from '../../world/reading/pod-template.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { type Container, containersOf, lastEnd } from '../kit/containers.ts';
import { lastTold } from '../kit/told.ts';

/** `Readiness probe failed: HTTP probe failed with statuscode: 503` (kubelet prober.go). */
const probeText = /^(Startup|Readiness|Liveness) probe (?:failed|errored)[^:]*: ?(.*)$/s;
const probeNames: Readonly<Record<string, ProbeName>> = {
  Startup: 'startup',
  Readiness: 'readiness',
  Liveness: 'liveness',
};

/** What a kubelet told of a probe that fails. `says`: what the probe got. */
export type ProbeFailure = { readonly probe: ProbeName; readonly says: string; readonly event: EventView };

/** What an Event `Unhealthy` says. */
function readFailure(event: EventView): ProbeFailure | undefined {
  const [, name = '', says = ''] = probeText.exec(event.message) ?? [];
  const probe = probeNames[name];
  return probe && { probe, says: says.trim(), event };
}

/** The newest failure of a probe of a container that its kubelet told of, at or after an instant. */
export function probeFailure(
  pod: PodView,
  container: string,
  probe: ProbeName,
  world: ObservedWorld,
  now: number,
  after?: number,
): ProbeFailure | undefined {
  const says = new RegExp(`^${probe} probe`, 'i');
  const asked = { reasons: ['Unhealthy'], container, says, ...(after === undefined ? {} : { after }) };
  const event = lastTold(pod.ref, asked, world, now);
  return event && readFailure(event);
}

/** A kubelet lets the process end by itself for so long before it is gone; `terminationGracePeriodSeconds` is mostly this. */
const graceMs = 45_000;
const hourMs = 60 * 60_000;

/**
 * The probe for which the kubelet ended the last run of a container, as it told: `Container api failed liveness probe, will
 * be restarted` (kuberuntime_manager.go).
 */
export function endedFor(pod: PodView, { state }: Container, world: ObservedWorld, now: number): ProbeName | undefined {
  const finishedAt = lastEnd(state)?.finishedAt;
  if (finishedAt === undefined) return undefined;
  const asked = {
    ...{ reasons: ['Killing'], container: state.name, after: now - hourMs },
    says: /failed (?:liveness|startup) probe/,
  };
  const event = lastTold(pod.ref, asked, world, now);
  // The same Event is counted up at every kill.
  if (!event || finishedAt < event.firstAt - 1000 || event.lastAt < finishedAt - graceMs) return undefined;
  return event.message.includes('liveness') ? 'liveness' : 'startup';
}

/** What about a probe cannot be right, as nobody needs to wait to know. */
export type Misdirected = ProbeFailure & {
  readonly port?: number | string;
  readonly why: 'name' | 'port' | 'command' | 'service';
};

/** How often a probe was refused before its port is said to be closed. */
const refusals = 3;

/** A gRPC server answers so where nobody registered the service that is asked for; it registers all before it serves. */
const notRegistered = /\bcode = Unimplemented\b/;

/**
 * A probe that cannot succeed: it asks at a port by a name that no port of the container has, runs a command that the image
 * does not have, asks at a port that the container does not state and that refuses while another probe finds the
 * container at work, or asks a gRPC server for a service that it does not have.
 */
export function misdirected(
  pod: PodView,
  container: Container,
  world: ObservedWorld,
  now: number,
): Misdirected | undefined {
  const { template, state } = container;
  const startedAt = state.running?.startedAt;
  if (!template || startedAt === undefined) return undefined;
  for (const probe of Object.values(probeNames)) {
    const failure = probeFailure(pod, state.name, probe, world, now, startedAt);
    if (!failure) continue;
    const port = template.probePorts?.[probe];
    const known = template.ports ?? [];
    if (typeof port === 'string' && !known.some(({ name }) => name === port)) return { ...failure, port, why: 'name' };
    if (
      /executable file not found|no such file or directory|permission denied.*exec|exec:.*permission denied/.test(
        failure.says,
      ) &&
      port === undefined
    )
      return { ...failure, why: 'command' };
    if (notRegistered.test(failure.says)) return { ...failure, why: 'service' };
    if (typeof port !== 'number' || known.length === 0 || known.some((each) => each.port === port)) continue;
    const isRefused = /connection refused/.test(failure.says) && failure.event.count >= refusals;
    if (isRefused && isAtWork(pod, container, probe, world, now)) return { ...failure, port, why: 'port' };
  }
  return undefined;
}

/** Whether another probe of a container, at a port that it states, has had its time and does not fail. */
function isAtWork(pod: PodView, container: Container, failing: ProbeName, world: ObservedWorld, now: number): boolean {
  const { template, state } = container;
  const stated = new Set((template?.ports ?? []).flatMap(({ name, port }) => [name, port]));
  const startedAt = state.running?.startedAt ?? now;
  return Object.entries(template?.probePorts ?? {}).some(([name, port]) => {
    const probe = Object.values(probeNames).find((each) => each === name);
    if (probe === undefined || probe === failing || port === undefined || !stated.has(port)) return false;
    if (probe === 'startup') return state.started === true;
    return state.started !== false && !probeFailure(pod, state.name, probe, world, now, startedAt);
  });
}

/** Whether a container of a Pod has a probe that cannot succeed. */
export function hasMisdirected(pod: PodView, world: ObservedWorld, now: number): boolean {
  return containersOf(pod).some((container) => misdirected(pod, container, world, now) !== undefined);
}
