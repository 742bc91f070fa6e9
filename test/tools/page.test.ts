import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import axe from 'axe-core';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import type { Incident } from '../../src/model/incident.ts';
import { refOf } from '../../src/model/ref.ts';
import { reportPage } from '../../src/server/page/report.ts';
import { startServer } from '../../src/server/server.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { health, hostile, incident, noTenants, now, standing, viewOf } from '../server/page-stage.ts';
import { reportOf, told } from '../server/report-stage.ts';

/** Where the pictures go that people look at; nowhere unless said. */
const pictures = process.env.PAGE_PICTURES;

let browser: Browser;
let address = '';
let close: () => Promise<void>;
/** What the page shows. */
let incidents: readonly Incident[] = [];

before(async () => {
  // Any Chromium or Chrome; $CHROMIUM names another than Debian's.
  browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const server = await startServer({
    ...{ port: 0, host: '127.0.0.1', metrics: createMetrics(), log: createLogger({ level: 'silent' }) },
    views: {
      alive: () => true,
      ready: () => ({ checks: [] }),
      health: () => health,
      status: () => ({
        allowPlainHTTP: false,
        authorize: async () => 'forbidden',
        ...noTenants,
        why: () => ({ unclear: 'nobody asks' }),
        report: () => ({ unclear: 'nobody asks' }),
        view: () => viewOf(...incidents),
      }),
      metricsGuard: () => undefined,
      now: () => now,
    },
  });
  address = `http://127.0.0.1:${server.port}/status`;
  close = () => server.close();
});
after(async () => {
  await browser?.close();
  await close?.();
});

/** As many incidents as a page is to show: some hit others, some are held back, some are over. */
function many(count: number): Incident[] {
  return Array.from({ length: count }, (_, index) => {
    const hits =
      index % 3 === 0 ? [refOf('Deployment', 'shop', `web-${index}`), refOf('Deployment', 'shop', 'cart')] : [];
    const held = index % 5 === 4 ? { standings: { '': standing('Silenced', 'Silence/tocsin/move') } } : {};
    const over = index % 7 === 6 ? { state: 'Resolved' as const, resolvedAt: now - 60_000 } : {};
    const recovering = index % 7 === 3 ? { state: 'Recovering' as const, startedAt: now - 40_000 } : {};
    const severity = (['critical', 'high', 'medium', 'low'] as const)[index % 4] ?? 'high';
    return incident(`i${index}`, {
      root: refOf('Node', '', `n${index}`),
      hits,
      severity,
      ...held,
      ...over,
      ...recovering,
    });
  });
}

type View = { readonly width?: number; readonly dark?: boolean; readonly scripts?: boolean; readonly at?: string };

/** Looks at the page; what the browser complained of is collected. */
async function look({ width = 1200, dark = false, scripts = true, at = address }: View = {}) {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.setViewport({ width, height: 900 });
  await page.setJavaScriptEnabled(scripts);
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]);
  await page.goto(at, { waitUntil: 'load' });
  return { page, complaints };
}

async function picture(page: Page, name: string): Promise<void> {
  if (pictures !== undefined)
    await page.screenshot({ path: join(pictures, `${name}.png`) as `${string}.png`, fullPage: true });
}

/** What axe finds: which rule, and where first. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found: unknown = await page.evaluate('axe.run().then(({ violations }) => violations)');
  return (found as readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]).map(
    ({ id, nodes }) => `${id}: ${nodes[0]?.html}`,
  );
}

for (const count of [0, 1, 50, 500])
  test(`with ${count} incidents, in both themes, on a phone and on a desktop: nothing that axe objects to, nothing cut off`, async () => {
    incidents = many(count);
    for (const width of [390, 820, 1200])
      for (const dark of [false, true]) {
        const { page, complaints } = await look({ width, dark });
        const wide = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
        assert.equal(wide, 0, `${width} px wide`);
        // Of the same parts, more than once: axe takes a minute for 500.
        if (count <= 50) assert.deepEqual(await violations(page), []);
        assert.deepEqual(complaints, []);
        // The smallest letters of a picture, in pixels of the screen; with no incident there is no picture.
        const letters = Number(
          await page.evaluate(
            "((each) => each ? each.getScreenCTM().a * parseFloat(getComputedStyle(each).fontSize) : 12)(document.querySelector('.picture .kind'))",
          ),
        );
        assert.ok(letters >= 11.5, `${letters} px letters`);
        await picture(page, `${count}-${width}-${dark ? 'dark' : 'light'}`);
        const paint: unknown = await page.evaluate(
          "performance.getEntriesByName('first-contentful-paint')[0]?.startTime",
        );
        console.log(`${count} incidents, ${width} px: first paint after ${Math.round(Number(paint))} ms`);
        await page.close();
      }
  });

test('names that are markup stay text: nothing runs, nothing is asked for, the page keeps its shape', async () => {
  const root = refOf('Deployment', hostile, hostile);
  incidents = [incident(hostile, { root, hits: [root, refOf('Pod', hostile, hostile)] })];
  for (const width of [390, 820, 1200]) {
    const { page, complaints } = await look({ width });
    assert.deepEqual(complaints, []);
    assert.equal(await page.evaluate('document.querySelectorAll("main script, main img").length'), 0);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'), 0);
    assert.deepEqual(await violations(page), []);
    await picture(page, `hostile-${width}`);
    await page.close();
  }
});

test('by keyboard alone everything that opens can be reached, seen to be reached, and opened', async () => {
  incidents = many(5);
  const { page } = await look();
  const closed = Number(await page.evaluate('document.querySelectorAll("details:not([open]) > summary").length'));
  assert.ok(closed > 0);
  const reached = new Set<number>();
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const at = Number(await page.evaluate('[...document.querySelectorAll("summary")].indexOf(document.activeElement)'));
    if (at < 0) continue;
    if (reached.has(at)) break;
    reached.add(at);
    const outline: unknown = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    assert.notEqual(outline, 'none', 'one sees where one is');
    const was = await page.evaluate('document.activeElement.parentElement.open');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate('document.activeElement.parentElement.open'), !was);
    if (was === true) await page.keyboard.press('Enter');
  }
  const all: unknown = await page.evaluate('document.querySelectorAll("summary").length');
  assert.equal(reached.size, all);
  await page.close();
});

test('what changes is shown without reloading; what is open stays open and the focus stays where it is', async () => {
  incidents = many(2);
  const { page, complaints } = await look();
  await page.evaluate('window.stays = true; document.querySelector("#coverage summary").focus()');
  await page.keyboard.press('Enter');
  const before: unknown = await page.evaluate('document.activeElement.textContent');
  incidents = [...many(2), incident('new', { root: refOf('Deployment', 'shop', 'brand-new'), severity: 'critical' })];
  const from = performance.now();
  await page.waitForFunction('document.body.textContent.includes("brand-new")', { timeout: 10_000 });
  console.log(`a change is shown after ${Math.round(performance.now() - from)} ms`);
  assert.equal(await page.evaluate('window.stays'), true, 'it was not reloaded');
  assert.equal(await page.evaluate('document.activeElement.textContent'), before);
  assert.equal(await page.evaluate('document.querySelector("#coverage details").open'), true);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('it is filtered and gone through by keys, its commands are copied, and the tab says how many there are', async () => {
  incidents = many(12);
  const { page, complaints } = await look();
  await page.evaluate('navigator.clipboard.writeText = async (text) => { window.copied = text; }');
  const heard = incidents.filter(
    ({ state, standings }) => state !== 'Resolved' && standings['']?.disposition === 'Delivered',
  );
  assert.equal(await page.title(), `(${heard.length}) prod-eu`);
  assert.match(String(await page.evaluate('document.querySelector("link[rel=icon]").href')), /^data:image\/png/);
  await page.keyboard.press('/');
  await page.keyboard.type('n3 low');
  const rows = (): Promise<unknown> =>
    page.evaluate('[...document.querySelectorAll(".card:not([hidden]) .title b")].map((each) => each.textContent)');
  assert.deepEqual(await rows(), ['Node n3 is not ready · shop/web-3 and shop/cart fail']);
  // What is exchanged meanwhile stays filtered.
  incidents = [...many(12), incident('new', { root: refOf('Node', '', 'n99') })];
  await page.waitForFunction(`document.title === '(${heard.length + 1}) prod-eu'`, { timeout: 10_000 });
  assert.deepEqual(await rows(), ['Node n3 is not ready · shop/web-3 and shop/cart fail']);
  await page.keyboard.press('Escape');
  assert.ok(Number(await page.evaluate('document.querySelectorAll(".card:not([hidden])").length')) > 10);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  assert.equal(
    await page.evaluate('[...document.querySelectorAll(".card > summary")].indexOf(document.activeElement)'),
    0,
  );
  await page.keyboard.press('Enter');
  await page.click('.card[open] .copy');
  assert.match(String(await page.evaluate('window.copied')), /^kubectl describe node n\d+$/);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('times are those of the reader, and the pages of the past are as sound as that of now', async () => {
  incidents = many(12);
  for (const path of ['/incidents', '/incidents/i0'])
    for (const width of [390, 820, 1200]) {
      const { page, complaints } = await look({ width, at: `${address}${path}` });
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'), 0, path);
      assert.deepEqual(await violations(page), [], path);
      assert.deepEqual(complaints, []);
      await page.close();
    }
  const page = await browser.newPage();
  await page.emulateTimezone('Asia/Tokyo');
  await page.goto(`${address}/incidents/i0`, { waitUntil: 'load' });
  const times: unknown = await page.evaluate(
    '[...document.querySelectorAll(".timeline time")].map(({ textContent, title }) => [textContent, title])',
  );
  assert.deepEqual((times as readonly string[][])[0], ['20 Nov, 17:50', '08:50 UTC']);
  await page.close();
});

test('without scripts it says the same', async () => {
  incidents = many(3);
  const { page } = await look({ scripts: false });
  const text = await page.$eval('body', (body) => body.textContent ?? '');
  for (const name of ['n0', 'n1', 'n2']) assert.match(text, new RegExp(`Node ${name} is not ready`));
  await page.close();
});

test('a report opened from a file: in both themes, on a phone, a desktop and paper, nothing that axe objects to, nothing cut off', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-report-'));
  const file = join(folder, 'report.html');
  const hostileOne = incident(hostile, { root: refOf('Deployment', hostile, hostile), severity: 'critical' });
  writeFileSync(file, reportPage(reportOf([...many(12), hostileOne].map((each) => told(each)))));
  try {
    for (const [width, dark, paper] of [
      [390, false, false],
      [390, true, false],
      [1200, false, false],
      [1200, true, false],
      [800, true, true],
    ] as const) {
      const { page, complaints } = await look({ width, dark, at: `file://${file}` });
      if (paper) await page.emulateMediaType('print');
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'), 0, `${width} px`);
      assert.deepEqual(await violations(page), []);
      assert.deepEqual(complaints, []);
      assert.equal(
        await page.evaluate('document.querySelectorAll("script, img, link, details:not([open])").length'),
        0,
      );
      await picture(page, `report-${width}-${paper ? 'paper' : dark ? 'dark' : 'light'}`);
      await page.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('when nothing answers any more a bar says since when, and the page claims nothing about now', async () => {
  incidents = many(2);
  const { page } = await look();
  assert.equal(await page.evaluate('getComputedStyle(document.querySelector("#lost")).display'), 'none');
  await close();
  close = async () => undefined;
  await page.waitForFunction('!document.querySelector("#lost").hidden', { timeout: 15_000 });
  assert.match(
    await page.$eval('#lost', (bar) => bar.textContent ?? ''),
    /^Connection lost: no answer since \d\d:\d\d:\d\d\. This is how it was then\.$/,
  );
  assert.equal(await page.evaluate('getComputedStyle(document.querySelector("#state")).visibility'), 'hidden');
  await picture(page, 'lost');
  await page.close();
});
