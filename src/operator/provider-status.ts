import type { AlertProvider, AlertProviderStatus } from '../api/alert-provider.ts';
import { providerOf } from '../api/check-provider.ts';
import { untoldSummaries } from '../api/rules/summaries.ts';
import { testStream } from '../model/delivery.ts';
import type { ProviderView } from '../model/provider-view.ts';
import type { Redelivery } from '../model/redelivery.ts';
import { describeRef } from '../model/ref.ts';
import type { ProviderSettings } from '../model/settings.ts';
import type { RequestState } from './annotation-requests.ts';
import type { ProviderCheck, ProviderProblem } from './check.ts';
import {
  conditionsOf,
  delivered,
  instantOf,
  nothingDelivered,
  type Stated,
  type StatusCondition,
  shortened,
  urgencyOf,
} from './conditions.ts';
import type { RequestStates } from './provider-requests.ts';
import { lastRedelivery } from './redelivery-status.ts';
import type { RouteState } from './route-status.ts';
import type { DesiredStatus } from './status-writer.ts';

type State = Stated<'AlertProvider'>;

/** Said instead of the plain sentence where somebody set routes: they must not believe that these choose. */
const routesInert = 'All notifications go here: `spec.routes` has no effect on Community.';

/** Said while nothing could be delivered. */
const unusable = 'This AlertProvider is active, but nothing can be sent until it is Ready: nobody is notified here.';

/** Sentences for the `Active` condition, by its reason. */
const activeSays: Readonly<Record<ProviderSettings['active']['reason'], string>> = {
  Selected: 'Notifications go here.',
  CommunityLimit:
    'Community notifies one AlertProvider, and another one is active. Choose with `app.communityProvider` in the AlertConfig; Pro has no limit.',
  Suspended: '`spec.suspend` is true: nothing is sent here.',
  Invalid: 'The spec cannot work: see the condition Stalled.',
  FallbackOnly: 'Receives only what the active provider could not deliver.',
};

/** What the active provider gets, and what nobody gets. */
function selectedSays(object: AlertProvider, usable: boolean, routes: RouteState | undefined): string {
  if (!usable) return unusable;
  const gets = routes?.says ?? (object.spec.routes?.length ? routesInert : activeSays.Selected);
  return [gets, untoldSummaries(object, providerOf(object.spec.type)) ?? []].flat().join(' ');
}

const settled: State = { type: 'Reconciling', status: 'False', reason: 'Settled', message: 'Nothing is in progress.' };
const notStalled: State = { type: 'Stalled', status: 'False', reason: 'NotStalled', message: 'No action is needed.' };

/** What it waits for, if for anything. */
function waitingFor({ secrets, waiting }: ProviderCheck): string | undefined {
  return waiting?.message ?? (secrets === 'unread' ? 'Its Secrets have not been read yet.' : undefined);
}

function readiness(check: ProviderCheck, problems: readonly ProviderProblem[], suspended: boolean): readonly State[] {
  const [problem] = problems;
  if (problem) {
    const message = problems.map((each) => each.message).join('; ');
    return [
      { type: 'Ready', status: 'False', reason: 'Invalid', message },
      settled,
      { type: 'Stalled', status: 'True', reason: problem.reason, message },
    ];
  }
  const message = waitingFor(check);
  if (message !== undefined)
    return [
      { type: 'Ready', status: 'Unknown', reason: 'Pending', message },
      { type: 'Reconciling', status: 'True', reason: 'Waiting', message },
      notStalled,
    ];
  return [
    suspended
      ? { type: 'Ready', status: 'True', reason: 'Suspended', message: 'The configuration is valid; it is suspended.' }
      : { type: 'Ready', status: 'True', reason: 'Accepted', message: 'The configuration is valid.' },
    settled,
    notStalled,
  ];
}

function delivering(facts: ProviderView | undefined, previous: StatusCondition | undefined): State {
  if (facts?.failing && facts.lastFailure) {
    const { code, message } = facts.lastFailure;
    if (facts.fallbackInUse) {
      const says = `${message}; ${describeRef(facts.fallbackInUse)} is told meanwhile, and this one as soon as it can be`;
      return { type: 'Delivering', status: 'False', reason: 'FallbackInUse', message: says };
    }
    return { type: 'Delivering', status: 'False', reason: code, message };
  }
  if (facts?.lastDelivery?.remark !== undefined) {
    const message = `The last delivery succeeded; ${facts.lastDelivery.remark}`;
    return { type: 'Delivering', status: 'True', reason: 'OwnWordsNotUsed', message };
  }
  if (facts?.readBackFailure !== undefined && (facts.lastDelivery || previous?.status === 'True')) {
    const message = `The last delivery succeeded; who acknowledges there cannot be read back: ${facts.readBackFailure}`;
    return { type: 'Delivering', status: 'True', reason: 'NotReadBack', message };
  }
  if (facts?.lastDelivery) return delivered;
  // Nothing since the start: what was true before is still the last that is known.
  if (previous?.status === 'True') return delivered;
  return nothingDelivered;
}

function lastTest(
  test: RequestState | undefined,
  uid: string,
  facts: ProviderView | undefined,
): AlertProviderStatus['lastTest'] | undefined {
  if (!test) return undefined;
  if (test.refused !== undefined)
    return {
      nonce: test.nonce,
      time: instantOf(test.requestedAt),
      outcome: 'Failed',
      message: shortened(test.refused),
    };
  const result = facts?.lastTest;
  if (result?.stream !== testStream(uid, test.nonce))
    return { nonce: test.nonce, time: instantOf(test.requestedAt), outcome: 'Pending', message: 'On its way.' };
  const outcome = result.delivered ? 'Delivered' : 'Failed';
  return { nonce: test.nonce, time: instantOf(result.time), outcome, message: result.message };
}

/** What shows at once beside the conditions: how requests ended. */
export function urgentOf(
  test: AlertProviderStatus['lastTest'] | undefined,
  redelivery: AlertProviderStatus['lastRedelivery'] | undefined,
): unknown {
  const { nonce, outcome } = redelivery ?? {};
  return test || redelivery ? { test, redelivery: { nonce, outcome } } : undefined;
}

/** The status of an AlertProvider. The last outcome survives a restart in the status itself; counters do where state is saved. */
export function providerStatus(
  object: AlertProvider,
  parts: {
    readonly check: ProviderCheck;
    /** What is wrong with its fallback. */
    readonly fallback: readonly ProviderProblem[];
    readonly settings: ProviderSettings | undefined;
    /** Where routes choose what it gets. */
    readonly routes: RouteState | undefined;
    readonly facts: ProviderView | undefined;
    readonly requests: RequestStates;
    readonly redelivery: Redelivery | undefined;
    readonly now: number;
  },
): DesiredStatus<'AlertProvider'> {
  const { check, fallback, settings, routes, facts, now } = parts;
  const before = object.status;
  const previous = before?.conditions;
  const reason = settings?.active.reason ?? 'Invalid';
  const activeState: State = {
    type: 'Active',
    status: reason === 'Selected' ? 'True' : 'False',
    reason,
    message: reason === 'Selected' ? selectedSays(object, settings?.usable ?? false, routes) : activeSays[reason],
  };
  const conditions = conditionsOf<'AlertProvider'>(
    [
      ...readiness(check, [...check.problems, ...fallback, ...(routes?.problems ?? [])], object.spec.suspend === true),
      activeState,
      delivering(
        facts,
        previous?.find((condition) => condition.type === 'Delivering'),
      ),
    ],
    previous,
    object.metadata.generation,
    now,
  );
  const { lastDelivery, lastFailure, oldestPendingTime } = facts ?? {};
  const { requests } = parts;
  const test = lastTest(requests.test, object.metadata.uid, facts) ?? before?.lastTest;
  const redelivery = lastRedelivery(requests.redelivery, parts.redelivery) ?? before?.lastRedelivery;
  const status = {
    observedGeneration: object.metadata.generation,
    conditions,
    ...(lastDelivery
      ? {
          lastDelivery: {
            time: instantOf(lastDelivery.time),
            incident: lastDelivery.stream,
            act: lastDelivery.act,
            attempts: lastDelivery.attempts,
            durationMs: Math.round(lastDelivery.durationMs),
          },
        }
      : before?.lastDelivery && { lastDelivery: before.lastDelivery }),
    ...(lastFailure
      ? {
          lastFailure: {
            time: instantOf(lastFailure.time),
            class: lastFailure.class,
            reason: lastFailure.code,
            message: shortened(lastFailure.message),
            incident: lastFailure.stream,
          },
        }
      : before?.lastFailure && { lastFailure: before.lastFailure }),
    ...(test && { lastTest: test }),
    ...(redelivery && { lastRedelivery: redelivery }),
    ...(routes && { routes: routes.rows }),
    delivered: facts?.delivered ?? 0,
    failed: facts?.failed ?? 0,
    pending: facts?.pending ?? 0,
    ...(oldestPendingTime !== undefined && { oldestPendingTime: instantOf(oldestPendingTime) }),
  };
  return { status, urgent: urgencyOf(conditions, urgentOf(test, redelivery)) };
}
