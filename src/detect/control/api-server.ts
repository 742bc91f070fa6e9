import { nameOf } from '../../model/ref.ts';
import type { NodeView } from '../../world/kinds/cluster/node.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { type Detector, detector, type Judgement } from '../kit/detector.ts';
import { isLeaving } from '../kit/exemptions.ts';

/** So many answers in a row, half a minute apart, are a minute of it: one answer and silence are none. */
const enoughAnswers = 3;
/** So many are named. */
const maxNamed = 5;

/** `etcd`, `etcd and ping`, `a, b and 3 more`. */
function listed(names: readonly string[]): string {
  const more = names.length - maxNamed;
  const shown = more > 0 ? [...names.slice(0, maxNamed), `${more} more`] : names;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

const apiServerNotReady = detector({
  id: 'G17',
  judges: 'APIServer',
  edition: 'Pro',
  reasons: [{ reason: 'APIServerNotReady', family: 'named', sure: 'likely' }],
  severity: 'critical',
  forSeconds: 60,
  settle: 'conclusive',
  exemptions: [],
  source: 'GET /readyz?verbose: the lines "[-]<check> failed: …" (k8s.io/apiserver, server/healthz)',
  predicate: 'the API server says for 60 s and in three answers in a row that checks of its own fail, and names them',
  clears: 'it says that all checks pass, held for 1 min',
  symptom: 'controlPlane',
  patience: '60 s: what runs after its start takes seconds, and one slow answer of etcd passes',
  isNot:
    'an API server that shuts down; no answer, a refusal, throttling, or the answer of a proxy: these say nothing, and clear nothing',
  judge: ({ failing }) => {
    if (failing === undefined || failing.answers < enoughAnswers) return false;
    const { checks, since } = failing;
    // It is told to go, and another one answers in a moment.
    if (checks.some(({ name }) => name === 'shutdown')) return false;
    const said = checks.flatMap(({ name, why }) => (why === undefined ? [] : [`${name}: ${why}`]));
    return {
      since,
      facts: { checks: listed(checks.map(({ name }) => name)), count: checks.length },
      detail: said.join('; '),
      clearHoldMs: 60_000,
    };
  },
});

const [hourMs, dayMs] = [3_600_000, 86_400_000];

/** The minor version of `v1.36.3`, `v1.31.2-gke.100`, `v1.30.1+k3s1`. */
function minorOf(version: string): number | undefined {
  const [, minor] = /^v?1\.(\d+)/.exec(version) ?? [];
  return minor === undefined ? undefined : Number(minor);
}

/** How many minor versions older a kubelet may be: three for an API server of 1.28 and later, two before. */
function olderBy(server: number): number {
  return server >= 28 ? 3 : 2;
}

/** The Nodes whose kubelet is older or newer than an API server of this minor version supports, but where an upgrade is on its way. */
function outside(server: number, world: ObservedWorld, now: number): readonly NodeView[] {
  const found: NodeView[] = [];
  const upgraded = new Set<string | undefined>();
  for (const node of world.all('Node')) {
    if (node.kind !== 'Node') continue;
    const minor = minorOf(node.kubeletVersion);
    if (minor === undefined) continue;
    if (minor > server || minor < server - olderBy(server)) {
      if (!isLeaving(node)) found.push(node);
    } else if (now - node.createdAt < dayMs) upgraded.add(node.pool);
  }
  return found.filter(({ pool }) => !upgraded.has(pool)).sort((a, b) => (a.ref < b.ref ? -1 : 1));
}

const versionSkew = detector({
  id: 'N20',
  judges: 'APIServer',
  reasons: [{ reason: 'VersionSkew', family: 'consequence', sure: 'high' }],
  reads: ['Node'],
  severity: 'low',
  forSeconds: 86_400,
  settle: 'conclusive',
  exemptions: [],
  source:
    'core/v1 Node status.nodeInfo.kubeletVersion and GET /version, by the version skew policy of Kubernetes: three minor versions older, never newer',
  predicate: 'for a day Nodes run a kubelet that is newer than the API server, or too old for it',
  clears: 'all kubelets are within what is supported',
  symptom: 'node',
  patience: '1 day: upgrades begin with the control plane and go on Node by Node',
  isNot:
    'Nodes that are drained or about to go; a pool to which a Node with a supported kubelet came within the last day',
  judge: (server, world, now): Judgement => {
    // Nodes are looked at now and then: none of them makes anybody judge this again.
    const lookAgainAt = now + hourMs;
    const minor = minorOf(server.version ?? '');
    if (minor === undefined) return { lookAgainAt };
    const nodes = outside(minor, world, now);
    if (nodes.length === 0) return { lookAgainAt };
    const kubelets = [...new Set(nodes.map(({ kubeletVersion }) => kubeletVersion))].sort();
    return {
      since: 'observed',
      facts: {
        ...{ version: server.version ?? '', nodes: nodes.length, kubelets: listed(kubelets) },
        named: listed(nodes.map(({ ref }) => nameOf(ref))),
        allowed: `kubelets from 1.${minor - olderBy(minor)} to 1.${minor}`,
      },
      lookAgainAt,
    };
  },
});

/** The API server, by what it says of itself. */
export const apiServerDetectors: readonly Detector[] = [apiServerNotReady, versionSkew];
