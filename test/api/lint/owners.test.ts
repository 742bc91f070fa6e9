import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownerRemarks } from '../../../src/api/lint/owners.ts';

test('what could ring everybody, and names that no owner has, are told', () => {
  const contacts = {
    payments: {
      mattermost: { mentions: ['ada', 'all.x'] },
      rocketchat: { mentions: ['here'] },
      slack: { channel: 'C0ALL00' },
    },
    'group:default/search': { slack: { mentions: ['U0ADA0'] } },
    ' ': {},
  };
  assert.deepEqual(
    ownerRemarks({ contacts }).map(({ rule, path }) => `${rule} ${path}`),
    [
      'NeverAsked spec.owners.contacts.payments.mattermost.mentions[1]',
      'NeverAsked spec.owners.contacts.payments.rocketchat.mentions[0]',
      'NeverAsked spec.owners.contacts.group:default/search',
      'NeverAsked spec.owners.contacts. ',
    ],
  );
  assert.match(ownerRemarks({ contacts })[2]?.message ?? '', /is called "search": correct the name$/);
  assert.deepEqual(ownerRemarks({}), []);
});
