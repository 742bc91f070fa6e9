import { type ClusterBuilder, type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, plainEnv, surroundings, unready } from '../../kit/surroundings.ts';

const port = (name: string, number: number, clusterIP?: string): object => ({
  ports: [{ name, port: number, targetPort: number, protocol: 'TCP' }],
  ...(clusterIP && { clusterIP }),
});
const imageOf = (name: string): string => `registry.initech.example/${name}:6`;

/** Workloads of a namespace, of two replicas each. */
function fleet(cluster: ClusterBuilder, namespace: string, names: readonly string[], workload: object = {}) {
  return names.map((name) =>
    cluster.deployment(`${namespace}/${name}`, { replicas: 2, image: imageOf(name), ...workload }),
  );
}

export const stories: Readonly<Record<string, Scenario>> = {
  // https://www.rabbitmq.com/kubernetes/operator/operator-overview: the Service of a cluster is called after it.
  'release-looks-for-another-queue': scenario(
    'A release asks for its queue by the name it has elsewhere',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      cluster.statefulSet('messaging/rabbitmq', { replicas: 3, image: 'docker.io/library/rabbitmq:4' });
      cluster.service('messaging/rabbitmq', port('amqp', 5672));
      const [mailer] = fleet(cluster, 'notify', ['mailer'], {
        container: plainEnv({ AMQP_HOST: 'rabbitmq.messaging.svc' }),
      });
      cluster.image(
        'registry.initech.example/mailer:7',
        ends([
          'org.springframework.amqp.AmqpIOException: java.net.UnknownHostException: rabbitmq-eu.messaging.svc.cluster.local',
          'Caused by: java.net.UnknownHostException: rabbitmq-eu.messaging.svc.cluster.local',
        ]),
      );
      cluster.at('9s', () =>
        mailer?.change({
          image: 'registry.initech.example/mailer:7',
          container: plainEnv({ AMQP_HOST: 'rabbitmq-eu.messaging.svc.cluster.local' }),
        }),
      );
      cluster.expectIncident({
        root: 'Deployment/notify/mailer',
        reason: 'CrashLoopBackOff',
        mustNotBlame: ['Service/messaging/rabbitmq', 'StatefulSet/messaging/rabbitmq', 'Service/kube-system/kube-dns'],
      });
    },
  ),

  // https://strimzi.io/docs/operators/latest/deploying: clients are given the name of the bootstrap Service.
  'config-map-with-a-wrong-broker': scenario(
    'A ConfigMap names a broker in a namespace that has none, and two consumers are restarted',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      cluster.statefulSet('streams/kafka', { replicas: 3, image: 'quay.example/strimzi/kafka:4.1' });
      cluster.service('streams/kafka-bootstrap', { selector: { app: 'kafka' }, ...port('tcp', 9092) });
      const brokers = cluster.configMap('billing/brokers', { KAFKA: 'kafka-bootstrap.streams.svc:9092' });
      const names = ['invoicer', 'dunning'];
      const consumers = fleet(cluster, 'billing', names, { envFrom: ['brokers'] });
      cluster.at('7s', () => brokers.edit({ KAFKA: 'kafka-bootstrap.stream.svc:9092' }));
      cluster.at('16s', () => {
        for (const name of names)
          cluster.image(imageOf(name), ends(['Error: getaddrinfo ENOTFOUND kafka-bootstrap.stream.svc']));
        for (const consumer of consumers) consumer.restart();
      });
      cluster.expectIncident({
        root: 'ConfigMap/billing/brokers',
        mustNotBlame: ['StatefulSet/streams/kafka', 'Deployment/billing/invoicer', 'Deployment/billing/dunning'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/: a Service that is deleted has no name any more.
  'service-deleted-under-its-clients': scenario(
    'A Service is deleted, and what has called it for a day does not find it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      cluster.deployment('shop/inventory', { replicas: 2, image: imageOf('inventory') });
      const inventory = cluster.service('shop/inventory', port('http', 8080));
      const names = ['checkout', 'picking'];
      fleet(cluster, 'shop', names, { container: plainEnv({ INVENTORY: 'http://inventory.shop.svc:8080' }) });
      cluster.at('8s', () => inventory.delete());
      cluster.at('14s', () => {
        for (const name of names)
          cluster.befall(
            imageOf(name),
            ends(['panic: dial tcp: lookup inventory.shop.svc on 10.96.0.10:53: no such host']),
          );
      });
      cluster.expectIncident({
        root: 'Service/shop/inventory',
        reason: 'ServiceMissing',
        mustNotBlame: ['Deployment/shop/inventory', 'Deployment/shop/checkout', 'Service/kube-system/kube-dns'],
      });
    },
  ),

  // https://docs.nats.io/running-a-nats-service/nats_admin/slow_consumers: whoever rolls out meanwhile cannot connect either.
  'release-while-the-broker-is-down': scenario(
    'A message broker cannot read its store while one of its clients is released',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const nats = 'docker.io/library/nats:2.11';
      cluster.statefulSet('messaging/nats', { image: nats });
      cluster.service('messaging/nats', port('client', 4222, '10.0.0.71'));
      const names = ['tracker', 'router'];
      const [tracker] = fleet(cluster, 'fleet', names, {
        container: plainEnv({ NATS_URL: 'nats://nats.messaging:4222' }),
      });
      const refused = ends(['nats: error connecting: dial tcp 10.0.0.71:4222: connect: connection refused']);
      cluster.image('registry.initech.example/tracker:7', refused);
      cluster.at('8s', () =>
        cluster.befall(nats, ends(['[FTL] Can not start JetStream: could not read store: permission denied'], 1, 1)),
      );
      cluster.at('12s', () => {
        tracker?.setImage('registry.initech.example/tracker:7');
        for (const name of names) cluster.befall(imageOf(name), refused);
      });
      cluster.lasts('3m');
      cluster.expectIncident({
        root: 'StatefulSet/messaging/nats',
        mustNotBlame: ['Deployment/fleet/tracker', 'Deployment/fleet/router'],
      });
    },
  ),

  // https://openid.net/specs/openid-connect-discovery-1_0.html: what cannot read the keys of its issuer lets nobody in.
  'issuer-outside-refuses-connections': scenario(
    'An identity provider outside the cluster is down; two workloads run on and are not ready',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const names = ['portal', 'desk'];
      fleet(cluster, 'staff', names, { container: plainEnv({ ISSUER: 'https://login.initech.example' }) });
      for (const name of names) cluster.service(`staff/${name}`);
      cluster.at('9s', () => {
        for (const name of names)
          cluster.befall(
            imageOf(name),
            unready([
              'level=error msg="readiness: cannot fetch keys" err="Get \\"https://login.initech.example/.well-known/openid-configuration\\": dial tcp 192.0.2.44:443: connect: connection refused"',
            ]),
          );
      });
      cluster.lasts('4m');
      cluster.expectIncident({
        root: 'ExternalEndpoint//login.initech.example:443',
        accepts: ['ExternalEndpoint//login.initech.example'],
        mustNotBlame: ['Deployment/staff/portal', 'Deployment/staff/desk'],
      });
    },
  ),

  // https://www.elastic.co/docs/troubleshoot/elasticsearch: a search engine that is killed leaves its clients unready, not ended.
  'search-engine-crashes-under-unready-clients': scenario(
    'A search engine does not start again, and three clients run on without being ready',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const engine = 'docker.example/elasticsearch:9.1';
      cluster.statefulSet('search/elasticsearch', { image: engine });
      cluster.service('search/elasticsearch', port('http', 9200, '10.0.0.92'));
      const names = ['catalogue', 'suggest', 'audit'];
      fleet(cluster, 'shop', names);
      cluster.at('8s', () =>
        cluster.befall(
          engine,
          ends(['ERROR: [1] bootstrap checks failed', 'max virtual memory areas is too low'], 78, 2),
        ),
      );
      cluster.at('12s', () => {
        for (const name of names)
          cluster.befall(imageOf(name), unready(['readiness: dial tcp 10.0.0.92:9200: connect: connection refused']));
      });
      cluster.lasts('4m');
      cluster.expectIncident({
        root: 'StatefulSet/search/elasticsearch',
        mustNotBlame: ['Deployment/shop/catalogue', 'Deployment/shop/suggest', 'Deployment/shop/audit'],
      });
    },
  ),

  // https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-file-share
  'windows-share-away': scenario('A Windows share does not answer two workloads that are restarted', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    const names = ['scanner', 'archive'];
    const csi = { driver: 'smb.csi.k8s.io', volumeAttributes: { source: '//files.initech.example/documents' } };
    const workloads = fleet(cluster, 'records', names, { pod: { volumes: [{ name: 'documents', csi }] } });
    const message =
      'MountVolume.SetUp failed for volume "documents" : rpc error: code = Internal desc = volume(documents) mount "//files.initech.example/documents" on "/var/lib/kubelet/plugins/globalmount" failed with mount failed: exit status 32\nMounting command: mount\nMounting arguments: -t cifs -o <masked> //files.initech.example/documents /var/lib/kubelet/plugins/globalmount\nOutput: mount error(115): Operation now in progress\nmount error(110): Connection timed out';
    cluster.at('6s', () => {
      for (const name of names) cluster.image(imageOf(name), { heldUp: { reason: 'FailedMount', message } });
      for (const workload of workloads) workload.restart();
    });
    cluster.lasts('3m');
    cluster.expectIncident({
      root: 'ExternalEndpoint//files.initech.example',
      beginsAfterSeconds: 8,
      mustNotBlame: ['Deployment/records/scanner', 'Deployment/records/archive', 'Node//n1', 'Node//n2'],
    });
  }),

  // https://argoproj.github.io/argo-rollouts/: labels of Pods belong to those who select them as well.
  'release-drops-the-label-of-its-service': scenario(
    'A release drops a label of its Pods that its Service asks for',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const quotes = cluster.deployment('sales/quotes', {
        ...{ replicas: 3, image: imageOf('quotes'), labels: { tier: 'backend' } },
      });
      cluster.service('sales/quotes', { selector: { app: 'quotes', tier: 'backend' }, ...port('http', 80) });
      cluster.at('10s', () =>
        quotes.change({ image: 'registry.initech.example/quotes:7', labels: { tier: 'internal' } }),
      );
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'Service/sales/quotes',
        reason: 'ServiceSelectsNothing',
        accepts: ['Deployment/sales/quotes'],
        beginsAfterSeconds: 14,
        mustNotBlame: ['Service/web/storefront'],
      });
    },
  ),
};
