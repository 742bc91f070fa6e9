import type { Labels } from '../../model/subject.ts';
import { type Fields, fieldsOf, given, labelsOf, listOf, numberOf, textOf } from './fields.ts';
import { ServiceNames } from './service-names.ts';

/** A port that a container says it opens; one that says nothing may open any. */
export type ContainerPort = {
  readonly name: string;
  readonly port: number;
  /** Where it is on the Node as well. */
  readonly hostPort?: number;
};

/** One container of a Pod template. `sidecar`: an init container with `restartPolicy: Always`. */
export type ContainerTemplate = {
  readonly name: string;
  readonly role: 'main' | 'init' | 'sidecar';
  readonly image: string;
  readonly memoryLimit?: string;
  readonly memoryRequest?: string;
  /** Of what it writes outside of volumes, and to its log. */
  readonly storageLimit?: string;
  readonly cpuRequest?: string;
  readonly startupProbe: boolean;
  readonly readinessProbe: boolean;
  readonly livenessProbe: boolean;
  /** How long the startup probe lets it take: `initialDelaySeconds` + `failureThreshold` x `periodSeconds`. */
  readonly startupBudgetSeconds?: number;
  readonly ports?: readonly ContainerPort[];
  /** The port that each probe asks at, as it is written: a number, or the name of a port. Probes that run a command have none. */
  readonly probePorts?: { readonly [probe in ProbeName]?: number | string };
  /** Exits after which it is meant to run again (`restartPolicyRules`, KEP-5307): of these codes, or of all but these. */
  readonly meantExits?: { readonly in: boolean; readonly codes: readonly number[] };
};

/** The probes of a container, as its Events and its spec call them. */
export type ProbeName = 'startup' | 'readiness' | 'liveness';

/** What siblings share: one value per distinct template, however many Pods there are. */
export type PodTemplate = {
  readonly containers: readonly ContainerTemplate[];
  readonly restartPolicy: 'Always' | 'OnFailure' | 'Never';
  /** Names of Secrets, ConfigMaps and claims the Pod cannot start without (optional references left out). */
  readonly secrets: readonly string[];
  /** Those of the Secrets that only pull its images: its programs do not see them. */
  readonly pullSecrets?: readonly string[];
  readonly configMaps: readonly string[];
  readonly claims: readonly string[];
  /** Claims for devices that it names itself. */
  readonly resourceClaims?: readonly string[];
  /** The keys of Secrets that its variables are taken of, `db/password`: a Pod that runs was started with them. */
  readonly secretKeys?: readonly string[];
  /** The keys of ConfigMaps that its variables and volumes name, `app/url`: a Pod that runs was started with them. */
  readonly configMapKeys?: readonly string[];
  /** Where Secrets are mounted as files, `proxy-tls:/etc/tls`. */
  readonly secretMounts?: readonly string[];
  /** Hosts that its variables and arguments name and that can be Services: `db`, `db.data`. */
  readonly services?: readonly string[];
  /** The ports that they ask of these, where they say which: `db:5432`. */
  readonly servicePorts?: readonly string[];
  /** Hosts outside the cluster that they name: `db.corp.example`. */
  readonly hosts?: readonly string[];
  readonly serviceAccount: string;
  readonly nodeSelector: Labels;
  readonly priorityClass?: string;
  /** What admission made of it; absent: 0, as of Pods without a class. */
  readonly priority?: number;
  readonly runtimeClass?: string;
  /** What must open before the scheduler looks at it (`kueue.x-k8s.io/admission`). */
  readonly schedulingGates?: readonly string[];
  /** It has the network of its Node, and no address of its own. */
  readonly hostNetwork?: true;
};

function containerTemplate(container: Fields, init: boolean): ContainerTemplate {
  const { limits, requests } = fieldsOf(container.resources);
  const sidecar = init && container.restartPolicy === 'Always';
  const role = sidecar ? 'sidecar' : init ? 'init' : 'main';
  return {
    name: textOf(container.name) ?? '',
    role,
    image: textOf(container.image) ?? '',
    startupProbe: container.startupProbe !== undefined,
    readinessProbe: container.readinessProbe !== undefined,
    livenessProbe: container.livenessProbe !== undefined,
    ...given({
      memoryLimit: textOf(fieldsOf(limits).memory),
      memoryRequest: textOf(fieldsOf(requests).memory),
      storageLimit: textOf(fieldsOf(limits)['ephemeral-storage']),
      cpuRequest: textOf(fieldsOf(requests).cpu),
      startupBudgetSeconds: startupBudgetSeconds(container.startupProbe),
      ports: portsOf(container.ports),
      probePorts: probePortsOf(container),
      meantExits: meantExitsOf(container),
    }),
  };
}

function portsOf(value: unknown): readonly ContainerPort[] | undefined {
  const ports = listOf(value).map(({ name, containerPort, hostPort }) => ({
    name: textOf(name) ?? '',
    port: numberOf(containerPort) ?? 0,
    ...given({ hostPort: numberOf(hostPort) }),
  }));
  return ports.length > 0 ? ports : undefined;
}

function probePortsOf(container: Fields): ContainerTemplate['probePorts'] {
  const of = (probe: unknown): number | string | undefined => {
    const { httpGet, tcpSocket, grpc } = fieldsOf(probe);
    const { port } = fieldsOf(httpGet ?? tcpSocket ?? grpc);
    return numberOf(port) ?? textOf(port);
  };
  const { startupProbe, readinessProbe, livenessProbe } = container;
  const ports = given({ startup: of(startupProbe), readiness: of(readinessProbe), liveness: of(livenessProbe) });
  for (const _ in ports) return ports;
  return undefined;
}

function meantExitsOf({ restartPolicyRules }: Fields): ContainerTemplate['meantExits'] {
  const rule = listOf(restartPolicyRules).find(({ action }) => action === 'Restart');
  if (!rule) return undefined;
  const { operator, values } = fieldsOf(rule.exitCodes);
  const codes = Array.isArray(values) ? values.filter((value) => typeof value === 'number') : [];
  return { in: operator !== 'NotIn', codes };
}

function gatesOf({ schedulingGates }: Fields): PodTemplate['schedulingGates'] {
  const gates = listOf(schedulingGates).flatMap(({ name }) => textOf(name) ?? []);
  return gates.length === 0 ? undefined : gates;
}

/** The API server's defaults are `periodSeconds: 10` and `failureThreshold: 3`. */
function startupBudgetSeconds(probe: unknown): number | undefined {
  if (probe === undefined) return undefined;
  const { initialDelaySeconds, periodSeconds, failureThreshold } = fieldsOf(probe);
  return (numberOf(initialDelaySeconds) ?? 0) + (numberOf(periodSeconds) ?? 10) * (numberOf(failureThreshold) ?? 3);
}

/** Collects names that are needed; a reference marked `optional` is not. The names are few: a list is searched sooner than a set. */
function need(names: string[], reference: unknown, nameField = 'name'): void {
  if (reference === undefined) return;
  const fields = fieldsOf(reference);
  const name = textOf(fields[nameField]);
  if (name !== undefined && fields.optional !== true) note(names, name);
}

/** Keys of Secrets, and as many of ConfigMaps, that are kept of one template. */
const maxKeys = 64;

function noteKey(keys: string[], { name, key }: Fields): void {
  const [secret, of] = [textOf(name), textOf(key)];
  if (secret !== undefined && of !== undefined && keys.length < maxKeys) note(keys, `${secret}/${of}`);
}

function note(names: string[], name: string): void {
  if (!names.includes(name)) names.push(name);
}

/** The part of a Pod's spec that somebody reads. `podName` gives the name of claims made for one Pod alone. */
export function podTemplate(spec: Fields, podName = ''): PodTemplate {
  const secrets: string[] = [];
  const configMaps: string[] = [];
  const claims: string[] = [];
  const containers: ContainerTemplate[] = [];
  const services = new ServiceNames();
  const secretKeys: string[] = [];
  const configMapKeys: string[] = [];
  const take = (container: Fields, init: boolean): void => {
    containers.push(containerTemplate(container, init));
    for (const args of [container.command, container.args]) if (Array.isArray(args)) services.args(args);
    for (const { name, value, valueFrom } of listOf(container.env)) {
      if (typeof value === 'string' && value !== '') services.setting(textOf(name) ?? '', value);
      if (valueFrom === undefined) continue;
      const { secretKeyRef } = fieldsOf(valueFrom);
      need(secrets, secretKeyRef);
      if (secretKeyRef !== undefined) noteKey(secretKeys, fieldsOf(secretKeyRef));
      const { configMapKeyRef } = fieldsOf(valueFrom);
      need(configMaps, configMapKeyRef);
      if (configMapKeyRef !== undefined && fieldsOf(configMapKeyRef).optional !== true)
        noteKey(configMapKeys, fieldsOf(configMapKeyRef));
    }
    for (const { secretRef, configMapRef } of listOf(container.envFrom)) {
      need(secrets, secretRef);
      need(configMaps, configMapRef);
    }
  };
  // Init containers first, as the statuses list them.
  for (const container of listOf(spec.initContainers)) take(container, true);
  for (const container of listOf(spec.containers)) take(container, false);
  for (const volume of listOf(spec.volumes)) {
    need(secrets, volume.secret, 'secretName');
    need(configMaps, volume.configMap);
    const { name, items, optional } = fieldsOf(volume.configMap);
    if (optional !== true) for (const { key } of listOf(items)) noteKey(configMapKeys, { name, key });
    need(claims, volume.persistentVolumeClaim, 'claimName');
    if (volume.ephemeral !== undefined && podName !== '') note(claims, `${podName}-${textOf(volume.name) ?? ''}`);
    for (const { secret, configMap } of listOf(fieldsOf(volume.projected).sources)) {
      need(secrets, secret);
      need(configMaps, configMap);
    }
  }
  const secretMounts = secretMountsOf(spec);
  const seenByPrograms = secrets.length;
  for (const reference of listOf(spec.imagePullSecrets)) need(secrets, reference);
  const pullSecrets = secrets.slice(seenByPrograms);
  const policy = spec.restartPolicy;
  return {
    containers: containers.slice(),
    restartPolicy: policy === 'Never' || policy === 'OnFailure' ? policy : 'Always',
    secrets: inOrder(secrets),
    configMaps: inOrder(configMaps),
    claims: inOrder(claims),
    serviceAccount: textOf(spec.serviceAccountName) ?? 'default',
    nodeSelector: labelsOf(spec.nodeSelector),
    ...given({
      priorityClass: textOf(spec.priorityClassName),
      priority: numberOf(spec.priority) || undefined,
      runtimeClass: textOf(spec.runtimeClassName),
      schedulingGates: gatesOf(spec),
      hostNetwork: spec.hostNetwork === true ? true : undefined,
      resourceClaims: spec.resourceClaims === undefined ? undefined : claimsForDevices(spec),
      pullSecrets: pullSecrets.length === 0 ? undefined : pullSecrets,
      secretKeys: secretKeys.length === 0 ? undefined : inOrder(secretKeys),
      configMapKeys: configMapKeys.length === 0 ? undefined : inOrder(configMapKeys),
      secretMounts: secretMounts.length === 0 ? undefined : inOrder(secretMounts),
      services: services.all(),
      servicePorts: services.ports(),
      hosts: services.hosts(),
    }),
  };
}

/** Volumes of Secrets by where containers mount them. */
function secretMountsOf(spec: Fields): string[] {
  const secretOf = new Map<string, string>();
  for (const volume of listOf(spec.volumes)) {
    const secret = textOf(fieldsOf(volume.secret).secretName);
    if (secret !== undefined) secretOf.set(textOf(volume.name) ?? '', secret);
  }
  const mounts: string[] = [];
  if (secretOf.size === 0) return mounts;
  for (const { volumeMounts } of [...listOf(spec.initContainers), ...listOf(spec.containers)])
    for (const { name, mountPath } of listOf(volumeMounts)) {
      const secret = secretOf.get(textOf(name) ?? '');
      const path = textOf(mountPath);
      if (secret !== undefined && path !== undefined && mounts.length < maxKeys) note(mounts, `${secret}:${path}`);
    }
  return mounts;
}

/** Those that are made for each Pod from a template have no name before. */
function claimsForDevices(spec: Fields): readonly string[] {
  return inOrder(listOf(spec.resourceClaims).flatMap(({ resourceClaimName }) => textOf(resourceClaimName) ?? []));
}

/**
 * A few names, sorted. `sort` makes copies on its way, for each of 100,000 Pods. The one here has no room to spare, as a list
 * that grew has.
 */
function inOrder(names: string[]): string[] {
  for (let at = 1; at < names.length; at++)
    for (let to = at; to > 0; to--) {
      const [before, name] = [names[to - 1] ?? '', names[to] ?? ''];
      if (before <= name) break;
      names[to - 1] = name;
      names[to] = before;
    }
  return names.slice();
}
