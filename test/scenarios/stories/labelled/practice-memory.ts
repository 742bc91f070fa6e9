import { company, imageAt, innocentRelease, port } from '../../kit/company.ts';
import { dependants } from '../../kit/dependants.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

const killed = (log: readonly string[]) => ({
  exit: { afterSeconds: 4, code: 137, oom: true },
  readyAfterSeconds: 'never' as const,
  log,
});

/** Memory and processors. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://docs.gunicorn.org/en/stable/settings.html#workers
  'more-workers-than-memory': scenario('A release starts four times as many workers in the same memory', (cluster) => {
    const firm = company(cluster);
    const first = { replicas: 2, image: imageAt('reports-web', 4), memory: '256Mi', values: { WEB_CONCURRENCY: '2' } };
    const web = cluster.deployment('bi/reports-web', first);
    cluster.service('bi/reports-web');
    innocentRelease(cluster, '3s', firm);
    cluster.image(
      imageAt('reports-web', 5),
      killed([
        '[INFO] Starting gunicorn 23.0.0',
        '[INFO] Booting worker with pid: 15',
        '[ERROR] Worker (pid:15) was sent SIGKILL! Perhaps out of memory?',
      ]),
    );
    cluster.at('6s', () => web.change({ image: imageAt('reports-web', 5), values: { WEB_CONCURRENCY: '8' } }));
    cluster.lasts('2m');
    cluster.expectIncident({
      root: 'Deployment/bi/reports-web',
      messages: { resolve: 0 },
      mustNotBlame: ['Deployment/logistics/tracking', 'Node//n1'],
    });
  }),

  // https://qdrant.tech/documentation/guides/capacity-planning/
  'vectors-do-not-fit-any-more': scenario(
    'A store of vectors grows beyond its memory, and two services that search in it fail',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const image = 'docker.io/qdrant/qdrant:v1.15';
      cluster.statefulSet('ai/qdrant', { image, memory: '512Mi' });
      cluster.service('ai/qdrant', port(6333));
      cluster.at('6s', () =>
        cluster.befall(
          image,
          killed([
            'INFO storage::content_manager::toc: Loading collection: products',
            'INFO collection::shards::local_shard: Recovering collection products: 4081933/9120004',
          ]),
        ),
      );
      const values = { QDRANT_URL: 'http://qdrant.ai.svc:6333' };
      const clients = dependants(cluster, '12s', {
        'ai/assistant': {
          does: ends([
            'qdrant_client.http.exceptions.ResponseHandlingException: [Errno 111] Connection refused: http://qdrant.ai.svc:6333',
          ]),
          values,
        },
        'shop/similar': {
          does: unready([
            'reqwest::Error { kind: Request, url: "http://qdrant.ai.svc:6333/collections/products/points/search", source: Connect, "tcp connect error", Os { code: 111, kind: ConnectionRefused } }',
          ]),
          values,
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({ root: 'StatefulSet/ai/qdrant', messages: { resolve: 0 }, mustNotBlame: clients });
    },
  ),

  // https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html: the heap of the settings is beyond the limit of the containers.
  'heap-in-the-settings-beyond-the-limit': scenario(
    'The shared options of the JVM are edited to a heap beyond the limit, and two services are killed after their restart',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const options = cluster.configMap('claims/jvm', { JAVA_TOOL_OPTIONS: '-Xmx400m' });
      const names = ['intake', 'fraud'];
      const handles = names.map((name) =>
        cluster.deployment(`claims/${name}`, {
          replicas: 2,
          image: imageAt(name, 9),
          memory: '512Mi',
          envFrom: ['jvm'],
        }),
      );
      cluster.at('5s', () => options.edit({ JAVA_TOOL_OPTIONS: '-Xmx4g -XX:+AlwaysPreTouch' }));
      cluster.at('9s', () => {
        for (const name of names)
          cluster.image(imageAt(name, 9), killed(['Picked up JAVA_TOOL_OPTIONS: -Xmx4g -XX:+AlwaysPreTouch']));
        for (const handle of handles) handle.restart();
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'ConfigMap/claims/jvm',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/claims/intake', 'Deployment/claims/fraud'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/#how-pods-with-resource-limits-are-run
  'ten-thousandths-of-a-processor': scenario(
    'Somebody limits the CPU of a service to next to nothing, and its liveness probe runs out of time',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const image = imageAt('auction', 3);
      const auction = cluster.deployment('bids/auction', {
        replicas: 2,
        image,
        container: { livenessProbe: { httpGet: { path: '/live', port: 8080 } } },
      });
      cluster.service('bids/auction');
      cluster.at('6s', () => {
        cluster.image(image, {
          readyAfterSeconds: 'never',
          readinessSays:
            'Get "http://10.244.1.9:8080/ready": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
          livenessFails: {
            afterSeconds: 6,
            says: 'Get "http://10.244.1.9:8080/live": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
          },
          log: ['Loading 1204 lots ...'],
        });
        auction.patch({
          spec: {
            template: { spec: { containers: [{ name: 'auction', image, resources: { limits: { cpu: '10m' } } }] } },
          },
        });
      });
      cluster.lasts('3m20s');
      cluster.expectIncident({ root: 'Deployment/bids/auction', messages: { resolve: 0 } });
    },
  ),

  // https://www.php.net/manual/en/ini.core.php#ini.memory-limit
  'limit-of-php-made-smaller': scenario(
    'The memory limit in the settings of a PHP application is made smaller, and it ends in each request for its health',
    (cluster) => {
      const settings = cluster.configMap('cloud/php', { PHP_MEMORY_LIMIT: '512M' });
      const nextcloud = cluster.deployment('cloud/nextcloud', {
        replicas: 2,
        image: 'docker.io/library/nextcloud:31',
        envFrom: ['php'],
      });
      cluster.service('cloud/nextcloud');
      company(cluster);
      cluster.at('5s', () => settings.edit({ PHP_MEMORY_LIMIT: '16M' }));
      cluster.at('9s', () => {
        cluster.image(
          'docker.io/library/nextcloud:31',
          ends(
            [
              'PHP Fatal error:  Allowed memory size of 16777216 bytes exhausted (tried to allocate 4198400 bytes) in /var/www/html/lib/private/AppConfig.php on line 1311',
            ],
            255,
            3,
          ),
        );
        nextcloud.restart();
      });
      cluster.lasts('2m');
      cluster.expectIncident({ root: 'ConfigMap/cloud/php', messages: { resolve: 0 } });
    },
  ),

  // https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/: the companion of all is too small in one release.
  'companion-of-a-release-too-small': scenario(
    'A release gives the log companion of a workload a limit that it does not fit in',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const shipper = imageAt('log-companion', 2);
      cluster.image(shipper, {
        exit: { afterSeconds: 5, code: 137, oom: true },
        log: ['[info] [input:tail:tail.0] inotify_fs_add(): inode=1837 watch_fd=1 name=/logs/app.log'],
      });
      const dock = cluster.deployment('port/docking', { replicas: 2, image: imageAt('docking', 5) });
      cluster.service('port/docking');
      cluster.at('6s', () =>
        dock.patch({
          spec: {
            template: {
              spec: {
                containers: [{ name: 'log-companion', image: shipper, resources: { limits: { memory: '24Mi' } } }],
              },
            },
          },
        }),
      );
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Deployment/port/docking',
        messages: { resolve: 0 },
        mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),
};
