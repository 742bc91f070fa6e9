import { count, list } from '../../parts/words.ts';

/** The scheduler's sentence without what it says of preemption: `3 Insufficient cpu, 9 node(s) had untolerated taint(s)`. */
export function condenseScheduler(message: string): string {
  const [, obstacles = message] = /^\d+\/\d+ nodes are available: (.*)$/s.exec(message) ?? [];
  return obstacles
    .replace(/\s*(?:preemption|no new claims to deallocate).*$/s, '')
    .replace(/[.,]\s*$/, '')
    .trim();
}

/** What is short, as people call it. */
const resources: ReadonlyMap<string, string> = new Map([
  ['cpu', 'CPU'],
  ['memory', 'memory'],
  ['ephemeral-storage', 'local storage'],
]);

/** `node.kubernetes.io/disk-pressure`, `dedicated=db`: a taint as kubectl writes it. */
const taint = (key = '', value = ''): string => (value === '' ? key : `${key}=${value}`);

/** In words, after how many Nodes: of one, of several, and of none where all are no place. */
type Words = readonly [one: string, many: string, none?: string];
type Obstacle = readonly [RegExp, (...found: string[]) => Words];

const same = (words: string): readonly [string, string] => [`has ${words}`, `have ${words}`];

/** Why a Node is no place for the Pod (kube-scheduler, `ErrReason…` of the plugins), after how many there are. */
const obstacles: readonly Obstacle[] = [
  [/^Insufficient (\S+)$/, (name = '') => same(`too little ${resources.get(name) ?? name} left`)],
  [/^Too many pods$/, () => same('as many pods as it may have')],
  [
    /^node\(s\) had untolerated taint(?:\(s\)|s)? ?(?:\{([^:}]+): ?([^}]*)\})?$/,
    (key, value) =>
      same(
        key
          ? `the taint ${taint(key, value)}, which the pod does not tolerate`
          : 'taints that the pod does not tolerate',
      ),
  ],
  [/^node\(s\) were unschedulable$/, () => ['is cordoned', 'are cordoned']],
  [
    /^node\(s\) didn't match Pod's node affinity\/selector$/,
    () => [
      "does not match the pod's node selector or affinity",
      "do not match the pod's node selector or affinity",
      "matches the pod's node selector or affinity",
    ],
  ],
  [/^node\(s\) didn't match pod affinity rules$/, () => same('none of the pods that this one wants to be with')],
  [
    /^node\(s\) didn't (?:match pod anti-affinity rules|satisfy existing pods anti-affinity rules)$/,
    () => same('a pod that this one must not be with'),
  ],
  [
    /^node\(s\) didn't match pod topology spread constraints(?: \(missing required label\))?$/,
    () => ['would break its topology spread constraints', 'would break its topology spread constraints'],
  ],
  [/^node\(s\) didn't have free ports for the requested pod ports$/, () => same('its host port in use')],
  [
    /^node\(s\) (?:had volume node affinity conflict|didn't match PersistentVolume's node affinity)$/,
    () => ['is not where its volume is', 'are not where its volume is', 'is where its volume is'],
  ],
  [/^node\(s\) exceed max volume count$/, () => same('as many volumes as it can attach')],
  [
    /^node\(s\) (?:didn't find available persistent volumes to bind|did not have enough free storage)$/,
    () => same('no volume to offer it'),
  ],
];

/** `2 have too little CPU left`; `undefined` where the words are not known. */
function obstacleInWords(
  text: string,
): { readonly nodes: number; readonly words: string; readonly none?: string } | undefined {
  const [, number = '', what = ''] = /^(\d+) (.*)$/.exec(text.trim()) ?? [];
  for (const [pattern, say] of obstacles) {
    const found = pattern.exec(what);
    if (!found) continue;
    const [one, many, none] = say(...found.slice(1));
    return {
      nodes: Number(number),
      words: number === '1' ? one : many.replace('as it may', 'as they may').replace('as it can', 'as they can'),
      ...(none !== undefined && { none }),
    };
  }
  return undefined;
}

/** `all 3 nodes have …`, `none of the 3 nodes matches …`. */
function ofAll(all: number, words: string, none: string | undefined): string {
  if (all === 1) return `the only node ${words}`;
  if (none !== undefined) return all === 2 ? `neither node ${none}` : `none of the ${count(all, 'node')} ${none}`;
  return `${all === 2 ? 'both nodes' : `all ${count(all, 'node')}`} ${words}`;
}

/** `no node has enough CPU`, where that is all that the scheduler says. */
export function nowhereEnough(message: string): string | undefined {
  const short = condenseScheduler(message)
    .split(/, (?=\d+ )/)
    .map((part) => /^\d+ Insufficient (\S+)$/.exec(part)?.[1]);
  const names = [...new Set(short.map((name) => name && (resources.get(name) ?? name)))];
  return names.every((name) => name !== undefined) ? `no node has enough ${names.join(' and ')}` : undefined;
}

/**
 * The scheduler's sentence in plain words: `of 3 nodes 1 is cordoned and 2 have too little memory left`; `undefined` where a part of it is
 * not known, so that it is better quoted.
 */
export function nodesInWords(message: string): string | undefined {
  const all = Number(/^\d+\/(\d+) nodes are available: /.exec(message)?.[1] ?? 0);
  if (all === 0) return undefined;
  const parts = condenseScheduler(message)
    .split(/, (?=\d+ )/)
    .map(obstacleInWords);
  const known = parts.filter((part) => part !== undefined);
  if (known.length === 0 || known.length < parts.length) return undefined;
  const [only] = known;
  if (only && known.length === 1 && only.nodes === all) return ofAll(all, only.words, only.none);
  return `of ${count(all, 'node')} ${list(known.map(({ nodes, words }) => `${nodes} ${words}`))}`;
}
