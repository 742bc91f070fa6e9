import { dependants } from '../../kit/dependants.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings, unready } from '../../kit/surroundings.ts';
import { budget } from '../../kit/things.ts';

/** What happens in clusters on working days and repairs itself. */
export const stories: Readonly<Record<string, Scenario>> = {
  'slow-java-release': scenario(
    'A Java service takes a minute for each of its new Pods, and its probe says so meanwhile',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const image = 'registry.acme.example/pricing';
      const pricing = cluster.deployment('shop/pricing', { replicas: 3, image: `${image}:1` });
      cluster.service('shop/pricing');
      cluster.image(`${image}:2`, {
        readyAfterSeconds: 60,
        readinessSays: 'Get "http://10.244.1.7:8080/ready": dial tcp 10.244.1.7:8080: connect: connection refused',
        log: ['INFO  Starting PricingApplication using Java 21', 'INFO  HikariPool-1 - Starting...'],
      });
      cluster.at('8s', () => pricing.setImage(`${image}:2`));
      cluster.lasts('5m');
    },
  ),

  'batch-at-its-peak': scenario(
    'Twenty Jobs are started at once and wait for room for a minute, one after the other',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const image = 'registry.acme.example/render:1';
      cluster.image(image, { exit: { afterSeconds: 20, code: 0 }, log: ['rendered 400 frames'] });
      cluster.at('6s', () => {
        for (let index = 0; index < 20; index += 1)
          cluster.job(`batch/render-${index}`, { image, cpu: '1500m', spec: { backoffLimit: 2 } });
      });
      cluster.lasts('4m');
    },
  ),

  'spot-machine-called-back': scenario(
    'A spot machine is called back: it is cordoned, emptied and gone, and two workloads move',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes(['n1', 'n2', 'n3', 'n4']);
      surroundings(cluster);
      for (const name of ['orders', 'search']) {
        cluster.deployment(`shop/${name}`, { replicas: 4, image: `registry.acme.example/${name}:7` });
        cluster.service(`shop/${name}`);
        cluster.object(budget(`shop/${name}`, { maxUnavailable: 1 }));
      }
      cluster.at('6s', () =>
        cluster
          .node('n4')
          .warn(
            'SpotInterruption',
            'Spot Interruption event received. Instance will be interrupted at 2026-11-22T09:02:00Z',
          ),
      );
      cluster.at('7s', () => cluster.node('n4').drain());
      cluster.at('50s', () => cluster.node('n4').remove());
      cluster.at('70s', () => cluster.addNode({ name: 'n5' }));
      cluster.lasts('3m');
    },
  ),

  'machines-are-patched': scenario(
    'Two machines are drained for patches, one after the other, while a release goes on',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const image = 'registry.acme.example/orders';
      const orders = cluster.deployment('shop/orders', { replicas: 4, image: `${image}:1` });
      cluster.service('shop/orders');
      cluster.object(budget('shop/orders', { maxUnavailable: 1 }));
      cluster.image(`${image}:2`, { pullSeconds: 5, readyAfterSeconds: 8 });
      for (const [index, name] of ['n1', 'n2'].entries()) {
        cluster.at(`${6 + 80 * index}s`, () => cluster.node(name).drain());
        cluster.at(`${36 + 80 * index}s`, () => cluster.node(name).reboot('25s'));
        cluster.at(`${72 + 80 * index}s`, () => cluster.node(name).uncordon());
      }
      cluster.at('40s', () => orders.setImage(`${image}:2`));
      cluster.lasts('4m30s');
    },
  ),

  'pull-needs-a-second-try': scenario(
    'A registry answers two releases with a server error once; the second try succeeds',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const handles = ['orders', 'crm'].map((name) =>
        cluster.deployment(`apps/${name}`, { replicas: 2, image: `harbor.acme.example/apps/${name}:1` }),
      );
      for (const name of ['orders', 'crm'])
        cluster.image(`harbor.acme.example/apps/${name}:2`, {
          failedPulls: 1,
          pullError: `failed to pull and unpack image "harbor.acme.example/apps/${name}:2": failed to copy: httpReadSeeker: failed open: unexpected status code https://harbor.acme.example/v2/apps/${name}/blobs/sha256:77: 502 Bad Gateway`,
        });
      cluster.at('8s', () => {
        for (const [index, handle] of handles.entries())
          handle.setImage(`harbor.acme.example/apps/${['orders', 'crm'][index]}:2`);
      });
      cluster.lasts('2m30s');
    },
  ),

  'autoscaler-scales-down': scenario(
    'After the evening an autoscaler takes two thirds of the Pods away, and of their machines one',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      cluster.nodes(['n1', 'n2', 'n3', 'n4']);
      surroundings(cluster);
      const web = cluster.deployment('shop/web', { replicas: 12, image: 'registry.acme.example/web:7' });
      cluster.service('shop/web');
      for (const [index, replicas] of [9, 6, 4].entries()) cluster.at(`${8 + 20 * index}s`, () => web.scale(replicas));
      cluster.at('80s', () => cluster.node('n4').drain());
      cluster.at('1m50s', () => cluster.node('n4').remove());
      cluster.lasts('3m');
    },
  ),

  'one-run-of-many-retries': scenario(
    'A CronJob runs every two minutes; one of its runs fails once and succeeds at its second try',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const image = 'registry.acme.example/rates:4';
      cluster.image(image, { exit: { afterSeconds: 3, code: 0 }, log: ['42 rates stored'] });
      cluster.at('1s', () =>
        cluster.cronJob('finance/rates', { schedule: '*/2 * * * *', image, job: { backoffLimit: 3 } }),
      );
      cluster.at('3m30s', () =>
        cluster.image(image, { ...ends(['urllib.error.HTTPError: HTTP Error 502: Bad Gateway'], 1, 3), exits: 1 }),
      );
      cluster.at('4m12s', () => cluster.image(image, { exit: { afterSeconds: 3, code: 0 }, log: ['42 rates stored'] }));
      const stop = cluster.planned({
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata: { name: 'rates', namespace: 'finance' },
      });
      cluster.at('9m', () => stop.patch({ spec: { suspend: true } }));
      cluster.lasts('10m');
    },
  ),

  'broker-is-updated': scenario(
    'A broker is updated member by member; its clients lose their connection for seconds',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const image = 'docker.io/library/rabbitmq';
      const broker = cluster.statefulSet('shop/rabbitmq', { replicas: 3, image: `${image}:4.0` });
      cluster.service('shop/rabbitmq', { ports: [{ name: 'amqp', port: 5672, targetPort: 5672, protocol: 'TCP' }] });
      cluster.image(`${image}:4.1`, { readyAfterSeconds: 12 });
      cluster.at('8s', () => broker.setImage(`${image}:4.1`));
      dependants(cluster, '12s', {
        'shop/mailer': {
          does: unready([
            'Error: Connection closed: 320 (CONNECTION-FORCED) with message "CONNECTION_FORCED - broker forced connection closure with reason \'shutdown\'"',
          ]),
        },
      });
      cluster.at('24s', () => cluster.befall('registry.acme.example/mailer:7', {}));
      cluster.lasts('3m');
    },
  ),
};
