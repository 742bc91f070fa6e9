import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObjectEvent, RawObject } from '../../../src/model/raw-object.ts';
import type { Input } from '../../../src/model/turn.ts';
import { LoggedObjects } from '../../../src/runtime/recording/log-changes.ts';
import { fc } from '../../fast-check.ts';

const objects = (...events: ObjectEvent[]): Input => ({ kind: 'objects', source: 'pods', events });
const pod = (content: object): RawObject => ({ kind: 'Pod', metadata: { name: 'api', namespace: 'shop' }, ...content });
const put = (content: object): Input => objects({ is: 'put', raw: pod(content) });

function written(...inputs: readonly Input[]): readonly unknown[] {
  const log = new LoggedObjects();
  return inputs.map((input) => log.write(input));
}

function readBack(inputs: readonly Input[]): readonly Input[] {
  const [writer, reader] = [new LoggedObjects(), new LoggedObjects()];
  return inputs.flatMap((input) => reader.read(JSON.parse(JSON.stringify(writer.write(input)))));
}

test('of an object that was told before a log holds what changed: fields by name, items of a list by their place', () => {
  const [, second] = written(
    put({ spec: { nodeName: 'n1' }, status: { phase: 'Running', list: [{ ready: false, name: 'a' }, { name: 'b' }] } }),
    put({ status: { phase: 'Running', list: [{ ready: true, name: 'a' }, { name: 'b' }] } }),
  );
  assert.deepEqual(second, {
    kind: 'objects',
    source: 'pods',
    events: [
      { is: 'put', of: 'shop/api', change: { spec: null, status: { list: { $items: { 0: { ready: true } } } } } },
    ],
  });
});

test('a log gives back the objects that were written to it, whatever they hold and however they change', () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('any')),
    ),
  })).any;
  const event = fc.record({
    is: fc.constantFrom('put' as const, 'gone' as const),
    raw: fc.record({ status: value }).map(pod),
  });
  fc.assert(
    fc.property(
      fc.array(
        fc.array(event, { maxLength: 3 }).map((events) => objects(...events)),
        { maxLength: 6 },
      ),
      (log) => {
        assert.deepEqual(readBack(log), JSON.parse(JSON.stringify(log)));
      },
    ),
  );
});

test('sources that came to be so at once are one input in a log', () => {
  const sources = [['pods', 'Pod', true] as const, ['nodes', 'Node', false] as const];
  const [first] = new LoggedObjects().read({ kind: 'sources', state: 'Watching', reason: 'Synced', since: 5, sources });
  const coverage = { source: 'pods', kind: 'Pod', required: true, state: 'Watching', reason: 'Synced', since: 5 };
  assert.deepEqual(first, { kind: 'source', coverage });
});

test('a change of what a log has not told of is refused, by its name', () => {
  const change = { is: 'put' as const, of: 'shop/api', change: {} };
  assert.throws(
    () => new LoggedObjects().read({ kind: 'objects', source: 'pods', events: [change] }),
    /shop\/api of pods changes and was not there before/,
  );
});
