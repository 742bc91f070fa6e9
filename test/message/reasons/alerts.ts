import { alert } from '../../world/alert-objects.ts';
import { at } from '../../world/objects.ts';
import { type ClusterStory, long, nodes, podsOf, replicaSet, sized } from '../shop.ts';

/** What somebody outside alerts of, and nobody sees in the cluster. */
export const alertStories = {
  ExternalAlert: (k8s) => {
    k8s.put(long, ...nodes, sized('Deployment', 'api', 3, 3), replicaSet('api', 3), ...podsOf('api', 3));
    k8s.start(at(0));
    const parts = { since: at(10), severity: 'high', summary: 'The 99th percentile is above 2 s.' } as const;
    k8s.put(at(10), alert('RequestsAreSlow', ['Deployment/shop/api'], parts));
    k8s.wait(at(30));
  },
} as const satisfies Readonly<Record<string, ClusterStory>>;
