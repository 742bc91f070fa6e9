import type { IncidentAnnouncement } from '../../model/announcement.ts';
import type { Explanation } from '../../model/explanation.ts';
import type { Case } from '../parts/case.ts';

/** What the words for one message about an incident are made of. `now`: epoch milliseconds. */
export type Speech = {
  readonly announcement: IncidentAnnouncement;
  readonly part: Explanation;
  readonly about: Case;
  readonly now: number;
};
