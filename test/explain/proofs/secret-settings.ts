import { at, workload } from '../../world/objects.ts';
import { app, long, type Proof, podOf, replicaSet, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

const volumes = [{ name: 'settings', secret: { secretName: 'alertmanager-main' } }];
const volumeMounts = [{ name: 'settings', mountPath: '/etc/alertmanager/config' }];
const spec = { volumes, containers: [{ name: 'api', image: 'x', volumeMounts }] };
const words =
  'level=error msg="Loading configuration file failed" file=/etc/alertmanager/config/alertmanager.yaml err="undefined receiver"';

/** A program that has its settings from a Secret ends over them: the Pod of an hour ago, or one of a new image. */
const story =
  (which: 'old' | 'new'): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('alerts'), podOf('alerts', 'a', { spec }));
    k8s.wait(at(0));
    if (which === 'new') {
      const image = 'registry.example/shop/alerts:2';
      k8s.put(at(0), workload('Deployment', 'alerts', { replicas: 2, createdAt: long, image, generation: 2 }));
      k8s.put(at(0), replicaSet('alerts', 2, { replicas: 2, createdAt: at(0) }));
      k8s.put(at(1), podOf('alerts', 'b', { revision: 2, spec, ...saying(at(0), at(1), words) }));
    } else k8s.put(at(1), podOf('alerts', 'a', { spec, ...saying(long, at(1), words) }));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  shows: {
    what: 'a file of settings that a program cannot use is mounted from a Secret',
    tell: story('old'),
    told: ['Secret/shop/alertmanager-main CrashLoopBackOff 1'],
  },
  not: {
    what: 'it is a new version of the program that cannot use the file',
    tell: story('new'),
    told: ['Deployment/shop/alerts CrashLoopBackOff 1, image edited'],
  },
};
