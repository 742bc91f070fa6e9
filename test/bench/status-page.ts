/** The status page with 500 incidents that have much to say, on a desktop's and a phone's width: when a browser first paints it. */
import { existsSync } from 'node:fs';
import puppeteer from 'puppeteer-core';
import { startServer } from '../../src/server/server.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { health, noTenants, now, talkative } from '../server/page-stage.ts';
import { median } from './numbers.ts';

/** Milliseconds; nothing where there is no Chromium. */
export type StatusPageFigures = {
  readonly desktop?: { readonly median: number; readonly most: number };
  readonly phone?: { readonly median: number; readonly most: number };
};

const rounds = 15;
const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';

async function painted(address: string, width: number): Promise<NonNullable<StatusPageFigures['phone']>> {
  const browser = await puppeteer.launch({ executablePath: chromium, args: ['--no-sandbox', '--disable-gpu'] });
  const times: number[] = [];
  try {
    // The first visit warms the browser.
    for (let round = 0; round <= rounds; round += 1) {
      const page = await browser.newPage();
      await page.setViewport({ width, height: 900 });
      await page.goto(address, { waitUntil: 'load' });
      await page.waitForFunction("performance.getEntriesByName('first-contentful-paint').length > 0");
      const at: unknown = await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime");
      if (round > 0) times.push(Number(at));
      await page.close();
    }
  } finally {
    await browser.close();
  }
  console.log(`${width} px wide: first paint after ${times.map(Math.round).join(', ')} ms`);
  return { median: median(times), most: Math.max(...times) };
}

async function figures(): Promise<StatusPageFigures> {
  if (!existsSync(chromium)) return {};
  const view = talkative();
  const server = await startServer({
    ...{ port: 0, host: '127.0.0.1', metrics: createMetrics(), log: createLogger({ level: 'silent' }) },
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
    const address = `http://127.0.0.1:${server.port}/status`;
    return { desktop: await painted(address, 1200), phone: await painted(address, 390) };
  } finally {
    await server.close();
  }
}

const measured = await figures();
process.send?.(measured);
