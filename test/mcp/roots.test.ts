/** A scripted agent asks an operator that has watched: recorded clusters at the moment at which somebody may ask. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Seen } from '../../src/diagnose/diagnosis.ts';
import { answerAgent } from '../../src/mcp/http.ts';
import { pathOf } from '../../src/mcp/object.ts';
import type { Ref } from '../../src/model/ref.ts';
import { replay } from '../../src/runtime/recording/replay.ts';
import { askedAt, courseOf, linesOf } from '../dump/holding.ts';
import { runs } from '../runs.ts';
import { recordedNames } from '../scenarios/kit/recorded.ts';

/** About 2,000 tokens. */
const mostCharacters = 7_000;

/** What the operator saw at a time (epoch milliseconds), and the roots that it had open then. */
function seenAt(lines: readonly string[], at: number): { readonly seen: Seen; readonly roots: readonly Ref[] } {
  // A view is of the core as it stands: the turn after that time must not have been.
  const opened = courseOf(lines).opened.filter(([now]) => now <= at);
  let seen: Seen | undefined;
  for (const { now, view } of Iterator.from(replay(lines)).take(opened.length))
    seen = { view, now, watchedMs: 0, coverage: [], unseen: [], limits: [], looked: { is: 'cluster', name: 'c' } };
  assert.ok(seen);
  return { seen, roots: opened.at(-1)?.[1] ?? [] };
}

/** One call: what it is answered, and how long that is. */
async function ask(
  seen: Seen,
  name: string,
  given: object,
): Promise<{ readonly length: number; readonly said: string }> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const { status, text } = await answerAgent('1', seen, { headers, body });
  assert.equal(status, 200, text);
  const said: string = JSON.parse(text).result.content[0].text;
  return { length: said.length, said };
}

test('every root that the operator has found stands in two answers of 2,000 tokens together', async () => {
  const names = recordedNames('labelled');
  const wanted = runs(12);
  const missed: string[] = [];
  let asked = 0;
  for (let at = 1; asked < wanted && at < names.length; at += Math.max(1, Math.floor(names.length / (wanted * 1.5)))) {
    const name = names[at] ?? '';
    const lines = linesOf(name);
    const moment = askedAt(lines);
    if (moment === 0) continue;
    const { seen, roots } = seenAt(lines, moment);
    if (roots.length === 0) continue;
    asked += 1;
    const first = await ask(seen, 'incidents', {});
    const [, id] = /"id": "([0-9a-f]+)"/.exec(first.said) ?? [];
    const second = await ask(seen, 'why', { about: id ?? '' });
    assert.ok(first.length + second.length < mostCharacters, `${name}: ${first.length + second.length}`);
    for (const root of roots)
      if (!`${first.said}${second.said}`.includes(`"root": "${pathOf(root)}"`)) missed.push(`${name}: ${root}`);
  }
  assert.equal(asked, wanted);
  assert.deepEqual(missed, []);
});
