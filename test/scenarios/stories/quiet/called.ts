import { type Scenario, scenario } from '../../kit/scenario.ts';
import { plainEnv, surroundings, unready } from '../../kit/surroundings.ts';

const imageOf = (name: string): string => `registry.initech.example/${name}:6`;

export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.io/docs/concepts/cluster-administration/manage-deployment/: labels and selector go together.
  'labels-and-selector-renamed': scenario(
    'A release renames a label of its Pods, and its Service follows a moment later',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const quotes = cluster.deployment('sales/quotes', {
        ...{ replicas: 2, image: imageOf('quotes'), labels: { tier: 'backend' } },
      });
      const service = cluster.service('sales/quotes', { selector: { app: 'quotes', tier: 'backend' } });
      cluster.at('10s', () =>
        quotes.change({ image: 'registry.initech.example/quotes:7', labels: { tier: 'internal' } }),
      );
      cluster.at('18s', () => service.patch({ spec: { selector: { app: 'quotes', tier: 'internal' } } }));
      cluster.lasts('2m');
    },
  ),

  // https://openid.net/specs/openid-connect-discovery-1_0.html: an issuer that is restarted is away for a moment.
  'issuer-away-for-a-moment': scenario(
    'An identity provider outside is away for half a minute, and two workloads are not ready for as long',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const container = plainEnv({ ISSUER: 'https://login.initech.example' });
      const names = ['portal', 'desk'];
      for (const name of names) cluster.deployment(`staff/${name}`, { replicas: 2, image: imageOf(name), container });
      cluster.at('10s', () => {
        for (const name of names)
          cluster.befall(
            imageOf(name),
            unready(['Get "https://login.initech.example/keys": dial tcp 192.0.2.44:443: connect: connection refused']),
          );
      });
      cluster.at('52s', () => {
        for (const name of names) cluster.befall(imageOf(name), {});
      });
      cluster.lasts('2m');
    },
  ),

  // https://kubernetes.io/docs/concepts/configuration/configmap/: some tools delete an object and make it anew.
  'config-map-replaced': scenario('A ConfigMap is deleted and made anew while its Pods run on', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    const flags = cluster.configMap('shop/flags', { SALE: 'off' });
    cluster.deployment('shop/checkout', { replicas: 2, image: imageOf('checkout'), envFrom: ['flags'] });
    cluster.at('8s', () => flags.delete());
    cluster.at('20s', () => cluster.configMap('shop/flags', { SALE: 'on' }));
    cluster.lasts('2m');
  }),

  // https://kyverno.io/docs/high-availability/: the only replica behind a webhook is moved.
  'webhook-moved': scenario('The only Pod behind a webhook is replaced by another', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    const image = 'ghcr.example/kyverno';
    const policies = cluster.deployment('policy/kyverno', {
      ...{ image: `${image}:1.15`, spec: { strategy: { type: 'Recreate' } } },
    });
    cluster.image(`${image}:1.16`, { readyAfterSeconds: 6 });
    cluster.service('policy/kyverno', { ports: [{ name: 'https', port: 443, targetPort: 9443, protocol: 'TCP' }] });
    cluster.object({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'kyverno' },
      webhooks: [
        {
          name: 'validate.kyverno.example',
          clientConfig: { service: { name: 'kyverno', namespace: 'policy', path: '/validate' } },
          ...{ failurePolicy: 'Fail', sideEffects: 'None', admissionReviewVersions: ['v1'], timeoutSeconds: 5 },
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } },
          rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
        },
      ],
    });
    cluster.at('8s', () => policies.setImage(`${image}:1.16`));
    cluster.lasts('2m');
  }),
};
