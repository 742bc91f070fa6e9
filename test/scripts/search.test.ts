/** The search of the site, asked what people ask. */
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { searchOf } from '../../scripts/site/search.ts';
import { searchIndex } from '../../scripts/site/site.ts';
import { reasons } from '../../src/model/reason.ts';
import { providers } from '../../src/providers/registry.ts';

const search = searchOf(searchIndex(resolve(import.meta.dirname, '../..')));
/** Where the first hits lead. */
const found = (query: string, count: number): readonly string[] =>
  search(query)
    .slice(0, count)
    .map(({ section: { path, id } }) => `${path}${id === '' ? '' : `#${id}`}`);

/** What is typed, and what must be among the first three. */
const asked: readonly (readonly [query: string, page: string])[] = [
  ['oom', 'docs/noticed/pods.html#oomkilled'],
  ['crash loop', 'docs/noticed/pods.html#crashloopbackoff'],
  ['pod not ready', 'docs/noticed/pods.html#podnotready'],
  ['why did I get no message', 'docs/messages.html#when-you-get-no-message'],
  ['how do I silence a namespace', 'docs/silencing.html'],
  ['mute', 'docs/silencing.html'],
  ['helm', 'docs/install.html#with-helm'],
  ['argo cd', 'docs/install.html#argo-cd-and-flux'],
  ['upgrade', 'docs/install.html#upgrade'],
  ['permissions', 'docs/security.html#permissions'],
  ['licence expired', 'docs/editions.html#use-a-licence'],
  ['heartbeat', 'docs/monitoring.html#heartbeat'],
  ['audit log', 'docs/monitoring.html#the-audit-log'],
  ['slack token', 'docs/reference/providers/slack.html#fields-of-specslack'],
  ['clusterName', 'docs/reference/alertconfig.html#spec'],
  ['severity', 'docs/messages.html#severity'],
  ['downgrade', 'docs/running.html#downgrade'],
];
for (const [query, page] of asked)
  test(`"${query}" leads to ${page}`, () => {
    assert.ok(found(query, 3).includes(page), found(query, 5).join('\n'));
  });

test('what is mistyped is found as well', () => {
  assert.equal(found('crashlopbackoff', 1)[0], 'docs/noticed/pods.html#crashloopbackoff');
  assert.equal(found('mantenance', 1)[0], 'docs/maintenance.html');
});

test('nothing is found for what is nowhere, and for nothing', () => {
  assert.deepEqual(search('xylophone quartet'), []);
  assert.deepEqual(search('   '), []);
});

test('the first hit for every reason is its chapter, and for every product its page', () => {
  const lost = reasons.filter((reason) => {
    const [first = ''] = found(reason, 1);
    return !(first.startsWith('docs/noticed/') && first.includes(reason.toLowerCase()));
  });
  assert.deepEqual(
    lost.map((reason) => `${reason}: ${found(reason, 1)}`),
    [],
  );
  const unseen = providers.filter(({ type }) => !found(type, 3).some((hit) => hit.includes(`/providers/${type}.html`)));
  assert.deepEqual(
    unseen.map(({ type }) => type),
    [],
  );
});

test('no page fills the list, and an excerpt shows what was looked for', () => {
  const paths = search('pod').map(({ section }) => section.path);
  for (const path of paths) assert.ok(paths.filter((other) => other === path).length <= 2, path);
  const [hit] = search('headless');
  assert.match(hit?.excerpt ?? '', /headless/i);
});
