import type { Delivery } from '../model/delivery.ts';
import type { Explanation } from '../model/explanation.ts';
import type { Audience, Incident, Told } from '../model/incident.ts';
import type { Note } from '../model/note.ts';
import type { IncidentAct } from '../model/notification.ts';
import { picks } from '../model/routes.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { type StepContext, traitsOf } from './context.ts';

/** An act that nothing mutes for one audience: what is to be told, before it is known to which of its providers. */
export type Notice = {
  readonly incident: string;
  readonly audience: Audience;
  readonly act: IncidentAct;
  readonly reasonCode: string;
  /** The explanation as the audience may read it, without what is muted. */
  readonly view: Explanation;
  readonly notes: readonly Note[];
  /** What the audience was told before. */
  readonly before?: Told;
  /** What failed for good is sent again. */
  readonly again?: Delivery['again'];
};

/** A notice on its way to one provider, and what it is there: who does not know an incident gets an opening. */
export type Message = { readonly notice: Notice; readonly provider: ProviderSettings; readonly act: IncidentAct };

/** Whether an incident goes to a provider, since its routes picked it once. */
export function isTakenBy({ uid }: ProviderSettings, { takenBy }: Incident): boolean {
  return takenBy?.includes(uid) === true;
}

/** Active providers of an audience that know of the incident. */
export function toldIn(audience: Audience, { toldTo }: Incident, { activeIn }: StepContext): ProviderSettings[] {
  return (activeIn.get(audience) ?? []).filter(({ uid }) => toldTo.includes(uid));
}

/** Whether a provider takes the incident for open: it was told of it, and not of its end. */
export function knowsOpen({ uid }: ProviderSettings, { toldTo, endToldTo }: Incident): boolean {
  return toldTo.includes(uid) && endToldTo?.includes(uid) !== true;
}

/** Who may hold an alert or issue of it from before the start, and closes that by its key. Chats say nothing. */
export function keepersOf(
  audience: Audience,
  incident: Incident,
  view: Explanation,
  context: StepContext,
): ProviderSettings[] {
  if (incident.atStart === undefined) return [];
  return (context.activeIn.get(audience) ?? []).filter(
    (provider) =>
      traitsOf(provider, context.traits).closesByKey &&
      !incident.toldTo.includes(provider.uid) &&
      (isTakenBy(provider, incident) || picks(provider, view, context.settings)),
  );
}

/**
 * Who gets a notice that something is open, and as which act. Who takes it for open hears what is new, who was told its end
 * hears that it is open again, and who does not know it gets an opening.
 */
export function route(notice: Notice, incident: Incident, context: StepContext): Message[] {
  const { audience, act } = notice;
  const known = toldIn(audience, incident, context).flatMap((provider): Message[] => {
    if (!knowsOpen(provider, incident)) return [{ notice, provider, act: 'reopen' }];
    return act === 'open' ? [] : [{ notice, provider, act: 'update' }];
  });
  const fresh = (context.activeIn.get(audience) ?? [])
    .filter((provider) => isTakenBy(provider, incident) && !incident.toldTo.includes(provider.uid))
    .map((provider): Message => {
      const looks = act === 'update' ? firstActOf(provider, incident, context) : 'open';
      return { notice, provider, act: looks };
    });
  return [...known, ...fresh];
}

/**
 * The act by which a provider comes to know that an incident goes on: an earlier life may have made an issue of what was there at
 * the start, and an update looks for it, an opening would not.
 */
export function firstActOf(
  provider: ProviderSettings,
  { atStart }: Incident,
  { traits }: StepContext,
): 'open' | 'update' {
  return atStart !== undefined && traitsOf(provider, traits).family === 'tracker' ? 'update' : 'open';
}
