import type { Proof } from '../../model/explanation.ts';
import type { Finding } from '../../model/finding.ts';
import { kindOf, nameOf, type Ref } from '../../model/ref.ts';
import { settingsKinds } from '../../model/settings-kinds.ts';
import { fanOut, leadMs, podsOfWorkload, recentMs } from '../../world/view/bounds.ts';
import type { Change, World } from '../../world/view/world.ts';
import { blamedChange } from '../evidence/edits.ts';
import { endsInSilence } from '../evidence/says.ts';
import { servedMs } from '../evidence/served.ts';
import { podView, workloadOf } from '../evidence/workload.ts';
import type { Scored } from '../scores/score.ts';
import { scorers } from '../scores/scorers.ts';
import type { Solved } from './group.ts';
import { nearMisses } from './near-misses.ts';

/** What the scorer adds when every sibling that does not depend on the cause is healthy. */
const wholly = scorers.find(({ name }) => name === 'contrast')?.weight ?? 0;

/** Siblings that do not depend on the cause and are healthy. */
function contrast({ cause, pairs }: Solved): Proof[] {
  const judged = pairs.flatMap(({ added }) => added.contrast ?? []);
  if (cause === undefined || !judged.some((share) => share > 0)) return [];
  const all = judged.every((share) => share === wholly);
  return [{ code: cause.change ? 'OnlyNewRevision' : 'HealthyElsewhere', all }];
}

/** How much of what runs on a failing Node fails with it. */
function shareOfNode(root: Ref, members: readonly Finding[], world: World): Proof[] {
  if (kindOf(root) !== 'Node') return [];
  // Pods that wait for a Node run on none.
  const pods = members
    .map(({ subject }) => subject.ref)
    .filter((ref) => kindOf(ref) === 'Pod' && podView(world, ref)?.node === nameOf(root));
  const failing = new Set(pods).size;
  if (failing === 0) return [];
  const all = Math.max(failing, Iterator.from(world.linked(root, 'runs-on', 'in')).toArray().length);
  return [{ code: 'ShareOfNode', failing, all }];
}

/** Of the workloads for which there is no room the one that grew most shortly before. */
function grewBefore({ root, cause }: Solved, members: readonly Finding[], world: World): Proof[] {
  const { finding } = cause ?? {};
  if (finding?.reason !== 'InsufficientCapacity' || finding.subject.ref !== root) return [];
  const workloads = new Set(members.map(({ subject }) => workloadOf(world, subject.ref)));
  let most: { by: number; change: Change } | undefined;
  for (const workload of Iterator.from(workloads).take(podsOfWorkload))
    for (const change of world.changes(workload, finding.since - recentMs)) {
      const by = change.field === 'replicas' ? Number(change.to) - Number(change.from) : 0;
      if (by > (most?.by ?? 0) && change.at <= finding.since + leadMs) most = { by, change };
    }
  return most ? [{ code: 'GrewBefore', change: blamedChange(most.change) }] : [];
}

/** An edit that suggests itself, of which the Pods had served for long before they failed. */
function refuted({ cause, pardoned }: Solved, world: World): Proof[] {
  if (cause !== undefined || pardoned === undefined) return [];
  const pod = podView(world, pardoned.effect.subject.ref);
  const served = pod && servedMs(pod, pardoned.effect);
  const { change } = pardoned.cause;
  return !served || change === undefined
    ? []
    : [{ code: 'ServedAfterEdit', change: blamedChange(change), servedMs: served }];
}

/** How many edits are remembered at most of what is not written again and again. */
const fewEdits = 3;

/** Settings that were edited before what reads them ended, and of which it says nothing. */
function editedBeside({ cause }: Solved, members: readonly Finding[], world: World): Proof[] {
  // Of a known cause nobody is asked: there can be thousands.
  if (cause !== undefined) return [];
  const ended = members.find((finding) => kindOf(finding.subject.ref) === 'Pod' && endsInSilence(finding, world));
  if (ended === undefined) return [];
  for (const used of world.linked(ended.subject.ref, 'uses', 'out', fanOut)) {
    const edits = settingsKinds.includes(kindOf(used))
      ? world.changes(used, 0).filter(({ field }) => field === 'data')
      : [];
    const change = edits.findLast(({ at }) => at <= ended.since && at >= ended.since - recentMs);
    if (change !== undefined && edits.length <= fewEdits)
      return [{ code: 'EditedBeside', change: blamedChange(change) }];
  }
  return [];
}

/** Who fails beside it, and is only named. */
const failingBeside = ({ cause, beside }: Solved, world: World): Proof[] =>
  cause === undefined && beside !== undefined
    ? [{ code: 'DownBeside', of: workloadOf(world, beside.ref), since: beside.since }]
    : [];

/** What proves the cause beyond what the findings say themselves, best first. */
export function proofOf(solved: Solved, members: readonly Finding[], world: World): Proof[] {
  return [
    ...nearMisses(solved.root, members, world),
    ...shareOfNode(solved.root, members, world),
    ...contrast(solved),
    ...grewBefore(solved, members, world),
    ...refuted(solved, world),
    ...editedBeside(solved, members, world),
    ...failingBeside(solved, world),
  ];
}

/** Of pairs that were weighed the edit that is not blamed because its Pods had served. */
export function pardonedEdit(pairs: readonly Scored[], isOurs: (pair: Scored) => boolean): Scored | undefined {
  return pairs.find((pair) => pair.cause.change !== undefined && (pair.added.untilEdited ?? 0) < 0 && isOurs(pair));
}
