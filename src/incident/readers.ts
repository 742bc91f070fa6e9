import type { SummaryAnnouncement } from '../model/announcement.ts';
import type { ProviderSettings, Settings } from '../model/settings.ts';
import { chatTraits, showsAct, type Traits } from '../model/traits.ts';
import { mayReceive } from './context.ts';

/**
 * Who reads a provider's summaries: itself, or where its product cannot show them the first of its fallbacks that can. A
 * fallback that is active reads its own. `undefined`: nobody.
 */
export function readerOf(
  provider: ProviderSettings,
  act: SummaryAnnouncement['act'],
  settings: Settings,
  traits: Traits,
): ProviderSettings | undefined {
  const seen = new Set<ProviderSettings>();
  let reader: ProviderSettings | undefined = provider;
  while (reader && !seen.has(reader)) {
    seen.add(reader);
    if (reader !== provider && reader.active.is) return undefined;
    if ((reader === provider || mayReceive(reader)) && showsAct(traits.get(reader.type) ?? chatTraits, act))
      return reader;
    const next: string | undefined = reader.fallback;
    reader = settings.providers.find(({ ref }) => ref === next);
  }
  return undefined;
}
