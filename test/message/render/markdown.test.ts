import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lengthIn } from '../../../src/message/render/kit/truncate.ts';
import {
  backslashed,
  codeBlock,
  type Dialect,
  githubMarkdown,
  inlineCode,
  linkTo,
  markdown,
  prose,
} from '../../../src/message/render/markdown.ts';
import type { Command } from '../../../src/model/command.ts';
import type { Notification } from '../../../src/model/notification.ts';
import { fc } from '../../fast-check.ts';
import { outsideCode } from './outside-code.ts';

const github = githubMarkdown;
/** As poor as a dialect gets: bytes, no fences, no code, two spaces at the end of a line. */
const poor: Dialect = {
  ...github,
  max: 1_200,
  unit: 'bytes',
  bold: '',
  heading: '### ',
  lineBreak: '  \n',
  code: false,
  fence: 'none',
  links: 'bare',
};

const told: Notification = {
  act: 'open',
  severity: 'high',
  title: 'Pod shop/api is not ready',
  lead: 'Something broke.',
  evidence: ['One.', 'Two.'],
  impact: 'Some.',
  nextStep: { command: 'kubectl get pod api' as Command, changesCluster: true },
  excerpt: { source: 'last log of api', lines: ['one', 'two'] },
  facts: [{ name: 'node', value: 'n1' }],
  links: [{ title: 'Runbook', url: 'https://wiki.example/?a=1&b=2' }],
  note: 'muted until 09:00',
  cluster: 'prod',
  at: 0,
};

/** The same with one text everywhere. */
const filledWith = (text: string): Notification => ({
  ...told,
  title: text,
  lead: text,
  evidence: [text, text],
  impact: text,
  note: text,
  excerpt: { source: text, lines: [text, text] },
  facts: [{ name: text, value: text }],
  links: [{ title: text, url: 'https://x.example/' }],
  cluster: text,
});

test('a whole message, most important first', () => {
  assert.equal(
    markdown(told, github),
    `🟠 **Pod shop/api is not ready (prod)**

Something broke.

(muted until 09:00)

- One.
- Two.

**Impact**: Some.

**Last log of api**:
\`\`\`
one
two
\`\`\`

**Next (changes the cluster)**: \`kubectl get pod api\`

- node: \`n1\`

[Runbook](https://wiki.example/?a=1&b=2)`,
  );
});

test('a poorer dialect says the same with what it has', () => {
  assert.equal(
    markdown(told, poor),
    `### 🟠 Pod shop/api is not ready (prod)

Something broke.

(muted until 09:00)

- One.  
- Two.

Impact: Some.

Last log of api:

> one  
> two

Next (changes the cluster): kubectl get pod api

- node: n1

Runbook: https://wiki.example/?a=1&b=2`,
  );
});

test('parts that the product shows elsewhere are left out, and their room is free', () => {
  assert.equal(
    markdown(told, github, ['title', 'note', 'evidence', 'impact', 'excerpt', 'next', 'facts', 'where', 'links']),
    'Something broke.',
  );
});

describe('texts of the cluster', () => {
  test('mention nobody and refer to nothing', () => {
    assert.equal(prose('@here #12 &#64;you', 99, github), '@\u200bhere #\u200b12 &\u200b#\u200b64;you');
  });

  test('are no links, written out or bare', () => {
    assert.equal(prose('[a](https://b) www.c', 99, github), '[a]\u200b(https:\u200b//b) www\u200b.c');
    assert.equal(prose('[a][b] [c]: d [e]', 99, github), '[a]\u200b[b] [c]\u200b: d [e]\u200b');
  });

  test('are no links where a name alone is one', () => {
    const dialect = { ...github, linksNames: true };
    assert.equal(prose('a@evil.example v1.2 (x.io)', 99, dialect), 'a@\u200bevil.\u200bexample v1.2 (x.\u200bio)');
    assert.equal(prose('evil.example', 99, github), 'evil.example');
    assert.equal(inlineCode('evil.example', 99, dialect), '`evil.example`');
  });

  test('keep names and addresses as they are to be copied, where the product has something to put around them', () => {
    const dialect = { ...github, linksNames: true, names: ['`', '`'] } as const;
    const said: Readonly<Record<string, string>> = {
      'Node ip-10-0-3-7.eu-west-1.compute.internal is gone.': 'Node `ip-10-0-3-7.eu-west-1.compute.internal` is gone.',
      'GET http://10.0.3.7:8080/healthz?ready=1: no answer': 'GET `http://10.0.3.7:8080/healthz?ready=1`: no answer',
      'its image is r.example/a_b@sha256:1f (since 2.4)': 'its image is `r.example/a_b@sha256:1f` (since 2.4)',
      '("10.example.com")': '("`10.example.com`")',
      '10.example.com is gone': '\u200b`10.example.com` is gone',
      'version 2.4 of shop/api': 'version 2.4 of shop/api',
      'a@evil.example': 'a@\u200bevil.\u200bexample',
      '[a](https://b.example)': '[a]\u200b(`https://b.example`)',
      'http://x.example/`id`': 'http:\u200b//x.\u200bexample/\\`id\\`',
    };
    for (const [text, written] of Object.entries(said)) assert.equal(prose(text, 99, dialect), written, text);
    assert.equal(
      prose('GET http://10.0.3.7:8080/', 99, { ...dialect, linksNames: false }),
      'GET `http://10.0.3.7:8080/`',
    );
  });

  test('that are names are closed wherever they are cut', () => {
    const dialect = { ...github, linksNames: true, names: ['<code>', '</code>'] } as const;
    const text =
      'Node ip-10-0-3-7.eu-west-1.compute.internal and r.example/a@sha256:1f, http://10.0.3.7:8080/healthz are gone';
    for (let max = 1; max < 170; max += 1) {
      const written = prose(text, max, dialect);
      assert.ok(written.length <= max, written);
      assert.match(written, /^(?:[^<]|<code>[^<]+<\/code>)*$/, written);
      const outside = written.replace(/<code>[^<]+<\/code>/g, '');
      assert.doesNotMatch(outside, /\.[a-z]|:\/\/|@/, written);
    }
  });

  test('begin no list, heading, rule or command', () => {
    for (const start of ['- a', '+ a', '1. a', '1) a', '=== a', '--- a', '/close', '# a'])
      assert.match(prose(start, 99, github), /^(?:\u200b|#\u200b)/u, start);
    assert.equal(prose('2 of 5', 99, github), '2 of 5');
  });

  test('stay as they are in code, so that they can be copied', () => {
    assert.equal(inlineCode('app@sha256:a_b `c`', 99, github), "`app@sha256:a_b 'c'`");
  });

  test('have what the product looks for even in code taken apart', () => {
    const dialect = { ...github, silenceInCode: /<(?=!)/g };
    assert.equal(inlineCode('<!all>', 99, dialect), '`<\u200b!all>`');
    assert.match(codeBlock(['<!all>'], 99, dialect), /<\u200b!all/);
  });

  test('cannot close a fence: it is longer, or the run is taken apart', () => {
    assert.equal(codeBlock(['```', 'a'], 99, github), '````\n```\na\n````');
    assert.equal(codeBlock(['`````'], 99, { ...github, fence: 'three' }), '```\n``\u200b``\u200b`\n```');
    assert.match(codeBlock(['`'.repeat(500)], 2_000, github), /^`{9}\n[`\u200b]+\n`{9}$/);
  });

  test('leave nothing of their own, whatever they hold', () => {
    const markup = (text: string): string =>
      outsideCode(markdown(filledWith(text), github)).replace(/\\[!-/:-@[-`{-~]|[^*_~<>|]/g, '');
    const letters = [
      '\\',
      '`',
      '*',
      '_',
      '[',
      ']',
      '(',
      ')',
      '<',
      '>',
      '~',
      '|',
      '#',
      '-',
      'a',
      ' ',
      '\n',
      '\r',
      '👩‍👩‍👧',
    ];
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 60 }), (noise) => {
        assert.equal(markup(`a${noise}`), markup('a'));
        assert.equal(outsideCode(markdown(filledWith(`a${noise}`), github)).match(/\][([:]/g)?.length, 1);
      }),
    );
  });
});

test('the address of a link ends neither itself nor the markup around it', () => {
  const url = 'https://x.example/a)b>c|d?q=[1]"#`e';
  assert.equal(linkTo({ title: '[a]', url }, github), '[(a)](https://x.example/a%29b%3Ec%7Cd?q=%5B1%5D%22#%60e)');
  assert.equal(
    linkTo({ title: 'a|', url: 'https://x.example' }, { ...github, links: 'angle' }),
    '<https://x.example/|a\\|>',
  );
});

test('the excerpt is cut first, from its beginning, and its fence is closed', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index} ${'x'.repeat(50)}`);
  const text = markdown({ ...told, excerpt: { source: 'log', lines } }, { ...github, max: 800 });
  assert.ok(text.length <= 800);
  assert.match(text, /```\n…\nline \d+ x+\n(?:line \d+ x+\n)*line 39 x+\n```\n/);
  for (const part of ['Something broke', '- Two.', 'Impact', 'kubectl', 'node', '(prod)', 'Runbook'])
    assert.ok(text.includes(part), part);
});

test('no text and no dialect gives more than the limit, an open fence or half a character', () => {
  const dialects = [github, poor, { ...github, fence: 'three', escapes: backslashed('*') } as const];
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 3_000, size: 'max' }),
      fc.constantFrom(...dialects),
      fc.integer({ min: 100, max: 3_000 }),
      (text, dialect, max) => {
        const written = markdown(filledWith(text), { ...dialect, max });
        assert.ok(lengthIn(dialect.unit, written) <= max);
        assert.ok(written.isWellFormed());
        outsideCode(written);
      },
    ),
    { numRuns: 60 },
  );
});
