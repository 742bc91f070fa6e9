import { type Scenario, scenario } from '../../kit/scenario.ts';

const image = 'registry.example/report:1';
const ends = (afterSeconds: number): object => ({ exit: { afterSeconds, code: 0 } });

/** Jobs, CronJobs and Pods that are done when they are done. */
export const stories: Readonly<Record<string, Scenario>> = {
  'cron-job-forbids-overlap': scenario('A run lasts longer than a minute, and the next one is left out', (cluster) => {
    cluster.image(image, ends(85));
    const report = { schedule: '* * * * *', image, spec: { concurrencyPolicy: 'Forbid' } };
    let cronJob: ReturnType<typeof cluster.cronJob> | undefined;
    cluster.at('1s', () => {
      cronJob = cluster.cronJob('shop/report', report);
    });
    cluster.at('5m30s', () => cronJob?.patch({ spec: { suspend: true } }));
    cluster.lasts('7m20s');
    cluster.recordedFrom('sandbox');
  }),
  'cron-job-replaces-overlap': scenario(
    'A run that still goes on is replaced by the next, as it should be',
    (cluster) => {
      cluster.image(image, ends(85));
      const report = { schedule: '* * * * *', image, spec: { concurrencyPolicy: 'Replace' } };
      let cronJob: ReturnType<typeof cluster.cronJob> | undefined;
      cluster.at('1s', () => {
        cronJob = cluster.cronJob('shop/report', report);
      });
      cluster.at('4m30s', () => cronJob?.patch({ spec: { suspend: true } }));
      cluster.lasts('7m');
      cluster.recordedFrom('sandbox');
    },
  ),
  'job-in-parallel': scenario('Four Pods of a Job work side by side, and all finish', (cluster) => {
    cluster.image(image, ends(8));
    cluster.at('3s', () => cluster.job('shop/import', { image, spec: { parallelism: 4, completions: 8 } }));
    cluster.lasts('40s');
  }),
  'job-indexed': scenario('Every part of an indexed Job is done', (cluster) => {
    cluster.image(image, ends(5));
    const spec = { completionMode: 'Indexed', parallelism: 2, completions: 4 };
    cluster.at('3s', () => cluster.job('shop/parts', { image, spec }));
    cluster.lasts('40s');
  }),
  'job-removed-when-done': scenario('A Job is done and removes itself after ten seconds', (cluster) => {
    cluster.image(image, ends(4));
    cluster.at('3s', () => cluster.job('shop/import', { image, spec: { ttlSecondsAfterFinished: 10 } }));
    cluster.lasts('40s');
  }),
  'job-held-then-started': scenario('A Job is made suspended and started by its queue', (cluster) => {
    cluster.image(image, ends(5));
    let job: ReturnType<typeof cluster.job> | undefined;
    cluster.at('3s', () => {
      job = cluster.job('shop/import', { image, spec: { suspend: true } });
    });
    cluster.at('20s', () => job?.patch({ spec: { suspend: false } }));
    cluster.lasts('45s');
  }),
  'job-starts-again-in-place': scenario(
    'The container of a Job fails once and is started again in place',
    (cluster) => {
      cluster.image(image, { exit: { afterSeconds: 3, code: 1 }, exits: 1 });
      cluster.at('3s', () => cluster.job('shop/import', { image, pod: { restartPolicy: 'OnFailure' } }));
      cluster.at('30s', () => cluster.befall(image, ends(2)));
      cluster.lasts('60s');
    },
  ),
  'job-deleted-while-it-runs': scenario('Somebody deletes a Job that runs', (cluster) => {
    let job: ReturnType<typeof cluster.job> | undefined;
    cluster.at('3s', () => {
      job = cluster.job('shop/import', { image });
    });
    cluster.at('15s', () => job?.delete());
    cluster.lasts('50s');
  }),
  'pod-completed': scenario('A Pod that somebody started by hand does its work and ends', (cluster) => {
    cluster.image(image, ends(6));
    cluster.at('3s', () => cluster.pod('shop/once', { image, probe: false, pod: { restartPolicy: 'Never' } }));
    cluster.lasts('30s');
  }),
  'debug-container': scenario('Somebody looks into a Pod with kubectl debug', (cluster) => {
    const pod = cluster.pod('shop/api', { image: 'registry.example/api:1.0' });
    cluster.at('5s', () =>
      cluster.pod('shop/api-debug', {
        image: 'registry.example/tools:1',
        probe: false,
        pod: { restartPolicy: 'Never' },
      }),
    );
    cluster.image('registry.example/tools:1', { exit: { afterSeconds: 15, code: 130 } });
    cluster.at('8s', () => pod.patch({ metadata: { annotations: { 'debug.example/by': 'kubectl' } } }));
    cluster.lasts('40s');
  }),
};
