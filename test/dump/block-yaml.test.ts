import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parse, stringify } from 'yaml';
import { parseBlocks } from '../../src/dump/block-yaml.ts';
import { fc } from '../fast-check.ts';
import { runs } from '../runs.ts';
import { recordedNames } from '../scenarios/kit/recorded.ts';
import { holdingOf, linesOf } from './holding.ts';

const linesIn = (text: string): readonly string[] => text.split('\n');

/** It reads as a reader of all of YAML does, or leaves it to that one. */
function agrees(text: string): boolean {
  const read = parseBlocks(linesIn(text));
  if (read) assert.deepEqual(JSON.parse(JSON.stringify(read.value)), JSON.parse(JSON.stringify(parse(text))), text);
  return read !== undefined;
}

test('objects of recorded clusters are read as they were written, nearly all without help', () => {
  let [read, all] = [0, 0];
  for (const name of recordedNames('labelled').slice(0, 12)) {
    const { objects } = holdingOf(linesOf(name), Date.parse('2027-01-01T00:00:00Z'));
    for (const raw of objects)
      for (const indentSeq of [false, true]) {
        all += 1;
        if (agrees(stringify(raw, { lineWidth: 0, indentSeq }))) read += 1;
      }
  }
  assert.ok(read / all > 0.95, `${read} of ${all}`);
});

test('what Go writes is read: keys of managed fields, quotes, literal blocks, empty values', () => {
  const text = `apiVersion: v1
kind: Pod
metadata:
  annotations:
    note: "a: b # c"
    single: 'it''s {}'
    url: https://example.com:8080/x?y=z
    script: |
      #!/bin/sh

      echo "a: b"
        indented
    stripped: |-
      one
      two
  creationTimestamp: "2026-11-22T19:02:26Z"
  managedFields:
  - fieldsV1:
      f:metadata:
        f:labels:
          .: {}
          f:app: {}
      f:status:
        f:conditions:
          k:{"type":"Ready"}:
            .: {}
          v:"finalizer": {}
    time: 2026-11-22T19:02:26Z
  name: api
spec:
  containers:
  - args:
    - --port=80
    - -c
    - ""
    command: []
    name: app
  nodeSelector: {}
  priority: 0
  empty:
  restart: true
status:
  cpu: 100m
  ratio: 0.5
  negative: -3
`;
  assert.ok(agrees(text));
});

test('whatever is written, it is read alike or left to a reader of all of YAML', () => {
  const scalar = fc.oneof(
    ...[
      fc.string(),
      fc.string({ unit: fc.constantFrom(...' #:-?{}[],&*!|>%@`\'"\\\n\tab01.~'.split('')) }),
      fc.integer(),
      fc.boolean(),
    ],
    fc.constantFrom(
      '1e3',
      '0x1f',
      '0o7',
      '1_000',
      '.5',
      '+1',
      'yes',
      'Null',
      '~',
      '2026-11-22',
      '12:30:45',
      '-',
      ':',
      '',
      ' a',
      'a ',
      'a: b',
      'a #b',
      null,
    ),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      scalar,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.string({ maxLength: 8 }), tie('value'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(value, fc.boolean(), fc.constantFrom(0, 20, 80), (each, indentSeq, lineWidth) => {
      agrees(stringify(each, { indentSeq, lineWidth }));
    }),
    { numRuns: runs(2_000) },
  );
});

test('random lines are read alike, left alone, or no YAML at all', () => {
  const line = fc.string({
    unit: fc.constantFrom(...['  ', ' ', '- ', ': ', ':', 'a', 'b', '"', "'", '|', '#', '{}', '1', '\\']),
    maxLength: 8,
  });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
      const text = lines.join('\n');
      const read = parseBlocks(lines);
      if (!read) return;
      let whole: unknown;
      try {
        whole = parse(text, { logLevel: 'error', uniqueKeys: false });
      } catch {
        return;
      }
      assert.deepEqual(JSON.parse(JSON.stringify(read.value)), JSON.parse(JSON.stringify(whole)), text);
    }),
    { numRuns: runs(3_000) },
  );
});
