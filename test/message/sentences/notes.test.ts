import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type NoteContext, noteOf } from '../../../src/message/sentences/notes.ts';
import type { Note } from '../../../src/model/note.ts';

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
    assert.equal(noteOf([note], { audience: '', now, settings: { silences: [], windows: [] } }), sentence);
  });

const selector = {};
const silence = {
  ...({ ref: 'Silence/tocsin/deploy', namespace: 'tocsin', selector, startsAt: at, endsAt: now } as const),
  ...{ comment: 'index migration, OPS-123.', createdBy: 'search team' },
};
const window = { ref: 'MaintenanceWindow/shop/weekly', namespace: 'shop', selector, comment: 'node upgrades' } as const;
const muted = (by: string, audience: string): string | undefined => {
  const context: NoteContext = { audience, now, settings: { silences: [silence], windows: [window] } };
  return noteOf([{ is: 'partMuted', by }], context);
};

test('what the author of a Silence or window wrote is quoted, to those who are told of its namespace', () => {
  const bySilence = 'Part of it is muted by Silence tocsin/deploy.';
  assert.equal(muted(silence.ref, ''), `${bySilence} Search team says: index migration, OPS-123.`);
  assert.equal(muted(silence.ref, 'shop'), bySilence);
  const byWindow = 'Part of it is in maintenance (MaintenanceWindow shop/weekly).';
  for (const audience of ['', 'shop'])
    assert.equal(muted(window.ref, audience), `${byWindow} Its comment says: node upgrades.`);
});
