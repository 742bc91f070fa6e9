/** What is told beside one incident: of many at once, of nothing urgent, of what was there before, and to one team alone. */
import type { Delivery } from '../../../src/model/delivery.ts';
import type { Settings } from '../../../src/model/settings.ts';
import type { Traits } from '../../../src/model/traits.ts';
import { provider, watchedCluster } from '../../message/cluster.ts';
import { at, job, node, pod, stamp } from '../../world/objects.ts';
import { crashing, deployment, long, nodes, pods, replicaSet } from './payments.ts';

const tenant = { ...provider, ref: 'AlertProvider/shop/team', uid: 'team', namespace: 'shop' } as const;

const pager: Traits = new Map([[provider.type, { plain: 'alert', family: 'pager', closesByKey: true }]]);
const five = 'abcde';

/** Workloads whose Pods all crash from one minute on until another. */
function failing(names: readonly string[], from: number, until: number, settings: Partial<Settings>, traits?: Traits) {
  const k8s = watchedCluster(settings, traits);
  const crash = (): void => {
    for (const name of names)
      k8s.put(at(from), deployment(name, '2.3', 0), ...crashing(name, 1, '2.3', five, at(from)));
  };
  k8s.put(long, ...nodes);
  for (const name of names)
    k8s.put(long, deployment(name, '2.3', 5), replicaSet(name, 1, '2.3', 5), ...pods(name, 1, '2.3', five));
  if (from < 0) crash();
  k8s.start(at(0));
  if (from >= 0) crash();
  k8s.wait(at(until));
  for (const name of names)
    k8s.put(at(until), deployment(name, '2.3', 5), ...pods(name, 1, '2.3', five, { createdAt: at(until) }));
  k8s.wait(at(until + 30));
  return k8s.deliveries();
}

/** Two problems were there before Tocsin started; they end, which whoever made one alert of them is told. */
export function startupTold(settings: Partial<Settings>): readonly Delivery[] {
  return failing(['cart', 'search'], -30, 20, settings, pager);
}

/** Twenty-four workloads fail within a minute, each by itself; they recover. */
export function stormTold(settings: Partial<Settings>): readonly Delivery[] {
  const names = Array.from({ length: 24 }, (_, index) => `app-${String(index + 1).padStart(2, '0')}`);
  return failing(names, 10, 30, settings);
}

/** Nothing is broken at the start. Two Jobs take long, which is told with others of low severity. */
export function digestTold(settings: Partial<Settings>): readonly Delivery[] {
  const k8s = watchedCluster({ ...settings, app: { clusterName: 'prod eu', startupMessage: 'Always' } });
  k8s.put(long, ...nodes);
  const jobs = [
    { namespace: 'shop', name: 'export' },
    { namespace: 'tools', name: 'backup' },
  ];
  const began = at(-12 * 60 + 5);
  for (const { namespace, name } of jobs)
    k8s.put(began, job(name, { namespace, createdAt: began, status: { active: 1, startTime: stamp(began) } }));
  k8s.start(at(0));
  k8s.wait(at(90));
  return k8s.deliveries();
}

/** A Node is lost with Pods of two teams, and one of them is told what it may read. */
export function tenantTold(settings: Partial<Settings>): readonly Delivery[] {
  const k8s = watchedCluster({ ...settings, providers: [tenant] });
  const since = at(10, 1);
  const unready = { type: 'Ready', status: 'False', lastTransitionTime: stamp(since), reason: '', message: '' };
  k8s.put(long, ...nodes);
  for (const name of ['cart', 'search'])
    k8s.put(long, deployment(name, '2.3', 5), replicaSet(name, 1, '2.3', 5), ...pods(name, 1, '2.3', five));
  k8s.put(long, pod('ledger', { namespace: 'bank', createdAt: long, node: 'n2' }));
  k8s.start(at(0));
  k8s.put(at(10), node('n2', { createdAt: long, ready: 'Unknown', since: at(10) }));
  k8s.put(since, pod('ledger', { namespace: 'bank', createdAt: long, node: 'n2', conditions: [unready] }));
  for (const name of ['cart', 'search']) {
    const lost = pods(name, 1, '2.3', five, { conditions: [unready] }).filter((_, index) => index % 3 === 1);
    k8s.put(since, deployment(name, '2.3', 3), ...lost);
  }
  k8s.wait(at(20));
  return k8s.deliveries();
}

/** Somebody asks for a test message. */
export function testTold(settings: Partial<Settings>): readonly Delivery[] {
  const k8s = watchedCluster(settings);
  k8s.start(at(0));
  k8s.ask(at(30), provider.ref);
  return k8s.deliveries();
}
