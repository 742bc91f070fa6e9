import type { NodeOptions, Pressure } from '../../../sandbox/kubelet/node.ts';
import type { Pod } from '../../../sandbox/shapes.ts';
import { parseDurationMs } from '../../../src/model/duration.ts';
import type { Edition } from '../../../src/model/edition.ts';
import type { RawObject } from '../../../src/model/raw-object.ts';
import type { Reason } from '../../../src/model/reason.ts';
import { kindOf, nameOf, namespaceOf, type Ref } from '../../../src/model/ref.ts';
import type { Severity } from '../../../src/model/severity.ts';
import type { ProducedCase } from '../../e2e/produced/case.ts';
import {
  type Behaviour,
  create,
  drain,
  evictOnce,
  type Hands,
  patch,
  pathOf,
  remove,
  restart,
  write,
  writeCondition,
} from './hands.ts';
import {
  type CronJob,
  cronJobOf,
  type Manifest,
  plainObject,
  plainPlurals,
  podOf,
  serviceOf,
  split,
  type Workload,
  type WorkloadKind,
  workloadKinds,
  workloadOf,
} from './manifests.ts';

/** One incident that people must hear of. */
export type ExpectedIncident = {
  readonly root: Ref;
  /** Absent: whatever names it. */
  readonly reason?: Reason;
  /** Absent: whatever the policy makes of it. */
  readonly severity?: Severity;
  /** How many messages of each act: a number, or `≤1`. `open` is 1 and `update` `≤1` unless said otherwise. */
  readonly messages?: Readonly<Partial<Record<'open' | 'update' | 'resolve' | 'reopen', number | `≤${number}`>>>;
  /** What is behind it and becomes known later: an update may name it as the cause. */
  readonly revisedTo?: Ref;
  /** So long after the start of Tocsin it begins to fail, where no object of the log looks failing. */
  readonly beginsAfterSeconds?: number;
  /** After the first failing observation in the log. Default: the gate of its severity. */
  readonly firstMessageWithinSeconds?: number;
  /** Other roots that are as right as `root`. */
  readonly accepts?: readonly Ref[];
  /** Objects that no message of it may call the cause. */
  readonly mustNotBlame?: readonly Ref[];
};

/** Where the log comes from. */
export type Origin = 'controlplane' | 'sandbox';

/** A moment of a story: milliseconds after Tocsin started, and what happens then. */
type Step = { readonly atMs: number; readonly action: (hands: Hands) => Promise<void> };

/** A story as it is written: what is there at first, what happens when, and what people must hear. */
export type Scenario = {
  readonly description: string;
  readonly recordedFrom: Origin;
  readonly edition: Edition;
  readonly nodes: readonly NodeOptions[];
  /** Makes everything that is there before Tocsin starts, one after the other. */
  readonly before: readonly ((hands: Hands) => Promise<void>)[];
  /** Paths of workloads that are waited for before Tocsin starts. */
  readonly awaited: readonly { readonly path: string; readonly kind: WorkloadKind }[];
  /** How long all of that has been there. */
  readonly beforeMs: number;
  readonly steps: readonly Step[];
  readonly lastsMs: number;
  /** What images do; a story may change it while it is played. */
  readonly behaviours: Map<string, Behaviour>;
  readonly incidents: readonly ExpectedIncident[];
  /** How many startup summaries, digests and overviews people must get besides. */
  readonly summaries: number;
  /** It is played as a case that is produced beside others, and none of the above is. */
  readonly produced?: ProducedAs;
};

/** A case, and the namespace it is produced in. */
export type ProducedAs = { readonly row: ProducedCase; readonly namespace: string };

/** Played elsewhere: what is expected of it, and nothing else. */
export function toldAs(
  told: Pick<Scenario, 'description' | 'incidents' | 'edition'> & { readonly produced: ProducedAs },
): Scenario {
  const nothing = { nodes: [], before: [], awaited: [], beforeMs: 0, steps: [], lastsMs: 0, behaviours: new Map() };
  return { recordedFrom: 'controlplane', ...nothing, summaries: 0, ...told };
}

type WorkloadHandle = {
  /** `kubectl set image`. */
  setImage(image: string): void;
  /** `kubectl scale`. */
  scale(replicas: number): void;
  /** `kubectl rollout restart`. */
  restart(): void;
  /** `kubectl apply` of another version of it. */
  change(change: Partial<Workload>): void;
  /** `kubectl patch --type merge`. */
  patch(body: object): void;
  delete(): void;
};

type PlainHandle = {
  /** `kubectl edit`. */
  edit(content: object): void;
  delete(): void;
};

type ObjectHandle = {
  /** Makes what was only planned. */
  create(): void;
  /** `kubectl patch --type merge`. */
  patch(body: object): void;
  /** As the controller of its kind writes it; `lastTransitionTime: 'now'` becomes the time of that moment. */
  status(status: object): void;
  delete(): void;
};

type MachineHandle = {
  /** The power goes: no heartbeat, no status. */
  losePower(): void;
  comeBack(): void;
  drain(): void;
  cordon(): void;
  uncordon(): void;
  /** It goes down and comes back after so long, and its kubelet says that it was rebooted. */
  reboot(takes: string): void;
  /** Its kubelet says that it lacks these, and nothing else. */
  press(...pressures: readonly Pressure[]): void;
  /** Its kubelet evicts one of its Pods. */
  evict(message: string): void;
  /** Its kubelet writes a Warning about it. */
  warn(reason: string, message: string): void;
  /** Somebody who watches over it writes a condition of it, as node-problem-detector and cloud controllers do. */
  condition(type: string, status: 'True' | 'False', reason: string, message: string): void;
  /** It is taken out of the cluster. */
  remove(): void;
};

/** Something that a controller, or the machine it runs on, says in an Event. */
export type Said = {
  /** `Service/shop/api`; `Node//n1`. */
  readonly about: Ref;
  readonly type?: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** Who says it. */
  readonly by: string;
  readonly count?: number;
};

/** What a story is told with; nothing has to be awaited. Objects named outside `at` are there, and well, before Tocsin starts. */
export type ClusterBuilder = {
  deployment(place: string, workload: Workload): WorkloadHandle;
  statefulSet(place: string, workload: Workload): WorkloadHandle;
  daemonSet(place: string, workload: Workload): WorkloadHandle;
  job(place: string, workload: Workload): WorkloadHandle;
  /** A Pod that nobody owns. */
  pod(place: string, workload: Workload): ObjectHandle;
  configMap(place: string, data: Readonly<Record<string, string>>): PlainHandle;
  secret(place: string, data: Readonly<Record<string, string>>): PlainHandle;
  quota(place: string, hard: Readonly<Record<string, string>>): PlainHandle;
  cronJob(place: string, cronJob: CronJob): ObjectHandle;
  /** A Service for the Pods labelled `app: <its name>`, port 80 to their 8080; `spec`: fields of its own. */
  service(place: string, spec?: object): ObjectHandle;
  /** Anything else, as its manifest says. */
  object(manifest: Manifest): ObjectHandle;
  /** The same, but it is made when the story says so. */
  planned(manifest: Manifest): ObjectHandle;
  /** An Event as its controller writes it. */
  event(said: Said): void;
  /** Pods with this label `app` are asked to go through the eviction API, one after the other, once each. */
  evict(namespace: string, app: string): void;
  /** The controllers and the scheduler are gone. */
  stopControllers(): void;
  /** The API server goes down and comes back after so long (real control plane only). */
  restartApiServer(takes: string): void;
  node(name: string): MachineHandle;
  /** What containers of an image do, from now on. Without a word they come up in a second and stay. */
  image(image: string, behaviour: Behaviour): void;
  /** The same, and what runs of the image begins with it now: `at('5s', () => befall(…))`. */
  befall(image: string, behaviour: Behaviour): void;
  /** Something happens so long after Tocsin started: `'10s'`, `'1m30s'`. Workloads made in it are made then. */
  at(when: string, action: () => void): void;
  /** Tocsin starts only when all has been as it is for so long: what is broken then is old. */
  startsAfter(duration: string): void;
  /** How long is recorded. What follows by time alone (settling, holding) needs no recording. */
  lasts(duration: string): void;
  /** Tocsin is stopped and started again. */
  restartTocsin(): void;
  /** Where the story is recorded; `sandbox` has a clock of its own, for stories that take long. */
  recordedFrom(origin: Origin): void;
  /** Judged with everything that Pro has. */
  pro(): void;
  nodes(nodes: readonly (string | NodeOptions)[]): void;
  /** A machine joins. */
  addNode(node: NodeOptions): void;
  expectIncident(expected: ExpectedIncident): void;
  /** So many startup summaries, digests and overviews are right besides. */
  expectSummaries(count: number): void;
};

function milliseconds(text: string): number {
  const value = parseDurationMs(text);
  if (value === undefined) throw new Error(`"${text}" is not a duration: write 90s or 1m30s`);
  return value;
}

function imagesOf({ spec }: Pod): ReadonlySet<string> {
  return new Set([...(spec.initContainers ?? []), ...spec.containers].map(({ image }) => image));
}

/** Writes an Event as a controller does: about an object as it is. */
async function say(hands: Hands, { about, type = 'Warning', reason, message, by, count = 1 }: Said): Promise<void> {
  const now = new Date(hands.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  const [kind, namespace, name] = [kindOf(about), namespaceOf(about), nameOf(about)];
  const apiVersion = versionOfKind[kind] ?? 'v1';
  const metadata = { name, ...(namespace && { namespace }) };
  const found = await hands.api
    .json<RawObject>({ path: `${await pathOf(hands, { apiVersion, kind, metadata })}/${name}` })
    .catch(() => undefined);
  const where = namespace || 'default';
  await create(hands, `/api/v1/namespaces/${where}/events`, {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.${hands.clock.now().toString(16)}${reason.length}`, namespace: where },
    involvedObject: { apiVersion, kind, name, ...(namespace && { namespace }), uid: found?.metadata.uid ?? name },
    ...{ type, reason, message, count, firstTimestamp: now, lastTimestamp: now, source: { component: by } },
  });
}

/** A status whose conditions have changed now. */
function stamped(status: object, now: number): object {
  const time = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
  const text = JSON.stringify(status, (key, value: unknown) =>
    key === 'lastTransitionTime' && value === 'now' ? time : value,
  );
  // Nothing but times was replaced.
  return JSON.parse(text) as object;
}

/** Versions of the kinds that Events of stories are about, besides `v1`. */
const versionOfKind: Readonly<Record<string, string>> = {
  ...{ Deployment: 'apps/v1', StatefulSet: 'apps/v1', DaemonSet: 'apps/v1', ReplicaSet: 'apps/v1' },
  ...{ Job: 'batch/v1', CronJob: 'batch/v1', Ingress: 'networking.k8s.io/v1' },
  ...{ HorizontalPodAutoscaler: 'autoscaling/v2', PodDisruptionBudget: 'policy/v1' },
};

/** Tells a story. Without `expectIncident` it is a quiet one: nobody must hear of anything. */
export function scenario(description: string, tell: (cluster: ClusterBuilder) => void): Scenario {
  const before: ((hands: Hands) => Promise<void>)[] = [];
  const awaited: { path: string; kind: WorkloadKind }[] = [];
  const steps: Step[] = [];
  const incidents: ExpectedIncident[] = [];
  const behaviours = new Map<string, Behaviour>();
  let recordedFrom: Origin = 'controlplane';
  let edition: Edition = 'Community';
  let nodes: readonly NodeOptions[] = ['n1', 'n2', 'n3'].map((name) => ({ name }));
  let beforeMs = 3_000;
  let lastsMs = 180_000;
  let summaries = 0;
  /** Set while a step is played. */
  let playing: Hands | undefined;
  /** What a step has begun: it is over when all of it is done. */
  let begun: Promise<unknown>[] = [];

  /** Now, while a step is played; else before Tocsin starts. */
  function doIt(action: (hands: Hands) => Promise<void>): void {
    if (playing) begun.push(action(playing));
    else before.push(action);
  }

  function workload(kind: WorkloadKind, place: string, first: Workload): WorkloadHandle {
    const { namespace, name } = split(place);
    const collection = `/${kind.path}/namespaces/${namespace}/${kind.plural}`;
    const path = `${collection}/${name}`;
    if (!playing && !first.broken) awaited.push({ path, kind });
    doIt((hands) => create(hands, collection, workloadOf(kind, place, first)));
    const edit = (body: object, manager: string): void => doIt((hands) => patch(hands, path, body, manager));
    return {
      setImage: (image) => edit({ spec: { template: { spec: { containers: [{ name, image }] } } } }, 'kubectl-set'),
      scale: (replicas) => edit({ spec: { replicas } }, 'kubectl'),
      restart: () =>
        doIt((hands) => {
          const annotations = { 'kubectl.kubernetes.io/restartedAt': new Date(hands.clock.now()).toISOString() };
          return patch(hands, path, { spec: { template: { metadata: { annotations } } } }, 'kubectl-rollout');
        }),
      change: (change) => {
        const { spec } = workloadOf(kind, place, { ...first, ...change });
        return edit({ spec }, 'kubectl-client-side-apply');
      },
      patch: (body) => edit(body, 'kubectl-patch'),
      delete: () => doIt((hands) => remove(hands, path)),
    };
  }

  function plain(kind: keyof typeof plainPlurals, place: string, content: object): PlainHandle {
    const { namespace, name } = split(place);
    const collection = `/api/v1/namespaces/${namespace}/${plainPlurals[kind]}`;
    const path = `${collection}/${name}`;
    doIt((hands) => create(hands, collection, plainObject(kind, place, content)));
    return {
      edit: (next) =>
        doIt((hands) => {
          const { apiVersion, kind: _, metadata, ...fields } = plainObject(kind, place, next);
          return patch(hands, path, fields, 'kubectl-edit');
        }),
      delete: () => doIt((hands) => remove(hands, path)),
    };
  }

  function planned(manifest: Manifest): ObjectHandle {
    const { name } = manifest.metadata;
    const path = async (hands: Hands): Promise<string> => `${await pathOf(hands, manifest)}/${name}`;
    return {
      create: () => doIt(async (hands) => create(hands, await pathOf(hands, manifest), manifest)),
      patch: (body) => doIt(async (hands) => write(hands, await path(hands), body, 'kubectl-patch')),
      status: (status) =>
        doIt(async (hands) =>
          write(hands, `${await path(hands)}/status`, { status: stamped(status, hands.clock.now()) }, 'controller'),
        ),
      delete: () => doIt(async (hands) => remove(hands, await path(hands))),
    };
  }

  function object(manifest: Manifest): ObjectHandle {
    const handle = planned(manifest);
    handle.create();
    return handle;
  }

  function machine(name: string): MachineHandle {
    const simulated = (hands: Hands) => {
      const node = hands.kubelet.nodes.get(name);
      if (!node) throw new Error(`there is no node ${name}: say cluster.nodes([…])`);
      return node;
    };
    return {
      reboot: (takes) => doIt((hands) => restart(hands, simulated(hands), milliseconds(takes))),
      press: (...pressures) => doIt((hands) => simulated(hands).press(pressures)),
      evict: (message) => doIt(async (hands) => simulated(hands).evict(message)),
      warn: (reason, message) => doIt(async (hands) => simulated(hands).tell('Warning', reason, message)),
      condition: (...said) => doIt((hands) => writeCondition(hands, name, said)),
      remove: () =>
        doIt(async (hands) => {
          simulated(hands).stop();
          await remove(hands, `/api/v1/nodes/${name}`);
        }),
      losePower: () => doIt(async (hands) => simulated(hands).stop()),
      comeBack: () => doIt((hands) => simulated(hands).start()),
      drain: () => doIt((hands) => drain(hands, name)),
      cordon: () =>
        doIt((hands) => patch(hands, `/api/v1/nodes/${name}`, { spec: { unschedulable: true } }, 'kubectl-cordon')),
      uncordon: () =>
        doIt((hands) => patch(hands, `/api/v1/nodes/${name}`, { spec: { unschedulable: null } }, 'kubectl-uncordon')),
    };
  }

  tell({
    deployment: (place, first) => workload(workloadKinds.Deployment, place, first),
    statefulSet: (place, first) => workload(workloadKinds.StatefulSet, place, first),
    daemonSet: (place, first) => workload(workloadKinds.DaemonSet, place, first),
    job: (place, first) => workload(workloadKinds.Job, place, first),
    pod: (place, first) => object(podOf(place, first)),
    configMap: (place, data) => plain('ConfigMap', place, data),
    secret: (place, data) => plain('Secret', place, data),
    quota: (place, hard) => plain('ResourceQuota', place, hard),
    cronJob: (place, first) => object(cronJobOf(place, first)),
    service: (place, spec) => object(serviceOf(place, spec)),
    object,
    planned,
    event: (said) => doIt((hands) => say(hands, said)),
    evict: (namespace, app) => doIt((hands) => evictOnce(hands, namespace, app)),
    stopControllers: () => doIt((hands) => hands.stopControllers()),
    restartApiServer: (takes) => doIt((hands) => hands.restartApiServer(milliseconds(takes))),
    node: machine,
    image: (image, behaviour) => void behaviours.set(image, behaviour),
    befall(image, behaviour) {
      behaviours.set(image, behaviour);
      doIt(async ({ kubelet }) => kubelet.reread((pod) => imagesOf(pod).has(image)));
    },
    at(when, action) {
      steps.push({
        atMs: milliseconds(when),
        async action(hands) {
          playing = hands;
          begun = [];
          try {
            action();
          } finally {
            playing = undefined;
          }
          await Promise.all(begun);
        },
      });
    },
    startsAfter: (duration) => {
      beforeMs = milliseconds(duration);
    },
    lasts: (duration) => {
      lastsMs = milliseconds(duration);
    },
    restartTocsin: () => doIt((hands) => hands.restartTocsin(5)),
    recordedFrom: (origin) => {
      recordedFrom = origin;
    },
    pro: () => {
      edition = 'Pro';
    },
    nodes: (list) => {
      nodes = list.map((node) => (typeof node === 'string' ? { name: node } : node));
    },
    addNode: (node) => doIt(async (hands) => void (await hands.kubelet.addNode(node))),
    expectIncident: (expected) => void incidents.push(expected),
    expectSummaries: (count) => {
      summaries = count;
    },
  });
  steps.sort((a, b) => a.atMs - b.atMs);
  const begin = { recordedFrom, edition, nodes, before, awaited, beforeMs };
  return { description, ...begin, steps, lastsMs, behaviours, incidents, summaries };
}
