import { condition, custom, define, imageAt } from '../../kit/company.ts';
import { after, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';

/** An autoscaler of a Deployment of `orders` by one metric. */
const scaler = (name: string, target: string, metric: object) => ({
  ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { namespace: 'orders', name } },
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: target },
    ...{ minReplicas: 2, maxReplicas: 12, metrics: [metric] },
  },
});

/** What an autoscaler says of itself. */
const scaling = (status: 'True' | 'False', reason: string, message: string): object => ({
  ...{ currentReplicas: 2, desiredReplicas: 2 },
  conditions: [
    {
      ...{ type: 'AbleToScale', status: 'True', reason: 'SucceededGetScale' },
      message: "the HPA controller was able to get the target's current scale",
    },
    { type: 'ScalingActive', status, reason, message, lastTransitionTime: 'now' },
  ],
});

/** Those who scale by what others measure. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/renoki-co/laravel-helm-demo/issues/27: "no such host", as the server got another name.
  'adapter-asks-a-service-of-another-name': reported(
    'The Service of a Prometheus gets another name in a move of charts; the adapter asks the old one, and an autoscaler has no metric',
    (cluster) => {
      cluster.pro();
      server(cluster, 'monitoring/prometheus', 'quay.io/prometheus/prometheus:v2.51.2', 9090);
      const old = cluster.service('monitoring/prometheus-server', { selector: { app: 'prometheus' } });
      cluster.deployment('monitoring/prometheus-adapter', {
        image: 'registry.k8s.io/prometheus-adapter/prometheus-adapter:v0.12.0',
        container: { args: ['--prometheus-url=http://prometheus-server.monitoring.svc.cluster.local:80'] },
        values: { PROMETHEUS_URL: 'http://prometheus-server.monitoring.svc.cluster.local:80' },
      });
      cluster.service('monitoring/prometheus-adapter');
      cluster.deployment('orders/php', { replicas: 2, image: imageAt('php', '8.3') });
      cluster.service('orders/php');
      const metric = {
        type: 'Pods',
        pods: { metric: { name: 'phpfpm_process_utilization' }, target: { type: 'AverageValue', averageValue: '50' } },
      };
      const php = cluster.object(scaler('php', 'php', metric));
      php.status(
        scaling(
          'True',
          'ValidMetricFound',
          'the HPA was able to successfully calculate a replica count from pods metric',
        ),
      );
      cluster.at(after(0), () => {
        old.delete();
        cluster.service('monitoring/kube-prometheus-prometheus', { selector: { app: 'prometheus' } });
      });
      const why =
        'unable to get metric phpfpm_process_utilization: unable to fetch metrics from custom metrics API: the server could not find the metric phpfpm_process_utilization for pods';
      cluster.at(after(75), () =>
        php.status(scaling('False', 'FailedGetPodsMetric', `the HPA was unable to compute the replica count: ${why}`)),
      );
      for (const seconds of [76, 376, 676])
        cluster.at(after(seconds), () =>
          cluster.event({
            about: 'HorizontalPodAutoscaler/orders/php',
            reason: 'FailedGetPodsMetric',
            message: why,
            by: 'horizontal-pod-autoscaler',
            count: 1 + Math.floor((seconds - 75) / 15),
          }),
        );
      cluster.expectIncident({
        root: 'Service/monitoring/prometheus-server',
        accepts: ['HorizontalPodAutoscaler/orders/php', 'Deployment/monitoring/prometheus-adapter'],
        messages: { resolve: 0, update: '≤2' },
        beginsAfterSeconds: 330,
        firstMessageWithinSeconds: 1200,
        mustNotBlame: ['Deployment/orders/php', 'StatefulSet/monitoring/prometheus'],
      });
    },
    { minutes: 28 },
  ),

  // https://github.com/kedacore/keda/issues/7640: the Secret was changed, and the scaler goes on with what it read before.
  'scaler-keeps-the-password-of-before': reported(
    'The password of a broker is changed, in its Secret as well; the scaler goes on with the old one and scales no more',
    (cluster) => {
      cluster.pro();
      define(cluster, 'keda.sh/v1alpha1', ['ScaledObject', 'TriggerAuthentication']);
      cluster.deployment('keda/keda-operator', { image: 'ghcr.io/kedacore/keda:2.14.0' });
      server(cluster, 'orders/rabbitmq', 'docker.io/library/rabbitmq:3.13.2', 5672);
      const secret = cluster.secret('orders/rabbit-access', { host: 'one', username: 'one', password: 'one' });
      cluster.deployment('orders/packer', {
        ...{ replicas: 2, image: imageAt('packer', 14), probe: false },
        env: { RABBIT_PASSWORD: 'secret/rabbit-access/password' },
      });
      custom(cluster, 'keda.sh/v1alpha1', 'TriggerAuthentication', 'orders/rabbit-auth', {
        secretTargetRef: [{ parameter: 'host', name: 'rabbit-access', key: 'host' }],
      });
      const scaled = custom(cluster, 'keda.sh/v1alpha1', 'ScaledObject', 'orders/packer', {
        scaleTargetRef: { name: 'packer' },
        triggers: [{ type: 'rabbitmq', authenticationRef: { name: 'rabbit-auth' } }],
      });
      scaled.status(
        condition('Ready', 'True', 'ScaledObjectReady', 'ScaledObject is defined correctly and is ready for scaling'),
      );
      const metric = {
        type: 'External',
        external: { metric: { name: 's0-rabbitmq-pack' }, target: { type: 'AverageValue', averageValue: '20' } },
      };
      const hpa = cluster.object(scaler('keda-hpa-packer', 'packer', metric));
      hpa.status(
        scaling(
          'True',
          'ValidMetricFound',
          'the HPA was able to successfully calculate a replica count from external metric s0-rabbitmq-pack',
        ),
      );
      const refused = 'Exception (403) Reason: "username or password not allowed"';
      cluster.at(after(0), () => secret.edit({ host: 'two', username: 'one', password: 'two' }));
      cluster.at(after(40), () => {
        scaled.status(
          condition('Ready', 'False', 'ScaledObjectCheckFailed', `error establishing rabbitmq connection: ${refused}`),
        );
        hpa.status(
          scaling(
            'False',
            'FailedGetExternalMetric',
            `the HPA was unable to compute the replica count: unable to get external metric orders/s0-rabbitmq-pack/&LabelSelector{MatchLabels:map[string]string{scaledobject.keda.sh/name: packer,},MatchExpressions:[]LabelSelectorRequirement{},}: unable to fetch metrics from external metrics API: rpc error: code = Unknown desc = error when getting metric values: ${refused}`,
          ),
        );
      });
      cluster.expectIncident({
        root: 'Secret/orders/rabbit-access',
        accepts: [
          'ScaledObject.keda.sh/orders/packer',
          'HorizontalPodAutoscaler/orders/keda-hpa-packer',
          'TriggerAuthentication.keda.sh/orders/rabbit-auth',
        ],
        messages: { resolve: 0, update: '≤2' },
        beginsAfterSeconds: 370,
        firstMessageWithinSeconds: 1200,
        mustNotBlame: ['Deployment/orders/packer', 'StatefulSet/orders/rabbitmq'],
      });
    },
    { minutes: 28 },
  ),
};
