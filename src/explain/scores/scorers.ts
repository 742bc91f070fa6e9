import { kindOf, nameOf, namespaceOf, type Ref } from '../../model/ref.ts';
import { leadMs, podsCounted } from '../../world/view/bounds.ts';
import type { Pair } from '../candidates/bundle.ts';
import { familyOf } from '../evidence/families.ts';
import { withinMs } from '../rules/rule.ts';
import { untilEdited } from './edit-scorers.ts';
import type { Judge, Scorer } from './scorer.ts';

const memoOf = () => new WeakMap<readonly object[], number>();

/** A value of all effects of a cause, reckoned once a solve. */
function shared(memo: WeakMap<readonly object[], number>, key: readonly object[], reckon: () => number): number {
  const known = memo.get(key);
  if (known !== undefined) return known;
  const value = reckon();
  memo.set(key, value);
  return value;
}

/**
 * The cause began before the effect, which counts by half, and an edit the more the fresher it was when the effect began; the more the effect came
 * first (at most 60 s), the less likely.
 */
const time: Judge = ({ cause, effect, rule }) => {
  if (rule.cause.basis === 'named') return 0;
  const late = effect.since - cause.since;
  // An edit that comes after it by more than clocks differ is not asked.
  if (cause.change) return 1 - Math.max(0, late) / (2 * (withinMs(rule) ?? late));
  return late < 0 ? late / leadMs : 0.5;
};

/** Characters of names of objects (RFC 1123); a full stop counts only within a name. */
const nameCharacter = /[\w-]/;

/** Whether a text names something: the whole name, not one that begins or ends like it. */
export function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0 && name !== ''; at = text.indexOf(name, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text.slice(at + name.length);
    if (nameCharacter.test(before) || before === '.' || /^\.?[\w-]/.test(after)) continue;
    return true;
  }
  return false;
}

/** The effect's own text names the cause. */
const specificity: Judge = ({ cause, effect }) => {
  if (cause.change) return 0;
  return effect.names.includes(cause.ref) || mentions(effect.detail ?? '', nameOf(cause.ref)) ? 1 : 0;
};

/**
 * Siblings that do not depend on the cause are well; the same failure among them speaks against it, but where the API itself tells of a Pod
 * that its Node is lost.
 */
const siblings: Judge = (pair, { peers }) => {
  const apart = peers.apart(pair, pair.bundle.workload);
  if (apart === undefined) return 0;
  const says = 1 - (2 * apart.failing) / (apart.healthy + apart.failing);
  const { cause, effect } = pair;
  return kindOf(cause.ref) === 'Node' && effect.names.includes(cause.ref) ? Math.max(0, says) : says;
};

const refutations = memoOf();

/**
 * What a network policy does not select fails in the same way since then: half as many Pods as those that it selects refute
 * it. That they are healthy proves nothing, as nobody sees the traffic.
 */
const unselected: Judge = ({ cause }, { world, peers, effectsOf }) => {
  // Of one that selects nobody any more it is not known whom it did.
  if (cause.endedAt !== undefined) return 0;
  const effects = effectsOf(cause.key);
  return shared(refutations, effects, () => {
    const members = effects.flatMap(({ bundle }) => bundle.members);
    const hit = new Set(members.map(({ subject }) => subject.ref));
    const families = new Set(members.map(({ reason }) => familyOf(reason)));
    const selected = new Set(world.linked(cause.ref, 'selects', 'out', podsCounted));
    const alike = (ref: Ref): boolean => peers.failsAlike(ref, families, cause.since - leadMs);
    let others = 0;
    for (const pod of world.podsIn(namespaceOf(cause.ref), podsCounted))
      if (!selected.has(pod) && [pod, world.topOwner(pod)].some(alike)) others += 1;
    return others === 0 ? 0 : -Math.min(1, (2 * others) / hit.size);
  });
};

/** What does not depend on the cause is well, or fails in the same way. */
const contrast: Judge = (pair, scene) =>
  pair.rule.requires?.isolated === 'itself' ? unselected(pair, scene) : siblings(pair, scene);

const counted = memoOf();

/** How many workloads the effects of a cause are of. */
export function workloadsHit(effects: readonly Pair[]): number {
  return shared(counted, effects, () => new Set(effects.map(({ bundle }) => bundle.workload)).size);
}

const agreed = memoOf();

/** Several workloads fail in the same way, none of which says another reason: what they share is more likely than each of them by chance. */
const blastRadius: Judge = ({ cause, rule }, scene) => {
  if (rule.via === 'owners') return 0;
  const effects = scene.effectsOf(cause.key);
  const agreeing = shared(agreed, effects, () => workloadsHit(effects));
  return Math.max(0, Math.min(1, (agreeing - 1) / 2));
};

/** What fails says so itself. */
const says: Judge = (pair, scene) => (scene.testimony(pair) === 'supports' ? 1 : 0);

/** What is not known lowers the score and never raises it. */
const unknownData: Judge = ({ bundle }) => (bundle.isSeen ? 0 : -1);

/** Every scorer with its weight. Our own judgement, tuned on scenarios. */
export const scorers: readonly Scorer[] = [
  { name: 'time', weight: 0.2, against: 0.1, judge: time },
  { name: 'specificity', weight: 0.15, evidence: true, judge: specificity },
  { name: 'says', weight: 0.15, evidence: true, judge: says },
  // The same failure where the cause cannot reach refutes it, however well the rest fits.
  { name: 'contrast', weight: 0.25, against: 0.6, evidence: true, judge: contrast },
  { name: 'untilEdited', weight: 0.1, against: 0.6, evidence: true, judge: untilEdited },
  { name: 'blastRadius', weight: 0.1, evidence: true, judge: blastRadius },
  { name: 'unknownData', weight: 0.3, judge: unknownData },
];
