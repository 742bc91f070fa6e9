import { providersIn } from '../message/sentences/account.ts';
import type { Audience, Incident } from '../model/incident.ts';
import type { Settings } from '../model/settings.ts';
import { viewFor, wholeCluster } from '../model/view.ts';

/**
 * An incident as an audience may read it: what its own AlertProviders are told of it and have heard, and nothing of the others.
 * `undefined`: it does not concern that audience.
 */
export function cutFor(
  audience: Audience,
  incident: Incident,
  settings: Pick<Settings, 'providers' | 'operatorNamespace'>,
): Incident | undefined {
  if (audience === wholeCluster) return incident;
  const explanation = viewFor(audience, incident.explanation);
  if (explanation === undefined) return undefined;
  const { blamed: _, left: __, atStart: ___, downSince: ____, takenBy: _____, ...rest } = incident;
  const own = new Set(providersIn(audience, settings).map(({ uid }) => uid));
  const standing = incident.standings[audience];
  return {
    ...{ ...rest, explanation },
    standings: standing ? { [audience]: standing } : {},
    hearings: Object.fromEntries(Object.entries(incident.hearings).filter(([uid]) => own.has(uid))),
  };
}
