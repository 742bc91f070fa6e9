import { scenario } from '../../kit/scenario.ts';

export const story = scenario('The cluster DNS does not start, and what looks up names crashes with it', (cluster) => {
  const dns = cluster.deployment('kube-system/coredns', {
    replicas: 2,
    image: 'registry.example/coredns:1.12',
    labels: { 'k8s-app': 'kube-dns' },
    spec: { strategy: { type: 'Recreate' } },
  });
  cluster.object({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'kube-dns', namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } },
    spec: {
      selector: { 'k8s-app': 'kube-dns' },
      ports: [{ name: 'dns', port: 53, targetPort: 53, protocol: 'UDP' }],
    },
  });
  cluster.image('registry.example/coredns:1.13', {
    readyAfterSeconds: 'never',
    exit: { afterSeconds: 2, code: 1 },
    log: ['plugin/forward: not an IP address or file: "upstream"'],
  });
  const lost = { code: 1, message: 'dial tcp: lookup db.shop.svc.cluster.local: i/o timeout' };
  for (const name of ['shop/api', 'shop/web', 'office/mail']) {
    const image = `registry.example/${name}:1.0`;
    // Its first run ends when it looks up a name again, the others at once.
    cluster.image(image, { exit: { afterSeconds: 70, ...lost } });
    cluster.deployment(name, { image });
    cluster.at('6s', () => cluster.image(image, { exit: { afterSeconds: 2, ...lost } }));
  }
  cluster.at('5s', () => dns.setImage('registry.example/coredns:1.13'));
  cluster.lasts('2m30s');
  cluster.expectIncident({
    root: 'Deployment/kube-system/coredns',
    accepts: ['Service/kube-system/kube-dns'],
    severity: 'critical',
    messages: { open: 1, update: '≤2', resolve: 0 },
    mustNotBlame: ['Deployment/shop/api', 'Deployment/shop/web', 'Deployment/office/mail'],
  });
});
