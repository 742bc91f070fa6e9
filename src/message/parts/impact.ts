import { clusterDnsServices } from '../../model/cluster-dns.ts';
import type { Explanation, WorkloadHealth } from '../../model/explanation.ts';
import { describeRef, kindOf, type Ref } from '../../model/ref.ts';
import { compareSeverity } from '../../model/severity.ts';
import type { Naming } from './names.ts';
import { all, count, isWorkload, list, objectOf, subjectOf } from './words.ts';

/** Workloads named in one breath. */
const maxNamed = 4;

/** How many pods a part counts, the root included. */
export function podCount({ root, affected }: Explanation): number {
  return [root, ...affected].filter(({ ref }) => kindOf(ref) === 'Pod').length;
}

/** Workloads that are hit beside the root. */
function others({ root, workloads }: Explanation): readonly Ref[] {
  return workloads.filter((ref) => ref !== root.ref);
}

/** Whom it hits, and how many that are: `20 pods of 6 workloads`, `Deployment shop/web`, `2 objects`. */
export function describeHit(
  part: Explanation,
  name: Naming = objectOf,
): { readonly words: string; readonly several: boolean } {
  const pods = part.affected.filter(({ ref }) => kindOf(ref) === 'Pod').length;
  const hit = others(part);
  const named = hit.length <= 2 ? list(hit.map(name)) : count(hit.length, 'workload');
  if (pods === 0 && hit.length === 0) {
    const objects = part.affected.map(({ ref }) => name(ref));
    const words = objects.length <= 2 ? list(objects) : count(objects.length, 'object');
    return { words, several: objects.length > 1 };
  }
  if (pods === 0) return { words: named, several: hit.length > 1 };
  const loose = hit.length === 0 || hit.every((ref) => kindOf(ref) === 'Pod');
  return { words: loose ? count(pods, 'pod') : `${count(pods, 'pod')} of ${named}`, several: pods > 1 };
}

/** `nothing serves`, `2 of 3 serve`: what is left of one workload, for a title. */
function leftOf({ ref, wanted, ready }: WorkloadHealth): string {
  if (ready === 0) return 'nothing serves';
  if (ready >= wanted)
    return wanted === 1 ? 'it still serves' : `${wanted === 2 ? 'both' : `all ${wanted}`} still serve`;
  return kindOf(ref) === 'DaemonSet' ? `${ready} of ${wanted} pods serve` : `${ready} of ${wanted} serve`;
}

/** What is down, of several: `bank/ledger is down`, `3 workloads are down`; nothing where all of them still serve. */
function downOf(impact: readonly WorkloadHealth[], name: Naming): string | undefined {
  const down = impact.filter(({ ready }) => ready === 0);
  const [first] = down;
  if (first === undefined) return undefined;
  return down.length === 1 ? `${name(first.ref)} is down` : `${down.length} workloads are down`;
}

/** One place in full, several by their hosts. */
function hostsOf(places: readonly string[]): readonly string[] {
  if (places.length === 1) return places.map((place) => place.replace(/\/$/, ''));
  return [...new Set(places.map((place) => place.replace(/\/.*$/, '')))];
}

/**
 * Whom it hits, in as few words as a title has room for: where nothing answers any more, else what is left of the workload, else what is down
 * or fails because of the root. `it`: who fails, if that is one. `hits`: what becomes of others, as the phrase of the reason has it.
 */
export function shortImpact(part: Explanation, it: Ref, name: Naming, hits: string | undefined): string | undefined {
  const { clusters = [] } = part;
  if (clusters.length > 0)
    return clusters.length === 1 ? `hits ${clusters[0]?.name}` : `hits ${clusters.length} clusters`;
  const { root, impact = [], unreachable = [] } = part;
  const places = [...new Set(unreachable.flatMap(({ at }) => at))];
  if (places.length > 0 && !takesNames(part)) return `nothing answers at ${list(hostsOf(places), 2)}`;
  const own = impact.find(({ ref }) => ref === it);
  const also = others(part).filter((ref) => ref !== it && kindOf(ref) !== 'Pod');
  const more = also.length === 0 ? '' : `, ${also.length} more ${also.length === 1 ? 'fails' : 'fail'}`;
  if (takesNames(part)) return `${noNames}${more}`;
  if (own) return `${leftOf(own)}${more}`;
  const [only] = impact;
  const down = downOf(impact, name);
  if (isWorkload(root.ref)) return also.length === 0 ? undefined : (down ?? `${count(also.length, 'workload')} hit`);
  if (down !== undefined || hits === undefined) return down ?? (only && impact.length === 1 ? leftOf(only) : undefined);
  return hits;
}

/** What a workload's share is called. */
const unit = (ref: Ref): string => (kindOf(ref) === 'DaemonSet' ? 'pod' : 'replica');

/** `2 of 5 replicas are down; the other 3 still serve.` */
function ofOne({ ref, wanted, ready }: WorkloadHealth): string {
  const what = unit(ref);
  const down = wanted - ready;
  if (down <= 0) return wanted === 1 ? `Its only ${what} still serves.` : `${all(wanted, what)} still serve.`;
  if (ready === 0)
    return wanted === 1
      ? `Its only ${what} is down: nothing is serving.`
      : `${all(wanted, what)} are down: nothing is serving.`;
  return `${down} of ${count(wanted, what)} ${down === 1 ? 'is' : 'are'} down; the other ${ready === 1 ? 'one still serves' : `${ready} still serve`}.`;
}

const share = ({ ref, wanted, ready }: WorkloadHealth): string => `${subjectOf(ref)} (${ready} of ${wanted} ready)`;

/** `StatefulSet bank/ledger is down (0 of 2 ready).` Those that are down first, then those with least left. */
function ofMany(impact: readonly WorkloadHealth[], rest: readonly Ref[]): string {
  const worstFirst = [...impact].sort((a, b) => a.ready / a.wanted - b.ready / b.wanted);
  const down = worstFirst.filter(({ ready }) => ready === 0);
  const left = worstFirst.filter(({ ready }) => ready > 0);
  const verb = (number: number, one: string, many: string): string => (number === 1 ? one : many);
  return [
    down.length > 0 &&
      `${list(
        down.map(({ ref }) => subjectOf(ref)),
        maxNamed,
      )} ${verb(down.length, 'is', 'are')} down.`,
    left.length > 0 && `${list(left.map(share), maxNamed)} still ${verb(left.length, 'serves', 'serve')}.`,
    rest.length > 0 && `Also affected: ${list(rest.map(subjectOf), maxNamed)}.`,
  ]
    .filter((part) => part !== false)
    .join(' ');
}

/** How others come to fail, by how sure that is. Of an unknown cause only why the root fails is not known. */
const links = { high: 'because of it', likely: 'probably because of it', unknown: 'with it' } as const;

/** Who fails with a workload: `3 workloads fail because of it: Deployment shop/web (0 of 2 ready), …`. */
function alsoHit(part: Explanation): readonly string[] {
  const healths = new Map(part.impact?.map((health) => [health.ref, health]));
  const hit = others(part).filter((ref) => kindOf(ref) !== 'Pod');
  const words = hit.map((ref) => {
    const health = healths.get(ref);
    return health ? share(health) : subjectOf(ref);
  });
  const link = links[part.confidence];
  if (words.length === 0) return [];
  if (words.length === 1) return [`${words[0]} fails ${link}.`];
  return [`${words.length} workloads fail ${link}: ${list(words, maxNamed)}.`];
}

/** What a title says where nobody can resolve names any more: more than what is left of the workload that answers. */
export const noNames = 'DNS is down';

const takesNames = ({ unreachable = [], members }: Explanation): boolean =>
  members.some(({ reason }) => reason === 'ClusterDNSDown') ||
  unreachable.some(({ service }) => clusterDnsServices.includes(service));

/** Places named in one breath. */
const maxPlaces = 4;

/** `Nothing answers at shop.example.com/cart.`; of Services that nobody reaches from outside, which they are. */
function unanswered(part: Explanation): readonly string[] {
  const { unreachable = [] } = part;
  const places = unreachable.flatMap(({ at }) => at);
  if (places.length > 0) return [`Nothing answers at ${list([...new Set(places)], maxPlaces)}.`];
  const services = unreachable.map(({ service }) => describeRef(service));
  if (services.length === 0) return [];
  const meaning = takesNames(part) ? ': no program can resolve names in the cluster' : '';
  return [`${list(services, maxPlaces)} ${services.length === 1 ? 'has' : 'have'} no ready endpoint${meaning}.`];
}

/** Whether a title gives all that there is to say of the impact: what is left of the one workload that is hit. */
export function isWhollyTold(part: Explanation, title: string): boolean {
  const { root, impact = [], unreachable = [] } = part;
  const [only] = impact;
  const isAlone =
    impact.length === 1 && only?.ref === root.ref && others(part).length === 0 && unreachable.length === 0;
  return isAlone && title.includes(leftOf(only));
}

/** What it means for whoever uses what is hit; nothing where that is not known or the lead has said it. */
export function impactOf(part: Explanation): string | undefined {
  const sentences = [...clustersHit(part), ...workloadsHit(part), ...unanswered(part)];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** Clusters named in one breath. */
const maxClusters = 10;

/** `2 clusters report it: prod-eu (12 objects hit), prod-us (3 objects hit).` Those that are hit worst first. */
function clustersHit({ clusters = [] }: Explanation): readonly string[] {
  if (clusters.length === 0) return [];
  const worstFirst = clusters.toSorted((a, b) => compareSeverity(a.severity, b.severity) || b.affected - a.affected);
  const words = worstFirst.map(({ name, affected }) => `${name} (${count(affected, 'object')} hit)`);
  return [
    `${count(clusters.length, 'cluster')} ${clusters.length === 1 ? 'reports' : 'report'} it: ${list(words, maxClusters)}.`,
  ];
}

function workloadsHit(part: Explanation): readonly string[] {
  const { root, impact = [], workloads } = part;
  const own = impact.find(({ ref }) => ref === root.ref);
  if (own) return [ofOne(own), ...alsoHit(part)];
  if (impact.length > 0) {
    const known = new Set(impact.map(({ ref }) => ref));
    return [
      ofMany(
        impact,
        workloads.filter((ref) => !known.has(ref) && ref !== root.ref && kindOf(ref) !== 'Pod'),
      ),
    ];
  }
  const pods = podCount(part);
  if (isWorkload(root.ref)) return pods > 1 ? [`${pods} pods are affected.`] : [];
  const hit = others(part);
  return hit.length > 2 ? [`It affects ${list(hit.map(subjectOf), maxNamed)}.`] : [];
}
