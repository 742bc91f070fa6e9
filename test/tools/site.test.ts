/** The site in a real browser, from the disk: the search as people type it, and pages on a phone. */
import assert from 'node:assert/strict';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { writeSite } from '../../scripts/site/site.ts';

/** A phone, and how far people scroll on it. */
const phone = { width: 390, height: 844, isMobile: true, hasTouch: true } as const;
const maxScreens = 20;

const folder = mkdtempSync(join(tmpdir(), 'tocsin-site-'));
let browser: Browser;

before(async () => {
  writeSite(resolve(import.meta.dirname, '../..'), folder);
  // Any Chromium or Chrome; $CHROMIUM names another than Debian's.
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const addressOf = (path: string): string => pathToFileURL(join(folder, path)).href;

async function opened(path: string, viewport: typeof phone | { width: number; height: number }): Promise<Page> {
  const page = await browser.newPage();
  await page.setViewport(viewport);
  await page.goto(addressOf(path));
  return page;
}

test('what is typed is found, and Enter goes there, from any page and without a network', async () => {
  const page = await opened('docs/reference/providers/slack.html', { width: 1280, height: 900 });
  await page.setOfflineMode(true);
  await page.keyboard.press('/');
  await page.keyboard.type('crashloop');
  const first = await page.waitForSelector('search li a');
  assert.match((await first?.evaluate((link) => link.textContent)) ?? '', /^CrashLoopBackOff\s*Pods/);
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  assert.equal(page.url(), `${addressOf('docs/noticed/pods.html')}#crashloopbackoff`);
  await page.close();
});

test('arrows go through what is found, and Escape clears it', async () => {
  const page = await opened('index.html', { width: 1280, height: 900 });
  await page.type('search input', 'silence');
  await page.waitForSelector('search li a');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  const focused = await page.evaluate(
    'document.activeElement.closest("li") === document.querySelectorAll("search li")[1]',
  );
  assert.equal(focused, true);
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate('document.querySelector("search input").value'), '');
  assert.equal(await page.evaluate('document.querySelectorAll("search li").length'), 0);
  await page.type('search input', 'xylophone');
  await page.waitForFunction('document.querySelector("search [role=status]").textContent === "Nothing found"');
  await page.close();
});

test('on a phone no page for users is wider than the screen, or longer than people scroll', async () => {
  const paths = [
    'index.html',
    ...globSync('docs/{*,noticed/*,reference/*,reference/providers/*}.html', { cwd: folder }),
  ];
  const page = await opened('index.html', phone);
  const tooLarge: string[] = [];
  for (const path of paths) {
    await page.goto(addressOf(path));
    const size = await page.evaluate('[document.documentElement.scrollWidth, document.documentElement.scrollHeight]');
    const [width = 0, height = 0] = size as number[];
    if (width > phone.width || height > maxScreens * phone.height)
      tooLarge.push(`${path}: ${width} wide, ${(height / phone.height).toFixed(1)} screens`);
  }
  assert.deepEqual(tooLarge, []);
  assert.ok(paths.length > 70);
  await page.close();
});
