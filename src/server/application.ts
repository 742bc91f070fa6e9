import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import express, { type NextFunction, type Request, type Response } from 'express';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { admitted, createAdmission, type Refusal, whyNotHere } from './admission.ts';
import { agentCall, agentsPath } from './agents.ts';
import { alertsPath, postedAlerts } from './alerts.ts';
import { healthBody } from './health.ts';
import { hubPath, postedSummary } from './hub.ts';
import { findIncidents, incidentBody, incidentOf, incidentsBody } from './incidents.ts';
import { historyPage, incidentPage } from './page/history.ts';
import { statusContent, statusPage } from './page/page.ts';
import { reportPage, reportPolicy } from './page/report.ts';
import { contentSecurityPolicy } from './page/shell.ts';
import {
  badHistoryQuestion,
  badQuestion,
  historyQuestion,
  isNamespace,
  reportQuestion,
  whyQuestion,
} from './questions.ts';
import { recent } from './recent.ts';
import { statusBody } from './status.ts';
import type { ServerViews, StatusPage, StatusView } from './views.ts';
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

/** Where something may be posted. */
const posts: ReadonlySet<string> = new Set([agentsPath, alertsPath, hubPath]);

/** What a page answers to whoever may read `view` of it. */
type Answer = (
  request: Request,
  response: Response,
  view: StatusView,
  page: StatusPage,
  next: NextFunction,
  audience?: string,
) => void | Promise<void>;

const wantsJSON = (request: Request): boolean => request.accepts(['json', 'html']) !== 'html';

/** A scrape is not made anew for this long, however many ask for it. Milliseconds. */
const metricsLifeMs = 1_000;

/** The routes, and nothing of connections. */
export function createApplication({ views, metrics, log }: ApplicationOptions): express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((request, response, next) => {
    const isPosted = request.method === 'POST' && posts.has(request.path);
    response.set({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    if (request.method === 'GET' || request.method === 'HEAD' || isPosted) {
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
  /** Answers where the page is enabled and whoever asks may read it: all of it, or what concerns the namespace that is asked for. */
  const guarded =
    (answer: Answer, isOfNamespaces = false) =>
    async (request: Request, response: Response, next: NextFunction): Promise<void> => {
      const page = views.status();
      // As if it were not there.
      if (!page) return next();
      const { namespace } = request.query;
      const within = isOfNamespaces && isNamespace(namespace) ? namespace : undefined;
      const admission = await admit(request, '/status', page);
      if (admission.is === 'admitted') return answer(request, response, page.view(), page, next);
      if (within === undefined || admission.error !== 'Forbidden') return refuse(response, admission);
      const authorize = (token: string) => page.authorizeIn(token, within);
      const asTenant = await admit(request, `namespaces/${within}`, { ...page, authorize });
      if (asTenant.is !== 'admitted') return refuse(response, asTenant);
      return answer(request, response, page.view(within), page, next, within);
    };
  app.get(
    '/status',
    guarded(async (request, response, view) => {
      if (wantsJSON(request)) return void response.json(statusBody(view, views.health(), views.now()));
      response.set(pageHeaders).type('html');
      await write(response, statusPage(view, views.health(), views.now()));
    }),
  );
  app.get(
    '/status/content',
    guarded((request, response, view) => {
      const text = [...statusContent(view, views.health(), views.now())].join('');
      const tag = `"${createHash('sha256').update(text).digest('base64url')}"`;
      response.set({ ...pageHeaders, etag: tag });
      if (request.headers['if-none-match'] === tag) response.status(304).end();
      else response.type('html').send(text);
    }),
  );
  app.get(
    '/status/incidents',
    guarded((request, response, view) => {
      const asked = historyQuestion(request.query, views.now());
      if (!asked) return void response.status(400).json(unclearBody(badHistoryQuestion));
      const found = findIncidents(view, asked, asked.limit);
      if (wantsJSON(request)) return void response.json(incidentsBody(view, found, views.now()));
      response
        .set(pageHeaders)
        .type('html')
        .send(historyPage(view, found, asked, views.now()));
    }, true),
  );
  app.get(
    '/status/incidents/:id',
    guarded((request, response, view, _, next) => {
      const one = incidentOf(view, String(request.params.id));
      const now = views.now();
      if (wantsJSON(request)) return one ? void response.json(incidentBody(view, one, now)) : next();
      response
        .status(one ? 200 : 404)
        .set(pageHeaders)
        .type('html')
        .send(incidentPage(view, one, now));
    }, true),
  );
  app.get(
    '/status/why',
    guarded((request, response, _, page) => {
      const asked = whyQuestion(request.query, views.now());
      const why = asked ? page.why(asked, asked.at) : badQuestion;
      if ('unclear' in why) response.status(400).json(unclearBody(why));
      else response.json(whyBody(why));
    }),
  );
  app.get(
    '/status/report',
    guarded((request, response, _, page) => {
      const asked = reportQuestion(request.query);
      const report = asked ? page.report(asked) : badQuestion;
      if ('unclear' in report) return void response.status(400).json(unclearBody(report));
      response
        .set({ ...pageHeaders, 'content-security-policy': reportPolicy })
        .type('html')
        .send(reportPage(report));
    }),
  );
  app.post(
    agentsPath,
    guarded(async (request, response, _, page, next, audience) => {
      if (!page.agents) return next();
      const call = await agentCall(request);
      if ('refused' in call)
        return void response.status(call.status).json({ error: 'BadRequest', message: call.refused });
      const { status, type, text } = await page.agents(call, audience);
      response.status(status).type(type).send(text);
    }, true),
  );
  // There is nothing to listen to: each question is answered by itself.
  app.get(
    agentsPath,
    guarded(
      (_, response) =>
        void response.status(405).set({ allow: 'POST' }).json({ error: 'MethodNotAllowed', message: 'Agents post.' }),
      true,
    ),
  );
  app.post(alertsPath, async (request, response, next) => {
    const door = views.alerts?.();
    // As if it were not there.
    if (door === undefined) return next();
    if (door === 'later') return refuse(response, notYet);
    const admission = await admit(request, alertsPath, door);
    if (admission.is !== 'admitted') return refuse(response, admission);
    const posted = await postedAlerts(request);
    if ('refused' in posted)
      return void response.status(posted.status).json({ error: 'BadRequest', message: posted.refused });
    response.json(door.take(posted.alerts));
  });
  app.post(hubPath, async (request, response, next) => {
    const door = views.hub?.();
    // As if it were not there.
    if (door === undefined) return next();
    if (door === 'later') return refuse(response, notYet);
    const why = whyNotHere(request, { ...door, setting: 'hub' });
    if (why !== undefined) return refuse(response, why);
    const posted = await postedSummary(request);
    if ('refused' in posted)
      return void response.status(posted.status).json({ error: 'BadRequest', message: posted.refused });
    const { status, body } = await door.take(posted.text);
    response.status(status).type('application/json').send(body);
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

/** Whoever sends alerts tries again. */
const notYet: Refusal = {
  is: 'refused',
  status: 503,
  error: 'Unavailable',
  message: 'Tocsin is starting, or another Pod of it is at work.',
};

const nothingHere = (hasPage: boolean): string =>
  `There is nothing here. Served: /healthz, /readyz, /health, /metrics${hasPage ? ', /status' : '; and /status, once the AlertConfig says statusEndpoint.enabled: true'}.`;

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
