import type { DeliveryFailure } from '../model/delivery.ts';
import type { Act } from '../model/notification.ts';
import { describeRef } from '../model/ref.ts';
import type { UnopenedSecrets } from '../model/secret-source.ts';

/** Why nothing could be tried: the Secrets of a provider could not be had. */
export type SecretFailure = {
  readonly code: 'SecretNotFound' | 'SecretKeyMissing' | 'Unreachable';
  readonly message: string;
};

/**
 * What delivery itself finds, each with its code and its words: conditions, Events, dead letters, the audit log and the note of a
 * fallback quote them. What a product or the network said comes in the words of `providers`, `send.ts` and `smtp.ts`.
 */
export const failures = {
  providerDeleted: (): DeliveryFailure => ({
    class: 'permanent',
    code: 'ProviderDeleted',
    message: 'the AlertProvider was deleted',
  }),
  unknownType: (type: string): DeliveryFailure => rejected(`this version has no provider type "${type}"`),
  cannotShow: (product: string, act: Act): DeliveryFailure =>
    rejected(`${product} cannot show a message that is no incident (${act})`),
  /** `maxAge`: in words. `why`: what kept it waiting, where that is known. */
  expired: (maxAge: string, why: string | undefined): DeliveryFailure => ({
    class: 'retryable',
    code: 'Expired',
    message: `not delivered within ${maxAge}${why === undefined ? '' : `: ${why}`}`,
  }),
  namespaceLimit: (namespace: string, most: number): DeliveryFailure => ({
    class: 'permanent',
    code: 'NamespaceLimit',
    message: `more than ${most} messages of the namespace ${namespace} wait to be delivered: mend or delete the AlertProviders there that fail`,
  }),
  rateLimited: (afterMs: number): DeliveryFailure => ({
    class: 'rateLimited',
    code: 'RateLimited',
    message: `too many requests, asked to wait ${Math.ceil(afterMs / 1000)} s`,
  }),
  /** What is missing, and what to do about it. */
  secretMissing(missing: UnopenedSecrets): SecretFailure {
    const what = describeRef(missing.missing);
    if (missing.denied) return { code: 'SecretNotFound', message: `cannot read ${what}: grant ${missing.permission}` };
    if (missing.key === undefined)
      return { code: 'SecretNotFound', message: `${what} does not exist: create it or correct the reference` };
    return {
      code: 'SecretKeyMissing',
      message: `${what} has no key "${missing.key}": add it or correct the reference`,
    };
  },
  secretsUnread: (): SecretFailure => ({
    code: 'Unreachable',
    message: 'the Secrets cannot be read: the API server does not answer',
  }),
} as const;

const rejected = (message: string): DeliveryFailure => ({ class: 'permanent', code: 'Rejected', message });
