import type { Incident } from '../model/incident.ts';
import type { Settings } from '../model/settings.ts';
import { compareSeverity } from '../model/severity.ts';
import { flapCount, impactIntervalMs, recentRecoveries } from './timing.ts';

/** An update that is due, or the instant (epoch milliseconds) at which one may be. */
export type Update = { readonly reasonCode: string } | { readonly notBefore: number } | undefined;

/**
 * What has changed since the last message that is worth another one: severity up and root revised at once (a root once),
 * that it keeps coming back once, impact grown tenfold at most every 10 min, and the reminder where one is asked for.
 * Nothing else, ever.
 */
export function updateFor(incident: Incident, settings: Settings, now: number): Update {
  const { told, explanation } = incident;
  if (told === undefined || incident.state !== 'Open') return undefined;
  if (compareSeverity(explanation.severity, told.severity) < 0) return { reasonCode: 'SeverityRaised' };
  if (explanation.root.ref !== told.root && !incident.rootRevised) return { reasonCode: 'RootRevised' };
  if (!incident.flapping && recentRecoveries(incident, now).length >= flapCount) return { reasonCode: 'Flapping' };
  const renotifySeconds = settings.incidents.renotifySeconds[explanation.severity];
  const waiting: number[] = [];
  if (explanation.affected.length >= 10 * Math.max(1, told.affected)) {
    if (now >= told.at + impactIntervalMs) return { reasonCode: 'ImpactGrew' };
    waiting.push(told.at + impactIntervalMs);
  }
  if (renotifySeconds !== undefined) {
    if (now >= told.at + renotifySeconds * 1000) return { reasonCode: 'StillOpen' };
    waiting.push(told.at + renotifySeconds * 1000);
  }
  return waiting.length === 0 ? undefined : { notBefore: Math.min(...waiting) };
}
