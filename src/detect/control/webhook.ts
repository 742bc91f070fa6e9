import { nameOf, namespaceOf, type Ref } from '../../model/ref.ts';
import type { Severity } from '../../model/severity.ts';
import type { Webhook } from '../../world/kinds/cluster/webhook-configuration.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { type Detector, detector, type Judgement, type Problem, type Thresholds } from '../kit/detector.ts';
import { backendOf } from './webhook-backend.ts';

const day = 24 * 3_600_000;

/** What the API server asks one Service for. */
type Calls = {
  readonly service: Ref;
  readonly webhooks: number;
  readonly failsClosed: boolean;
  readonly pods: boolean;
};

/** The webhooks of a configuration by the Service that answers them. */
function callsOf(webhooks: readonly Webhook[]): readonly Calls[] {
  const inCluster = webhooks.filter(({ service }) => service !== undefined);
  return [...Map.groupBy(inCluster, ({ service }) => service)].flatMap(([service, own]) => {
    if (service === undefined) return [];
    const closed = own.filter(({ failsClosed }) => failsClosed);
    const pods = closed.some(({ coversPods }) => coversPods);
    return [{ service, webhooks: own.length, failsClosed: closed.length > 0, pods }];
  });
}

/** Refused Pods are an outage; what else is refused can wait; what is let through unasked is a matter of policy. */
function severityOf({ failsClosed, pods }: Pick<Calls, 'failsClosed' | 'pods'>): Severity {
  if (!failsClosed) return 'low';
  return pods ? 'critical' : 'medium';
}

/** What cannot be answered because its Service is not there or has no endpoint that is ready. */
function unanswered(calls: readonly Calls[], world: ObservedWorld): readonly Problem[] {
  return calls.flatMap((call): Problem[] => {
    const backend = backendOf(call.service, world);
    if (backend !== 'absent' && backend !== 'empty') return [];
    const { service, webhooks, failsClosed, pods } = call;
    const facts = {
      service: `${namespaceOf(service)}/${nameOf(service)}`,
      webhooks,
      refuses: pods ? 'every new pod' : failsClosed ? 'what it is asked about' : 'nothing',
    };
    const found = {
      scope: facts.service,
      since: 'observed',
      severity: severityOf(call),
      facts,
      names: [service],
    } as const;
    // A chart makes its Service with its webhook, in any order; the only replica of a webhook may be moved.
    return [
      backend === 'absent'
        ? { ...found, reason: 'WebhookBackendMissing', forSeconds: 20, settle: 'conclusive' }
        : { ...found, reason: 'WebhookNoEndpoints', forSeconds: pods ? 30 : 60, settle: pods ? 'conclusive' : 'waits' },
    ];
  });
}

const backendRow = {
  id: 'G4',
  reasons: [
    { reason: 'WebhookBackendMissing', family: 'config', sure: 'high' },
    { reason: 'WebhookNoEndpoints', family: 'consequence', sure: 'likely' },
  ],
  severity: 'critical',
  settle: 'conclusive',
  reads: ['Service', 'EndpointSlice'],
  clears: 'the Service is there and has a ready endpoint',
  symptom: 'controlPlane',
  patience: '20 s for a Service that is not there, 30 s (60 s where no Pod depends on it) for one without endpoints',
  isNot: 'a webhook outside of the cluster; a Service that cannot be seen',
} as const;

const configurationRow = {
  ...backendRow,
  source:
    'admissionregistration.k8s.io/v1 webhooks[].clientConfig.service, failurePolicy, rules; the EndpointSlices of the Service',
  predicate:
    'the Service of a webhook does not exist or has no ready endpoint: critical where new Pods are refused for it, medium where other objects are, low where it is skipped',
} as const;

const caRow = {
  id: 'G6',
  edition: 'Pro',
  reasons: [{ reason: 'WebhookCAExpired', family: 'config', sure: 'high' }],
  severity: 'medium',
  settle: 'conclusive',
  source: 'admissionregistration.k8s.io/v1 webhooks[].clientConfig.caBundle: the certificate in it that ends last',
  predicate:
    'every certificate of a caBundle ends within `detection.certificateExpiryDays` (low), within 7 days (medium), within a day or has ended (critical where it fails closed)',
  clears: 'a newer one is in the bundle',
  symptom: 'certificate',
  patience: 'no wait: certificates say when they end',
  settings: ['certificateExpiryDays'],
  isNot: 'a bundle with an old and a new certificate; one that cannot be read',
} as const;

/** What ends soonest, in steps: as long before as is asked for, a week before, a day before, at the end. */
function endingCa(webhooks: readonly Webhook[], now: number, { certificateExpiryDays }: Thresholds): Judgement {
  const soon = certificateExpiryDays * day;
  let next = Number.POSITIVE_INFINITY;
  let soonest: Webhook | undefined;
  for (const webhook of webhooks) {
    const { caEndsAt } = webhook;
    if (caEndsAt === undefined) continue;
    for (const at of [caEndsAt - soon, caEndsAt - 7 * day, caEndsAt - day, caEndsAt])
      if (at > now && at < next) next = at;
    if (caEndsAt - soon <= now && caEndsAt < (soonest?.caEndsAt ?? Number.POSITIVE_INFINITY)) soonest = webhook;
  }
  const later = Number.isFinite(next) ? { lookAgainAt: next } : false;
  if (soonest?.caEndsAt === undefined) return later;
  const { caEndsAt, name, failsClosed } = soonest;
  const isNear = caEndsAt - day <= now;
  return {
    since: caEndsAt <= now ? caEndsAt : caEndsAt - soon,
    severity: isNear ? (failsClosed ? 'critical' : 'low') : caEndsAt - 7 * day <= now ? 'medium' : 'low',
    facts: { webhook: name, endsOn: new Date(caEndsAt).toISOString().slice(0, 10), hasEnded: caEndsAt <= now ? 1 : 0 },
    ...later,
  };
}

const conversionWebhook = detector({
  ...backendRow,
  judges: 'CustomResourceDefinition',
  severity: 'high',
  source: 'apiextensions.k8s.io/v1 spec.conversion.webhook.clientConfig.service; the EndpointSlices of the Service',
  predicate: 'the Service that converts between the versions of a kind does not exist or has no ready endpoint',
  judge: ({ converter }, world) =>
    converter === undefined
      ? false
      : unanswered([{ service: converter, webhooks: 1, failsClosed: true, pods: false }], world).map((problem) => ({
          ...problem,
          severity: 'high',
          facts: { ...problem.facts, refuses: 'every object of its kind' },
        })),
});

/** Webhooks by whether somebody answers them. */
export const webhookDetectors: readonly Detector[] = [
  detector({
    ...configurationRow,
    judges: 'ValidatingWebhookConfiguration',
    judge: ({ webhooks }, world) => unanswered(callsOf(webhooks), world),
  }),
  detector({
    ...configurationRow,
    judges: 'MutatingWebhookConfiguration',
    judge: ({ webhooks }, world) => unanswered(callsOf(webhooks), world),
  }),
  conversionWebhook,
  detector({
    ...caRow,
    judges: 'ValidatingWebhookConfiguration',
    judge: ({ webhooks }, _, now, thresholds) => endingCa(webhooks, now, thresholds),
  }),
  detector({
    ...caRow,
    judges: 'MutatingWebhookConfiguration',
    judge: ({ webhooks }, _, now, thresholds) => endingCa(webhooks, now, thresholds),
  }),
];
