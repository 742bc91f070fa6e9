import type { Announcement, IncidentAnnouncement } from '../model/announcement.ts';
import { type ChangeField, templateFields } from '../model/change-field.ts';
import { kindOf, type Ref } from '../model/ref.ts';
import { mayRead } from '../model/view.ts';
import type { Change, World } from '../world/view/world.ts';

/** Edits that make new Pods, or that Pods read: only those can mend what runs. */
const mending: ReadonlySet<ChangeField> = new Set([...templateFields, 'data']);
/** An edit longer before the end than this has mended nothing: Pods follow one within minutes. */
const shortlyMs = 20 * 60_000;

/** Objects whose deletion ends what was wrong with them. */
const ending = new Set(['Pod', 'Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job', 'Node']);

/** The last edit between the opening and the end, of the root or of what was blamed. */
function fixOf(
  { incident, audience }: IncidentAnnouncement,
  rootIs: IncidentAnnouncement['rootIs'],
  world: World,
): Change | undefined {
  const { explanation, startedAt, openedAt = startedAt, clearSince } = incident;
  if (clearSince === undefined) return undefined;
  const refs = new Set<Ref>([explanation.root.ref, ...(explanation.change ? [explanation.change.ref] : [])]);
  // The API's times are whole seconds: an edit in the second of the opening may have come after it.
  const opened = Math.floor(Math.max(startedAt, openedAt) / 1000) * 1000 - 1;
  const since = Math.max(opened, clearSince - shortlyMs);
  return [...refs]
    .filter((ref) => mayRead(audience, ref))
    .flatMap((ref) => world.changes(ref, since))
    .filter(({ field, at }) => at <= clearSince && (rootIs ? field === 'replicas' : mending.has(field)))
    .reduce<Change | undefined>((last, change) => (last && last.at >= change.at ? last : change), undefined);
}

/** What became of the root, where nothing got well. What is not seen says nothing. */
function fateOf(root: Ref, world: World): IncidentAnnouncement['rootIs'] {
  const view = world.get(root);
  if (view === 'absent') return ending.has(kindOf(root)) ? 'gone' : undefined;
  return view !== 'unknown' && 'replicas' in view && view.replicas === 0 ? 'scaledToZero' : undefined;
}

/** An announcement of an end with how it came about, as far as the world shows; others as they are. */
export function withResolution(announcement: IncidentAnnouncement, world: World): IncidentAnnouncement;
export function withResolution(announcement: Announcement, world: World): Announcement;
export function withResolution(announcement: Announcement, world: World): Announcement {
  if (!('incident' in announcement) || announcement.act !== 'resolve') return announcement;
  // An end that was owed is told late: what became of the root since then did not end it.
  const isLate = announcement.reasonCode === 'ProviderUsableAgain';
  const rootIs = isLate ? undefined : fateOf(announcement.incident.explanation.root.ref, world);
  const fix = fixOf(announcement, rootIs, world);
  if (fix === undefined) return rootIs ? { ...announcement, rootIs } : announcement;
  const { certain, ...change } = fix;
  return { ...announcement, fix: certain ? change : { ...change, certain: false }, ...(rootIs && { rootIs }) };
}
