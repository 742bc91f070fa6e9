import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { eventOn } from '../../world/events.ts';
import { service } from '../../world/network-objects.ts';
import { at, condition, metadata, node } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const ref = 'Service/shop/api';
const spec = { type: 'LoadBalancer' };
const address = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } };
/** A load balancer for whose Pods somebody else cares. */
const balancer = (name: string, status: object = {}): RawObject =>
  service(name, { selector: undefined, spec, status: { ...status } });

test('T5 fires and clears: a load balancer without an address is medium after 10 minutes where others have one', () => {
  const { put, found, finding, says, wait } = story();
  put(at(0), balancer('edge', address), balancer('api'));
  wait(at(9, 59));
  assert.deepEqual(found(), []);
  wait(at(10));
  assert.deepEqual(found(), [`${ref} LoadBalancerPending`]);
  assert.equal(finding(ref, 'LoadBalancerPending').severity, 'medium');
  assert.equal(says(ref, 'LoadBalancerPending'), 'The load balancer has no address.');
  put(at(11), balancer('api', address));
  assert.deepEqual(found(), []);
});

test('T5 fires: where nobody hands out addresses, that is low', () => {
  const { put, finding, says, wait } = story();
  put(at(0), balancer('api'));
  wait(at(10));
  assert.equal(finding(ref, 'LoadBalancerPending').severity, 'low');
  const text = 'The load balancer has no address, and nothing in this cluster hands any out.';
  assert.equal(says(ref, 'LoadBalancerPending'), text);
});

test('T5 fires and clears: a controller that fails for 60 s is high, until it succeeds', () => {
  const { put, found, finding, says, wait } = story();
  const failed = (when: number, count: number) =>
    eventOn(balancer('api'), 'SyncLoadBalancerFailed', when, {
      firstAt: at(0),
      count,
      message: 'Error syncing load balancer: no quota',
    });
  put(at(0), balancer('api'), failed(at(0), 1));
  wait(at(0, 59));
  assert.deepEqual(found(), []);
  put(at(1), failed(at(1), 4));
  assert.equal(finding(ref, 'LoadBalancerPending').severity, 'high');
  assert.equal(
    says(ref, 'LoadBalancerPending'),
    'The load balancer cannot be set up: Error syncing load balancer: no quota.',
  );
  put(at(2), balancer('api', address), eventOn(balancer('api'), 'EnsuredLoadBalancer', at(2), { type: 'Normal' }));
  assert.deepEqual(found(), []);
});

test('T5 is quiet: one failure that the next try mends, and a Service that asks for no load balancer', () => {
  const { put, found, wait } = story();
  put(at(0), balancer('api'), eventOn(balancer('api'), 'SyncLoadBalancerFailed', at(0)));
  put(
    at(0, 10),
    balancer('api', address),
    eventOn(balancer('api'), 'EnsuredLoadBalancer', at(0, 10), { type: 'Normal' }),
  );
  put(at(0), service('internal', { selector: undefined }));
  wait(at(60));
  assert.deepEqual(found(), []);
});

test('T6 fires and clears: ports that the load balancer does not open', () => {
  const { put, found, says, wait } = story();
  const mixed = condition(
    'LoadBalancerPortsError',
    'True',
    at(0),
    'LoadBalancerMixedProtocolNotSupported',
    'mixed protocol is not supported for LoadBalancer',
  );
  put(at(0), balancer('api', { ...address, conditions: [mixed] }));
  const ports = [{ port: 443, protocol: 'TCP', error: 'QuotaExceeded' }];
  put(at(0), balancer('web', { loadBalancer: { ingress: [{ ip: '192.0.2.2', ports }] } }));
  wait(at(0, 15));
  assert.deepEqual(found(), [`${ref} LoadBalancerPortsError`, 'Service/shop/web LoadBalancerPortsError']);
  assert.equal(
    says(ref, 'LoadBalancerPortsError'),
    'The ports are not open on the load balancer: mixed protocol is not supported for LoadBalancer.',
  );
  assert.equal(
    says('Service/shop/web', 'LoadBalancerPortsError'),
    'Port 443 is not open on the load balancer: QuotaExceeded.',
  );
  put(at(1), balancer('api', address), balancer('web', address));
  assert.deepEqual(found(), []);
});

test('T6 is quiet: a condition that says all is well', () => {
  const { put, found, wait } = story();
  put(at(0), balancer('api', { ...address, conditions: [condition('LoadBalancerPortsError', 'False')] }));
  wait(at(10));
  assert.deepEqual(found(), []);
});

test('T7 fires and clears: a load balancer without Nodes is critical at once, until one is ready', () => {
  const { put, found, finding, wait } = story();
  const unready = { ready: 'False', since: at(0), createdAt: at(0) } as const;
  put(at(0), balancer('api', address), node('n1', unready), eventOn(balancer('api'), 'UnAvailableLoadBalancer', at(0)));
  assert.deepEqual(found(), [`${ref} UnAvailableLoadBalancer`]);
  assert.equal(finding(ref, 'UnAvailableLoadBalancer').severity, 'critical');
  put(at(1), node('n1', { createdAt: at(0) }));
  wait(at(2));
  assert.deepEqual(found(), []);
});

test('T7 is quiet: the Event is older than the Node that is ready', () => {
  const { put, found, wait } = story();
  put(at(0), balancer('api', address), node('n1'), eventOn(balancer('api'), 'UnAvailableLoadBalancer', at(0)));
  wait(at(10));
  assert.deepEqual(found(), []);
});

const range = (status: 'True' | 'False', since: number): RawObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'ServiceCIDR',
  metadata: metadata('extra', undefined, {}),
  spec: { cidrs: ['10.97.0.0/24'] },
  status: {
    conditions: [
      condition(
        'Ready',
        status,
        since,
        status === 'True' ? '' : 'Terminating',
        'There are still IPAddresses referencing the ServiceCIDR',
      ),
    ],
  },
});

test('T21 fires and clears: a range of addresses that is not ready for 15 minutes', () => {
  const { put, found, says, wait } = story();
  put(at(0), range('False', at(0)));
  wait(at(15));
  assert.deepEqual(found(), ['ServiceCIDR//extra ServiceCIDRNotReady']);
  assert.equal(
    says('ServiceCIDR//extra', 'ServiceCIDRNotReady'),
    'The range 10.97.0.0/24 gives no addresses to Services: There are still IPAddresses referencing the ServiceCIDR.',
  );
  put(at(16), range('True', at(16)));
  assert.deepEqual(found(), []);
});

test('T21 is quiet: one that goes within that time', () => {
  const { put, gone, found, wait } = story();
  put(at(0), range('False', at(0)));
  gone(at(10), range('False', at(0)));
  wait(at(30));
  assert.deepEqual(found(), []);
});
