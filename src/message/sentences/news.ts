import type { IncidentAnnouncement } from '../../model/announcement.ts';
import { humanDuration } from '../../model/duration.ts';
import { describeChange } from '../parts/change.ts';
import { clockTime } from '../parts/times.ts';
import { count, list, objectOf, subjectOf } from '../parts/words.ts';
import type { Speech } from './speech.ts';

const times = ['', 'once', 'twice'];

/** What is new in an update, by its reason code. Nothing: there is no sentence for it. */
const news: Readonly<Record<string, (speech: Speech) => string | undefined>> = {
  SeverityRaised: ({ announcement: { incident, before } }) =>
    before && before.severity !== incident.explanation.severity
      ? `now ${incident.explanation.severity} (was ${before.severity})`
      : undefined,
  RootRevised: ({ announcement: { before }, part }) =>
    before && before.root !== part.root.ref
      ? `the cause is ${objectOf(part.root.ref)}, not ${objectOf(before.root)} as reported before`
      : undefined,
  ImpactGrew: ({ announcement: { incident, before } }) =>
    before && incident.explanation.affected.length > before.affected
      ? `${count(incident.explanation.affected.length, 'object is', 'objects are')} affected (${before.affected} before)`
      : undefined,
  AnotherFailure: ({ announcement: { incident, before } }) =>
    before && before.reason !== incident.explanation.reason
      ? `it now fails differently: ${incident.explanation.reason} (was ${before.reason})`
      : undefined,
  WorkloadDown: ({ announcement: { before }, part }) => {
    const known = new Set(before?.down);
    const down = (part.impact ?? []).filter(({ ref, ready, wanted }) => wanted > 0 && ready === 0 && !known.has(ref));
    if (down.length === 0) return undefined;
    const who = down.length <= 2 ? list(down.map(({ ref }) => subjectOf(ref))) : count(down.length, 'workload');
    return `${who} ${down.length === 1 ? 'has' : 'have'} no ready replica left`;
  },
  ClustersJoined: ({ announcement: { before }, part: { clusters = [] } }) => {
    const known = before?.clusters?.length ?? 0;
    return clusters.length > known
      ? `${count(clusters.length, 'cluster')} ${clusters.length === 1 ? 'is' : 'are'} hit (${known} before)`
      : undefined;
  },
  CauseChanged: ({ part, now }) =>
    part.change && `it has another cause now: ${describeChange(part.change, part.root.ref, now)}`,
  CauseFound: () => 'the cause is known now',
  CauseWithdrawn: () => 'what was reported as the cause does not explain it any more',
  StandsIn: () => undefined,
  Flapping: ({ announcement: { incident }, now }) => {
    const { recoveries } = incident;
    const often = times[recoveries.length] ?? `${recoveries.length} times`;
    return `it keeps coming back: it has recovered ${often} since ${clockTime(recoveries[0] ?? now, now)}`;
  },
  StillFlapping: () => 'it keeps coming back',
  AcknowledgementWithdrawn: () => 'nobody has acknowledged it any more',
};

/** What is told of an update whatever it is for. */
const alwaysNews = ['SeverityRaised', 'RootRevised', 'ImpactGrew'] as const;

/**
 * What is new: what the update is for first, then what else has changed since the last message; two things at most, and none that the title
 * says already.
 */
export function newsOf(speech: Speech, title: string): string | undefined {
  const { announcement } = speech;
  const own = news[announcement.reasonCode]?.(speech);
  const others = alwaysNews.flatMap((code) => news[code]?.(speech) ?? []);
  const all = [...new Set([...(own === undefined ? [] : [own]), ...others])];
  const said = title.toLowerCase();
  const left = all.slice(0, 2).filter((each) => !said.includes(each.replace(/^it /, '').toLowerCase()));
  return left.length === 0 ? undefined : left.join('; ');
}

/** How a workload stands that was told to serve before. */
const isDown = ({ impact = [], root }: Speech['part']): boolean =>
  impact.some(({ ref, wanted, ready }) => ref === root.ref && wanted > 0 && ready === 0);

/** What a title begins with, by the reason code of an update. Nothing: it says what holds now. */
const headlines: Readonly<Record<string, (speech: Speech) => string | undefined>> = {
  SeverityRaised: ({ announcement: { before, incident }, part }) =>
    isDown(part) && before?.down?.includes(part.root.ref) !== true
      ? 'Nothing serves any more'
      : before && before.severity !== incident.explanation.severity
        ? `Now ${incident.explanation.severity}`
        : undefined,
  RootRevised: () => 'Other cause',
  ImpactGrew: () => 'Spreading',
  AnotherFailure: () => 'Fails differently',
  ClustersJoined: () => 'More clusters',
  WorkloadDown: ({ part }) => (isDown(part) ? 'Nothing serves any more' : 'More is down'),
  CauseChanged: () => 'Other cause',
  CauseFound: () => 'Cause found',
  CauseWithdrawn: () => 'Cause withdrawn',
  StandsIn: () => undefined,
  Flapping: () => 'Keeps coming back',
  StillFlapping: () => 'Keeps coming back',
  Acknowledged: () => 'Acknowledged',
  AcknowledgementWithdrawn: () => undefined,
};

/** What is new, in few words: an update's title begins with it, and that of a return. */
export function headlineOf(speech: Speech): string | undefined {
  const { announcement, now } = speech;
  if (announcement.act === 'reopen') return 'Again';
  if (announcement.act !== 'update') return undefined;
  const own = headlines[announcement.reasonCode];
  return own ? own(speech) : `Still open after ${roughly(now - announcement.incident.startedAt)}`;
}

/** A duration in minutes at the finest, once it is one. */
export function roughly(milliseconds: number): string {
  return humanDuration(milliseconds < 60_000 ? milliseconds : Math.floor(milliseconds / 60_000) * 60_000);
}

/** That it fails again, and after how long. */
export function again({ incident: { recoveries, startedAt } }: IncidentAnnouncement): string {
  const recovered = recoveries.at(-1);
  const well = recovered === undefined ? 0 : startedAt - recovered;
  return well > 0 ? `it fails again, ${humanDuration(well)} after it had recovered` : 'it fails again';
}
