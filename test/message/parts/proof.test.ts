import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proofInWords } from '../../../src/message/parts/proof.ts';
import type { Proof } from '../../../src/model/explanation.ts';
import type { Ref } from '../../../src/model/ref.ts';

const api: Ref = 'Deployment/shop/api';
const at = Date.UTC(2026, 5, 1, 12);
const image = { ref: api, field: 'image', at, from: 'x/api:1.1', to: 'x/api:1.2' } as const;

const cases: readonly (readonly [Proof, string])[] = [
  [{ code: 'ShareOfNode', failing: 1, all: 1 }, 'It is the only pod on the node.'],
  [{ code: 'ShareOfNode', failing: 20, all: 20 }, 'Every pod on the node is failing.'],
  [{ code: 'ShareOfNode', failing: 1, all: 9 }, '1 of the 9 pods on the node is failing.'],
  [{ code: 'ShareOfNode', failing: 3, all: 9 }, '3 of the 9 pods on the node are failing.'],
  [{ code: 'HealthyElsewhere', all: true }, 'Pods of the same workloads on other nodes are healthy.'],
  [{ code: 'HealthyElsewhere', all: false }, 'Most pods of the same workloads on other nodes are healthy.'],
  [{ code: 'OnlyNewRevision', all: true }, 'Only pods of the new revision fail; pods of the old revision are healthy.'],
  [{ code: 'OnlyNewRevision', all: false }, 'Most of the failing pods are on the new revision.'],
  [
    { code: 'ServedAfterEdit', change: image, servedMs: 25 * 60_000 },
    'Its image changed from 1.1 to 1.2 at 12:00 UTC, but the new pods were ready for 25 min before they failed.',
  ],
  [
    { code: 'EditedBeside', change: { ref: 'ConfigMap/shop/settings', field: 'data', at, certain: false } },
    'ConfigMap shop/settings was edited at 12:00 UTC; its log does not say that this is why.',
  ],
  [
    { code: 'DownBeside', of: 'Deployment/shop/legacy', since: at },
    'Deployment shop/legacy, which it names, has been failing since 12:00 UTC; its log does not say that this is why.',
  ],
];

for (const [proof, words] of cases)
  test(`proof: ${words}`, () => assert.equal(proofInWords(proof, api, at + 1000), words));
