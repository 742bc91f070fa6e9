import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heardInWords } from '../../../src/message/sentences/why.ts';
import type { Explanation } from '../../../src/model/explanation.ts';
import type { Hearing, Incident, Told } from '../../../src/model/incident.ts';
import { at, explanation, provider } from '../../incident/helpers.ts';

const api = 'Deployment/shop/api';
const edit = { ref: api, field: 'image', at: at(0), from: '1.4', to: '1.5', source: 'template' } as const;
const told: Told = {
  ...{ severity: 'high', reason: 'CrashLoopBackOff', root: api, affected: 1, at: at(60), confidence: 'unknown' },
};

/** What is said of a provider that was told this, of an incident that is so now. */
function said(
  now: Partial<Explanation>,
  before: Partial<Told> = {},
  more: Partial<Pick<Incident, 'recurring'>> & { readonly isHeld?: boolean } = {},
): string {
  const { isHeld = false, ...rest } = more;
  const incident: Incident = {
    ...{ id: 'i', alertKey: 'k', state: 'Open', startedAt: at(0), revision: 1, recoveries: [], standings: {} },
    ...{ hearings: {}, explanation: { ...explanation(api), confidence: 'unknown', ...now }, ...rest },
  };
  const hearing = { knows: 'open', told: { ...told, ...before } } as const;
  return heardInWords(hearing, incident, provider('oncall'), { now: at(600), isHeld }) ?? '';
}

test('who was told what is so reads nothing more', () => {
  assert.equal(said({}), 'Notified of CrashLoopBackOff at 08:01 UTC.');
});

for (const [what, now, before, says] of [
  ['another reason', { reason: 'OOMKilled' }, {}, 'it is OOMKilled'],
  ['a cause that was found', { confidence: 'high', change: edit }, {}, 'its cause is known'],
  ['another cause', { confidence: 'high', change: edit }, { cause: 'x', confidence: 'high' }, 'another edit is blamed'],
  ['a cause that was lost', {}, { cause: 'x', confidence: 'high' }, 'its cause is not known any more'],
  ['what went down', { impact: [{ ref: api, wanted: 3, ready: 0 }] }, {}, 'Deployment shop/api went down'],
  ['a rise', { severity: 'critical' }, {}, 'it is of critical severity'],
] as const)
  test(`${what} since a provider was told is said, with why it was not told`, () => {
    const open = said(now as Partial<Explanation>, before);
    assert.ok(open.includes(` Since then ${says}, which is told once it has lasted`), open);
    const held = said(now as Partial<Explanation>, before, { isHeld: true });
    assert.ok(held.endsWith(` Since then ${says}, which is not told while it is held back.`), held);
  });

test('what is milder gets no message, and what keeps coming back one a day', () => {
  assert.match(said({ severity: 'medium' }), /it is of medium severity only, which gets no message of its own\.$/);
  const recurring = { toldAt: at(0), returns: 2 };
  assert.match(said({ reason: 'OOMKilled' }, {}, { recurring }), /keeps coming back, and is summed up once a day\.$/);
});

test('of what was over before a provider could be told, it is not said that it is tried again', () => {
  const trouble = { at: at(90), code: 'ServerError', message: 'HTTP 503', overdue: false, givenUp: 0 } as const;
  const says = (state: Incident['state'], hearing: Hearing): string => {
    const incident: Incident = {
      ...{ id: 'i', alertKey: 'k', state, startedAt: at(0), revision: 1, recoveries: [], standings: {} },
      ...{ hearings: {}, explanation: explanation(api) },
    };
    return heardInWords(hearing, incident, provider('oncall'), { now: at(600), isHeld: false }) ?? '';
  };
  assert.match(says('Open', { knows: 'nothing', trouble }), /\(ServerError: HTTP 503\)\. It is tried again\.$/);
  assert.match(says('Resolved', { knows: 'open', told, trouble }), /It is tried again\.$/);
  assert.match(says('Resolved', { knows: 'nothing', trouble }), /HTTP 503\)\. It was over before that was possible/);
});
