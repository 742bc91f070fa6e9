import type { Explanation, ExplanationPart } from '../model/explanation.ts';
import type { Audience, Disposition, Incident } from '../model/incident.ts';
import type { Note } from '../model/note.ts';
import { selectorMismatch } from '../model/selector.ts';
import type { StepContext } from './context.ts';
import { hubThatTold } from './hub.ts';
import { covers, type Face, maintenanceOf } from './maintenance.ts';

/** What becomes of an act for one audience. */
export type Ruling = {
  readonly disposition: Disposition;
  readonly reasonCode: string;
  readonly by?: string;
  /** What to tell of it: less than everything when part of it is muted. */
  readonly view: Explanation;
  readonly note?: Note;
};

/** A filter, window or silence that covers something. */
type Mute = {
  readonly disposition: (typeof mutedAs)[number];
  readonly reasonCode: string;
  readonly by: string;
};

/** What becomes of what filters, maintenance and Silences keep back, in this order. */
const mutedAs = ['Filtered', 'Maintenance', 'Silenced'] as const satisfies readonly Disposition[];

/** Whether a disposition keeps back what would have been told by itself. */
export function isMuted(disposition: Disposition): boolean {
  return mutedAs.some((each) => each === disposition);
}

function muteOf(face: Face, audience: Audience, context: StepContext): Mute | undefined {
  const field = selectorMismatch(context.settings.filters, face);
  if (field === 'namespaces' || field === 'reasons')
    return {
      disposition: 'Filtered',
      reasonCode: field === 'namespaces' ? 'NamespaceFilter' : 'ReasonFilter',
      by: `filters.${field}`,
    };
  const maintenance = maintenanceOf(face, audience, context);
  if (maintenance) return { disposition: 'Maintenance', ...maintenance };
  const silence = context.silences.find((one) => covers(one, face, audience, context));
  return silence && { disposition: 'Silenced', reasonCode: 'Silence', by: silence.ref };
}

const faceOf = ({ root, reason, severity, members }: ExplanationPart): Face => ({
  root,
  reason,
  severity,
  members,
  affected: members.map(({ subject }) => subject).filter(({ ref }) => ref !== root.ref),
});

/** What is left of an explanation when only some of its parts may be told. */
function reduced(view: Explanation, parts: readonly ExplanationPart[]): Explanation {
  const members = parts.flatMap((part) => part.members);
  const kept = new Set(members.map(({ subject }) => subject.ref));
  for (const { root } of parts) kept.add(root.ref);
  return {
    ...view,
    members,
    affected: view.affected.filter(({ ref }) => kept.has(ref)),
    workloads: view.workloads.filter((ref) => kept.has(ref)),
    ...(view.impact && { impact: view.impact.filter(({ ref }) => kept.has(ref)) }),
    parts,
  };
}

/** Whether all of something is told: what is muted in part is this cluster's own affair. */
export function isWhole({ disposition, note }: Ruling): boolean {
  return disposition === 'Delivered' && note === undefined;
}

/** What becomes of what nothing mutes: what is of low severity waits for the digest. */
function heard(view: Explanation, note?: Note): Ruling {
  if (view.severity === 'low')
    return { disposition: 'Digested', reasonCode: 'LowSeverity', view, ...(note && { note }) };
  return note
    ? { disposition: 'Delivered', reasonCode: 'PartlyMuted', view, note }
    : { disposition: 'Delivered', reasonCode: 'Told', view };
}

/**
 * The disposition of an act for one audience, in the order of the list: baseline, folded, filtered, maintenance, silenced,
 * digested, told by the hub, delivered. What existed at the start and is left out of the
 * summary, because it is muted, says by what: it is told when that ends.
 */
export function rule(incident: Incident, view: Explanation, audience: Audience, context: StepContext): Ruling {
  if (incident.baseline) {
    const { disposition, by } = ruleAlone(view, audience, context);
    const isLeftOut = isMuted(disposition) && context.settings.app.startupMessage !== 'Never';
    const muted = isLeftOut && by !== undefined ? { by } : {};
    return { disposition: 'Baseline', reasonCode: 'ExistedAtStart', ...muted, view };
  }
  if (incident.foldedInto !== undefined)
    return { disposition: 'Folded', reasonCode: 'PartOfAnother', by: incident.foldedInto, view };
  const alone = ruleAlone(view, audience, context);
  const hub = isWhole(alone) ? hubThatTold(incident, audience, context) : undefined;
  return hub === undefined ? alone : { disposition: 'ToldByHub', reasonCode: 'HubTells', by: hub, view: alone.view };
}

/**
 * The same for an explanation by itself, whatever became of its incident before. Folding never hides what would have been
 * told: where the root is muted, each workload's share is ruled on as the incident it would be by itself, and those that
 * pass are told, naming the muted root as the cause.
 */
export function ruleAlone(view: Explanation, audience: Audience, context: StepContext): Ruling {
  const mute = muteOf(view, audience, context);
  if (mute === undefined) return heard(view);
  const parts = (view.parts ?? []).filter((part) => muteOf(faceOf(part), audience, context) === undefined);
  if (parts.length === 0) return { ...mute, view };
  const rootHeard = parts.some(({ root }) => root.ref === view.root.ref);
  return heard(
    reduced(view, parts),
    rootHeard ? { is: 'partMuted', by: mute.by } : { is: 'causeMuted', root: view.root.ref, by: mute.by },
  );
}
