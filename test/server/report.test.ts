import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refOf } from '../../src/model/ref.ts';
import type { Unclear } from '../../src/model/why.ts';
import { reportPage, reportPolicy } from '../../src/server/page/report.ts';
import type { ReportQuestion, ReportView } from '../../src/server/report-view.ts';
import { startServer } from '../../src/server/server.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { health, hostile, incident, noTenants, now, standing, viewOf } from './page-stage.ts';
import { reportOf, told } from './report-stage.ts';

test('nothing that a cluster or a product says becomes markup', () => {
  const root = refOf('Deployment', hostile, hostile);
  const bad = told(incident(hostile, { root, hits: [root, refOf('Pod', hostile, hostile)] }), hostile);
  const page = reportPage(reportOf([bad], { source: hostile, about: hostile, clusterName: hostile }));
  assert.doesNotMatch(page, /<script|<img|onerror=alert\(2\)>/);
  assert.match(page, /&lt;script&gt;/);
  assert.ok(!page.includes('\u202E'), 'nothing turns the direction of writing');
});

test('what was told stands apart from what was held back, and each says by what', () => {
  const parent = told(incident('parent'));
  const page = reportPage(
    reportOf([
      parent,
      told(incident('muted', { standings: { '': standing('Silenced', 'Silence/tocsin/move') } }), undefined, []),
      told(incident('child', { standings: { '': standing('Folded', 'parent') } }), undefined, []),
    ]),
  );
  assert.match(page, /1 incident told \(1 high\), 2 held back or part of another\./);
  const [, kept = ''] = page.split('2 held back, or part of another</h2>');
  assert.match(kept, /It is silenced by Silence tocsin\/move\./);
  assert.match(kept, /It is part of the incident on Node n1, whose message counts it\./);
});

test('everything is open, so that paper shows it; the list leads to each', () => {
  const page = reportPage(reportOf([told(incident('a')), told(incident('b'))]));
  assert.doesNotMatch(page, /<details(?![^>]* open)/);
  assert.match(page, /<a href="#i-a">/);
  assert.match(page, /id="i-a" open/);
  assert.match(page, /@media print/);
});

test('without incidents it says so, and a thousand more than it shows are counted', () => {
  assert.match(reportPage(reportOf([])), /Nothing was wrong that Tocsin could see\./);
  const many = Array.from({ length: 1_300 }, (_, index) => told(incident(`i${index}`)));
  const page = reportPage(reportOf(many));
  assert.match(page, /and 1000 more/);
  assert.equal(page.match(/class="card/g)?.length, 300);
});

test('the running operator serves it to whom it serves its status page', async () => {
  const asked: ReportQuestion[] = [];
  let allowed = true;
  const report = (question: ReportQuestion): ReportView | Unclear => {
    asked.push(question);
    return question.object === 'nonsense' ? { unclear: 'which one?' } : reportOf([told(incident('a'))]);
  };
  const server = await startServer({
    ...{ port: 0, host: '127.0.0.1', metrics: createMetrics({ process: false }) },
    log: createLogger({ level: 'silent' }),
    views: {
      ...{ alive: () => true, ready: () => ({ checks: [] }), health: () => health, metricsGuard: () => undefined },
      status: () => {
        if (!allowed) return undefined;
        return {
          ...{
            allowPlainHTTP: false,
            authorize: async () => 'forbidden',
            ...noTenants,
            why: () => ({ unclear: 'nobody asks' }),
            report,
          },
          view: () => viewOf(),
        };
      },
      now: () => now,
    },
  });
  const get = (query: string): Promise<Response> => fetch(`http://127.0.0.1:${server.port}/status/report${query}`);
  try {
    const page = await get('?object=node/n1&from=2026-11-20T08:00:00Z');
    assert.equal(page.status, 200);
    assert.equal(page.headers.get('content-security-policy'), reportPolicy);
    assert.match(await page.text(), /^<!doctype html>/);
    assert.deepEqual(asked, [{ object: 'node/n1', from: Date.parse('2026-11-20T08:00:00Z') }]);
    assert.equal((await get('?from=yesterday')).status, 400);
    const unclear = await get('?object=nonsense');
    assert.deepEqual(await unclear.json(), { error: 'BadRequest', message: 'which one?' });
    assert.equal(unclear.status, 400);
    allowed = false;
    assert.equal((await get('')).status, 404);
  } finally {
    await server.close();
  }
});
