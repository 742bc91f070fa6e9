import { earliest } from '../../model/instants.ts';
import { alertKinds } from '../../model/outside-alert.ts';
import { compareSeverity, worse } from '../../model/severity.ts';
import type { AlertView } from '../../world/kinds/cluster/alert.ts';
import type { Projection } from '../../world/kinds/kinds.ts';
import { given } from '../../world/reading/fields.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import type { Detector, Judgement } from '../kit/detector.ts';

/** Alerts of one object that are looked at, and names of alerts that are found of it: what more of them say is no news. */
const [maxAlerts, maxNames] = [64, 8];
/** What an alert is about may come or go while it fires: whoever it names besides looks again after so long (ms). */
const lookAgainMs = 60_000;

/** The alerts that name an object, in the order of their IDs. */
function alertsOf({ ref }: Projection, world: ObservedWorld): readonly AlertView[] {
  return [...world.linked(ref, 'alerts', 'in', maxAlerts)]
    .sort()
    .map((alert) => world.get(alert))
    .filter((view) => typeof view === 'object')
    .filter((view) => view.kind === 'Alert');
}

/** An alert is about the first that it names of those that are there; what cannot be seen may be there. */
const isAbout = ({ about }: AlertView, { ref }: Projection, world: ObservedWorld): boolean =>
  about.find((one) => world.get(one) !== 'absent') === ref;

function judge(object: Projection, world: ObservedWorld, now: number): Judgement {
  const named = alertsOf(object, world);
  if (named.length === 0) return false;
  const firing = named.filter(({ expiresAt }) => expiresAt > now);
  const own = Map.groupBy(
    firing.filter((alert) => isAbout(alert, object, world)),
    ({ alert }) => alert,
  );
  const found = [...own].map(([alert, all]) => ({
    scope: alert,
    since: earliest(all.map(({ startsAt }) => startsAt)),
    severity: all.map(({ severity }) => severity).reduce(worse),
    facts: { alert, ...given({ summary: all.find(({ summary }) => summary !== undefined)?.summary }) },
    lookAgainAt: earliest(all.map(({ expiresAt }) => expiresAt)),
  }));
  const worst = found.sort((a, b) => compareSeverity(a.severity, b.severity)).slice(0, maxNames);
  const isShared = firing.some(({ about }) => about.length > 1);
  return isShared ? [...worst, { lookAgainAt: now + lookAgainMs }] : worst;
}

/** What somebody outside says of objects. */
export const alertDetectors: readonly Detector[] = alertKinds.map((judges) => ({
  id: 'E4',
  judges,
  reads: ['Alert'],
  reasons: [{ reason: 'ExternalAlert', family: 'consequence', sure: 'unknown' }],
  severity: 'medium',
  exemptions: [],
  source: 'the webhook of Alertmanager, where `alertsIn` of the AlertConfig takes it',
  predicate:
    'an alert fires whose labels name the object: the first that is there of those that they name. Its severity is that of its label `severity`; where the object fails by what Tocsin sees itself, the alert is only added to that as evidence',
  clears: 'the alert is resolved, or nobody has repeated it for `alertsIn.expireSeconds`',
  symptom: 'alerts',
  patience: 'none of its own: the rule of the alert has waited',
  isNot: 'an alert whose labels name nothing that is there, or whose severity is `none`',
  judge,
}));
