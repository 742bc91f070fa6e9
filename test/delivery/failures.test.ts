import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failures } from '../../src/delivery/failures.ts';
import { refOf } from '../../src/model/ref.ts';

const missing = refOf('Secret', 'shop', 'chat');
const said = [
  [failures.providerDeleted(), 'ProviderDeleted', 'the AlertProvider was deleted'],
  [failures.unknownType('pigeon'), 'Rejected', 'this version has no provider type "pigeon"'],
  [failures.cannotShow('Twilio', 'digest'), 'Rejected', 'Twilio cannot show a message that is no incident (digest)'],
  [failures.expired('24 h', undefined), 'Expired', 'not delivered within 24 h'],
  [failures.expired('24 h', 'HTTP 503'), 'Expired', 'not delivered within 24 h: HTTP 503'],
  [
    failures.namespaceLimit('shop', 1_000),
    'NamespaceLimit',
    'more than 1000 messages of the namespace shop wait to be delivered: mend or delete the AlertProviders there that fail',
  ],
  [failures.rateLimited(1_200), 'RateLimited', 'too many requests, asked to wait 2 s'],
  [
    failures.secretMissing({ missing }),
    'SecretNotFound',
    'Secret shop/chat does not exist: create it or correct the reference',
  ],
  [
    failures.secretMissing({ missing, key: 'url' }),
    'SecretKeyMissing',
    'Secret shop/chat has no key "url": add it or correct the reference',
  ],
  [
    failures.secretMissing({ missing, denied: true, permission: 'get secrets in namespace shop (Secret chat)' }),
    'SecretNotFound',
    'cannot read Secret shop/chat: grant get secrets in namespace shop (Secret chat)',
  ],
  [failures.secretsUnread(), 'Unreachable', 'the Secrets cannot be read: the API server does not answer'],
] as const;
for (const [failure, code, message] of said)
  test(`${code}: ${message}`, () => {
    assert.deepEqual([failure.code, failure.message], [code, message]);
  });
