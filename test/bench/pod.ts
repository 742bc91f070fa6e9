import type { RawObject } from '../../src/model/raw-object.ts';
import { withManagedFields } from './managed-fields.ts';

/** How many Pods each ReplicaSet has, and how many Nodes they are spread over. */
export type Layout = { readonly podsPerOwner: number; readonly nodeCount: number };

/** Long ago, by any clock: what runs since then is no rollout and no young Node. */
export const firstStart = Date.UTC(2025, 0, 1);

const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
/** A deterministic suffix as controllers make them. */
export function suffix(seed: number, length: number): string {
  let rest = Math.imul(seed + 1, 2_654_435_761) >>> 0;
  let text = '';
  for (let at = 0; at < length; at++) {
    text += alphabet[rest % alphabet.length];
    rest = Math.imul(rest ^ (rest >>> 13), 1_597_334_677) >>> 0;
  }
  return text;
}

/** What the Pods of one owner share: names as a Deployment's controllers make them. */
export function namesOf(owner: number) {
  const app = `service-${owner}`;
  const hash = suffix(owner, 10);
  return { namespace: `team-${owner % 40}`, app, hash, replicaSet: `${app}-${hash}` };
}

/** RFC 3339 without fractions, as the API writes times. */
export function timeText(epochMs: number): string {
  return new Date(epochMs).toISOString().replace(/\.\d+/, '');
}

/** A Pod as the API sends it: two containers with probes, environment and volumes, five conditions, managedFields. */
export function pod(index: number, { podsPerOwner, nodeCount }: Layout): RawObject {
  const owner = Math.floor(index / podsPerOwner);
  const { namespace, app, hash, replicaSet } = namesOf(owner);
  const name = `${replicaSet}-${suffix(index, 5)}`;
  const started = firstStart + index * 7_000;
  const time = (offset: number): string => timeText(started + offset * 1000);
  // The admission controller gives each Pod's volume a name of its own.
  const token = `kube-api-access-${suffix(index + 3, 5)}`;
  const container = (own: string, port: number) => ({
    name: own,
    image: `registry.example.com/shop/${app}/${own}:1.${owner % 30}.0`,
    imagePullPolicy: 'IfNotPresent',
    ports: [{ name: 'http', containerPort: port, protocol: 'TCP' }],
    env: Array.from({ length: 12 }, (_, at) =>
      at % 4 === 0
        ? { name: `SETTING_${at}`, valueFrom: { secretKeyRef: { name: `${app}-secret`, key: `setting-${at}` } } }
        : { name: `SETTING_${at}`, value: `value of setting ${at} of ${app}` },
    ),
    envFrom: [{ configMapRef: { name: `${app}-config` } }],
    resources: { limits: { memory: '512Mi' }, requests: { cpu: '100m', memory: '256Mi' } },
    readinessProbe: { httpGet: { path: '/ready', port, scheme: 'HTTP' }, periodSeconds: 10, failureThreshold: 3 },
    livenessProbe: { httpGet: { path: '/live', port, scheme: 'HTTP' }, periodSeconds: 10, failureThreshold: 3 },
    startupProbe: { httpGet: { path: '/live', port, scheme: 'HTTP' }, periodSeconds: 5, failureThreshold: 30 },
    volumeMounts: [
      { name: 'config', mountPath: '/etc/app', readOnly: true },
      { name: token, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', readOnly: true },
    ],
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  });
  const condition = (type: string, offset: number) => ({
    type,
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: time(offset),
  });
  const status = (own: string, offset: number) => ({
    name: own,
    containerID: `containerd://${suffix(index, 32)}${suffix(index + 7, 32)}`,
    image: `registry.example.com/shop/${app}/${own}:1.${owner % 30}.0`,
    imageID: `registry.example.com/shop/${app}/${own}@sha256:${suffix(owner, 32)}${suffix(owner + 7, 32)}`,
    ready: true,
    started: true,
    restartCount: index % 50 === 0 ? 1 : 0,
    state: { running: { startedAt: time(offset) } },
    lastState:
      index % 50 === 0
        ? { terminated: { exitCode: 1, reason: 'Error', startedAt: time(-90), finishedAt: time(-30) } }
        : {},
  });
  const uid = `${suffix(index, 8)}-${suffix(index + 1, 4)}-${suffix(index + 2, 4)}-${suffix(index + 3, 4)}-${suffix(index, 12)}`;
  const object = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      generateName: `${replicaSet}-`,
      namespace,
      uid,
      resourceVersion: String(1_000_000 + index),
      creationTimestamp: time(0),
      labels: { app, 'app.kubernetes.io/part-of': 'shop', 'pod-template-hash': hash },
      annotations: { 'checksum/config': suffix(owner, 32) },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: replicaSet,
          uid: suffix(owner, 36),
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      containers: [container('main', 8080), container('proxy', 15_001)],
      volumes: [
        { name: 'config', configMap: { name: `${app}-config`, defaultMode: 420 } },
        {
          name: token,
          projected: {
            sources: [
              { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
              { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
            ],
          },
        },
      ],
      imagePullSecrets: [{ name: 'registry' }],
      nodeName: `node-${(index * 7919) % nodeCount}`,
      restartPolicy: 'Always',
      serviceAccountName: app,
      tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' }],
    },
    status: {
      phase: 'Running',
      conditions: [
        condition('PodReadyToStartContainers', 2),
        condition('Initialized', 0),
        condition('Ready', 9 + (index % 5)),
        condition('ContainersReady', 9 + (index % 5)),
        condition('PodScheduled', 0),
      ],
      hostIP: `10.0.${index % 200}.1`,
      podIP: `10.1.${index % 200}.${index % 250}`,
      startTime: time(0),
      qosClass: 'Burstable',
      containerStatuses: [status('main', 3), status('proxy', 4 + (index % 3))],
    },
  };
  return withManagedFields(object, {
    ...{ apiVersion: 'v1', time: time(0), main: 'kube-controller-manager', status: 'kubelet' },
  });
}
