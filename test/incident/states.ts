import type { Explanation } from '../../src/model/explanation.ts';
import { fc } from '../fast-check.ts';
import { explanation, finding, lostNode } from './helpers.ts';

/** The workloads of the stories. */
const names = ['shop/a', 'shop/b', 'pay/c', 'pay/d'] as const;

/** One Deployment's failure by itself, or as part of a lost Node. */
export function single(name: (typeof names)[number], severity: Explanation['severity']): Explanation {
  const members = [finding(`Pod/${name}-1`, { reason: 'PodNotReady', conclusive: false, severity })];
  return explanation(`Deployment/${name}`, { reason: 'PodNotReady', members, severity });
}

/** What holds at one time: each workload is healthy, fails alone, or fails with the node. */
export const state = fc
  .tuple(
    fc.constantFrom<Explanation['severity']>('critical', 'high', 'low'),
    ...names.map(() => fc.constantFrom('healthy', 'alone', 'node')),
  )
  .map(([severity, ...how]): Explanation[] => {
    const withNode = names.filter((_, index) => how[index] === 'node');
    const alone = names.filter((_, index) => how[index] === 'alone').map((name) => single(name, severity));
    return withNode.length === 0 ? alone : [lostNode('n1', withNode), ...alone];
  });
