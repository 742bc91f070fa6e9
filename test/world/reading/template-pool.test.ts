import assert from 'node:assert/strict';
import { test } from 'node:test';
import { podTemplate } from '../../../src/world/reading/pod-template.ts';
import { createTemplatePool } from '../../../src/world/reading/template-pool.ts';

const containers = [{ name: 'api', image: 'registry.example/shop/api:1', ports: [{ containerPort: 8080 }] }];

test('templates that say the same are kept once, and those that differ beside their containers share these', () => {
  const kept = createTemplatePool();
  const first = kept(podTemplate({ containers }));
  assert.equal(kept(podTemplate({ containers })), first);
  const admitted = kept(podTemplate({ containers, priority: 7 }));
  assert.equal(admitted.priority, 7);
  assert.equal(admitted.containers, first.containers);
});

test('templates of the same images whose containers differ share nothing', () => {
  const kept = createTemplatePool();
  const first = kept(podTemplate({ containers }));
  const limited = containers.map((each) => ({ ...each, resources: { limits: { memory: '1Gi' } } }));
  const other = kept(podTemplate({ containers: limited }));
  assert.notEqual(other.containers, first.containers);
  assert.equal(other.containers[0]?.memoryLimit, '1Gi');
});
