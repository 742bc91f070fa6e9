import assert from 'node:assert/strict';
import { test } from 'node:test';
import { htmlMail } from '../../../src/message/render/html.ts';
import type { Command } from '../../../src/model/command.ts';
import type { Notification } from '../../../src/model/notification.ts';
import { fc } from '../../fast-check.ts';

const plain: Notification = {
  act: 'open',
  severity: 'high',
  title: 'Pod shop/api is not ready',
  lead: 'Something broke.',
  evidence: ['One.'],
  impact: 'Some.',
  nextStep: { command: 'kubectl get pod api' as Command, changesCluster: true },
  excerpt: { source: 'last log of api', lines: ['one', 'two'] },
  facts: [{ name: 'Node', value: 'n1' }],
  links: [{ title: 'Runbook', url: 'https://wiki.example/?a=1&b=2' }],
  note: 'muted until 09:00',
  cluster: 'prod',
  at: 0,
};
/** Everything between < and >, without the words of attributes. */
const tagsOf = (html: string): readonly string[] => html.match(/<\/?[a-z!][^>]*>/gi) ?? [];

test('the tags of a page are ours alone, whatever the texts hold', () => {
  const expected = tagsOf(htmlMail(plain, plain.title)).map((tag) => tag.replace(/href="[^"]*"/, ''));
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom('<', '>', '"', "'", '&', 'a', '/', ' ', '=', '\n', '世', '👩‍👩‍👧', '\ud800'),
        minLength: 1,
      }),
      (text) => {
        const html = htmlMail(
          {
            ...plain,
            title: text,
            lead: text,
            evidence: [text],
            impact: text,
            note: text,
            excerpt: { source: text, lines: [text, text] },
            facts: [{ name: text, value: text }],
            links: [{ title: text, url: `https://x.example/${text.toWellFormed()}` }],
            cluster: text,
          },
          'another',
        );
        assert.deepEqual(
          tagsOf(html).map((tag) => tag.replace(/href="[^"]*"/, '')),
          expected,
        );
      },
    ),
  );
});

test('the colour follows the severity, and green says that it is over', () => {
  assert.match(htmlMail(plain, plain.title), /border-left:4px solid #EA580C/);
  assert.match(htmlMail({ ...plain, act: 'resolve' }, plain.title), /border-left:4px solid #16A34A/);
});

test('a command that changes the cluster says so', () => {
  assert.match(htmlMail(plain, plain.title), /Next \(changes the cluster\):<\/strong> <code>kubectl get pod api</);
});

test('nothing is loaded and no script address becomes a link', () => {
  const links = [
    { title: 'a', url: 'javascript:alert(1)' },
    { title: 'b', url: 'data:text/html,x' },
  ];
  const html = htmlMail({ ...plain, links }, plain.title);
  assert.doesNotMatch(html, /href|src=|url\(|javascript/);
});

/** What a list of mails shows beside the subject. */
const previewOf = (html: string): string =>
  (/<div style="display:none[^"]*">(.*?)<\/div>/s.exec(html)?.[1] ?? '').replace(/(?:&#847;&zwnj;&nbsp;)+$/, '');

test('a list shows the line on the cause beside the subject, which it does not repeat', () => {
  assert.equal(previewOf(htmlMail(plain, `${plain.title} · prod`)), 'Something broke.');
  const news = { ...plain, act: 'update', title: 'Cause found — Pod shop/api crashes' } as const;
  assert.equal(
    previewOf(htmlMail(news, `${plain.title} · prod`)),
    'Cause found — Pod shop/api crashes. Something broke.',
  );
  assert.equal(previewOf(htmlMail({ ...plain, lead: '' }, plain.title)), 'muted until 09:00');
  const long = previewOf(htmlMail({ ...plain, lead: 'x'.repeat(1_000) }, plain.title));
  assert.ok(long.length <= 200 && long.endsWith('…'), long);
});

test('a page sets a colour of letters only where it sets the ground, so that it is read in the dark as well', () => {
  for (const [, style = ''] of htmlMail(plain, plain.title).matchAll(/style="([^"]*)"/g))
    assert.equal(/(?:^|;)color:/.test(style), /(?:^|;)background:/.test(style), style);
  assert.match(htmlMail(plain, ''), /<meta name="color-scheme" content="light dark">/);
});
