import type { RawObject } from '../../../src/model/raw-object.ts';
import { service } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { claim, volume } from '../../world/storage-objects.ts';
import { app, long, type Proof, podOf, type Story } from '../proof.ts';
import { saying } from '../said.ts';
import { mounting, shop } from '../storage-proof.ts';

const labels = { app: 'nfs' };
const words = {
  api: "Error: ESTALE: stale file handle, scandir '/data'",
  web: "OSError: [Errno 116] Stale file handle: '/data'",
};

/** A volume of a share of 10.96.0.9. */
const share = (name: string): RawObject =>
  volume(`pv-${name}`, { spec: { csi: undefined, nfs: { server: '10.96.0.9', path: `/export/${name}` } } });

/** Two workloads mount shares of a server in the cluster; a minute after this Pod of it is there their handles are stale. */
const story =
  (server: 'moved' | 'as before'): Story['tell'] =>
  (k8s) => {
    const names = ['api', 'web'] as const;
    k8s.put(long, ...shop, ...names.flatMap((name) => [claim(name), share(name), mounting(name, {})]));
    k8s.put(long, ...app('nfs', { labels }), podOf('nfs', 'a', { labels }));
    k8s.put(long, service('nfs', { createdAt: long, selector: labels, spec: { clusterIP: '10.96.0.9' } }));
    k8s.wait(at(0));
    if (server === 'moved') {
      k8s.gone(at(0), podOf('nfs', 'a', { labels }));
      k8s.put(at(0), podOf('nfs', 'b', { labels, createdAt: at(0) }));
    }
    k8s.put(at(1), ...names.map((name) => mounting(name, saying(long, at(1), words[name]))));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  shows: {
    what: 'the server was started anew a minute before, and knows the handles of two workloads no more',
    tell: story('moved'),
    told: ['Deployment/shop/nfs CrashLoopBackOff 2'],
  },
  not: {
    what: 'the server has run all the while',
    tell: story('as before'),
    told: ['Deployment/shop/api CrashLoopBackOff 1', 'Deployment/shop/web CrashLoopBackOff 1'],
  },
};
