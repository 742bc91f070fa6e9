import { expected, hearingOf, lastHeard } from '../model/hearing.ts';
import type { Incident } from '../model/incident.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { viewFor } from '../model/view.ts';
import { audienceOf, type StepContext, traitsOf, wantsLoud } from './context.ts';
import { isOwed, openingFor, toldByList } from './hearing.ts';
import { isMuted, ruleAlone } from './muting.ts';
import { newsFor } from './news.ts';
import { isTakenBy, type Message } from './notices.ts';

/** What this provider should know and does not, unless it is muted: neither told nor listed, nor left to the digest. */
export function isUnknownTo(
  incident: Incident,
  provider: ProviderSettings,
  reader: ProviderSettings,
  context: StepContext,
): boolean {
  const { settings } = context;
  const audience = audienceOf(provider, settings);
  const standing = incident.standings[audience]?.disposition;
  if (incident.state !== 'Open' && incident.state !== 'Recovering') return false;
  if (standing !== 'Delivered' && standing !== 'Baseline') return false;
  const hearing = hearingOf(incident, provider.uid);
  if (openingFor(hearing, traitsOf(provider, context.traits).closesByKey) === undefined) return false;
  if (toldByList(incident, hearingOf(incident, reader.uid)) === 'whole') return false;
  const view = viewFor(audience, incident.explanation);
  if (view === undefined || !isTakenBy(provider, incident)) return false;
  return standing === 'Delivered' || settings.app.startupMessage !== 'Never';
}

/** Whether it is muted as it is now: what recovers is not ruled on in every step. */
export function isMutedFor(incident: Incident, provider: ProviderSettings, context: StepContext): boolean {
  const audience = audienceOf(provider, context.settings);
  const view = viewFor(audience, incident.explanation);
  return view !== undefined && isMuted(ruleAlone(view, audience, context).disposition);
}

/** An opening, or that it is open again, for who was told of its end. */
export function introduction(incident: Incident, provider: ProviderSettings, context: StepContext): Message[] {
  const audience = audienceOf(provider, context.settings);
  const whole = viewFor(audience, incident.explanation);
  const hearing = hearingOf(incident, provider.uid);
  const act = openingFor(hearing, traitsOf(provider, context.traits).closesByKey);
  if (whole === undefined || act === undefined) return [];
  const { view } = ruleAlone(whole, audience, context);
  const notice = { incident: incident.id, audience, reasonCode: 'CurrentlyOpen', view, notes: [] };
  return [{ notice, provider, act }];
}

/** An update that a provider could not be told. */
export function lateUpdate(incident: Incident, provider: ProviderSettings, context: StepContext): Message[] {
  const { settings, traits } = context;
  const audience = audienceOf(provider, settings);
  const hearing = hearingOf(incident, provider.uid);
  const whole = viewFor(audience, incident.explanation);
  const { told } = expected(hearing);
  const disposition = incident.standings[audience]?.disposition;
  if (incident.state !== 'Open' || (disposition !== 'Delivered' && disposition !== 'Digested')) return [];
  if (whole === undefined || told === undefined || !isOwed(hearing)) return [];
  if (openingFor(hearing, traitsOf(provider, traits).closesByKey) !== undefined) return [];
  const { view } = ruleAlone(whole, audience, context);
  const news = newsFor(lastHeard(hearing), incident, view, { ...context, loud: wantsLoud(provider, context) });
  if (news === undefined || 'notBefore' in news) return [];
  const notice = {
    incident: incident.id,
    audience,
    reasonCode: news.reasonCode,
    view,
    notes: news.notes,
    before: told,
  };
  return [{ notice, provider, act: 'update' }];
}
