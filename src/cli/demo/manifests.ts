import { type PodScript, scriptAnnotation } from '../../../sandbox/kubelet/pod-script.ts';
import { apiVersion } from '../../api/group.ts';
import type { RawObject } from '../../model/raw-object.ts';

/** Namespace of Tocsin in the demo. */
export const operatorNamespace = 'tocsin';
/** Namespace of the shop that breaks. */
export const shopNamespace = 'shop';

/** A Deployment of one container whose Pods play a script. */
export function deployment(
  name: string,
  options: { readonly image: string; readonly replicas: number; readonly script?: PodScript; readonly secret?: string },
): RawObject {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: shopNamespace, labels },
    spec: {
      replicas: options.replicas,
      selector: { matchLabels: labels },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } },
      template: podTemplate(labels, options),
    },
  };
}

function podTemplate(labels: object, options: Parameters<typeof deployment>[1]): object {
  return {
    metadata: {
      labels,
      ...(options.script && { annotations: { [scriptAnnotation]: JSON.stringify(options.script) } }),
    },
    spec: {
      containers: [
        {
          name: 'app',
          image: options.image,
          resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '256Mi' } },
          ...(options.secret !== undefined && {
            env: [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name: options.secret, key: 'token' } } }],
          }),
        },
      ],
    },
  };
}

/** The custom resources a person would apply first: settings that fit a short demo, and the webhook of the receiver. */
export function configuration(receiverUrl: string): readonly RawObject[] {
  return [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'receiver', namespace: operatorNamespace },
      type: 'Opaque',
      data: { url: Buffer.from(receiverUrl).toString('base64') },
    },
    {
      apiVersion,
      kind: 'AlertConfig',
      metadata: { name: 'default', namespace: operatorNamespace },
      spec: {
        app: { clusterName: 'demo', startupMessage: 'Always' },
        incidents: { holdSeconds: 15 },
        statusEndpoint: { enabled: true },
      },
    },
    {
      apiVersion,
      kind: 'AlertProvider',
      metadata: { name: 'oncall', namespace: operatorNamespace },
      spec: { type: 'webhook', webhook: { url: { secretKeyRef: { name: 'receiver', key: 'url' } } } },
    },
  ];
}

/** A silence for one workload, as the story applies it. */
export const searchSilence: RawObject = {
  apiVersion,
  kind: 'Silence',
  metadata: { name: 'search-migration', namespace: operatorNamespace },
  spec: {
    selector: { namespaces: [shopNamespace], names: ['search'] },
    durationSeconds: 3600,
    comment: 'index migration, see OPS-123',
    createdBy: 'search team',
  },
};
