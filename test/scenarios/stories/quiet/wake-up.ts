import { scenario } from '../../kit/scenario.ts';

export const story = scenario(
  'Twenty workloads that slept for the night are woken at once and start slowly',
  (cluster) => {
    const names = Array.from({ length: 20 }, (_, index) => `app${index + 1}`);
    const workloads = names.map((name) =>
      cluster.deployment(`office/${name}`, { replicas: 0, image: `registry.example/${name}:1` }),
    );
    for (const name of names) cluster.image(`registry.example/${name}:1`, { pullSeconds: 20, readyAfterSeconds: 45 });
    cluster.at('5s', () => {
      for (const workload of workloads) workload.scale(1);
    });
    cluster.lasts('3m');
    cluster.recordedFrom('sandbox');
  },
);
