import { X509Certificate } from 'node:crypto';
import type { Ref } from '../../../model/ref.ts';
import { type Fields, fieldsOf, given, listOf, textOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import type { Meta } from '../../reading/meta.ts';
import { serviceOf } from './api-service.ts';

type Kind = 'ValidatingWebhookConfiguration' | 'MutatingWebhookConfiguration';

/** What is kept of a webhook of a configuration. */
export type Webhook = {
  readonly name: string;
  /** Whom the API server asks; absent: an address outside of the cluster. */
  readonly service?: Ref;
  /** `failurePolicy: Fail`: what it cannot be asked about is refused. */
  readonly failsClosed: boolean;
  /** It is asked about every new Pod, or about those of some namespaces; not only of those with a label. */
  readonly coversPods: boolean;
  /** When the last of the certificates that its server is checked with ends (epoch milliseconds). */
  readonly caEndsAt?: number;
};

/** admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration or MutatingWebhookConfiguration. */
export type WebhookConfigurationView<K extends Kind = Kind> = Meta & {
  readonly kind: K;
  readonly webhooks: readonly Webhook[];
};

/** Webhooks kept of one configuration: policy engines have some dozens. */
const maxWebhooks = 200;
/** Certificates looked at of one bundle. */
const maxCertificates = 20;

/** When the last certificate of a bundle (PEM in base64) ends; `undefined` where it cannot be read. */
export function lastEndOf(bundle: string): number | undefined {
  const pem = Buffer.from(bundle, 'base64').toString('latin1');
  let last: number | undefined;
  let seen = 0;
  for (const [block] of pem.matchAll(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)) {
    seen += 1;
    if (seen > maxCertificates) break;
    const endsAt = endOf(block);
    if (endsAt !== undefined && (last === undefined || endsAt > last)) last = endsAt;
  }
  return last;
}

function endOf(pem: string): number | undefined {
  try {
    const endsAt = Date.parse(new X509Certificate(pem).validTo);
    return Number.isNaN(endsAt) ? undefined : endsAt;
  } catch {
    return undefined;
  }
}

const has = (list: unknown, ...some: readonly string[]): boolean =>
  Array.isArray(list) && list.some((item) => some.includes(item));

/** Whether a rule is about the creation of Pods. */
function isAboutPods(rule: Fields): boolean {
  return has(rule.operations, 'CREATE', '*') && has(rule.apiGroups, '', '*') && has(rule.resources, 'pods', '*', '*/*');
}

/** Whether a selector is for those with a label; one that leaves some out by theirs is for nearly all. */
function isNarrowed(selector: unknown): boolean {
  const { matchLabels, matchExpressions } = fieldsOf(selector);
  const asks = listOf(matchExpressions).some(({ operator }) => operator !== 'NotIn' && operator !== 'DoesNotExist');
  return Object.keys(fieldsOf(matchLabels)).length > 0 || asks;
}

function webhooksOf(raw: Fields): readonly Webhook[] {
  // All webhooks of a configuration have the same bundle, as a rule.
  const ends = new Map<string, number | undefined>();
  const caEndsAt = (bundle: string | undefined): number | undefined => {
    if (bundle === undefined) return undefined;
    if (!ends.has(bundle)) ends.set(bundle, lastEndOf(bundle));
    return ends.get(bundle);
  };
  return listOf(raw.webhooks)
    .slice(0, maxWebhooks)
    .map((webhook) => {
      const client = fieldsOf(webhook.clientConfig);
      return {
        name: textOf(webhook.name) ?? '',
        failsClosed: webhook.failurePolicy !== 'Ignore',
        coversPods: listOf(webhook.rules).some(isAboutPods) && !isNarrowed(webhook.objectSelector),
        ...given({ service: serviceOf(client.service), caEndsAt: caEndsAt(textOf(client.caBundle)) }),
      };
    });
}

function row<K extends Kind>(kind: K): WatchedKind<WebhookConfigurationView<K>> {
  return watched({
    group: 'admissionregistration.k8s.io',
    kind,
    namespaced: false,
    fields: ({ raw }) => ({ webhooks: webhooksOf(raw) }),
    links: ({ webhooks }) =>
      [...new Set(webhooks.flatMap(({ service }) => service ?? []))].map((to) => ({ type: 'calls', to })),
  });
}

/** admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration. */
export const validatingWebhookConfigurations = row('ValidatingWebhookConfiguration');
/** admissionregistration.k8s.io/v1 MutatingWebhookConfiguration. */
export const mutatingWebhookConfigurations = row('MutatingWebhookConfiguration');
