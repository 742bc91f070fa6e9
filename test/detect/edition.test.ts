import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectors } from '../../src/detect/catalogue.ts';
import { Detection } from '../../src/detect/detection.ts';
import type { Detector } from '../../src/detect/kit/detector.ts';
import type { RawObject } from '../../src/model/raw-object.ts';
import { WatchedWorld } from '../../src/world/watched-world.ts';
import { at, pod, start, waiting } from '../world/objects.ts';

/** The catalogue as if everything that is found on containers needed Pro. */
const rows = detectors.map((row): Detector => (row.judges === 'Pod' ? { ...row, edition: 'Pro' } : row));

/** Pods come and go before a detection that begins on Community. */
function watched() {
  const world = new WatchedWorld();
  const detection = new Detection(world, { edition: 'Community', rows });
  const put = (now: number, name: string, given: Parameters<typeof pod>[1]): void => {
    const raw = pod(name, given);
    detection.evaluate(world.apply('pods', [{ is: 'put', raw }], now), now);
  };
  const found = (): string[] => [...detection.all()].map(({ subject, reason }) => `${subject.ref} ${reason}`);
  return { world, detection, put, found };
}

const broken = { statuses: [waiting('api', 'InvalidImageName')] };

test('a detector that needs a licence finds nothing without one, and everything that is there once it is added', () => {
  const { world, detection, put, found } = watched();
  put(start, 'api-1', broken);
  assert.deepEqual(found(), []);
  const again = detection.switchTo('Pro', world.everything());
  assert.deepEqual(again, ['Pod/shop/api-1']);
  assert.deepEqual([...detection.evaluate(again, at(1)).changed], ['Pod/shop/api-1']);
  assert.deepEqual(found(), ['Pod/shop/api-1 InvalidImageName']);
});

test('when the licence ends, what was found is followed to its true end, and nothing new is found', () => {
  const { world, detection, put, found } = watched();
  detection.switchTo('Pro', world.everything());
  put(start, 'api-1', broken);
  assert.deepEqual(detection.switchTo('Community', world.everything()), []);
  put(at(1), 'api-2', broken);
  put(at(1), 'api-1', { ...broken, labels: { app: 'api', still: 'broken' } });
  assert.deepEqual(found(), ['Pod/shop/api-1 InvalidImageName']);
  put(at(2), 'api-1', {});
  assert.deepEqual(found(), []);
  put(at(3), 'api-1', broken);
  assert.deepEqual(found(), [], 'it is a new problem');
});

test('another edition looks again only at what detectors judge that it adds', () => {
  const world = new WatchedWorld();
  const detection = new Detection(world, { edition: 'Community' });
  const limits: RawObject = { metadata: { name: 'limits', namespace: 'shop', uid: 'limits' }, spec: { limits: [] } };
  world.apply('limitranges', [{ is: 'put', raw: limits }], start);
  const lease: RawObject = { metadata: { name: 'lock', namespace: 'kube-system', uid: 'lock' }, spec: {} };
  world.apply('leases.coordination.k8s.io', [{ is: 'put', raw: lease }], start);
  assert.deepEqual(detection.switchTo('Pro', world.everything()), ['Lease/kube-system/lock']);
});
