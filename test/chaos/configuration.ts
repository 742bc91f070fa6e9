import { issuer } from '../edition/licences.ts';
import { receiverNames } from './names.ts';
import type { ChaosReceiver } from './receiver.ts';

/** Whoever issues licences here: the image is built with the public half, and the licence is signed with the other. */
export const owner = issuer('chaos');

/** The licence, settings in which everything is told at once, and an AlertProvider for each receiver. */
export async function configuration(
  receivers: readonly ChaosReceiver[],
  edition: 'Pro' | 'Community',
): Promise<readonly object[]> {
  const now = Math.floor(Date.now() / 1000);
  const license = await owner.issue({ iat: now - 3_600, exp: now + 30 * 86_400 });
  const isPro = edition === 'Pro';
  return [
    secret('tocsin-license', { license }),
    {
      apiVersion: 'tocsin.dev/v1alpha1',
      kind: 'AlertConfig',
      metadata: { name: 'default', namespace: 'tocsin' },
      spec: {
        app: { clusterName: 'chaos', ...(receivers[0] && { communityProvider: receivers[0].name }) },
        detection: { overrides: [{ selector: {}, settleSeconds: 0 }] },
        incidents: { holdSeconds: 5 },
        ...(isPro && { license: { secretKeyRef: { name: 'tocsin-license', key: 'license' } } }),
      },
    },
    ...receivers.flatMap((receiver) => [
      secret(receiver.name, { url: receiver.url, token: '0a9f0d4c-7a2e-4b0a-9d55-6d5f3f0c1e7b' }),
      {
        apiVersion: 'tocsin.dev/v1alpha1',
        kind: 'AlertProvider',
        metadata: { name: receiver.name, namespace: 'tocsin' },
        spec: specOf(receiver),
      },
    ]),
  ];
}

/**
 * How a receiver is told. The pager is given up soon, so that what it could not be told is owed to it and goes to its fallback; that takes
 * part in nothing else.
 */
function specOf({ name, kind, url }: ChaosReceiver): object {
  const from = (key: string): object => ({ secretKeyRef: { name, key } });
  if (kind === 'pager')
    return {
      ...{ type: 'goalert', goalert: { url, token: from('token'), serviceId: '6d5f3f0c-7a2e-4b0a-9d55-0a9f0d4c1e7b' } },
      ...{ fallback: receiverNames.spare, retry: { maxAttempts: 4, delay: '3s' } },
    };
  const webhook = { type: 'webhook', webhook: { url: from('url') } };
  return name === receiverNames.spare ? { ...webhook, routes: [{ selector: { names: ['nothing'] } }] } : webhook;
}

function secret(name: string, stringData: Readonly<Record<string, string>>): object {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'tocsin' }, stringData };
}
