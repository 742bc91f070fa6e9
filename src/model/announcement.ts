import type { BlamedChange } from './explanation.ts';
import type { Finding } from './finding.ts';
import type { Audience, Incident, Told } from './incident.ts';
import type { Note } from './note.ts';
import type { Act, IncidentAct, ListedIncident } from './notification.ts';
import type { Ref } from './ref.ts';
import type { Severity } from './severity.ts';

/** Something to tell about one incident: a decision that was `Delivered`, before it has words. */
export type IncidentAnnouncement = {
  readonly act: IncidentAct;
  /** The incident after the decision, its explanation as the audience may read it; `revision` is the sequence of the deliveries. */
  readonly incident: Incident;
  /** What its readers were told last, for "what changed". */
  readonly before?: Told;
  /** CamelCase code of why, as in the decision. */
  readonly reasonCode: string;
  readonly audience: Audience;
  readonly providers: readonly Ref[];
  /** For a resolve: the edit that mended it, where one came shortly before everything was clear. */
  readonly fix?: BlamedChange;
  /** For a resolve: nothing got well, the root was deleted or wants no replicas any more. */
  readonly rootIs?: 'gone' | 'scaledToZero';
  /** What it says beside its incident. Absent: nothing. */
  readonly notes?: readonly Note[];
  /** An earlier attempt to say so may have left something. */
  readonly again?: true;
};

/** One line of a list, before there are words for it: the finding that gives the incident its reason says what is wrong. */
export type ListedFinding = Omit<ListedIncident, 'says'> & { readonly finding?: Finding };

/** Something to tell that is no single incident: the startup summary, a digest, a storm overview. */
export type SummaryAnnouncement = {
  readonly act: 'startup' | 'digest' | 'overview';
  /** The stream of its delivery. */
  readonly id: string;
  /** What pagers know a startup summary by: the same after a restart. Absent: the id. */
  readonly alertKey?: string;
  /** Worst first, at most 20 for a digest or overview, 10 for a startup summary. */
  readonly entries: readonly ListedFinding[];
  readonly total: number;
  readonly bySeverity: Readonly<Record<Severity, number>>;
  /**
   * `opening`: a storm began or the start was summarized; `closing`: what was only seen in an overview, or stands behind the
   * one alert that a pager made of the startup summary, is over.
   */
  readonly phase: 'opening' | 'closing';
  /** The order within its stream. Absent: 1 for the opening and 2 for the closing. */
  readonly sequence?: number;
  /** For a startup summary: everything listed was there before Tocsin started. */
  readonly atStart?: true;
  /** For a startup summary that comes later: the kinds of which Tocsin was allowed to see objects only now. */
  readonly newlySeen?: readonly string[];
  /** For a startup summary: whoever reads it is told of part of the cluster only, by namespace or by routes. */
  readonly ofPart?: true;
  /** For an overview: a pager makes one alert of it, which its later overviews change. */
  readonly isAlert?: true;
  /** What it says beside its list. Absent: nothing. */
  readonly notes?: readonly Note[];
  readonly audience: Audience;
  readonly providers: readonly Ref[];
};

/**
 * The act a product is asked for. A pager that cannot show lists makes an alert of the startup summary, and of the overview of a flood in the same
 * way; what closes that is a resolution like any other.
 */
export function actOf(announcement: Announcement): Act {
  if ('incident' in announcement) return announcement.act;
  const { act, phase, isAlert } = announcement;
  if (act === 'startup' || isAlert) return phase === 'closing' ? 'resolve' : 'startup';
  return act;
}

/** Something to tell. `message` finds the words, the turn makes deliveries of it. */
export type Announcement = IncidentAnnouncement | SummaryAnnouncement;
