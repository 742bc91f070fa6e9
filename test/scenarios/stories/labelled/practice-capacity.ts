import { company, condition, custom, define, imageAt, innocentRelease } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends } from '../../kit/surroundings.ts';

/** What an autoscaler says of itself: whether it sees its metric. */
const scaling = (status: 'True' | 'False', reason: string, message: string): object => ({
  ...{ currentReplicas: 2, desiredReplicas: 2 },
  conditions: [
    {
      type: 'AbleToScale',
      status: 'True',
      reason: 'SucceededGetScale',
      message: "the HPA controller was able to get the target's current scale",
    },
    { type: 'ScalingActive', status, reason, message, lastTransitionTime: 'now' },
  ],
});

/** Room on the machines, and those who are to make more of it. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.io/docs/tasks/manage-hugepages/scheduling-hugepages/
  'huge-pages-on-no-machine': scenario(
    'A release of a packet processor asks for huge pages, which no machine has',
    (cluster) => {
      const firm = company(cluster);
      const image = imageAt('packets', 2);
      const packets = cluster.deployment('telecom/packets', { replicas: 2, image });
      cluster.service('telecom/packets');
      innocentRelease(cluster, '3s', firm);
      const sizes = { 'hugepages-2Mi': '512Mi', memory: '256Mi', cpu: '100m' };
      cluster.at('8s', () =>
        packets.patch({
          spec: {
            template: {
              spec: {
                containers: [
                  { name: 'packets', image: imageAt('packets', 3), resources: { requests: sizes, limits: sizes } },
                ],
              },
            },
          },
        }),
      );
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Deployment/telecom/packets',
        messages: { resolve: 0 },
        mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://kubernetes.io/docs/setup/best-practices/cluster-large/: so many Pods a machine takes, and no more.
  'machines-take-no-more-pods': scenario(
    'A workload of tiny Pods is scaled up beyond the number of Pods that the machines take',
    (cluster) => {
      cluster.nodes([
        { name: 'n1', pods: 10 },
        { name: 'n2', pods: 10 },
        { name: 'n3', pods: 10 },
      ]);
      company(cluster);
      const probes = cluster.deployment('iot/probes', {
        replicas: 6,
        image: imageAt('probes', 1),
        cpu: '10m',
        memory: '16Mi',
      });
      cluster.deployment('iot/gateway', { replicas: 2, image: imageAt('gateway', 1) });
      cluster.at('6s', () => probes.scale(30));
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Deployment/iot/probes',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/iot/gateway'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#inter-pod-affinity-and-anti-affinity
  'wants-to-be-near-what-is-gone': scenario(
    'A workload must run beside a cache that was taken away; it finds no place after a restart',
    (cluster) => {
      company(cluster);
      const cache = cluster.deployment('shop/near-cache', { replicas: 3, image: imageAt('near-cache', 1) });
      const affinity = {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { labelSelector: { matchLabels: { app: 'near-cache' } }, topologyKey: 'kubernetes.io/hostname' },
          ],
        },
      };
      const search = cluster.deployment('shop/facets', {
        replicas: 2,
        image: imageAt('facets', 1),
        pod: { affinity },
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('shop/facets');
      cluster.at('5s', () => cache.delete());
      cluster.at('20s', () => search.restart());
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Deployment/shop/facets',
        accepts: ['Deployment/shop/near-cache'],
        messages: { resolve: 0 },
      });
    },
  ),

  // https://karpenter.sh/docs/concepts/nodepools/#speclimits, https://karpenter.sh/docs/troubleshooting/
  'pool-of-machines-at-its-limit': scenario(
    'A pool of Karpenter is at the limit somebody set, and a workload that grows gets no more machines',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      company(cluster);
      define(cluster, 'karpenter.sh/v1', ['NodePool'], 'Cluster');
      const pool = custom(cluster, 'karpenter.sh/v1', 'NodePool', '/general', { limits: { cpu: '12' } });
      pool.status({
        conditions: [{ type: 'Ready', status: 'True', reason: 'Ready', message: '' }],
        resources: { cpu: '12', memory: '24Gi', nodes: '3' },
      });
      cluster.deployment('kube-system/karpenter', {
        replicas: 2,
        image: 'public.ecr.example/karpenter/controller:1.6',
      });
      const render = cluster.deployment('film/render', { replicas: 3, image: imageAt('render', 1), cpu: '2' });
      cluster.at('8s', () => render.scale(8));
      for (const when of ['20s', '60s', '110s'])
        cluster.at(when, () =>
          cluster.event({
            about: 'Deployment/film/render',
            reason: 'FailedScheduling',
            message: 'Failed to schedule pod, all available instance types exceed limits for nodepool: "general"',
            by: 'karpenter',
            count: 4,
          }),
        );
      cluster.lasts('3m');
      cluster.expectIncident({
        root: 'NodePool.karpenter.sh//general',
        accepts: ['Deployment/film/render', 'NodePool//general'],
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/kube-system/karpenter'],
      });
    },
  ),

  // https://keda.sh/docs/latest/troubleshooting/, https://github.com/kedacore/keda/issues/6572
  'metrics-from-outside-are-gone': scenario(
    'The metrics server of KEDA crashes, and the autoscalers of two teams see nothing',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const image = 'ghcr.example/kedacore/keda-metrics-apiserver:2.17';
      cluster.deployment('keda/keda-metrics-apiserver', { image });
      cluster.service('keda/keda-metrics-apiserver', {
        ports: [{ name: 'https', port: 443, targetPort: 6443, protocol: 'TCP' }],
      });
      const served = cluster.object({
        ...{
          apiVersion: 'apiregistration.k8s.io/v1',
          kind: 'APIService',
          metadata: { name: 'v1beta1.external.metrics.k8s.io' },
        },
        spec: {
          group: 'external.metrics.k8s.io',
          version: 'v1beta1',
          insecureSkipTLSVerify: true,
          groupPriorityMinimum: 100,
          versionPriority: 100,
          service: { namespace: 'keda', name: 'keda-metrics-apiserver' },
        },
      });
      const scalers = ['shop/mailer', 'bank/exports'].map((place) => {
        const [namespace = '', name = ''] = place.split('/');
        cluster.deployment(place, { replicas: 2, image: imageOf(place) });
        const scaler = cluster.object({
          ...{
            apiVersion: 'autoscaling/v2',
            kind: 'HorizontalPodAutoscaler',
            metadata: { name: `keda-hpa-${name}`, namespace },
          },
          spec: {
            scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
            ...{ minReplicas: 2, maxReplicas: 10 },
            metrics: [
              {
                type: 'External',
                external: {
                  metric: { name: 's0-rabbitmq-mails' },
                  target: { type: 'AverageValue', averageValue: '20' },
                },
              },
            ],
          },
        });
        return scaler;
      });
      served.status(condition('Available', 'True', 'Passed', 'all checks passed'));
      for (const scaler of scalers)
        scaler.status(
          scaling(
            'True',
            'ValidMetricFound',
            'the HPA was able to successfully calculate a replica count from external metric s0-rabbitmq-mails(nil)',
          ),
        );
      cluster.at('12s', () =>
        served.status(
          condition(
            'Available',
            'False',
            'MissingEndpoints',
            'endpoints for service/keda-metrics-apiserver in "keda" have no addresses with port name "https"',
          ),
        ),
      );
      cluster.at('20s', () => {
        for (const scaler of scalers)
          scaler.status(
            scaling(
              'False',
              'FailedGetExternalMetric',
              'the HPA was unable to compute the replica count: unable to get external metric s0-rabbitmq-mails: unable to fetch metrics from external metrics API: the server is currently unable to handle the request (get s0-rabbitmq-mails.external.metrics.k8s.io)',
            ),
          );
      });
      cluster.at('8s', () =>
        cluster.befall(
          image,
          ends(
            [
              'E1122 09:00:04.181000 1 provider.go:88] "error getting metrics from KEDA Metrics Service" err="rpc error: code = Unavailable"',
              'F1122 09:00:04.310000 1 main.go:114] "unable to load certificates" err="open /certs/tls.crt: no such file or directory"',
            ],
            1,
            2,
          ),
        ),
      );
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Deployment/keda/keda-metrics-apiserver',
        accepts: ['APIService//v1beta1.external.metrics.k8s.io'],
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/shop/mailer', 'Deployment/bank/exports'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/: a night calculation of high priority throws others out.
  'report-pushes-others-off-the-machines': scenario(
    'A new report of the highest priority pushes two workloads off the machines, and they find no room',
    (cluster) => {
      company(cluster);
      cluster.object({
        apiVersion: 'scheduling.k8s.io/v1',
        kind: 'PriorityClass',
        metadata: { name: 'board' },
        value: 1000000,
      });
      for (const place of ['shop/browse', 'crm/calls'])
        cluster.deployment(place, { replicas: 4, image: imageOf(place), cpu: '1200m' });
      cluster.at('6s', () =>
        cluster.deployment('board/report', {
          replicas: 3,
          image: imageAt('report', 1),
          cpu: '3',
          pod: { priorityClassName: 'board' },
        }),
      );
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Deployment/board/report',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/shop/browse', 'Deployment/crm/calls', 'Node//n1'],
      });
    },
  ),
};
