import type { SummaryAnnouncement } from '../model/announcement.ts';
import { shortHash } from '../model/hash.ts';
import { expected, hearingOf } from '../model/hearing.ts';
import type { Incident } from '../model/incident.ts';
import type { Note } from '../model/note.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { showsAct } from '../model/traits.ts';
import { viewFor } from '../model/view.ts';
import { audienceOf, type StepContext, traitsOf } from './context.ts';
import { afterListing, wasListed, withHearing } from './hearing.ts';
import { makesAlert, startupKey } from './list-endings.ts';
import { isMuted, ruleAlone } from './muting.ts';
import type { UntoldList } from './reports.ts';
import { fallbackOf } from './stand-ins.ts';
import { remember } from './start-lists.ts';
import type { IncidentStore } from './store.ts';
import { summaryOf } from './summary.ts';

type ListAct = SummaryAnnouncement['act'];
const listActs: ReadonlySet<string> = new Set<ListAct>(['startup', 'digest', 'overview']);

const isListAct = (act: string): act is ListAct => listActs.has(act);

/** Whether a fallback has still to hear of something that a list names. A pager is woken only by what is urgent. */
function isNewTo(incident: Incident, act: ListAct, to: ProviderSettings, context: StepContext): boolean {
  const { state, explanation } = incident;
  if (state === 'Settling' || (act !== 'digest' && state === 'Resolved')) return false;
  const isUrgent = explanation.severity === 'critical' || explanation.severity === 'high';
  if (makesAlert(to, context.traits) && !isUrgent) return false;
  const audience = audienceOf(to, context.settings);
  const view = viewFor(audience, explanation);
  if (view === undefined || isMuted(ruleAlone(view, audience, context).disposition)) return false;
  const hearing = hearingOf(incident, to.uid);
  return expected(hearing).knows === 'nothing' && !wasListed(hearing, act);
}

/**
 * The lists that could not be told, for the fallbacks of those they were for, as far as these have not heard of what they name. The
 * provider stays owed.
 */
export function listsForStandIns(
  untold: readonly UntoldList[],
  store: IncidentStore,
  context: StepContext,
): SummaryAnnouncement[] {
  return untold.flatMap(({ report, incidents }): SummaryAnnouncement[] => {
    const { act, providerUid, stream, failure } = report;
    const provider = context.providers.get(providerUid);
    if (provider === undefined || !isListAct(act) || failure?.code === 'NamespaceLimit') return [];
    const named = incidents.flatMap((id) => store.get(id) ?? []);
    const isOut = (candidate: ProviderSettings): boolean =>
      !showsAct(traitsOf(candidate, context.traits), act) ||
      named.some((incident) => hearingOf(incident, candidate.uid).trouble?.overdue);
    const to = fallbackOf(provider, context, isOut);
    if (to === undefined) return [];
    const news = named.filter((one) => isNewTo(one, act, to, context));
    if (news.length === 0) return [];
    const id = shortHash([stream, to.uid, context.now]);
    const audience = audienceOf(provider, context.settings);
    for (const incident of news) {
      if (act === 'startup')
        remember(incident.id, to.uid, id, audience, store, context.now, makesAlert(to, context.traits));
      else
        store.put(
          withHearing(
            incident,
            to.uid,
            afterListing(hearingOf(incident, to.uid), act, id, incident.explanation.severity),
          ),
        );
    }
    const { code = 'Unreachable', message = 'it could not be told' } = failure ?? {};
    const note: Note = { is: 'standsIn', provider: provider.ref, via: to.ref, code, message };
    const summary = summaryOf(act, id, 'opening', news, audience, [to.ref]);
    const alertKey = makesAlert(to, context.traits) ? { alertKey: startupKey(context.clusterId, to) } : {};
    return [{ ...summary, ...alertKey, notes: [note] }];
  });
}
