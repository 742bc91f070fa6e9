import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { silenceAnchor } from '../../src/message/parts/silence.ts';
import type { Incident } from '../../src/model/incident.ts';
import type { Notification } from '../../src/model/notification.ts';
import { refOf } from '../../src/model/ref.ts';
import { statusContent, statusPage } from '../../src/server/page/page.ts';
import { contentSecurityPolicy } from '../../src/server/page/shell.ts';
import { startServer } from '../../src/server/server.ts';
import type { StatusView } from '../../src/server/views.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { health, hostile, incident, noTenants, now, standing, talkative, viewOf } from './page-stage.ts';

const pageOf = (...incidents: readonly Incident[]): string =>
  [...statusPage(viewOf(...incidents), health, now)].join('');
/** The page of one view, served; `ask` is handed its address. */
async function served(view: StatusView, ask: (base: string) => Promise<void>): Promise<void> {
  const server = await startServer({
    ...{ port: 0, host: '127.0.0.1', metrics: createMetrics({ process: false }) },
    log: createLogger({ level: 'silent' }),
    views: {
      ...{ alive: () => true, ready: () => ({ checks: [] }), health: () => health, metricsGuard: () => undefined },
      status: () => ({
        ...{
          allowPlainHTTP: false,
          authorize: async () => 'forbidden',
          ...noTenants,
          why: () => ({ unclear: 'nobody asks' }),
          report: () => ({ unclear: 'nobody asks' }),
        },
        view: () => view,
      }),
      now: () => now,
    },
  });
  try {
    await ask(`http://127.0.0.1:${server.port}`);
  } finally {
    await server.close();
  }
}
/** The same view, and how many of its incidents were put into words so far. */
function counted(view: StatusView): { readonly view: StatusView; readonly put: () => number } {
  let put = 0;
  const words = (one: Incident): Notification => {
    put += 1;
    return view.words(one);
  };
  return { view: { ...view, words }, put: () => put };
}
const section = (page: string, id: string): string =>
  page.split(`<section id="${id}"`)[1]?.split('</section>')[0] ?? '';

test('the bare address leads to the page, where that is enabled', () =>
  served(viewOf(), async (base) => {
    const answer = await fetch(base, { redirect: 'manual' });
    assert.deepEqual([answer.status, answer.headers.get('location')], [302, '/status']);
  }));

test('without incidents it says that nothing is open', () => {
  const page = pageOf();
  assert.match(page, /<p id="headline" class="headline good"[^>]*data-title="prod-eu">All clear: nothing is open<\/p>/);
  assert.match(page, /Tocsin is healthy\./);
});

test('what is open stands worst first, with what it means and the next command', () => {
  const open = section(pageOf(incident('a'), incident('b', { severity: 'critical' })), 'open');
  assert.deepEqual(
    [...open.matchAll(/class="card (\w+)"/g)].map(([, severity]) => severity),
    ['critical', 'high'],
  );
  assert.match(open, /<b>Node n1 is not ready<\/b>/);
  assert.match(open, /kubectl describe node n1/);
});

test('what is held back stands apart, with what holds it', () => {
  const page = pageOf(
    incident('muted', { standings: { '': standing('Silenced', 'Silence/tocsin/move') } }),
    incident('child', { standings: { '': standing('Folded', 'parent') } }),
    incident('parent'),
  );
  assert.match(page, /<h2 id="kept-title">2 held back<\/h2>/);
  assert.match(section(page, 'kept'), /It is silenced by Silence tocsin\/move\./);
  assert.match(section(page, 'kept'), /It is part of the incident on Node n1, whose message counts it\./);
  assert.doesNotMatch(section(page, 'open'), /id="i-muted"/);
});

test('where all that is broken is held back, it does not say that nothing is', () => {
  const page = pageOf(incident('muted', { standings: { '': standing('Silenced', 'Silence/tocsin/move') } }));
  assert.match(page, /<p id="headline" class="headline good"[^>]*>Nothing open but what is held back<\/p>/);
  assert.match(section(page, 'open'), /What is broken is held back[^<]*: 1 below\./);
});

test('what is open can be silenced: the command stands where messages link to, within the card, so that a browser opens it', () => {
  const root = refOf('Deployment', 'shop', 'api');
  const page = pageOf(incident('a', { root }), incident('b', { state: 'Resolved', resolvedAt: now }));
  const card = section(page, 'open').split('</details>')[0] ?? '';
  const [, command] =
    new RegExp(`<h3 id="${silenceAnchor('a')}">[^<]+</h3><div class="command"><pre><code>([^<]+)<`).exec(card) ?? [];
  assert.equal(command, 'tocsin silence add --kinds Deployment --namespaces shop --names api --for 1h');
  assert.doesNotMatch(section(page, 'over'), /tocsin silence add/);
  assert.match(section(pageOf(incident('n')), 'open'), /tocsin silence add --kinds Node --names n1 --for 1h/);
});

test('the picture shows the root, whom it hits and through what; more than fit are counted', () => {
  const hits = Array.from({ length: 9 }, (_, index) => refOf('Deployment', 'shop', `web-${index}`));
  const open = section(pageOf(incident('a', { hits })), 'open');
  assert.match(open, /<svg class="picture"[^>]*aria-label="Node n1, and 9 that it hits"/);
  assert.match(open, /runs on it/);
  assert.match(open, /shop\/web-6/);
  assert.doesNotMatch(open, /shop\/web-7<\/text>/);
  assert.match(open, /and 2 more/);
  assert.doesNotMatch(section(pageOf(incident('alone')), 'open'), /<svg/);
});

test('the time line goes from the change over the first failure to the end', () => {
  const over = incident('a', { state: 'Resolved', clearSince: now - 120_000, resolvedAt: now - 60_000 });
  const list = section(pageOf(over), 'over');
  const moments = [...list.matchAll(/<\/time> ([^<]+)<\/li>/g)].map(([, what]) => what);
  assert.deepEqual(moments, ['First failure', 'Incident opened', 'Healthy again', 'Resolved']);
});

test('the strip of the last day shows when something was open', () => {
  const day = section(pageOf(incident('a', { startedAt: now - 3_600_000 })), 'day');
  assert.match(day, /something was open in 4 of 96 quarters of an hour/);
});

test('nothing that a cluster says becomes markup', () => {
  const root = refOf('Deployment', hostile, hostile);
  const page = pageOf(incident(hostile, { root, hits: [root, refOf('Pod', hostile, hostile)] }));
  assert.equal(page.match(/<script>/g)?.length, 1, 'its own');
  assert.doesNotMatch(page, /<img|onerror=alert\(2\)>/);
  assert.match(page, /&lt;script&gt;/);
  assert.ok(!page.includes('\u202E'), 'nothing turns the direction of writing');
});

test('a browser may run the page’s own style and script and nothing else', () => {
  const page = pageOf(incident('a'));
  for (const [, name, text = ''] of page.matchAll(/<(style|script)>([\s\S]*?)<\/\1>/g)) {
    const hash = createHash('sha256').update(text).digest('base64');
    assert.ok(contentSecurityPolicy.includes(`${name}-src 'sha256-${hash}'`), name);
  }
  assert.doesNotMatch(contentSecurityPolicy, /unsafe/);
  assert.doesNotMatch(page, / style=| on\w+=|https?:\/\//);
});

test('500 incidents are on the page, 5,000 do not make it larger', () => {
  const many = (count: number): string => pageOf(...Array.from({ length: count }, (_, index) => incident(`i${index}`)));
  const [some, lots] = [many(500), many(5_000)];
  assert.equal(some.match(/class="card/g)?.length, 500);
  assert.equal(lots.match(/class="card/g)?.length, 500);
  assert.match(lots, /and 4500 more/);
  assert.ok(some.length < 700_000, `${some.length} characters`);
});

test('the first part of the page is the first screen, whatever follows: 10 of 500 talkative incidents, little enough to paint at once', () => {
  const { view, put } = counted(talkative());
  const parts = statusPage(view, health, now);
  const first = parts.next().value ?? '';
  assert.equal(put(), 10);
  assert.equal(first.match(/class="card/g)?.length, 10);
  assert.ok(first.length < 80_000, `${first.length} characters`);
  const elements = first.match(/<[a-z]/g)?.length ?? 0;
  assert.ok(elements < 1_500, `${elements} elements`);
  const rest = [...parts];
  assert.ok(Math.max(...rest.map(({ length }) => length)) < 160_000, 'nothing else waits long for a part');
  assert.ok(first.length + rest.join('').length < 3_200_000);
});

test('a browser has the first screen before the rest is made, and for one that leaves no more of it is', async () => {
  const { view, put } = counted(talkative());
  await served(view, async (base) => {
    const reader = get(`${base}/status`, { headers: { accept: 'text/html' } });
    const [answer] = (await once(reader, 'response')) as [IncomingMessage];
    const [first] = (await once(answer, 'data')) as [Buffer];
    assert.match(String(first), /id="i-i0"/);
    const made = put();
    assert.ok(made < 400, `${made} of 500 were put into words before the first could be read`);
    answer.destroy();
    await fetch(`${base}/healthz`);
    const left = put();
    await fetch(`${base}/healthz`);
    assert.equal(put(), left);
    assert.ok(left < 500, `${left} of 500 for nobody`);
  });
});

test('every part of the content that changes has an id of its own', () => {
  const text = [...statusContent(viewOf(incident('a'), incident('b')), health, now)].join('');
  const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.includes('i-a') && ids.includes('state') && ids.includes('providers'));
});

test('a browser gets the page, a program JSON, and who has the newest content is told so', () =>
  served(viewOf(incident('a')), async (base) => {
    const page = await fetch(`${base}/status`, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    assert.equal(page.headers.get('content-security-policy'), contentSecurityPolicy);
    assert.match(await page.text(), /^<!doctype html>[\s\S]*<\/html>\n$/);
    const plain = await fetch(`${base}/status`);
    assert.match(plain.headers.get('content-type') ?? '', /^application\/json/);
    const content = await fetch(`${base}/status/content`);
    const etag = content.headers.get('etag') ?? '';
    assert.match(await content.text(), /id="open"/);
    const again = await fetch(`${base}/status/content`, { headers: { 'if-none-match': etag } });
    assert.equal(again.status, 304);
  }));

test('the headline is how the cluster is: how many, how bad, who is down; the tab counts them', () => {
  const hits = [refOf('Deployment', 'shop', 'api')];
  const down = incident('a', { severity: 'critical', hits });
  const impact = [{ ref: refOf('Deployment', 'shop', 'api'), wanted: 2, ready: 0 }];
  const page = pageOf({ ...down, explanation: { ...down.explanation, impact } }, incident('b'));
  const [, level, title, says] =
    /<p id="headline"[^>]*data-level="(\w+)" data-title="([^"]+)">([^<]+)</.exec(page) ?? [];
  assert.deepEqual([level, title, says], ['critical', '(2) prod-eu', '2 incidents · 1 critical · api is down']);
  assert.match(page, /<h1>prod-eu<\/h1>/);
});

test('the strip does not claim that nothing was open before anybody watched', () => {
  const from = now - 2 * 3_600_000;
  const page = [...statusPage({ ...viewOf(), watchingSince: from }, health, now)].join('');
  const day = section(page, 'day');
  assert.equal(day.match(/class="unwatched"/g)?.length, 88);
  assert.equal(day.match(/class="none"/g)?.length, 8);
  assert.match(day, /08:45 UTC: 0 open/);
  assert.match(day, /not watched before 07:00 UTC/);
});

test('a row says what, why in short, whom it hits and since when; of many only rows are seen', () => {
  const hits = [refOf('Pod', 'shop', 'a'), refOf('Pod', 'shop', 'b'), refOf('Pod', 'shop', 'c')];
  const open = section(pageOf(incident('a', { hits })), 'open');
  assert.match(open, /<b>Node n1 is not ready[^<]*<\/b><\/span><span class="why">NodeNotReady · Node n1<\/span>/);
  assert.match(open, /<span class="hit">3 Pods hit<\/span><span class="state">10 min</);
  const many = pageOf(...['a', 'b', 'c', 'd'].map((id) => incident(id)));
  assert.doesNotMatch(section(many, 'open'), /<details class="card[^>]* open/);
  assert.match(many, /<input id="filter"/);
});
