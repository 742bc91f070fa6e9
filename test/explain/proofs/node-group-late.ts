import { at, node } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, unready } from '../proof.ts';

const names = ['n1', 'n2', 'n3', 'n4', 'n5'];
/** Nodes that have been ready, or away, since an instant. */
const nodes = (which: readonly string[], ready: 'True' | 'Unknown', since: number) =>
  which.map((name) => node(name, { ready, since, createdAt: long }));

/** Three of five Nodes are away for a minute; of a Pod on one of them it shows only afterwards that it does not serve, or of one elsewhere. */
const story =
  (of: string): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...nodes(names, 'True', long), ...app('api'), podOf('api', 'a', { node: of }), podOf('api', 'b'));
    k8s.wait(at(0));
    k8s.put(at(1), ...nodes(['n2', 'n3', 'n4'], 'Unknown', at(1)));
    k8s.wait(at(2));
    k8s.put(at(2), podOf('api', 'a', { node: of, conditions: unready(at(2)) }));
    k8s.put(at(2, 5), ...nodes(['n2', 'n3', 'n4'], 'True', at(2, 5)));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  shows: {
    what: 'a Pod does not serve although its Node, which was lost with others, is back',
    tell: story('n2'),
    told: ['Cluster//nodes ZoneOrPoolFailing 1'],
  },
  not: {
    what: 'its Node was there all the time',
    tell: story('n5'),
    told: ['Deployment/shop/api PodNotReady 1'],
  },
};
