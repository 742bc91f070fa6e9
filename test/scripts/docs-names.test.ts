/** Names and figures on the pages: each is there in the sources, and says what they say. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { readMarkdown } from '../../scripts/site/markdown.ts';
import { pagesOf } from '../../scripts/site/site.ts';
import { namespaceLimits } from '../../src/api/limits.ts';
import { resources } from '../../src/api/resources.ts';
import { graceMs } from '../../src/edition/standing.ts';
import type { StructuralSchema } from '../../src/model/schema.ts';
import { defaultRows } from '../../src/model/setting-rows.ts';
import { metricTable } from '../../src/telemetry/metric-table.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = new Map(pagesOf(root).map((path) => [path, read(path)]));
const codes = [...pages].flatMap(([page, text]) => readMarkdown(text).codes.map((code) => ({ page, code })));

const isForUsers = (page: string): boolean =>
  page === 'README.md' || (page.startsWith('docs/') && !/^docs\/(?:contributing|reference\/providers)\//.test(page));
/** Words as people count them: signs of tables and lists are none, nor is what only the generator reads. */
const wordsOf = (text: string): number =>
  text
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

test('users have at most 25 pages of 30,000 words in all, and a page of at most 900 words for each provider type', () => {
  const own = [...pages].filter(([page]) => isForUsers(page));
  const words = own.reduce((sum, [, text]) => sum + wordsOf(text), 0);
  assert.ok(own.length <= 25, `${own.length} pages`);
  assert.ok(words <= 30_000, `${words} words`);
  const long = [...pages].filter(([page, text]) => page.startsWith('docs/reference/providers/') && wordsOf(text) > 900);
  assert.deepEqual(
    long.map(([page]) => page),
    [],
  );
});

test('no chapter stands twice on a page', () => {
  const twice = [...pages].flatMap(([page, text]) => {
    const paragraphs = text.split(/\n{2,}/).filter((part) => part.length > 200 && !part.startsWith('```'));
    return paragraphs
      .filter((part, at) => paragraphs.indexOf(part) < at)
      .map((part) => `${page}: ${part.slice(0, 80)}`);
  });
  assert.deepEqual(twice, []);
});

/** Names of other products, and of what a reader makes in an example. */
const foreign: Readonly<Record<string, RegExp>> = {
  'docs/commands.md': /^NO_COLOR$/,
  'docs/quick-start.md': /^SETTINGS$/,
  'docs/comparison.md':
    /^(?:Kube\w+|CPUThrottlingHigh|group_by|inhibit_rules|group_wait|repeat_interval|send_resolved|time_intervals|Watchdog|amtool|sinksConfig|on_\w+|maxRecentLogLines|includeLogs|app\.disableStartupMessage|pvcMonitor\.threshold)$/,
  'docs/contributing/architecture.md': /^noRestricted\w+$/,
  'docs/contributing/decisions.md': /^(?:nsswitch\.conf|AES_KEY_BASE64|collapsible_panel)$/,
  'test/servers/README.md': /./,
};

test('every name in code marks stands in the sources', () => {
  const sources = globSync(
    [
      '{src,sandbox,scripts,config,crds}/**/*.*',
      'test/**/*.{ts,yaml}',
      'docs/**/*.json',
      '.github/**/*.yaml',
      'Makefile',
      'package.json',
      'Dockerfile',
    ],
    { cwd: root, exclude: (path) => /scenarios\/(?:labelled|storm|quiet|held-out)/.test(path) },
  ).filter((path) => statSync(join(root, path)).isFile());
  const known = new Set(
    sources.flatMap((path) =>
      (read(path).match(/[\w$][\w$.-]*/g) ?? []).flatMap((name) => [name, ...name.split(/[.-]/)]),
    ),
  );
  const unknown = codes.filter(
    ({ page, code }) =>
      /^[A-Za-z][\w.-]*$/.test(code) &&
      !known.has(code) &&
      !code.split('.').every((part) => known.has(part)) &&
      foreign[page]?.test(code) !== true,
  );
  assert.deepEqual(
    unknown.map(({ page, code }) => `${page}: ${code}`),
    [],
  );
});

/** Paths of all fields below a schema. */
function fieldsOf({ properties = {}, items, additionalProperties }: StructuralSchema): readonly string[] {
  const own = Object.entries(properties).flatMap(([name, inner]) => [
    name,
    ...fieldsOf(inner).map((path) => `${name}.${path}`),
  ]);
  // Keys of a table are the users'.
  return [...own, ...(items ? fieldsOf(items) : []), ...(additionalProperties ? ['*'] : [])];
}

test('every setting that a page for users names is a field, and every metric is one', () => {
  const { spec } = resources.AlertConfig;
  const fields = new Set(fieldsOf(spec.json));
  const groups = new Set(Object.keys(spec.json.properties ?? {}));
  const statuses = new Set(Object.values(resources).flatMap((kind) => fieldsOf(kind.status.json)));
  assert.ok(fields.has('incidents.holdSeconds') && statuses.has('lastFailure.class'));
  const isWrong = (code: string): boolean => {
    const path = code.replaceAll('[]', '');
    if (!/^[a-z]\w*(?:\.[a-zA-Z]\w*)+$/.test(path))
      return /^tocsin_[a-z_]+$/.test(code) && !Object.hasOwn(metricTable, code);
    if (path.startsWith('status.')) return !statuses.has(path.slice('status.'.length));
    return groups.has(path.split('.')[0] ?? '') && !fields.has(path) && !statuses.has(path);
  };
  const wrong = codes.filter(
    ({ page, code }) => isForUsers(page) && isWrong(code) && foreign[page]?.test(code) !== true,
  );
  assert.deepEqual(
    wrong.map(({ page, code }) => `${page}: ${code}`),
    [],
  );
});

test('every path in code marks is there, from the top or from src', () => {
  const folders = new Set(
    globSync(['*/', 'src/*/'], { cwd: root }).map((path) => path.replace(/^src\//, '').split('/')[0]),
  );
  const missing = codes.filter(({ code }) => {
    if (!/^[\w.-]+(?:\/[\w.-]+)+\/?$/.test(code) || !folders.has(code.split('/')[0])) return false;
    // A kind with its name is no path, nor is what a build makes.
    if (/^(?:dist|node_modules|deployment|deploy|node)\//.test(code)) return false;
    return !existsSync(join(root, code)) && !existsSync(join(root, 'src', code));
  });
  assert.deepEqual(
    missing.map(({ page, code }) => `${page}: ${code}`),
    [],
  );
});

test('an example that names the file it is from says what stands there', () => {
  const wrong = [...pages].flatMap(([page, text]) =>
    readMarkdown(text).blocks.flatMap((block) => {
      const [, file] = /^\/\/ (src\/[\w/.-]+\.ts)\b/.exec(block.text) ?? [];
      if (file === undefined) return [];
      const source = read(file);
      return [...block.text.matchAll(/'([^'\n]+)'/g)]
        .filter(([, quoted = '']) => !source.includes(quoted))
        .map(([, quoted]) => `${page}: ${quoted} is not in ${file}`);
    }),
  );
  assert.deepEqual(wrong, []);
});

const grouped = (value: number): string => value.toLocaleString('en');
const { incidents, digest } = defaultRows;

/** Figures of the sources that pages quote: how they stand there, and how they must. */
const quoted: readonly (readonly [what: string, quote: RegExp, must: RegExp])[] = [
  [
    'holdSeconds',
    /`incidents\.holdSeconds`, (\w+) minutes/g,
    new RegExp(`^${incidents.holdSeconds === 180 ? 'three' : '-'}$`),
  ],
  ['cooldownSeconds', /`incidents\.cooldownSeconds`, (\d+) minutes/g, exactly(incidents.cooldownSeconds / 60)],
  ['the digest', /digest, every (\d+) minutes/g, exactly(digest.intervalSeconds / 60)],
  ['AlertProviders of a namespace', /oldest (\d+) AlertProviders/g, exactly(namespaceLimits.AlertProvider.tenant)],
  ['Silences of a namespace', /(\d+) Silences and/g, exactly(namespaceLimits.Silence.tenant)],
  ['AlertProviders of Tocsin', /the limits are (\d+), /g, exactly(namespaceLimits.AlertProvider.own)],
  ['the grace of a licence', /(?:less than|expired) (\d+) days ago/g, exactly(graceMs / 86_400_000)],
  ['the request of memory', /requests (\d+) MiB/g, exactly(memory('requests'))],
  ['the limit of memory', /limited to (\d+) MiB/g, exactly(memory('limits'))],
];

function exactly(value: number): RegExp {
  return new RegExp(`^${grouped(value)}$`);
}

/** What the Deployment asks for, or may have: MiB. */
function memory(which: 'requests' | 'limits'): number {
  const [, mebibytes] =
    new RegExp(`${which}: \\{[^}]*memory: (\\d+)Mi`).exec(read('config/manager/deployment.yaml')) ?? [];
  return Number(mebibytes);
}

test('a figure of the sources is quoted as it is, wherever it is quoted', () => {
  for (const [what, quote, must] of quoted) {
    const found = [...pages]
      .filter(([page]) => !page.startsWith('docs/contributing/'))
      .flatMap(([page, text]) =>
        [...text.replaceAll(/\s+/g, ' ').matchAll(quote)].map(([, figure = '']) => ({ page, figure })),
      );
    assert.ok(found.length > 0, `${what} is quoted nowhere: take it out of this table`);
    for (const { page, figure } of found) assert.match(figure, must, `${page}: ${what}`);
  }
});

test('nobody counts the provider types by hand: one more would make it wrong', () => {
  const counted = [
    ...pages,
    ...['config/chart-notes.txt', 'src/cli/install/run.ts'].map((path) => [path, read(path)] as const),
  ]
    .filter(([page]) => !page.startsWith('docs/contributing/'))
    .filter(([, text]) => /\d+ (?:other )?(?:provider types|types: docs\/reference)/.test(text));
  assert.deepEqual(
    counted.map(([page]) => page),
    [],
  );
});

test('a measured figure is quoted in generated parts alone', () => {
  const measured = /\d+(?:\.\d+)? (?:MiB resident|% of a core)|p(?:50|95|99) |\d+ MiB with [\d,]+ Pods/;
  const byHand = [...pages]
    .filter(([page]) => isForUsers(page))
    .map(([page, text]) => [page, text.replaceAll(/<!-- \w+: begin[\s\S]*?: end -->/g, '')] as const)
    .filter(([, text]) => measured.test(text));
  assert.deepEqual(
    byHand.map(([page]) => page),
    [],
  );
});
