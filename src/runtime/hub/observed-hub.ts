import type { ClusterRow } from '../../model/hub.ts';
import { compareSeverity, severities } from '../../model/severity.ts';
import type { CustomResources } from '../../operator/operator.ts';
import type { Core } from '../../turn/core.ts';
import type { CurrentSettings } from '../loop/current-settings.ts';
import type { Loop } from '../loop/loop.ts';
import type { ActiveOperatorOptions } from '../loop/options.ts';
import type { Outbound } from '../sending/outbound.ts';
import { HubDesk } from './desk.ts';
import { HubMember } from './member.ts';
import { mostWorst } from './summary.ts';

/** What both ends work with. */
type Parts = {
  readonly core: Pick<Core, 'view'>;
  readonly loop: Pick<Loop, 'push' | 'drain'>;
  readonly settings: Pick<CurrentSettings, 'get'>;
  readonly customResources: Pick<CustomResources, 'openHubKey' | 'touchConfig'>;
  readonly outbound: Pick<Outbound, 'sendOwn'>;
};

/** Makes the hub of this process, which takes nothing before its settings say so. */
export function createHubDesk({ clock, hostClock, metrics }: ActiveOperatorOptions, parts: Parts): HubDesk {
  return new HubDesk({
    clock,
    hostNow: () => hostClock.now(),
    settings: () => parts.settings.get(),
    open: (fresh) => parts.customResources.openHubKey(fresh),
    push: (input) => parts.loop.push(input),
    drain: () => parts.loop.drain(),
    verdictsOn: (report) => parts.core.view.verdictsOn(report),
    count: (outcome) => metrics.add('tocsin_hub_summaries_total', { outcome }),
  });
}

/** Makes the member of a hub, and lets people know how it stands: the log, the metrics. `clusterId` tells this cluster from others. */
export function createHubMember(
  { clock, hostClock, random, metrics, log, version }: ActiveOperatorOptions,
  parts: Parts,
  clusterId: string,
): HubMember {
  return new HubMember({
    clock,
    hostNow: () => hostClock.now(),
    random,
    send: (request) => parts.outbound.sendOwn(request),
    open: (fresh) => parts.customResources.openHubKey(fresh),
    isReady: () => parts.core.view.hasStarted(),
    about: () => aboutUs(parts, { cluster: clusterId, version, now: clock.now() }),
    push: (input) => parts.loop.push(input),
    count: (outcome) => metrics.add('tocsin_hub_requests_total', { outcome }),
    changed(view) {
      if (view.is === 'failing')
        log.warn({ why: view.why }, 'the hub does not answer: this cluster tells everything itself');
      else log.info({ hub: view }, 'the hub');
      parts.customResources.touchConfig();
    },
  });
}

/** What a hub shows of this cluster. */
function aboutUs(
  { core, settings }: Parts,
  { cluster, version, now }: { readonly cluster: string; readonly version: string; readonly now: number },
): Omit<ClusterRow, 'heardAt'> {
  const open = [...core.view.incidents()].filter(
    ({ state, foldedInto }) => (state === 'Open' || state === 'Recovering') && foldedInto === undefined,
  );
  const worst = open
    .toSorted((a, b) => compareSeverity(a.explanation.severity, b.explanation.severity) || a.startedAt - b.startedAt)
    .slice(0, mostWorst);
  const counted = severities.map((severity) => [
    severity,
    open.filter(({ explanation }) => explanation.severity === severity).length,
  ]);
  return {
    ...{ cluster, name: settings.get().app.clusterName, version },
    // One for each severity.
    open: Object.fromEntries(counted) as ClusterRow['open'],
    worst: worst.map((incident) => {
      const { severity, reason } = incident.explanation;
      return { severity, reason, since: incident.startedAt, title: core.view.words(incident, now).title };
    }),
  };
}
