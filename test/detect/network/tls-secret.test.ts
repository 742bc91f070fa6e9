import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSettings } from '../../../src/model/settings.ts';
import { certificate, certManagerCertificate, tlsSecret } from '../../world/certificate-objects.ts';
import { service, webhooks } from '../../world/control-objects.ts';
import { gateway, ingress } from '../../world/network-objects.ts';
import { at, condition, pod } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const day = 24 * 60;
const secret = 'Secret/shop/web';
const web = ingress('web', { spec: { tls: [{ hosts: ['web.example'], secretName: 'web' }] } });
const mounting = (labels = {}) =>
  pod('api', { labels, spec: { volumes: [{ name: 'tls', secret: { secretName: 'web' } }] } });

/** What is found of the Secret, with its severity. */
function found(k8s: ReturnType<typeof story>): string[] {
  return [...k8s.detection.findings(secret)].map(({ reason, severity }) => `${reason} ${severity}`);
}

test('G12 fires: a certificate that an Ingress shows ends: low two weeks before, high a week before, critical a day before and after', () => {
  const k8s = story('Pro');
  k8s.load(at(0), web, tlsSecret('web', [certificate(20)]));
  assert.deepEqual(found(k8s), []);
  k8s.wait(at(6 * day));
  assert.deepEqual(found(k8s), ['TLSCertExpiringSoon low']);
  assert.equal(
    k8s.says(secret, 'TLSCertExpiringSoon'),
    'Its certificate for web.example, issued by R3, expires on 2026-06-21.',
  );
  k8s.wait(at(13 * day));
  assert.deepEqual(found(k8s), ['TLSCertExpiringSoon high']);
  k8s.wait(at(19 * day));
  assert.deepEqual(found(k8s), ['TLSCertExpiringSoon critical']);
  k8s.wait(at(20 * day));
  assert.deepEqual(found(k8s), ['TLSCertExpired critical']);
  const { facts, since, conclusive } = k8s.finding(secret, 'TLSCertExpired');
  assert.deepEqual([facts.usedBy, since, conclusive], ['Ingress shop/web', at(20 * day), true]);
  assert.match(k8s.says(secret, 'TLSCertExpired'), /expired on 2026-06-21/);
});

test('G12 fires: an intermediate certificate ends before the one of the server', () => {
  const k8s = story('Pro');
  k8s.put(at(0), web, tlsSecret('web', [certificate(300), certificate(-1, { subject: 'R3' })]));
  assert.deepEqual(found(k8s), ['TLSCertExpired critical']);
  assert.match(k8s.says(secret, 'TLSCertExpired'), /^The intermediate certificate R3, .* expired on 2026-05-31/);
});

test('G12 fires: it is as bad as who uses it: a Gateway and what answers a webhook critical, Pods medium, nobody low', () => {
  const listeners = [{ name: 'https', port: 443, tls: { certificateRefs: [{ name: 'web' }] } }];
  const edge = gateway('edge');
  const guard = webhooks('ValidatingWebhookConfiguration', 'guard', { service: 'shop/api' });
  const labels = { app: 'api' };
  const users = [
    [[{ ...edge, spec: { gatewayClassName: 'edge', listeners } }], 'critical', 'Gateway shop/edge'],
    [[guard, service('api'), mounting(labels)], 'critical', 'ValidatingWebhookConfiguration guard'],
    [[mounting()], 'medium', '1 pod'],
    [[], 'low', undefined],
  ] as const;
  for (const [objects, severity, usedBy] of users) {
    const k8s = story('Pro');
    k8s.put(at(0), ...objects, tlsSecret('web', [certificate(-1)]));
    assert.deepEqual(found(k8s), [`TLSCertExpired ${severity}`]);
    assert.equal(k8s.finding(secret, 'TLSCertExpired').facts.usedBy, usedBy);
  }
});

test('G12 fires: who uses it comes later: at once where it names the Secret, within ten minutes where Pods do', () => {
  const k8s = story('Pro');
  k8s.put(at(0), tlsSecret('web', [certificate(-1)]));
  k8s.put(at(1), web);
  assert.deepEqual(found(k8s), ['TLSCertExpired critical']);
  k8s.gone(at(2), web);
  assert.deepEqual(found(k8s), ['TLSCertExpired low']);
  k8s.put(at(3), mounting());
  k8s.wait(at(13));
  assert.deepEqual(found(k8s), ['TLSCertExpired medium']);
});

test('G12 fires: a key that does not match, nothing that can be read, not valid yet; after a minute, and only where it is used', () => {
  const flaws = [
    [tlsSecret('web', [certificate(60)], { tls: { isPair: false } }), /private key belongs to another certificate/],
    [tlsSecret('web', [], { tls: { isEmpty: false } }), /holds no certificate that can be read/],
    [tlsSecret('web', []), /it is empty/],
    [tlsSecret('web', [certificate(60)], { tls: { unreadable: 1 } }), /a part of its chain cannot be read/],
    [tlsSecret('web', [certificate(60, { lifeDays: 59 })]), /it is not valid before 2026-06-02/],
  ] as const;
  for (const [object, says] of flaws) {
    const k8s = story('Pro');
    k8s.put(at(0), object);
    k8s.wait(at(30));
    assert.deepEqual(found(k8s), [], 'nobody uses it');
    k8s.put(at(30), web);
    assert.deepEqual(found(k8s), [], 'it may be filled in a moment');
    k8s.wait(at(31));
    assert.deepEqual(found(k8s), ['TLSCertUnusable high']);
    assert.match(k8s.says(secret, 'TLSCertUnusable'), says);
  }
});

test('G12 is quiet: certificates that last, of short life in their time, roots in a chain, and what cert-manager has yet to renew', () => {
  const cases = [
    [tlsSecret('web', [certificate(15)])],
    // A day of life, of which a quarter is left in six hours.
    [tlsSecret('web', [certificate(0.3, { lifeDays: 1 })])],
    [tlsSecret('web', [certificate(80), certificate(-100, { subject: 'Old Root', isSelfIssued: true })])],
    [
      certManagerCertificate('web', condition('Ready', 'True'), 2),
      tlsSecret('web', [certificate(10)], { renewedBy: 'web' }),
    ],
    // A minute after it was due.
    [
      certManagerCertificate('web', condition('Ready', 'True'), -1 / 1440),
      tlsSecret('web', [certificate(10)], { renewedBy: 'web' }),
    ],
    [tlsSecret('web', [certificate(60)], { tls: { isPair: undefined } })],
  ];
  for (const objects of cases) {
    const k8s = story('Pro');
    k8s.put(at(0), web, ...objects);
    k8s.wait(at(5));
    assert.deepEqual(found(k8s), []);
  }
});

test('G12 fires: cert-manager has not renewed it for an hour after it was to', () => {
  const k8s = story('Pro');
  k8s.put(at(0), web, certManagerCertificate('web', condition('Ready', 'True'), 1));
  k8s.put(at(0), tlsSecret('web', [certificate(10)], { renewedBy: 'web' }));
  k8s.wait(at(day + 59));
  assert.deepEqual(found(k8s), []);
  k8s.wait(at(day + 60));
  assert.deepEqual(found(k8s), ['TLSCertExpiringSoon low']);
  assert.deepEqual(k8s.finding(secret, 'TLSCertExpiringSoon').names, ['Certificate.cert-manager.io/shop/web']);
});

test('G12 clears: another certificate, its key, or no Secret any more', () => {
  const k8s = story('Pro');
  k8s.put(at(0), web, tlsSecret('web', [certificate(-1)], { tls: { isPair: false } }));
  k8s.wait(at(2));
  assert.deepEqual(found(k8s), ['TLSCertExpired critical', 'TLSCertUnusable high']);
  k8s.put(at(3), tlsSecret('web', [certificate(90)]));
  assert.deepEqual(found(k8s), []);
  k8s.put(at(4), tlsSecret('web', [certificate(-1)]));
  assert.deepEqual(found(k8s), ['TLSCertExpired critical']);
  k8s.gone(at(5), tlsSecret('web', [certificate(-1)]));
  assert.deepEqual(found(k8s), []);
});

test('what was found stands while Secrets cannot be seen', () => {
  const k8s = story('Pro');
  k8s.put(at(0), web, tlsSecret('web', [certificate(-1)]));
  k8s.see('Secret', 'Denied', at(1));
  k8s.wait(at(30));
  assert.deepEqual(found(k8s), ['TLSCertExpired critical']);
});

test('`certificateExpiryDays` says from when on: another value is gone by at once, by CA bundles, too', () => {
  const k8s = story('Pro');
  k8s.put(at(0), web, tlsSecret('web', [certificate(25, { lifeDays: 365 })]));
  assert.deepEqual(found(k8s), []);
  const goBy = (certificateExpiryDays: number): void => {
    const again = k8s.detection.goBy(
      { ...defaultSettings.detection, signatures: [], certificateExpiryDays },
      k8s.world.everything(),
    );
    k8s.detection.evaluate(again, at(1));
  };
  goBy(30);
  assert.deepEqual(found(k8s), ['TLSCertExpiringSoon low']);
  goBy(10);
  assert.deepEqual(found(k8s), []);
});
