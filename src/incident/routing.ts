import { includes } from '../model/edition.ts';
import type { Explanation } from '../model/explanation.ts';
import type { Audience, Incident, Told } from '../model/incident.ts';
import type { Note } from '../model/note.ts';
import type { IncidentAct } from '../model/notification.ts';
import { selectorMatches } from '../model/selector.ts';
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
};

/** A notice on its way to one provider, and what it is there: who does not know an incident gets an opening. */
export type Message = { readonly notice: Notice; readonly provider: ProviderSettings; readonly act: IncidentAct };

/** Active providers of an audience whose routes pick the explanation. Where the edition has no routes, all. */
export function providersFor(audience: Audience, view: Explanation, context: StepContext): ProviderSettings[] {
  const { settings, activeIn } = context;
  const everything = !includes(settings.edition, 'routes');
  return (activeIn.get(audience) ?? []).filter(
    ({ routes = [] }) => everything || routes.length === 0 || routes.some((route) => selectorMatches(route, view)),
  );
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
  if (!incident.baseline) return [];
  return providersFor(audience, view, context).filter(
    (provider) => traitsOf(provider, context.traits).closesByKey && !incident.toldTo.includes(provider.uid),
  );
}

/**
 * Who gets a notice that something is open, and as which act. Who takes it for open hears what is new, who was told its end
 * hears that it is open again, and who does not know it gets an opening.
 */
export function route(notice: Notice, incident: Incident, context: StepContext): Message[] {
  const { audience, act, view } = notice;
  const known = toldIn(audience, incident, context).flatMap((provider): Message[] => {
    if (!knowsOpen(provider, incident)) return [{ notice, provider, act: 'reopen' }];
    return act === 'open' ? [] : [{ notice, provider, act: 'update' }];
  });
  // An earlier life may have made an issue of what was there at the start: an update looks for it, an opening would not.
  const mayHold = act === 'update' && incident.atStart !== undefined;
  const fresh = providersFor(audience, view, context)
    .filter(({ uid }) => !incident.toldTo.includes(uid))
    .map((provider): Message => {
      const looks = mayHold && traitsOf(provider, context.traits).family === 'tracker';
      return { notice, provider, act: looks ? 'update' : 'open' };
    });
  return [...known, ...fresh];
}
