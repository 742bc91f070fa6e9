import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSettings } from '../../../src/model/settings.ts';
import type { Signature } from '../../../src/model/signature.ts';
import { eventOn } from '../../world/events.ts';
import { at, condition, ended, node, pod, status, waiting, workload } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

/** A cluster whose AlertConfig has these signatures. */
function knowing(...signatures: readonly Signature[]) {
  const k8s = story();
  const goBy = (next: readonly Signature[], now: number): void => {
    const again = k8s.detection.goBy({ ...defaultSettings.detection, signatures: next }, k8s.world.everything());
    k8s.detection.evaluate(again, now);
  };
  goBy(signatures, at(0));
  return { ...k8s, goBy, own: () => k8s.found().filter((found) => found.endsWith(' OwnSignature')) };
}

const lagging: Signature = {
  ...{ name: 'ReplicaBehind', says: 'is far behind its primary', severity: 'high', forSeconds: 60 },
  condition: { type: 'ReplicaUpToDate', message: '* behind' },
};
const node1 = (is: string, message = 'n1 is 40 min behind') =>
  node('n1', { conditions: [condition('ReplicaUpToDate', is, at(1), 'Lag', message)] });

test('E5 fires and clears: a condition with its status, its text and its time', () => {
  const k8s = knowing(lagging);
  k8s.put(at(1), node1('False'));
  k8s.wait(at(1, 59));
  assert.deepEqual(k8s.own(), []);
  k8s.wait(at(2));
  assert.deepEqual(k8s.own(), ['Node//n1 OwnSignature']);
  const { scope, severity, since, detail, facts } = k8s.finding('Node//n1', 'OwnSignature');
  assert.deepEqual([scope, severity, since, detail], ['ReplicaBehind', 'high', at(1), 'n1 is 40 min behind']);
  assert.equal(facts.says, 'is far behind its primary');
  assert.equal(k8s.says('Node//n1', 'OwnSignature'), 'It is far behind its primary.');
  k8s.put(at(3), node1('True'));
  assert.deepEqual(k8s.own(), []);
});

test('E5 fires and clears: a Warning, until none has come for 15 min', () => {
  const k8s = knowing({
    name: 'PortLost',
    says: 'has lost its port',
    event: { reason: 'PortTaken', message: 'leased TO' },
  });
  const api = pod('api');
  k8s.put(at(1), api, eventOn(api, 'PortTaken', at(1), { message: 'port 80 is leased to shop/old' }));
  assert.deepEqual(k8s.own(), ['Pod/shop/api OwnSignature']);
  k8s.wait(at(15, 59));
  assert.deepEqual(k8s.own(), ['Pod/shop/api OwnSignature']);
  k8s.wait(at(16));
  assert.deepEqual(k8s.own(), []);
});

const crashed = (message: string) =>
  pod('api', {
    conditions: [condition('Ready', 'False', at(1), 'ContainersNotReady')],
    statuses: [
      waiting('api', 'CrashLoopBackOff', 'back-off', {
        restartCount: 4,
        lastState: ended(at(0), at(1), 1, 'Error', message),
      }),
    ],
  });
const jammed: Signature = { name: 'LedgerJammed', says: 'has a ledger that jams', lastLine: 'E7731 * rotor' };

test('E5 fires and clears: the last line of a Pod that is not ready, from its log or its termination message', () => {
  const k8s = knowing(jammed);
  k8s.put(at(1), crashed('starting\nE7731 in rotor 4\n'));
  assert.deepEqual(k8s.own(), ['Pod/shop/api OwnSignature']);
  k8s.put(at(2), pod('api', { statuses: [status('api', { restartCount: 4 })] }));
  assert.deepEqual(k8s.own(), []);

  const heard = knowing(jammed);
  heard.put(at(1), crashed(''));
  const evidence = {
    pod: 'Pod/shop/api',
    uid: 'uid-of-api',
    container: 'api',
    attempt: 3,
    ended: true,
    source: 'log',
  } as const;
  heard.world.hear({ ...evidence, lines: ['E7731 in rotor 4', '   '] }, at(2));
  heard.detection.evaluate(['Pod/shop/api'], at(2));
  assert.deepEqual(heard.own(), ['Pod/shop/api OwnSignature']);
});

test('E5 fires: of several signatures the first that fits, and another once the AlertConfig says so', () => {
  const other: Signature = { name: 'Rotor', says: 'has a rotor', lastLine: 'rotor' };
  const k8s = knowing(other, jammed);
  k8s.put(at(1), crashed('E7731 in rotor 4'));
  assert.equal(k8s.finding('Pod/shop/api', 'OwnSignature').scope, 'Rotor');
  k8s.goBy([jammed, other], at(2));
  assert.equal(k8s.finding('Pod/shop/api', 'OwnSignature').scope, 'LedgerJammed');
  k8s.goBy([], at(3));
  assert.deepEqual(k8s.own(), []);
});

test('E5 is quiet: another kind, namespace, status, text or line, an Event that is no Warning, and a Pod that is ready', () => {
  const k8s = knowing(
    { ...lagging, forSeconds: 0, kinds: ['Deployment'] },
    { ...jammed, namespaces: ['!shop'] },
    { name: 'Other', says: 'is other', condition: { type: 'ReplicaUpToDate', reason: 'Broken' } },
    { name: 'PortLost', says: 'has lost its port', event: { reason: 'PortTaken', message: 'by nobody' } },
    { name: 'Started', says: 'has started', lastLine: 'starting' },
  );
  const ready = pod('web', { statuses: [status('web', { lastState: ended(at(0), at(1), 1, 'Error', 'starting') })] });
  k8s.put(at(1), node1('False'), node1('Unknown'), crashed('starting\nE7731 in rotor 4'), ready);
  k8s.put(at(2), eventOn(ready, 'PortTaken', at(2), { message: 'port 80 is leased' }), workload('Deployment', 'api'));
  assert.deepEqual(k8s.own(), []);
});
