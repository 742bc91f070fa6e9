import type { Explanation } from '../model/explanation.ts';
import type { Audience, Incident, Told } from '../model/incident.ts';
import type { Note } from '../model/note.ts';
import type { IncidentAct } from '../model/notification.ts';
import type { ProviderSettings } from '../model/settings.ts';

/** What is to be told of an incident, before it is known to whom. */
export type Notice = {
  readonly incident: string;
  readonly audience: Audience;
  readonly reasonCode: string;
  /** The explanation as the audience may read it, without what is muted. */
  readonly view: Explanation;
  readonly notes: readonly Note[];
  /** What its readers were told before. */
  readonly before?: Told;
};

/** A notice on its way to one provider, and what it is there: who does not know an incident gets an opening. */
export type Message = { readonly notice: Notice; readonly provider: ProviderSettings; readonly act: IncidentAct };

/** Whether an incident goes to a provider, since its routes picked it once. */
export function isTakenBy({ uid }: ProviderSettings, { takenBy }: Incident): boolean {
  return takenBy?.includes(uid) === true;
}

/** What makes two notices of one audience say the same: when each reader was told before makes no difference. */
function keyOf({ audience, reasonCode, notes, before }: Notice): string {
  const { severity, worst, reason, root, affected, cause } = before ?? {};
  return JSON.stringify([audience, reasonCode, notes, severity, worst, reason, root, affected, cause]);
}

/** Notices of one incident: readers who are to be told the same share one, so that it is put into words once. */
export class Notices {
  readonly #byKey = new Map<string, Notice>();

  /** The notice that says this. */
  of(notice: Notice): Notice {
    const key = keyOf(notice);
    const known = this.#byKey.get(key);
    if (known) return known;
    this.#byKey.set(key, notice);
    return notice;
  }
}
