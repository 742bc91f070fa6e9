import { imageAt } from '../../kit/company.ts';
import { after, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { budget } from '../../kit/things.ts';

const calm = { minutes: 12 };

/** Days on which everything goes as it should: nobody may hear of anything. */
export const stories: Readonly<Record<string, Scenario>> = {
  'quiet-slow-java-is-released': reported(
    'Two services that take more than a minute to come up are released one after the other',
    (cluster) => {
      const handles = ['orders', 'ledger'].map((name) => {
        cluster.image(imageAt(name, '5'), {
          ...{
            readyAfterSeconds: 80,
            readinessSays:
              'Get "http://10.244.1.20:8080/ready": dial tcp 10.244.1.20:8080: connect: connection refused',
          },
          log: ['INFO 1 --- [main] o.s.b.w.embedded.tomcat.TomcatWebServer : Tomcat initialized with port 8080 (http)'],
        });
        cluster.service(`plant/${name}`);
        return cluster.deployment(`plant/${name}`, { replicas: 3, image: imageAt(name, '4') });
      });
      for (const [index, handle] of handles.entries())
        cluster.at(after(20 * index), () => handle.setImage(imageAt(index === 0 ? 'orders' : 'ledger', '5')));
    },
    calm,
  ),

  'quiet-stack-comes-up-out-of-order': reported(
    'A team installs a database and two programs at once: the programs end twice before the database is there, and then stay',
    (cluster) => {
      const refused = {
        ...{ exit: { afterSeconds: 2, code: 1 }, exits: 2 },
        log: [
          'psycopg2.OperationalError: connection to server at "db" (10.96.3.3), port 5432 failed: Connection refused',
        ],
      };
      cluster.image(imageAt('todo-api', 1), refused);
      cluster.image(imageAt('todo-worker', 1), refused);
      cluster.image('docker.io/library/postgres:17', { pullSeconds: 9, readyAfterSeconds: 6 });
      cluster.at(after(0), () => {
        server(cluster, 'sandbox/db', 'docker.io/library/postgres:17', 5432);
        for (const name of ['todo-api', 'todo-worker']) {
          cluster.deployment(`sandbox/${name}`, { image: imageAt(name, 1) });
          cluster.service(`sandbox/${name}`);
        }
      });
    },
    calm,
  ),

  'quiet-machine-is-taken-out': reported(
    'A machine that is hardly used is drained within the budgets and taken out of the cluster',
    (cluster) => {
      for (const name of ['front', 'back']) {
        cluster.deployment(`inn/${name}`, { replicas: 3, image: imageAt(name, 9) });
        cluster.service(`inn/${name}`);
        cluster.object(budget(`inn/${name}`, { maxUnavailable: 1 }));
      }
      cluster.at(after(0), () => cluster.node('n3').drain());
      cluster.at(after(90), () => cluster.node('n3').remove());
    },
    calm,
  ),

  'quiet-test-stage-is-put-to-sleep': reported(
    'What runs on a test stage is scaled to nothing for the night, its database last, and some of it is deleted',
    (cluster) => {
      const handles = ['ui', 'api', 'jobs'].map((name) => {
        cluster.service(`stage/${name}`);
        return cluster.deployment(`stage/${name}`, { replicas: 2, image: imageAt(name, 14) });
      });
      const database = server(cluster, 'stage/postgres', 'docker.io/library/postgres:16', 5432);
      cluster.at(after(0), () => {
        for (const handle of handles) handle.scale(0);
      });
      cluster.at(after(30), () => database.scale(0));
      cluster.at(after(200), () => handles[2]?.delete());
    },
    calm,
  ),

  'quiet-green-takes-over-from-blue': reported(
    'A second version comes up beside the first, the Service is turned to it, and the first goes ten minutes later',
    (cluster) => {
      const blue = cluster.deployment('radio/player-blue', { replicas: 3, image: imageAt('player', '7') });
      const service = cluster.service('radio/player', { selector: { app: 'player-blue' } });
      cluster.image(imageAt('player', '8'), { readyAfterSeconds: 12 });
      cluster.at(after(0), () =>
        cluster.deployment('radio/player-green', { replicas: 3, image: imageAt('player', '8') }),
      );
      cluster.at(after(60), () => service.patch({ spec: { selector: { app: 'player-green' } } }));
      cluster.at(after(600), () => blue.delete());
    },
    calm,
  ),

  'quiet-registry-stumbles-for-a-moment': reported(
    'Two pulls of a release fail because the registry is restarted at that moment, and the third succeeds; the release goes well',
    (cluster) => {
      const press = cluster.deployment('news/press', { replicas: 4, image: imageAt('press', '31') });
      cluster.service('news/press');
      cluster.image(imageAt('press', '32'), {
        ...{ failedPulls: 2, readyAfterSeconds: 4 },
        pullError:
          'failed to pull and unpack image "registry.borealis.example/press:32": failed to resolve reference "registry.borealis.example/press:32": unexpected status from HEAD request to https://registry.borealis.example/v2/press/manifests/32: 502 Bad Gateway',
      });
      cluster.at(after(0), () => press.setImage(imageAt('press', '32')));
    },
    calm,
  ),
};
