import { expected, hearingOf } from '../model/hearing.ts';
import type { Audience, Incident } from '../model/incident.ts';
import type { Note } from '../model/note.ts';
import type { ProviderSettings } from '../model/settings.ts';
import { isInHand } from './acknowledging.ts';
import { hearsEnds, mayReceive, type StepContext } from './context.ts';
import { isBeingListed } from './hearing.ts';
import { isTakenBy, type Message } from './notices.ts';

/** Who is told because another provider cannot be. */
export type StandIn = {
  readonly provider: ProviderSettings;
  readonly act: Message['act'];
  readonly note: Note;
};

/** The fallback of a provider, past those for which `isOut`; `undefined` at the end of the chain, and where it is a cycle. */
export function fallbackOf(
  provider: ProviderSettings,
  { byRef }: Pick<StepContext, 'byRef'>,
  isOut: (candidate: ProviderSettings) => boolean,
): ProviderSettings | undefined {
  const seen = new Set<ProviderSettings>([provider]);
  let next = provider.fallback === undefined ? undefined : byRef.get(provider.fallback);
  while (next && !seen.has(next)) {
    if (mayReceive(next) && !isOut(next)) return next;
    seen.add(next);
    next = next.fallback === undefined ? undefined : byRef.get(next.fallback);
  }
  return undefined;
}

/** Whether a provider cannot be told for so long that somebody else is to hear of it. A namespace without room has none for others either. */
function cannotBeTold(provider: ProviderSettings, incident: Incident): boolean {
  const { trouble } = hearingOf(incident, provider.uid);
  return trouble?.overdue === true && trouble.code !== 'NamespaceLimit';
}

/**
 * A fallback is a reader more: it hears what a provider could not be told, and who knows of the incident already a remark. The provider
 * stays owed. `messages`: what is told anyhow. Each fallback hears once that it stands in for a provider.
 */
export function* standInsFor(
  audience: Audience,
  incident: Incident,
  messages: readonly Message[],
  context: StepContext,
): Generator<StandIn> {
  for (const provider of context.activeIn.get(audience) ?? []) {
    if (provider.fallback === undefined || !isTakenBy(provider, incident) || !cannotBeTold(provider, incident))
      continue;
    const to = fallbackOf(provider, context, (candidate) => cannotBeTold(candidate, incident));
    if (to === undefined) continue;
    const hearing = hearingOf(incident, to.uid);
    if (hearing.standsInFor?.includes(provider.uid)) continue;
    if (messages.some((message) => message.provider === to)) continue;
    // The list by which it comes to know of the incident may arrive later than a remark on it.
    if (isBeingListed(hearing)) continue;
    const { trouble } = hearingOf(incident, provider.uid);
    if (trouble === undefined) continue;
    const { knows } = expected(hearing);
    const isOver = incident.state === 'Resolved';
    // Somebody knows of it as it stands, which is what the fallback is for.
    if (!isOver && isInHand(incident)) continue;
    // Who heard of the end by itself need not hear that somebody else did not.
    const known = hearingOf(incident, provider.uid).knows;
    if (isOver && (!hearsEnds(provider) || knows !== 'nothing' || known === 'nothing' || known === 'over')) continue;
    const act = isOver ? 'resolve' : knows === 'nothing' ? 'open' : knows === 'over' ? 'reopen' : 'update';
    yield {
      provider: to,
      act,
      note: {
        ...{ is: 'standsIn', provider: provider.ref, code: trouble.code, message: trouble.message },
        // Who knows already reads a remark.
        ...(act !== 'update' && { via: to.ref }),
      },
    };
  }
}
