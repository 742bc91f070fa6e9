import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lint } from '../../../src/api/lint/lint.ts';
import { lintRules } from '../../../src/api/lint/remark.ts';

const now = Date.parse('2026-11-20T09:00:00Z');
const weekly = { selector: { names: ['api'] }, schedule: '0 2 * * 6', durationSeconds: 7200 };

/** What lint says of an object, without that windows need a licence. */
function remarksOn(
  spec: object,
  { kind = 'MaintenanceWindow' as 'MaintenanceWindow' | 'Silence', namespace = 'tocsin' } = {},
) {
  const value = { apiVersion: 'tocsin.dev/v1alpha1', kind, metadata: { name: 'w', namespace }, spec };
  const manifest = { kind, value, where: 'here' };
  const { judged } = lint([manifest], { operatorNamespace: 'tocsin', now, secrets: () => 'missing' });
  return judged.flatMap(({ remarks }) => remarks).filter(({ rule }) => rule !== 'NotLicensed');
}

const cases = [
  { what: 'a good window has no remark', spec: weekly, is: undefined },
  {
    what: 'a window that never closes is a silence without an end',
    spec: { ...weekly, schedule: '0 2 * * *', durationSeconds: 86_400 },
    is: ['NeverCloses', 'warning', /86400.*never closes/],
  },
  {
    what: 'that the clock repeats an hour a year makes it no better',
    spec: { ...weekly, schedule: '* * * * *', durationSeconds: 60, timeZone: 'Europe/Berlin' },
    is: ['NeverCloses', 'warning', /never closes/],
  },
  {
    what: 'openings that reach into each other are one',
    spec: { ...weekly, schedule: '0 2-4 * * *', durationSeconds: 5400 },
    is: ['OpeningsOverlap', 'note', /5400.*until 2026-11-21T05:30:00Z/],
  },
  {
    what: 'a day that never comes',
    spec: { ...weekly, schedule: '0 0 31 4 *' },
    is: ['InvalidSchedule', 'error', /"0 0 31 4 \*".*never/],
  },
  {
    what: 'a time zone that does not exist',
    spec: { ...weekly, timeZone: 'Europe/Berln' },
    is: ['UnknownTimeZone', 'error', /Europe\/Berln/],
  },
  {
    what: 'a window that is over',
    spec: { selector: {}, startsAt: '2026-11-19T00:00:00Z', endsAt: '2026-11-20T09:00:00Z' },
    is: ['Expired', 'note', /2026-11-20T09:00:00Z/],
  },
  {
    what: 'a selector that excludes all that it includes',
    spec: { ...weekly, selector: { names: ['api', '!a*'] } },
    is: ['NeverMatches', 'warning', /nothing ever matches/],
  },
] as const;
for (const { what, spec, is } of cases)
  test(`lint: ${what}`, () => {
    const remarks = remarksOn(spec);
    if (is === undefined) return assert.deepEqual(remarks, []);
    const [rule, level, says] = is;
    assert.deepEqual(
      remarks.map((remark) => [remark.rule, lintRules[remark.rule].level]),
      [[rule, level]],
    );
    assert.match(remarks[0]?.message ?? '', says);
  });

test('a window or silence of a team that names only namespaces of others is about nothing', () => {
  const others = { selector: { namespaces: ['pay', 'web-*'] } };
  for (const [kind, spec] of [
    ['MaintenanceWindow', { ...weekly, ...others }],
    ['Silence', { ...others, durationSeconds: 60 }],
  ] as const) {
    const [remark] = remarksOn(spec, { kind, namespace: 'shop' });
    assert.equal(remark?.rule, 'OutOfScope');
    assert.match(remark?.message ?? '', /leaves out "shop".*"tocsin"/);
    assert.deepEqual(remarksOn(spec, { kind }), [], 'in the namespace of Tocsin it is about those');
  }
  for (const namespaces of [['shop', 'pay'], ['s*'], ['!pay']])
    assert.deepEqual(remarksOn({ ...weekly, selector: { namespaces } }, { namespace: 'shop' }), []);
});
