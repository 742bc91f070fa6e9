import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IncidentAnnouncement } from '../../src/model/announcement.ts';
import type { ChangeField } from '../../src/model/change-field.ts';
import { withResolution } from '../../src/turn/resolution.ts';
import { at, cluster } from '../explain/helpers.ts';
import { explanation } from '../incident/helpers.ts';

const api = 'Deployment/shop/api';
/** Told at 60 s, clear at 600 s. */
const resolved: IncidentAnnouncement = {
  act: 'resolve',
  incident: {
    ...{ id: 'i', alertKey: 'k', state: 'Resolved', explanation: explanation(api), startedAt: at(0), openedAt: at(60) },
    ...{ clearSince: at(600), resolvedAt: at(780), revision: 2, recoveries: [at(600)], standings: {}, hearings: {} },
  },
  reasonCode: 'HeldGood',
  audience: '',
  providers: [],
};

/** What is told of the end after these edits of the Deployment: seconds and field. */
function afterEdits(...edits: readonly (readonly [seconds: number, field: ChangeField])[]) {
  const k8s = cluster();
  k8s.deployment('shop/api', { replicas: 3 });
  for (const [seconds, field] of edits) k8s.change(api, field, seconds, { from: 'a', to: 'b', by: 'kubectl' });
  return withResolution(resolved, k8s.world);
}
const fixOf = (announcement: ReturnType<typeof afterEdits>) => ('fix' in announcement ? announcement.fix : undefined);

test('the last edit of the template between the opening and the end is what mended it', () => {
  const fix = fixOf(afterEdits([30, 'image'], [300, 'env'], [500, 'image'], [700, 'command']));
  assert.deepEqual(fix, { ref: api, field: 'image', at: at(500), by: 'kubectl', from: 'a', to: 'b' });
});

test('an edit before the opening, after the end, or of what makes no new Pods mended nothing', () => {
  for (const edit of [
    [30, 'image'],
    [601, 'image'],
    [300, 'replicas'],
    [300, 'strategy'],
  ] as const)
    assert.equal(fixOf(afterEdits(edit)), undefined, edit.join(' '));
});

test('the API tells whole seconds: an edit in the second of the opening counts', () => {
  const k8s = cluster();
  k8s.deployment('shop/api');
  k8s.change(api, 'image', 60);
  const { incident } = resolved;
  const late = withResolution({ ...resolved, incident: { ...incident, openedAt: at(60.4) } }, k8s.world);
  assert.equal(fixOf(late)?.at, at(60));
});

test('an edit long before the end mended nothing', () => {
  const k8s = cluster();
  k8s.deployment('shop/api');
  k8s.change(api, 'image', 120);
  const { incident } = resolved;
  const late = withResolution({ ...resolved, incident: { ...incident, clearSince: at(3600) } }, k8s.world);
  assert.equal(fixOf(late), undefined);
});

test('an edit that may have been another is told as such, and a tenant hears only of its own objects', () => {
  const k8s = cluster();
  k8s.deployment('shop/api');
  const app = 'ConfigMap/shop/app';
  k8s.change(app, 'data', 500, { certain: false });
  const { incident } = resolved;
  const blamed = { ...incident.explanation, change: { ref: app, field: 'data', at: at(-10) } } as const;
  const announcement: IncidentAnnouncement = { ...resolved, incident: { ...incident, explanation: blamed } };
  assert.equal(fixOf(withResolution(announcement, k8s.world))?.certain, false);
  assert.equal(fixOf(withResolution({ ...announcement, audience: 'bank' }, k8s.world)), undefined);
});

test('what is deleted or scaled to zero did not get well', () => {
  const gone = cluster();
  assert.deepEqual(withResolution(resolved, gone.world), { ...resolved, rootIs: 'gone' });
  const zero = cluster();
  zero.deployment('shop/api', { replicas: 0 });
  zero.change(api, 'replicas', 500, { from: '3', to: '0' });
  const announcement = withResolution(resolved, zero.world);
  assert.deepEqual(['rootIs' in announcement && announcement.rootIs, fixOf(announcement)?.to], ['scaledToZero', '0']);
  const unseen = cluster();
  unseen.hide('Deployment');
  assert.equal(withResolution(resolved, unseen.world), resolved);
});

test('only an end is looked into', () => {
  const k8s = cluster();
  const opening: IncidentAnnouncement = { ...resolved, act: 'open' };
  assert.equal(withResolution(opening, k8s.world), opening);
});

test('an end that is told late says nothing of what became of the object since then', () => {
  const k8s = cluster();
  k8s.deployment('shop/api', { replicas: 0 });
  const now = withResolution(resolved, k8s.world);
  const late = withResolution({ ...resolved, reasonCode: 'ProviderUsableAgain' }, k8s.world);
  assert.deepEqual(['rootIs' in now && now.rootIs, 'rootIs' in late && late.rootIs], ['scaledToZero', false]);
});
