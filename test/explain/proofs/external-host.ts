import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

const host = 'erp.corp.example';
const refused = 'dial tcp 10.20.4.15:1521: connect: connection refused';

/** Two programs that are given a host outside end at 1: one names an address alone, the other says more. */
const story =
  (words: string): Story['tell'] =>
  (k8s) => {
    const env = [{ name: 'DB_HOST', value: host }];
    const client = (name: string, parts: object) =>
      podOf(name, 'a', { spec: { containers: [{ name: 'api', image: 'x', env }] }, ...parts });
    k8s.put(long, ...twoNodes, ...app('api'), ...app('web'), client('api', {}), client('web', {}));
    k8s.wait(at(0));
    k8s.put(at(1), client('api', saying(long, at(1), refused)), client('web', saying(long, at(1), words)));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  shows: {
    what: 'one of two that are given a host says at which of its ports it fails',
    tell: story(`ORA-12541: Cannot connect. No listener at ${host}:1521`),
    told: [`ExternalEndpoint//${host}:1521 ExternalEndpointUnreachable 4`],
  },
  not: {
    what: 'neither of them does',
    tell: story(refused.replace('.15:', '.16:')),
    told: [`ExternalEndpoint//${host} ClientsFailing 3`],
  },
};
