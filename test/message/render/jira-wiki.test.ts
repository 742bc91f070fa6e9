/** The wiki markup of Jira Data Center: what is code, and that nothing else of a text is markup. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jiraWiki } from '../../../src/message/render/jira-wiki.ts';
import type { Command } from '../../../src/model/command.ts';
import { fc } from '../../fast-check.ts';
import { hostile, materials, oversize } from '../../providers/conformance/hostile.ts';
import { notifications } from './sample.ts';

const { open } = notifications;
const max = 32_000;
const wiki = (notification: typeof open): string => jiraWiki(notification, { max, title: true });
/** The same without the blocks in which nothing is interpreted. */
const interpreted = (text: string): string => text.replace(/^\{noformat\}\n[\s\S]*?\n\{noformat\}$/gm, '');

test('a whole message, most important first', () => {
  assert.equal(
    wiki({ ...open, act: 'resolve', note: 'muted until 09:00' }),
    `*✅ shop/payments crashes: image 2.3 → 2.4 · 3 of 5 serve*

It began at 09:00 UTC, because its image changed at 08:59 UTC \\(kubectl\\-set\\).

\\(muted until 09:00\\)

* Container app exited with code 1 four times.
* Pods of the previous revision are healthy.

*Impact:* 2 of 5 pods of Deployment shop/payments are not ready.

*Last log of payments\\-7d9c\\-a/app:*
{noformat}
starting "payments" <2.4>
panic: no config ✗
{noformat}

*Next:*
{noformat}
kubectl -n shop rollout history deployment/payments
{noformat}

* image: registry.example/payments:2.4

Cluster: prod eu · resolved · CrashLoopBackOff · Deployment shop/payments · incident inc\\-9f3c1a52

[Runbook|https://runbooks.example/crash?x=1&y=2]`,
  );
});

/** One text in every place of a message. */
const everywhere = (text: string): typeof open => ({
  ...open,
  title: text,
  lead: text,
  note: text,
  evidence: [text, text],
  impact: text,
  nextStep: { command: text as Command, changesCluster: true },
  excerpt: { source: text, lines: [text, text] },
  facts: [{ name: text, value: text }],
  links: [],
  cluster: text,
});

test('nothing of a text is markup, a mention or a link, whatever it is made of', () => {
  const pieces = fc.constantFrom(
    ...[
      '{noformat}',
      '{code}',
      '{NoFormat}',
      '[~lena]',
      '[a|https://evil.example]',
      '!https://evil.example/x.png!',
      '----',
    ],
    ...[
      'h1. ',
      'bq. ',
      '* ',
      '# ',
      '||a||',
      '??cite??',
      '\\\\',
      '\\',
      '{{',
      '(/)',
      ':)',
      '\n',
      'https://evil.example',
      'a',
      ' ',
    ],
  );
  const texts = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(texts, (text) => {
      const told = wiki(everywhere(text));
      const left = interpreted(told)
        .replace(/\\[{}[\]()|*_^~+\-!?#]/g, '.') // escaped
        .replace(/^\* /gm, 'item ') // our lists
        .replace(/\*[^*\n]+\*/g, 'label'); // our bold labels
      assert.doesNotMatch(left, /[{}[\]()|*_^~+\-!?#]/, left);
      assert.doesNotMatch(left, /\\(?!\u200b)|https:\/\/|^(?:h\d|bq)\. /m, left);
    }),
  );
});

test('a block of code ends where we end it', () => {
  const lines = ['{noformat}', '{NOFORMAT}', '{noformat:title=x}', '{code}', 'end'];
  const told = wiki({ ...open, excerpt: { source: 'log', lines } });
  assert.equal(told.match(/\{noformat/gi)?.length, 4, told);
  assert.doesNotMatch(interpreted(told), /end$/m);
});

test('every text fits, and holds nothing beyond the Basic Multilingual Plane', () => {
  for (const unit of Object.values(materials))
    for (const act of ['open', 'digest'] as const) {
      const told = wiki(oversize(unit, act));
      assert.ok(told.length <= max, String(told.length));
      assert.doesNotMatch(told, /[\u{10000}-\u{10ffff}]/u);
      assert.equal((told.match(/\{noformat\}/g)?.length ?? 0) % 2, 0);
    }
  assert.doesNotMatch(wiki(hostile()), /[^\\][[{](?:~|https)/);
});
