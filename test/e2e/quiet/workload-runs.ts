import { job, workload } from '../produced/manifests.ts';
import { pass, type QuietRun, rolledOut, service } from './run.ts';

/** Pods as most are: pulled in seconds, ready in seconds. */
const script = { pullSeconds: 2, readyAfterSeconds: 5 };
const probe = { ports: [{ containerPort: 8080 }], readinessProbe: { httpGet: { path: '/ready', port: 8080 } } };
const replicas = (count: number): { spec: object } => ({ spec: { replicas: count } });
const image = (tag: string): { container: object } => ({
  container: { ...probe, image: `registry.example/app:${tag}` },
});

/** What people and controllers do to workloads all day. */
export const workloadRuns: readonly QuietRun[] = [
  {
    ns: 'rollouts',
    what: 'rolling updates of 50 workloads',
    async play(hands, over) {
      const names = Array.from({ length: 50 }, (_, i) => `web-${i}`);
      for (const name of names)
        await hands.apply(workload('Deployment', name, { ...replicas(2), ...image('1'), script }), service(name));
      let updates = 0;
      for (let tag = 2; tag === 2 || over.has(90); tag += 1) {
        for (const name of names) await rolledOut(hands, name);
        for (const name of names) {
          await hands.apply(workload('Deployment', name, { ...replicas(2), ...image(String(tag)), script }));
          updates += 1;
        }
      }
      for (const name of names) await rolledOut(hands, name);
      return `${updates} updates`;
    },
  },
  {
    ns: 'scaling',
    what: 'a workload scaled from 0 to 200 replicas and back to 0',
    async play(hands, over) {
      await hands.apply(workload('Deployment', 'burst', { ...replicas(0), ...image('1'), script }), service('burst'));
      const scale = async (count: number): Promise<void> => {
        await hands.patch('Deployment', 'burst', { spec: { replicas: count } }, 'scale');
        await rolledOut(hands, 'burst');
      };
      let rounds = 0;
      for (; rounds === 0 || over.has(120); rounds += 1) {
        await pass(5);
        await scale(200);
        await pass(20);
        await scale(0);
        await hands.until('all Pods are gone', async () => (await hands.list('Pod')).length === 0, 180);
      }
      return `${rounds} times`;
    },
  },
  {
    ns: 'jobs',
    what: '100 Jobs that finish',
    async play(hands) {
      for (let batch = 0; batch < 10; batch += 1) {
        for (let i = 0; i < 10; i += 1) {
          const exit = { afterSeconds: 5 + i, code: 0 };
          await hands.apply(job(`work-${batch * 10 + i}`, { script: { ...script, exit } }));
        }
        await pass(5);
      }
      await hands.until(
        '100 Jobs are complete',
        async () => {
          const done = (await hands.list('Job')).filter(({ status }) => Object(status).succeeded === 1);
          return done.length === 100;
        },
        240,
      );
      return '100 Jobs';
    },
  },
  {
    ns: 'cron',
    what: 'three CronJobs every minute',
    async play(hands, over) {
      for (const concurrencyPolicy of ['Allow', 'Forbid', 'Replace']) {
        const { spec } = job('tick', { script: { ...script, exit: { afterSeconds: 15, code: 0 } } });
        const schedule = { schedule: '* * * * *', concurrencyPolicy };
        await hands.apply({
          apiVersion: 'batch/v1',
          kind: 'CronJob',
          metadata: { name: `tick-${concurrencyPolicy.toLowerCase()}` },
          spec: { ...schedule, jobTemplate: { spec } },
        });
      }
      const seen = new Set<string>();
      while (over.has(5)) {
        for (const { metadata } of await hands.list('Job')) seen.add(metadata.name);
        await pass(5);
      }
      return `${seen.size} runs`;
    },
  },
  {
    ns: 'boot',
    what: 'an application that fails three times until its database is there',
    async play(hands, over) {
      const exit = { afterSeconds: 3, code: 1 };
      let boots = 0;
      for (; boots === 0 || over.has(120); boots += 1) {
        const name = `app-${boots}`;
        await hands.apply(
          workload('Deployment', name, { ...replicas(1), ...image('1'), script: { ...script, exit, exits: 3 } }),
        );
        await rolledOut(hands, name, 240);
        await pass(10);
      }
      return `${boots} boots`;
    },
  },
  {
    ns: 'releases',
    what: 'canary and blue-green releases',
    async play(hands, over) {
      const app = (name: string, count: number, tag: string) =>
        workload('Deployment', name, {
          ...replicas(count),
          ...image(tag),
          script,
          labels: { part: name.replace(/-.*/, '') },
        });
      const scale = async (name: string, count: number): Promise<void> => {
        await hands.patch('Deployment', name, { spec: { replicas: count } }, 'scale');
        await rolledOut(hands, name);
      };
      await hands.apply(app('shop-stable', 4, '1'), service('shop', { part: 'shop' }));
      await hands.apply(app('pay-blue', 3, '1'), service('pay', { app: 'pay-blue' }));
      await rolledOut(hands, 'shop-stable');
      await rolledOut(hands, 'pay-blue');
      let releases = 0;
      let [live, idle] = ['pay-blue', 'pay-green'];
      for (; releases === 0 || over.has(100); releases += 1) {
        const tag = String(releases + 2);
        // Canary: one Pod of the new version beside the old ones, then all of them.
        await hands.apply(app('shop-canary', 1, tag));
        await rolledOut(hands, 'shop-canary');
        await pass(10);
        await scale('shop-canary', 4);
        await hands.apply(app('shop-stable', 4, tag));
        await rolledOut(hands, 'shop-stable');
        await scale('shop-canary', 0);
        await hands.remove('Deployment', 'shop-canary');
        // Blue and green: the new one is up before the Service moves, and the old one goes after.
        await hands.apply(app(idle, 3, tag));
        await rolledOut(hands, idle);
        await hands.apply(service('pay', { app: idle }));
        await pass(10);
        await hands.remove('Deployment', live);
        await hands.until(`${live} is gone`, async () => !(await hands.get('Deployment', live)));
        [live, idle] = [idle, live];
      }
      return `${releases} of each`;
    },
  },
];
