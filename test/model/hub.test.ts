import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOutside } from '../../src/model/hub.ts';
import type { Ref } from '../../src/model/ref.ts';

test('what has one name for all clusters lies outside, and nothing else', () => {
  const outside: readonly Ref[] = [
    ...(['Registry//ghcr.io', 'Registry//docker.io', 'Registry//registry.example.com:5000'] as const),
    ...(['ExternalEndpoint//api.stripe.com', 'ExternalEndpoint//db.example.com:5432'] as const),
    ...(['ExternalEndpoint//8.8.8.8:53', 'Registry//172.32.0.1'] as const),
  ];
  for (const ref of outside) assert.equal(isOutside(ref), true, ref);
  const within: readonly Ref[] = [
    ...([
      'Registry//registry',
      'Registry//localhost:5000',
      'Registry//10.1.2.3:5000',
      'Registry//192.168.0.1',
    ] as const),
    ...(['ExternalEndpoint//172.16.0.1:80', 'ExternalEndpoint//100.64.0.1', 'ExternalEndpoint//169.254.1.1'] as const),
    ...(['ExternalEndpoint//db.shop.svc', 'ExternalEndpoint//db.shop.svc.cluster.local:5432'] as const),
    ...(['ExternalEndpoint//[fd00::1]:80', 'Zone//eu-west-1a', 'NodePool//spot.large', 'Deployment/shop/a.b'] as const),
    ...(['Registry/shop/ghcr.io', 'Sentence//a.b', 'Signer//example.com'] as const),
  ];
  for (const ref of within) assert.equal(isOutside(ref), false, ref);
});
