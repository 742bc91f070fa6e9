import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { mark } from '../../scripts/generate/mark.ts';
import { orphansOf } from '../../scripts/generate/orphans.ts';

const folder = mkdtempSync(join(tmpdir(), 'tocsin-orphans-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('a file that bears the mark, or lies where all is generated, is found when nothing generates it; others are left alone', () => {
  for (const [path, text] of [
    ['docs/old.md', `<!-- ${mark} -->\n# Old`],
    ['docs/own.md', '# Written by hand'],
    ['config/samples/own.yaml', 'kind: Silence'],
    ['config/grafana/lost.json', '{}'],
    ['config/chart/Chart.yaml', 'name: tocsin'],
    ['crds/kept.yaml', `# ${mark}`],
  ] as const) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  assert.deepEqual(orphansOf(folder, new Set(['crds/kept.yaml'])), [
    'config/chart/Chart.yaml',
    'config/grafana/lost.json',
    'docs/old.md',
  ]);
});

test('rows that vanish from the table leave files that are named: the chart, the health scripts, the rules, the dashboard, the pages', () => {
  const named = new Set(orphansOf(resolve(import.meta.dirname, '../..'), new Set()));
  for (const path of [
    'config/argocd/settings.yaml',
    'config/chart/Chart.yaml',
    'config/chart/templates/NOTES.txt',
    'config/chart/values.schema.json',
    'config/grafana/tocsin.json',
    'config/prometheus/prometheus-rule.yaml',
    'crds/tocsin.dev_silences.yaml',
    'docs/contributing/messages.md',
    'docs/noticed/pods.md',
    'docs/reference/schemas/silence.schema.json',
    'src/model/reason.ts',
  ])
    assert.ok(named.has(path), path);
  for (const path of ['docs/install.md', 'config/manager/deployment.yaml', 'src/main.ts'])
    assert.ok(!named.has(path), path);
});
