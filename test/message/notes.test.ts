import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noteOf } from '../../src/message/notes.ts';
import type { Note } from '../../src/model/note.ts';

const now = Date.parse('2026-11-20T09:00:00Z');
const at = Date.parse('2026-11-20T06:00:00Z');
const root = 'Node//n1';

const cases: readonly (readonly [Note, string])[] = [
  [{ is: 'mutedUntil', at, by: 'Silence/shop/deploy' }, 'Muted until 06:00 UTC by Silence shop/deploy.'],
  [{ is: 'mutedUntil', at, by: 'filters.namespaces' }, 'Muted until 06:00 UTC by the filter on namespaces.'],
  [
    { is: 'mutedUntil', at, by: 'MaintenanceWindow/tocsin/weekly' },
    'Held back until 06:00 UTC, during maintenance (MaintenanceWindow tocsin/weekly).',
  ],
  [
    { is: 'mutedUntil', at, by: 'Deployment/shop/api' },
    'Held back until 06:00 UTC, during maintenance (annotation of Deployment shop/api).',
  ],
  [{ is: 'causeMuted', root, by: 'filters.reasons' }, 'The cause, Node n1, is muted by the filter on reasons.'],
  [{ is: 'causeMuted', root, by: root }, 'The cause, Node n1, is in maintenance (annotation of Node n1).'],
  [{ is: 'partMuted', by: 'Silence/shop/deploy' }, 'Part of it is muted by Silence shop/deploy.'],
  [
    { is: 'partMuted', by: 'MaintenanceWindow/shop/deploy' },
    'Part of it is in maintenance (MaintenanceWindow shop/deploy).',
  ],
];
for (const [note, sentence] of cases)
  test(`a note says: ${sentence}`, () => {
    assert.equal(noteOf([note], now), sentence);
  });
