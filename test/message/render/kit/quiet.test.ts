import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quietText } from '../../../../src/message/render/kit/quiet.ts';

const visible = (text: string): string => text.replaceAll('\u200b', '|');

test('what chat takes for a mention or a link with a name is taken apart', () => {
  const rows: readonly [text: string, expected: string][] = [
    ['<!channel> <@U1> <#C1>', '<|!channel> <|@U1> <|#C1>'],
    ['@here @Everyone', '@|here @|Everyone'],
    ['<https://a.example|b> <b>x</b>', '<|https://a.example|b> <|b>x<|/b>'],
    ['![x](https://a.example)', '![x]|(https://a.example)'],
  ];
  for (const [text, expected] of rows) assert.equal(visible(quietText(text)), expected);
});

test('what people copy stays as it is', () => {
  for (const text of [
    'registry.example/api@sha256:0f0f',
    'oncall@example.com',
    'kubectl get pod -o jsonpath="{.items[0].status}" > x < 2',
    'if (a < b && b > c) foo[1] (2)',
    'https://a.example/b?c=d',
  ])
    assert.equal(quietText(text), text);
});
