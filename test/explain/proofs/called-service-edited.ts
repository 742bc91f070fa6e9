import { endpointSlice, service } from '../../world/network-objects.ts';
import { at, managed } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { said, saying } from '../said.ts';

/** The port of a Service is edited at 1, and who calls it is refused at 2; its Pod was made at some time. */
const story =
  (made: number): Story['tell'] =>
  (k8s) => {
    const ports = (targetPort: number) => [{ port: 5432, targetPort, protocol: 'TCP' }];
    const db = (targetPort: number) =>
      service('db', {
        ...{ createdAt: long, ports: ports(targetPort) },
        managedFields: [managed('kubectl', at(1), { 'f:spec': { 'f:ports': {} } })],
      });
    k8s.put(long, ...twoNodes, ...app('db'), podOf('db', 'a', { labels: { app: 'db' } }), ...app('api'));
    k8s.put(long, db(5432), endpointSlice('db'));
    k8s.wait(at(0));
    k8s.put(at(1), db(5433));
    k8s.put(at(2), podOf('api', 'a', saying(made, at(2), said.refused('db'))));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  shows: {
    what: 'the target port of a Service was edited, and who called it until then is refused',
    tell: story(long),
    told: ['Service/shop/db CrashLoopBackOff 1, servicePorts edited'],
  },
  not: {
    what: 'who is refused is newer than the edit',
    tell: story(at(1, 30)),
    told: ['Deployment/shop/api CrashLoopBackOff 1'],
  },
};
