import { port } from '../../kit/company.ts';
import { after, clients, recover, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';
import { networkPolicy } from '../../kit/things.ts';

/** Ways in and out, and what is trusted on them. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/canonical/microk8s/issues/224, https://github.com/legion-platform/legion/issues/274
  'proxy-remembers-the-addresses-of-before': reported(
    'A headless Service and its members are deleted and made anew; the proxy before them goes on with the addresses of before, until it is restarted',
    (cluster) => {
      const image = 'docker.io/library/nginx:1.15.7';
      const proxy = cluster.deployment('front/nginx', { replicas: 2, image });
      cluster.service('front/nginx');
      const web = server(cluster, 'front/webapi', 'docker.io/library/tomcat:9.0-jre11', 8080, { replicas: 2 });
      const headless = cluster.service('front/svc-web', {
        ...{ clusterIP: 'None', selector: { app: 'webapi' } },
        ports: [{ name: 'http', port: 8080, targetPort: 8080, protocol: 'TCP' }],
      });
      cluster.at(after(0), () => {
        headless.delete();
        web.delete();
      });
      cluster.at(after(30), () => {
        cluster.service('front/svc-web', {
          ...{ clusterIP: 'None', selector: { app: 'webapi' } },
          ports: [{ name: 'http', port: 8080, targetPort: 8080, protocol: 'TCP' }],
        });
        cluster.statefulSet('front/webapi', { replicas: 2, image: 'docker.io/library/tomcat:9.0-jre11' });
        cluster.befall(
          image,
          unready(
            [
              '2026/11/23 09:31:07 [error] 7#7: *41 connect() failed (113: No route to host) while connecting to upstream, client: 10.244.1.1, server: , request: "GET /webapi/webmethod HTTP/1.1", upstream: "http://10.244.2.19:8080/webapi/webmethod", host: "svc-frontend"',
            ],
            'HTTP probe failed with statuscode: 502',
          ),
        );
      });
      cluster.at(after(780), () => {
        cluster.image(image, {});
        proxy.restart();
      });
      cluster.expectIncident({
        root: 'Deployment/front/nginx',
        accepts: ['Service/front/svc-web', 'StatefulSet/front/webapi'],
        messages: { resolve: 1, update: '≤2' },
        mustNotBlame: ['Service/front/nginx', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
    { minutes: 24 },
  ),

  // https://github.com/cert-manager/cert-manager/pull/5788: it knows port 443 of the Service, and the API server listens on 6443.
  'policy-of-a-chart-knows-the-front-door-only': reported(
    'A chart switches its own policy on, which lets a webhook out to port 443; the API server listens on another behind it, and the webhook does not come up',
    (cluster) => {
      const image = 'quay.io/jetstack/cert-manager-webhook:v1.11.0';
      const webhook = cluster.deployment('certs/cert-manager-webhook', { image });
      cluster.service('certs/cert-manager-webhook', {
        ports: [{ name: 'https', port: 443, targetPort: 10250, protocol: 'TCP' }],
      });
      cluster.deployment('certs/cert-manager', { image: 'quay.io/jetstack/cert-manager-controller:v1.11.0' });
      const policy = cluster.planned(
        networkPolicy('certs/cert-manager-webhook-allow-egress', {
          podSelector: { matchLabels: { app: 'cert-manager-webhook' } },
          policyTypes: ['Egress'],
          egress: [
            {
              to: [{ ipBlock: { cidr: '0.0.0.0/0' } }],
              ports: [
                { protocol: 'TCP', port: 80 },
                { protocol: 'TCP', port: 443 },
                { protocol: 'TCP', port: 53 },
                { protocol: 'UDP', port: 53 },
              ],
            },
          ],
        }),
      );
      cluster.at(after(0), () => {
        policy.create();
        cluster.image(
          image,
          ends(
            [
              'W1123 09:11:08.446333       1 client_config.go:618] Neither --kubeconfig nor --master was specified.  Using the inClusterConfig.  This might not work.',
              'E1123 09:11:38.450911       1 main.go:43] cert-manager "msg"="error building admission chain" "error"="Get \\"https://172.30.0.1:443/api\\": dial tcp 172.30.0.1:443: i/o timeout"',
            ],
            1,
            31,
          ),
        );
        webhook.restart();
      });
      cluster.expectIncident({
        root: 'NetworkPolicy/certs/cert-manager-webhook-allow-egress',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/certs/cert-manager', 'Service/certs/cert-manager-webhook', 'Node//n1'],
      });
    },
  ),

  // https://github.com/kubernetes/ingress-nginx/issues/6876: the newer controller serves the certificate without the one in the middle.
  'certificate-comes-without-the-one-in-the-middle': reported(
    'The ingress controller is upgraded and shows certificates without the one in the middle: three services that come in by the front door trust it no more; taken back',
    (cluster) => {
      const repository = 'registry.k8s.io/ingress-nginx/controller';
      const controller = cluster.deployment('edge/ingress-nginx-controller', {
        ...{ replicas: 2, image: `${repository}:v0.24.1` },
      });
      cluster.service('edge/ingress-nginx-controller', { ...port(443, 'https'), type: 'LoadBalancer' });
      cluster.secret('edge/corp-wildcard', { 'tls.crt': 'one', 'tls.key': 'one' });
      cluster.at(after(0), () => controller.setImage(`${repository}:v0.40.1`));
      const url = 'https://orders.corp.example/api';
      const values = { ORDERS_URL: url };
      const places = {
        'sales/desk': {
          does: unready([
            `FetchError: request to ${url}/health failed, reason: unable to verify the first certificate`,
            "  code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'",
          ]),
          values,
        },
        'sales/exports': {
          does: ends([
            "requests.exceptions.SSLError: HTTPSConnectionPool(host='orders.corp.example', port=443): Max retries exceeded with url: /api/orders (Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: unable to get local issuer certificate (_ssl.c:1006)')))",
          ]),
          values,
        },
        'stock/planner': {
          does: ends([
            `Get "${url}/orders": tls: failed to verify certificate: x509: certificate signed by unknown authority`,
          ]),
          values,
        },
      };
      const innocents = clients(cluster, 40, places);
      cluster.at(after(840), () => controller.setImage(`${repository}:v0.24.1`));
      recover(cluster, 880, ...Object.keys(places));
      // Its Service is a load balancer that never gets an address here, which the digest says half an hour later.
      cluster.expectSummaries(1);
      cluster.expectIncident({
        root: 'Deployment/edge/ingress-nginx-controller',
        accepts: [
          'Secret/edge/corp-wildcard',
          'ExternalEndpoint//orders.corp.example:443',
          'ExternalEndpoint//orders.corp.example',
        ],
        messages: { resolve: 1, update: '≤2' },
        mustNotBlame: innocents,
      });
    },
    { minutes: 26 },
  ),
};
