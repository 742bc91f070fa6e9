import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import express, { type NextFunction, type Request, type Response } from 'express';
import type { Unclear, WhyQuestion } from '../model/why.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { admitted, createAdmission, type Refusal } from './admission.ts';
import { healthBody } from './health.ts';
import { contentSecurityPolicy, statusContent, statusPage } from './page/page.ts';
import { reportPage, reportPolicy } from './page/report.ts';
import { recent } from './recent.ts';
import type { ReportQuestion } from './report-view.ts';
import { statusBody } from './status.ts';
import type { ServerViews } from './views.ts';
import { unclearBody, whyBody } from './why.ts';

/** What the endpoints are made of. */
export type ApplicationOptions = {
  readonly views: ServerViews;
  readonly metrics: Metrics;
  readonly log: Logger;
};

/** A browser shows the page and does nothing else with it. */
const pageHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

const badQuestion: Unclear = {
  unclear:
    'Name one object as KIND/NAMESPACE/NAME (deployment/shop/api, node/n1), and times as in RFC 3339 (2026-11-22T18:00:00Z).',
};

/** A scrape is not made anew for this long, however many ask for it. Milliseconds. */
const metricsLifeMs = 1_000;

/** The routes, and nothing of connections. */
export function createApplication({ views, metrics, log }: ApplicationOptions): express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((request, response, next) => {
    response.set({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    if (request.method === 'GET' || request.method === 'HEAD') {
      next();
      return;
    }
    // The body, if any, is not read: the connection ends with the answer.
    response.set({ allow: 'GET, HEAD', connection: 'close' });
    response.status(405).json({ error: 'MethodNotAllowed', message: 'Only GET and HEAD are served.' });
  });
  app.get('/healthz', (_, response) => {
    if (views.alive()) response.type('text').send('ok\n');
    else response.status(503).type('text').send('stuck: no turn has ended for 60 s\n');
  });
  app.get('/readyz', (request, response) => {
    const { checks } = views.ready();
    const failing = checks.filter((check) => !check.ok);
    response.status(failing.length === 0 ? 200 : 503).type('text');
    const listed = 'verbose' in request.query ? checks : failing;
    const lines = listed.map(({ name, ok, message }) => `[${ok ? '+' : '-'}]${name}${message ? `: ${message}` : ''}`);
    response.send(`${[...lines, failing.length === 0 ? 'ok' : 'not ready'].join('\n')}\n`);
  });
  app.get('/health', (_, response) => {
    response.json(healthBody(views.health(), views.now()));
  });
  const admit = createAdmission(views.now);
  app.get('/status', async (request, response, next) => {
    const page = views.status();
    // As if it were not there.
    if (!page) return next();
    const admission = await admit(request, '/status', page);
    if (admission.is !== 'admitted') return refuse(response, admission);
    if (request.accepts(['json', 'html']) !== 'html')
      return response.json(statusBody(page.view(), views.health(), views.now()));
    response.set(pageHeaders).type('html');
    await write(response, statusPage(page.view(), views.health(), views.now()));
  });
  app.get('/status/content', async (request, response, next) => {
    const page = views.status();
    if (!page) return next();
    const admission = await admit(request, '/status', page);
    if (admission.is !== 'admitted') return refuse(response, admission);
    const text = [...statusContent(page.view(), views.health(), views.now())].join('');
    const tag = `"${createHash('sha256').update(text).digest('base64url')}"`;
    response.set({ ...pageHeaders, etag: tag });
    if (request.headers['if-none-match'] === tag) response.status(304).end();
    else response.type('html').send(text);
  });
  app.get('/status/why', async (request, response, next) => {
    const page = views.status();
    if (!page) return next();
    const admission = await admit(request, '/status', page);
    if (admission.is !== 'admitted') return refuse(response, admission);
    const asked = whyQuestion(request.query, views.now());
    const why = asked ? page.why(asked, asked.at) : badQuestion;
    if ('unclear' in why) response.status(400).json(unclearBody(why));
    else response.json(whyBody(why));
  });
  app.get('/status/report', async (request, response, next) => {
    const page = views.status();
    if (!page) return next();
    const admission = await admit(request, '/status', page);
    if (admission.is !== 'admitted') return refuse(response, admission);
    const asked = reportQuestion(request.query);
    const report = asked ? page.report(asked) : badQuestion;
    if ('unclear' in report) return response.status(400).json(unclearBody(report));
    response
      .set({ ...pageHeaders, 'content-security-policy': reportPolicy })
      .type('html')
      .send(reportPage(report));
  });
  const scrape = recent(metricsLifeMs, views.now, async () => Buffer.from(await metrics.text()));
  app.get('/metrics', async (request, response) => {
    const guard = views.metricsGuard();
    const admission = guard ? await admit(request, '/metrics', guard) : admitted;
    if (admission.is === 'admitted') response.set('content-type', metrics.contentType).send(await scrape());
    else refuse(response, admission);
  });
  app.get('/', (_, response, next) => {
    if (views.status()) response.redirect('/status');
    else next();
  });
  app.use((_, response) => {
    response.status(404).json({ error: 'NotFound', message: nothingHere(views.status() !== undefined) });
  });
  // Express tells an error handler by its four parameters.
  app.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    log.error({ err: error, path: request.path }, 'endpoint failed');
    if (response.headersSent) {
      next(error);
      return;
    }
    response.status(500).json({ error: 'InternalError', message: 'The answer could not be made; see the log.' });
  });
  return app;
}

const nothingHere = (hasPage: boolean): string =>
  `There is nothing here. Served: /healthz, /readyz, /health, /metrics${hasPage ? ', /status' : '; and /status, once the AlertConfig says statusEndpoint.enabled: true'}.`;

/** What `/status/why` is asked. `undefined`: there is no object, or a time or namespace is none. */
function whyQuestion(
  { object, namespace, at }: Request['query'],
  now: number,
): (WhyQuestion & { readonly at: number }) | undefined {
  const time = at === undefined ? now : typeof at === 'string' ? Date.parse(at) : Number.NaN;
  const isRight = namespace === undefined || typeof namespace === 'string';
  if (typeof object !== 'string' || !isRight || !Number.isFinite(time)) return undefined;
  return { object, ...(namespace !== undefined && { namespace }), at: time };
}

/** What `/status/report` is asked for. `undefined`: a time is none. */
function reportQuestion({ object, from, until }: Request['query']): ReportQuestion | undefined {
  const times = { from, until };
  const read = Object.entries(times).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, typeof text === 'string' ? Date.parse(text) : Number.NaN] as const],
  );
  if (read.some(([, at]) => !Number.isFinite(at))) return undefined;
  return { ...(typeof object === 'string' && { object }), ...Object.fromEntries(read) };
}

/** Sends a page part by part, and lets everything else run in between. To a reader that has gone it sends no more. */
async function write(response: Response, parts: Iterable<string>): Promise<void> {
  for (const part of parts) {
    if (response.closed) return;
    response.write(part);
    await setImmediate();
  }
  response.end();
}

function refuse(response: Response, { status, error, message }: Refusal): void {
  if (status === 401) response.set('www-authenticate', 'Bearer realm="tocsin"');
  if (status === 429 || status === 503) response.set('retry-after', '5');
  response.status(status).json({ error, message });
}
