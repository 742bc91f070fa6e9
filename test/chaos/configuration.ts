import { issuer } from '../edition/licences.ts';
import type { ChaosReceiver } from './receiver.ts';

/** Whoever issues licences here: the image is built with the public half, and the licence is signed with the other. */
export const owner = issuer('chaos');

/** The licence, settings in which everything is told at once, and a webhook for each receiver. */
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
    ...receivers.flatMap(({ name, url }) => [
      secret(name, { url }),
      {
        apiVersion: 'tocsin.dev/v1alpha1',
        kind: 'AlertProvider',
        metadata: { name, namespace: 'tocsin' },
        spec: { type: 'webhook', webhook: { url: { secretKeyRef: { name, key: 'url' } } } },
      },
    ]),
  ];
}

function secret(name: string, stringData: Readonly<Record<string, string>>): object {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'tocsin' }, stringData };
}
