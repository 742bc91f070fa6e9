import type { Explanation, ExplanationPart } from '../model/explanation.ts';
import type { Audience, Disposition, Incident } from '../model/incident.ts';
import { describeRef, namespaceOf, refOf } from '../model/ref.ts';
import { type Selectable, selectorMatches, selectorMismatch } from '../model/selector.ts';
import type { Settings, SilenceSettings } from '../model/settings.ts';

/** What becomes of an act for one audience. */
export type Verdict = {
  readonly disposition: Disposition;
  readonly reasonCode: string;
  readonly by?: string;
  /** What to tell of it: less than everything when part of it is muted. */
  readonly view: Explanation;
  readonly note?: string;
};

/** A filter, window or silence that covers something. */
type Mute = { readonly disposition: 'Filtered' | 'Silenced'; readonly reasonCode: string; readonly by: string };

/** A tenant's silence mutes elsewhere only what is wholly its own: nobody can mute somebody else's. */
function inScope(
  silence: SilenceSettings,
  audience: Audience,
  { root, affected }: Selectable,
  settings: Settings,
): boolean {
  if (silence.namespace === settings.operatorNamespace || silence.namespace === audience) return true;
  return [root, ...affected].every(({ ref }) => namespaceOf(ref) === silence.namespace);
}

/** The first thing that mutes it, in the order of the dispositions: filters, then silences by name. */
function muteOf(face: Selectable, audience: Audience, settings: Settings, now: number): Mute | undefined {
  const field = selectorMismatch(settings.filters, face);
  if (field === 'namespaces' || field === 'reasons')
    return {
      disposition: 'Filtered',
      reasonCode: field === 'namespaces' ? 'NamespaceFilter' : 'ReasonFilter',
      by: `filters.${field}`,
    };
  const silence = settings.silences
    .filter(({ startsAt, endsAt }) => startsAt <= now && now < endsAt)
    .filter((one) => inScope(one, audience, face, settings) && selectorMatches(one.selector, face))
    .sort((a, b) => (a.ref < b.ref ? -1 : 1))[0];
  return silence && { disposition: 'Silenced', reasonCode: 'Silence', by: silence.ref };
}

/** What mutes, in words: the ref of a Silence, or the field of the filters. */
export function describeMute(by: string): string {
  const [kind = '', namespace = '', ...name] = by.split('/');
  if (name.length > 0) return describeRef(refOf(kind, namespace, name.join('/')));
  return `the filter on ${by.replace(/^filters\./, '')}`;
}

const faceOf = ({ root, reason, severity, members }: ExplanationPart): Selectable => ({
  root,
  reason,
  severity,
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
    ...(view.impact ? { impact: view.impact.filter(({ ref }) => kept.has(ref)) } : {}),
    parts,
  };
}

/**
 * The disposition of an act for one audience, in the order of the list: baseline, folded, filtered, silenced, digested,
 * delivered. Folding never hides what would have been told: where the root is muted, each workload's share is judged as
 * the incident it would be by itself, and those that pass are told, naming the muted root as the cause.
 */
export function judge(
  incident: Incident,
  view: Explanation,
  audience: Audience,
  settings: Settings,
  now: number,
): Verdict {
  if (incident.baseline) return { disposition: 'Baseline', reasonCode: 'ExistedAtStart', view };
  if (incident.foldedInto !== undefined)
    return { disposition: 'Folded', reasonCode: 'PartOfAnother', by: incident.foldedInto, view };
  return judgeAlone(view, audience, settings, now);
}

/** The same for an explanation by itself, whatever became of its incident before. */
export function judgeAlone(view: Explanation, audience: Audience, settings: Settings, now: number): Verdict {
  const passes = (told: Explanation, note?: string): Verdict => ({
    ...(told.severity === 'low'
      ? { disposition: 'Digested', reasonCode: 'LowSeverity' }
      : { disposition: 'Delivered', reasonCode: note === undefined ? 'Told' : 'PartlyMuted' }),
    view: told,
    ...(note === undefined ? {} : { note }),
  });
  const mute = muteOf(view, audience, settings, now);
  if (mute === undefined) return passes(view);
  const heard = (view.parts ?? []).filter((part) => muteOf(faceOf(part), audience, settings, now) === undefined);
  if (heard.length === 0) return { ...mute, view };
  const rootHeard = heard.some(({ root }) => root.ref === view.root.ref);
  const what = rootHeard ? 'Part of it' : `The cause, ${describeRef(view.root.ref)},`;
  return passes(reduced(view, heard), `${what} is muted by ${describeMute(mute.by)}.`);
}
