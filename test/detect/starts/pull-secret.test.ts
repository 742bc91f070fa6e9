import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { at, event, pod, waiting } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const ref = 'Pod/shop/api-1';
const secret = 'Secret/shop/regcred';
const refused =
  'failed to resolve reference "registry.example/shop/api:1.0": unexpected status from HEAD request to https://registry.example/v2/shop/api/manifests/1.0: 401 Unauthorized';

const pulls = (says: string): RawObject => pod('api-1', { statuses: [waiting('api', 'ErrImagePull', says)] });

/** As the kubelet writes it (kubelet_pods.go, getPullSecretsForPod). */
const cannotGet = (names: string, last = at(0), uid = 'uid-of-api-1'): RawObject =>
  event(
    'Pod',
    'api-1',
    'FailedToRetrieveImagePullSecret',
    `Unable to retrieve some image pull secrets (${names}); attempting to pull the image may not succeed.`,
    { namespace: 'shop', uid, first: at(0), last },
  );

test('P6 P8 fires and clears: a registry refuses a Pod whose pull secret does not exist, which is the root by name', () => {
  const { put, found, finding, says, wait } = story();
  put(at(0), cannotGet('regcred'), pulls(refused));
  wait(at(0, 30));
  assert.deepEqual(found().sort(), [`${ref} ImagePullDenied`, `${secret} SecretMissing`]);
  assert.deepEqual(finding(ref, 'ImagePullDenied').names, [secret], 'and not the registry');
  assert.match(
    says(ref, 'ImagePullDenied'),
    /the registry refuses the credentials, or there are none; the kubelet cannot get the pull secret shop\/regcred\.$/,
  );
  assert.match(says(secret, 'SecretMissing'), /^Secret shop\/regcred does not exist, and a pod needs it\.$/);
  put(at(2), pod('api-1'));
  wait(at(3));
  assert.deepEqual(found(), []);
});

test('P6 P8 fires: what the kubelet says after the pull has failed counts, and one of several secrets stands for them', () => {
  const { put, found, finding } = story();
  put(at(0), pulls(refused));
  assert.deepEqual(found(), [`${ref} ImagePullDenied`]);
  put(at(0, 5), cannotGet('regcred, other', at(0, 5)));
  assert.deepEqual(found().sort(), [`${ref} ImagePullDenied`, `${secret} SecretMissing`]);
  assert.equal(finding(ref, 'ImagePullDenied').facts.missing, 'Secret shop/regcred, Secret shop/other');
});

test('P8 is quiet: a pull secret is absent, and the image is public, not there, or its registry away', () => {
  const healthy = story();
  healthy.put(at(0), cannotGet('regcred'), pod('api-1'));
  healthy.wait(at(20));
  assert.deepEqual(healthy.found(), []);

  for (const says of ['manifest unknown', 'dial tcp: lookup registry.example: no such host']) {
    const k8s = story();
    k8s.put(at(0), cannotGet('regcred'), pulls(says));
    k8s.wait(at(1));
    assert.deepEqual(
      k8s.found().filter((found) => found.startsWith('Secret/')),
      [],
    );
  }
});

test('P8 clears: the kubelet has not spoken of the secret for 15 min, and the pull is refused for another reason', () => {
  const { put, found, wait } = story();
  put(at(0), cannotGet('regcred'), pulls(refused));
  wait(at(14));
  assert.equal(found().length, 2);
  wait(at(16));
  assert.deepEqual(found(), [`${ref} ImagePullDenied`]);
});
