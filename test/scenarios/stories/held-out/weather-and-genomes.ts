import { scenario } from '../../kit/scenario.ts';
import { claim, crash, listens, mounts, serves, storageClass, volume } from '../../kit/things.ts';

export const stories = {
  'variant-calling-of-a-large-sample-does-not-fit-its-memory': scenario(
    'A Job that calls variants needs more memory than it may have, each time it tries; a reference server next to it is restarted meanwhile',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const reference = cluster.deployment('genomics/reference-server', {
        replicas: 2,
        image: 'registry.genome.example/reference-server:38.3',
      });
      cluster.service('genomics/reference-server');
      cluster.image('broadinstitute/gatk:4.5.0.0', {
        log: [
          'Using GATK jar /gatk/gatk-package-4.5.0.0-local.jar',
          '12:14:08.101 INFO  HaplotypeCaller - HTSJDK Version: 4.1.0',
          '12:14:09.870 INFO  IntervalArgumentCollection - Processing 3088269832 bp from intervals',
          '12:14:31.412 INFO  ProgressMeter -        chr1:1812345              0.4                  8120          22145.5',
        ],
        exit: { afterSeconds: 14, code: 137, oom: true },
      });
      cluster.at('5s', () => reference.restart());
      cluster.at('30s', () =>
        cluster.job('genomics/call-sample-hg00733', {
          image: 'broadinstitute/gatk:4.5.0.0',
          memory: '4Gi',
          command: ['gatk', 'HaplotypeCaller', '-R', 'GRCh38.fa', '-I', 'HG00733.cram', '-ERC', 'GVCF'],
          spec: { backoffLimit: 2 },
        }),
      );
      cluster.lasts('200s');
      cluster.expectIncident({
        root: 'Job/genomics/call-sample-hg00733',
        mustNotBlame: ['Deployment/genomics/reference-server'],
      });
    },
  ),

  'sequencer-runs-can-no-longer-be-mounted-from-the-filer': scenario(
    'The filer does not answer any more; it is noticed at a rollout, on every machine alike',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const next = 'registry.genome.example/demultiplexer:2.21';
      cluster.object(storageClass('nfs-runs'));
      cluster.object(
        volume('pv-sequencer-runs', 'nfs-runs', {
          accessModes: ['ReadWriteMany'],
          csi: undefined,
          nfs: { server: 'nas-02.lab.example', path: '/export/runs' },
          mountOptions: ['vers=4.1'],
        }),
      );
      cluster.object(claim('sequencing/runs', 'nfs-runs', { accessModes: ['ReadWriteMany'] }));
      const demultiplexer = cluster.deployment('sequencing/demultiplexer', {
        replicas: 3,
        image: 'registry.genome.example/demultiplexer:2.20',
        pod: mounts('runs'),
        container: { volumeMounts: [{ name: 'data', mountPath: '/runs' }] },
        spec: { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 2 } } },
      });
      cluster.image(next, {
        heldUp: {
          reason: 'FailedMount',
          message:
            'MountVolume.SetUp failed for volume "pv-sequencer-runs" : mount failed: exit status 32\nMounting command: mount\nMounting arguments: -t nfs -o vers=4.1 nas-02.lab.example:/export/runs /var/lib/kubelet/pods/3f0b2c1e-5a52-4f6e-9a0e-0f3f0b1f7f20/volumes/kubernetes.io~nfs/pv-sequencer-runs\nOutput: mount.nfs: Connection timed out',
        },
      });
      cluster.at('15s', () => demultiplexer.setImage(next));
      cluster.lasts('300s');
      cluster.expectIncident({
        root: 'PersistentVolume//pv-sequencer-runs',
        accepts: ['PersistentVolumeClaim/sequencing/runs'],
        mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  'radar-tiles-are-built-for-another-kind-of-processor': scenario(
    'A cheaper machine with another architecture joins; the tile renderer that lands on it cannot be executed there',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const arch = (name: string) => ({ 'kubernetes.io/arch': name });
      cluster.nodes(['n1', 'n2', 'n3'].map((name) => ({ name, cpu: '4', labels: arch('amd64') })));
      const image = 'registry.met.example/radar/tile-renderer:1.7.0';
      cluster.image(image, ({ spec }) =>
        spec.nodeName === 'arm-1'
          ? crash(['exec /usr/local/bin/tile-renderer: exec format error'], 1, 255)
          : { log: ['tile-renderer 1.7.0, 8 zoom levels'] },
      );
      const renderer = cluster.deployment('radar/tile-renderer', { replicas: 3, image, cpu: '3' });
      cluster.service('radar/tile-renderer');
      cluster.at('5s', () => cluster.addNode({ name: 'arm-1', cpu: '8', labels: arch('arm64') }));
      cluster.at('30s', () => renderer.scale(5));
      cluster.lasts('160s');
      cluster.expectIncident({ root: 'Deployment/radar/tile-renderer', accepts: ['Node//arm-1'] });
    },
  ),

  'ensemble-members-are-evicted-from-a-machine-whose-disk-is-full': scenario(
    'The disk of one machine runs full and its kubelet evicts; elsewhere a mail relay crashes because of its own settings',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.deployment('nwp/ensemble-member', { replicas: 6, image: 'registry.met.example/nwp/member:2026.3' });
      const relay = cluster.deployment('bulletins/mail-relay', {
        replicas: 2,
        image: 'registry.met.example/bulletins/mail-relay:3.5.9',
        values: { RELAYHOST: '[smtp.met.example]:587' },
        nodeSelector: { 'kubernetes.io/os': 'linux' },
      });
      cluster.image('registry.met.example/bulletins/mail-relay:3.6.0', {
        ...crash(
          [
            'postfix/postfix-script: starting the Postfix mail system',
            'postfix/master[84]: fatal: bad numeric configuration: message_size_limit = 40 MB',
          ],
          2,
          1,
        ),
      });
      cluster.at('15s', () =>
        relay.change({
          image: 'registry.met.example/bulletins/mail-relay:3.6.0',
          values: { RELAYHOST: '[smtp.met.example]:587', MESSAGE_SIZE_LIMIT: '40 MB' },
        }),
      );
      cluster.at('60s', () => cluster.node('n3').press('DiskPressure'));
      cluster.at('62s', () =>
        cluster
          .node('n3')
          .evict(
            'The node was low on resource: ephemeral-storage. Threshold quantity: 4294967296, available: 1911732Ki. Container ensemble-member was using 152Ki, request is 0, has larger consumption of ephemeral-storage. ',
          ),
      );
      cluster.at('75s', () =>
        cluster
          .node('n3')
          .warn(
            'FreeDiskSpaceFailed',
            'Failed to garbage collect required amount of images. Attempted to free 4012113920 bytes, but only found 0 bytes eligible to free.',
          ),
      );
      cluster.lasts('200s');
      cluster.expectIncident({
        root: 'Node//n3',
        mustNotBlame: ['Deployment/bulletins/mail-relay', 'Deployment/nwp/ensemble-member'],
      });
      cluster.expectIncident({
        root: 'Deployment/bulletins/mail-relay',
        mustNotBlame: ['Node//n3'],
      });
    },
  ),

  'satellite-frames-outgrow-the-scratch-space-they-were-given': scenario(
    'The decoder is changed to hold a whole pass in its scratch volume, which has a limit; it is evicted for it again and again',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const whole = 'registry.met.example/satellite/decoder:5.0';
      const scratch = { volumes: [{ name: 'scratch', emptyDir: { sizeLimit: '2Gi' } }] };
      const mount = { volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }] };
      const decoder = cluster.deployment('satellite/decoder', {
        replicas: 2,
        image: 'registry.met.example/satellite/decoder:4.8',
        pod: scratch,
        container: mount,
      });
      cluster.image(whole, {
        log: ['decoder 5.0: buffering whole passes in /scratch', 'METOP-C pass 41233: 1.9 GiB buffered'],
        evicted: { afterSeconds: 25, message: 'Usage of EmptyDir volume "scratch" exceeds the limit "2Gi". ' },
      });
      cluster.at('10s', () => decoder.setImage(whole));
      cluster.lasts('180s');
      cluster.expectIncident({ root: 'Deployment/satellite/decoder' });
    },
  ),

  'lightning-feed-cannot-enter-the-mesh-while-its-control-is-down': scenario(
    'The control plane of the mesh is given a flag it does not know; whatever is started after that waits for its proxy',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const pilot = 'istio/pilot:1.22.1';
      const proxy = 'istio/proxyv2:1.22.1';
      const istiod = cluster.deployment('istio-system/istiod', {
        image: pilot,
        container: { args: ['discovery', '--monitoringAddr=:15014', '--log_output_level=default:info'] },
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('istio-system/istiod', {
        ports: [
          { name: 'grpc-xds', port: 15010, targetPort: 15010 },
          { name: 'https-dns', port: 15012, targetPort: 15012 },
        ],
      });
      const sidecar = {
        name: 'istio-proxy',
        image: proxy,
        readinessProbe: { httpGet: { path: '/healthz/ready', port: 15021 } },
      };
      const feed = (name: string) => ({
        ...{ replicas: 2, image: `registry.met.example/lightning/${name}:1.3` },
        pod: {
          containers: [
            {
              name,
              image: `registry.met.example/lightning/${name}:1.3`,
              readinessProbe: { httpGet: { path: '/ready', port: 8080 } },
            },
            sidecar,
          ],
        },
      });
      const strokes = cluster.deployment('lightning/stroke-feed', feed('stroke-feed'));
      cluster.deployment('lightning/stroke-map', feed('stroke-map'));
      cluster.at('10s', () => {
        cluster.image(
          pilot,
          crash(['Error: unknown flag: --pilot-enable-ambient', 'Usage:', '  pilot-discovery discovery [flags]'], 1),
        );
        istiod.change({
          container: { args: ['discovery', '--monitoringAddr=:15014', '--pilot-enable-ambient=true'] },
          spec: { strategy: { type: 'Recreate' } },
        });
        cluster.image(proxy, {
          readyAfterSeconds: 'never',
          readinessSays: 'HTTP probe failed with statuscode: 503',
          log: [
            'info    xdsproxy        connected to delta upstream XDS server: istiod.istio-system.svc:15012',
            'warning envoy config external/envoy/source/extensions/config_subscription/grpc/grpc_stream.h:155 StreamAggregatedResources gRPC config stream to xds-grpc closed since 12s ago: 14, connection error: desc = "transport: Error while dialing: dial tcp 10.96.44.10:15012: connect: connection refused"',
            'warn    Envoy proxy is NOT ready: config not received from XDS server (is Istiod running?): cds updates: 0 successful, 0 rejected; lds updates: 0 successful, 0 rejected',
          ],
        });
      });
      cluster.at('50s', () => strokes.restart());
      cluster.lasts('200s');
      cluster.expectIncident({
        root: 'Deployment/istio-system/istiod',
        messages: { update: '≤1' },
        mustNotBlame: ['Deployment/lightning/stroke-feed', 'Deployment/lightning/stroke-map'],
      });
    },
  ),

  'sample-tracker-grows-and-a-secret-that-was-swept-away-is-missed': scenario(
    'A clean-up job removes a Secret that looked unused; it is missed when the tracker is scaled up',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.statefulSet('lims/samples-db', { image: 'mongo:7.0.11', ...listens(27017) });
      cluster.service('lims/samples-db', serves('mongodb', 27017));
      const uri = cluster.secret('lims/tracker-mongodb', {
        uri: 'mongodb://tracker@samples-db.lims.svc:27017/samples',
      });
      const tracker = cluster.deployment('lims/sample-tracker', {
        replicas: 2,
        image: 'registry.genome.example/lims/sample-tracker:14.2',
        env: { MONGODB_URI: 'secret/tracker-mongodb/uri' },
      });
      cluster.service('lims/sample-tracker');
      cluster.at('10s', () => uri.delete());
      cluster.at('50s', () => tracker.scale(5));
      cluster.lasts('170s');
      cluster.expectIncident({
        root: 'Secret/lims/tracker-mongodb',
        reason: 'SecretMissing',
        mustNotBlame: ['StatefulSet/lims/samples-db', 'Deployment/lims/sample-tracker'],
      });
    },
  ),

  'forecast-pages-cannot-grow-while-nobody-measures-them': scenario(
    'The metric server no longer trusts the kubelets after one of its flags was taken away; an autoscaler cannot do its work, the pages themselves are well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'registry.k8s.io/metrics-server/metrics-server:v0.7.1';
      const flags = (more: readonly string[]) => ({
        container: {
          args: ['--secure-port=10250', '--metric-resolution=15s', ...more],
          ports: [{ containerPort: 10250 }],
        },
        spec: { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } },
        labels: { 'k8s-app': 'metrics-server' },
      });
      const server = cluster.deployment('kube-system/metrics-server', { image, ...flags(['--kubelet-insecure-tls']) });
      cluster.service('kube-system/metrics-server', {
        ports: [{ name: 'https', port: 443, targetPort: 10250, protocol: 'TCP' }],
      });
      const available = (status: string, reason: string, message: string) => ({
        conditions: [{ type: 'Available', status, reason, message, lastTransitionTime: 'now' }],
      });
      const served = cluster.object({
        ...{ apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService' },
        metadata: { name: 'v1beta1.metrics.k8s.io' },
        spec: {
          ...{ group: 'metrics.k8s.io', version: 'v1beta1', groupPriorityMinimum: 100, versionPriority: 100 },
          service: { namespace: 'kube-system', name: 'metrics-server', port: 443 },
        },
      });
      served.status(available('True', 'Passed', 'all checks passed'));
      cluster.deployment('forecast-web/pages', {
        replicas: 3,
        image: 'registry.met.example/web/pages:77',
        cpu: '200m',
      });
      cluster.service('forecast-web/pages');
      const scaler = cluster.object({
        ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' },
        metadata: { name: 'pages', namespace: 'forecast-web' },
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'pages' },
          ...{ minReplicas: 3, maxReplicas: 20 },
          metrics: [
            { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
          ],
        },
      });
      const scaling = (status: string, reason: string, message: string) => ({
        ...{ currentReplicas: 3, desiredReplicas: 3 },
        conditions: [
          {
            ...{ type: 'AbleToScale', status: 'True', reason: 'SucceededGetScale' },
            message: "the HPA controller was able to get the target's current scale",
            lastTransitionTime: '2026-11-01T00:00:00Z',
          },
          { type: 'ScalingActive', status, reason, message, lastTransitionTime: 'now' },
        ],
      });
      scaler.status(
        scaling(
          'True',
          'ValidMetricFound',
          'the HPA was able to successfully calculate a replica count from cpu resource utilization',
        ),
      );
      cluster.at('15s', () => {
        cluster.image(image, {
          readyAfterSeconds: 'never',
          readinessSays: 'HTTP probe failed with statuscode: 500',
          log: [
            'I1129 15:20:04.551902       1 serving.go:374] Generated self-signed cert (/tmp/apiserver.crt, /tmp/apiserver.key)',
            'E1129 15:20:05.870013       1 scraper.go:149] "Failed to scrape node" err="Get \\"https://10.0.0.11:10250/metrics/resource\\": tls: failed to verify certificate: x509: cannot validate certificate for 10.0.0.11 because it doesn\'t contain any IP SANs" node="n1"',
            'I1129 15:20:15.200871       1 server.go:191] "Failed probe" probe="metric-storage-ready" err="no metrics to serve"',
          ],
        });
        server.change(flags([]));
      });
      cluster.at('40s', () =>
        served.status(
          available(
            'False',
            'MissingEndpoints',
            'endpoints for service/metrics-server in "kube-system" have no addresses with port name "https"',
          ),
        ),
      );
      const untold =
        'the HPA was unable to compute the replica count: failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server is currently unable to handle the request (get pods.metrics.k8s.io)';
      cluster.at('55s', () => {
        scaler.status(scaling('False', 'FailedGetResourceMetric', untold));
        cluster.event({
          ...{ about: 'HorizontalPodAutoscaler/forecast-web/pages', reason: 'FailedGetResourceMetric' },
          ...{ message: untold.slice(untold.indexOf('failed')), by: 'horizontal-pod-autoscaler', count: 3 },
        });
      });
      cluster.lasts('220s');
      cluster.expectIncident({
        root: 'Deployment/kube-system/metrics-server',
        messages: { update: '≤1' },
        mustNotBlame: [
          'HorizontalPodAutoscaler/forecast-web/pages',
          'Deployment/forecast-web/pages',
          'APIService//v1beta1.metrics.k8s.io',
        ],
      });
    },
  ),
};
