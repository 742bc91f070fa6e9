import type { PodScript } from '../../../sandbox/kubelet/pod-script.ts';
import type { Pod } from '../../../sandbox/shapes.ts';
import { credentials, isClient, isDatabase, isDns, many, names, service, type Town } from './town.ts';

/** One cause, or two that have nothing to do with each other, and very many Pods that fail for it. */
export type Storm = {
  readonly name: string;
  /** For each cause the roots that are right: `Kind/namespace/name`. */
  readonly causes: readonly (readonly string[])[];
  /** Makes what must be there first, and is left out of the measurement. */
  prepare?(town: Town): Promise<void>;
  begin(town: Town): Promise<void>;
  end(town: Town): Promise<void>;
  /** Takes away what `prepare` made. */
  tidy?(town: Town): Promise<void>;
  /** How many Pods of the clients it hits, as a share; default all. */
  readonly share?: number;
  /** Pods that it hits beside the clients are all those of this workload: `shop/giant`. */
  readonly giant?: string;
};

/** A container that says these lines and ends. */
const ends = (...log: readonly string[]): PodScript => ({
  ...{ exit: { afterSeconds: 4, code: 1 }, readyAfterSeconds: 'never' },
  log,
});
const refused = ends(
  'Error: connect ECONNREFUSED 10.0.0.41:5432 (postgres.data.svc.cluster.local)',
  '    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1634:16)',
);
const databaseDown = ends('PANIC:  could not write to file "pg_wal/xlogtemp.29": No space left on device');
const unreachable: PodScript = { pullError: 'RegistryUnreachable' };
const isOdd = (pod: Pod): boolean => isClient(pod) && Number(pod.metadata.labels?.app?.slice(-2)) % 2 === 1;

async function lose(town: Town, machines: readonly string[]): Promise<void> {
  for (const name of machines) town.stage.kubelet.nodes.get(name)?.stop();
}

async function find(town: Town, machines: readonly string[]): Promise<void> {
  await Promise.all(machines.flatMap((name) => town.stage.kubelet.nodes.get(name)?.start() ?? []));
}

const webhook = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'policy.acme.example' },
  webhooks: [
    {
      name: 'pods.policy.acme.example',
      clientConfig: { service: { name: 'policy', namespace: 'data', path: '/validate' } },
      failurePolicy: 'Fail',
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      timeoutSeconds: 5,
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
    },
  ],
};

const group = (town: Town): readonly string[] => town.machines(names.groupLabel, names.group);
const zone = (town: Town): readonly string[] => town.machines(names.zoneLabel, names.zone);

/** Every storm, in the order in which they come. */
export const storms: readonly Storm[] = [
  {
    name: 'registry outage',
    causes: [[`Registry//${names.registry}`]],
    async begin(town) {
      town.expect(isClient, unreachable);
      await town.recreate('role=client');
    },
    end: async (town) => town.calm(),
  },
  {
    name: 'Secret missing',
    causes: [[`Secret/shop/${names.secret}`]],
    async begin(town) {
      await town.stage.kubectl(['-n', 'shop', 'delete', 'secret', names.secret]);
      await town.recreate('role=client');
    },
    end: (town) => town.stage.apply(credentials('first')),
  },
  {
    name: 'Secret changed',
    causes: [[`Secret/shop/${names.secret}`]],
    async begin(town) {
      await town.stage.apply(credentials('second'));
      town.expect(isClient, ends('FATAL: password authentication failed for user "app"'));
      await town.recreate('role=client');
    },
    async end(town) {
      await town.stage.apply(credentials('first'));
      town.calm();
    },
  },
  {
    name: 'release of one large workload',
    causes: [['Deployment/shop/giant']],
    share: 0,
    giant: 'shop/giant',
    async prepare(town) {
      await town.stage.apply(many('shop/giant', town.pods, `${names.registry}/giant:1`));
      await town.stage.eventually(240, async () => {
        const { status } = await town.stage.client.json<{ status?: { readyReplicas?: number } }>({
          path: '/apis/apps/v1/namespaces/shop/deployments/giant',
        });
        if (status?.readyReplicas !== town.pods) throw new Error(`${status?.readyReplicas} of ${town.pods} are ready`);
      });
    },
    async begin(town) {
      town.expect((pod) => pod.spec.containers[0]?.image.endsWith('/giant:2') === true, { pullError: 'NotFound' });
      await town.stage.kubectl(['-n', 'shop', 'set', 'image', 'deployment/giant', `app=${names.registry}/giant:2`]);
    },
    async end(town) {
      town.calm();
    },
    async tidy(town) {
      await town.stage.kubectl(['-n', 'shop', 'delete', 'deployment', 'giant', '--wait=false']);
    },
  },
  {
    name: 'cluster DNS down',
    causes: [['Service/kube-system/kube-dns', 'Deployment/kube-system/coredns']],
    async begin(town) {
      town.befall(isDns, ends("/etc/coredns/Corefile:5 - Error during parsing: Unknown directive 'frward'"));
      town.befall(isClient, ends('Error: getaddrinfo EAI_AGAIN postgres.data.svc.cluster.local'));
    },
    end: async (town) => town.calm(),
  },
  {
    name: 'admission webhook down that fails closed',
    causes: [['Deployment/data/policy', 'ValidatingWebhookConfiguration//policy.acme.example', 'Service/data/policy']],
    async prepare(town) {
      // There is no process behind it: it is asked only once it is down.
      await town.stage.apply(
        many('data/policy', 1, 'registry.k8s.example/policy:1'),
        service('data/policy', 443, 'policy'),
      );
      await town.stage.kubectl(['-n', 'data', 'rollout', 'status', 'deployment/policy', '--timeout=60s']);
    },
    async begin(town) {
      town.befall(
        (pod) => pod.metadata.labels?.app === 'policy',
        ends('panic: open /etc/policy/tls.crt: no such file or directory'),
      );
      await town.stage.apply(webhook);
      await town.recreate('role=client');
    },
    async end(town) {
      town.calm();
      await town.stage.kubectl(['delete', 'validatingwebhookconfiguration', webhook.metadata.name]);
      // Who was refused tries again after longer and longer, up to a quarter of an hour; an edit makes it try at once.
      await town.stage.kubectl(['-n', 'shop', 'annotate', 'replicasets', '--all', '--overwrite', 'storm=over']);
    },
    async tidy(town) {
      await town.stage.kubectl(['-n', 'data', 'delete', 'deployment/policy', 'service/policy', '--wait=false']);
    },
  },
  {
    name: 'database in the cluster down',
    causes: [['StatefulSet/data/postgres', 'Service/data/postgres']],
    async begin(town) {
      town.befall(isDatabase, databaseDown);
      town.befall(isClient, refused);
    },
    end: async (town) => town.calm(),
  },
  {
    name: 'node group lost',
    causes: [[`NodeGroup//${names.group}`, `NodePool//${names.group}`, ...named('Node')]],
    share: 0.5,
    begin: (town) => lose(town, group(town)),
    end: (town) => find(town, group(town)),
  },
  {
    name: 'zone lost',
    causes: [[`Zone//${names.zone}`, ...named('Node')]],
    share: 0.5,
    begin: (town) => lose(town, zone(town)),
    end: (town) => find(town, zone(town)),
  },
  {
    name: 'two at once: registry outage, database down',
    causes: [[`Registry//${names.registry}`], ['StatefulSet/data/postgres', 'Service/data/postgres']],
    async begin(town) {
      town.befall(isDatabase, databaseDown);
      town.befall((pod) => isClient(pod) && !isOdd(pod), refused);
      town.expect(isOdd, unreachable);
      const odd = town.clients.filter((name) => Number(name.slice(-2)) % 2 === 1);
      await town.recreate(`app in (${odd.join(',')})`);
    },
    end: async (town) => town.calm(),
  },
];

/** Every machine by its name: which of a group a message names first is a matter of taste. */
function named(kind: string): readonly string[] {
  return Array.from({ length: 60 }, (_, index) => `${kind}//m${String(index + 1).padStart(2, '0')}`);
}
