import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { ingress, ingressClass, service } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const found = ['Ingress/shop/web IngressHostConflict'];
const toWeb = [{ service: 'web' }];
const [web, blog] = ['web', 'blog'].map((name) => service(name, { selector: undefined }));

/** An Ingress that was there before `web`, which is told. */
const first = (parts: object = {}): RawObject => ingress('blog', { createdAt: at(-60), ...parts });
const second = (parts: object = {}): RawObject => ingress('web', { createdAt: at(0), backends: toWeb, ...parts });

function cluster(...raws: readonly RawObject[]) {
  const { put, ...more } = story();
  put(at(0), ingressClass('nginx'), ...[web, blog].flatMap((each) => each ?? []), ...raws);
  return { put, ...more };
}

test('T50 fires: the younger of two Ingresses with one host and path that lead to different Services, after 10 min', () => {
  const { wait, finding, says, found: all } = cluster(first(), second());
  wait(at(9, 59));
  assert.deepEqual(all(), []);
  wait(at(10));
  assert.deepEqual(all(), found);
  assert.equal(finding('Ingress/shop/web', 'IngressHostConflict').severity, 'medium');
  assert.equal(
    says('Ingress/shop/web', 'IngressHostConflict'),
    'Ingress shop/blog had shop.example/ before it and leads to another Service: its controller serves only one of the two.',
  );
});

test('T50 fires: the name of one in another namespace is not told', () => {
  const elsewhere = first({ namespace: 'crm' });
  const { wait, says } = cluster(service('blog', { namespace: 'crm', selector: undefined }), elsewhere, second());
  wait(at(10));
  assert.match(
    says('Ingress/shop/web', 'IngressHostConflict'),
    /^an Ingress of another namespace had shop\.example\/ /,
  );
});

test('T50 clears: one of them is gone, or has another host', () => {
  const one = cluster(first(), second());
  one.wait(at(11));
  one.gone(at(12), first());
  one.wait(at(14));
  assert.deepEqual(one.found(), []);
  const other = cluster(first(), second());
  other.wait(at(11));
  other.put(at(12), second({ host: 'web.example' }));
  assert.deepEqual(other.found(), []);
});

test('T50 is quiet: what two Ingresses share on purpose, or do not share', () => {
  const canary = { annotations: { 'nginx.ingress.kubernetes.io/canary': 'true' } };
  const exact = (pathType: string) => ({
    spec: {
      rules: [
        {
          host: 'shop.example',
          http: { paths: [{ path: '/', pathType, backend: { service: { name: 'web', port: { number: 80 } } } }] },
        },
      ],
    },
  });
  const quiet: Record<string, RawObject[]> = {
    'a canary': [first(), second(canary)],
    'the same Service': [first({ backends: toWeb }), second()],
    'another host': [first(), second({ host: 'web.example' })],
    'any host': [first({ host: '' }), second({ host: '' })],
    'another class': [ingressClass('traefik'), first({ ingressClass: 'traefik' }), second()],
    'an exact path beside a prefix': [first(), second(exact('Exact'))],
  };
  for (const [what, raws] of Object.entries(quiet)) {
    const { wait, found: all } = cluster(...raws);
    wait(at(30));
    assert.deepEqual(all(), [], what);
  }
});
