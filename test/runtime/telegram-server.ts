import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Authority } from '../../sandbox/certificate.ts';
import { listen, tunnelTo } from './tunnel.ts';

/** A message of a chat as people see it now. */
export type ChatMessage = {
  readonly id: number;
  text: string;
  /** The buttons that tell the bot: what stands on each, and what it carries. */
  buttons: ReadonlyMap<string, string>;
  edits: number;
};

/** What a bot said to who pressed a button. */
export type Answered = { readonly query: string; readonly text: string; readonly alert: boolean };

/**
 * api.telegram.org with one bot, by what core.telegram.org/bots/api says of it: `getUpdates` holds the question, gives every update until a later
 * question confirms it by its `offset`, and refuses a second one who asks with 409. Behind a proxy, as it is reached from a cluster.
 */
export type TelegramServer = {
  readonly proxyURL: string;
  readonly messages: readonly ChatMessage[];
  readonly answered: readonly Answered[];
  /** Questions that were answered, and how many of them at the same time at most. */
  readonly polls: { answered: number; refused: number; mostAtOnce: number };
  /** Somebody presses a button, or sends what they like. Returns the ID of the query. */
  press(user: { readonly id: number; readonly name: string }, carries: string): string;
  /** Gives these updates once more, under new numbers: a replay. */
  again(): void;
  /** Breaks off every question that is held, and answers so many more with 502. */
  breakOff(failures: number): void;
  /** Somebody else asks for the updates of the bot from now on, or no more. */
  compete(does: boolean): void;
  stop(): Promise<void>;
};

type Update = { update_id: number; callback_query: object };

/** Starts it. `authority` signs for api.telegram.org; `token` is the bot's. */
export async function startTelegramServer(authority: Authority, token: string): Promise<TelegramServer> {
  const messages: ChatMessage[] = [];
  const answered: Answered[] = [];
  const polls = { answered: 0, refused: 0, mostAtOnce: 0 };
  const told: object[] = [];
  let updates: Update[] = [];
  let next = 1_000;
  let failures = 0;
  let hasCompetitor = false;
  const held = new Set<() => void>();
  const open = new Set<ServerResponse>();

  const add = (query: object): void => {
    updates.push({ update_id: next++, callback_query: query });
    for (const wake of held) wake();
  };

  function shown(body: ReturnType<typeof Object>): Pick<ChatMessage, 'text' | 'buttons'> {
    const rows: readonly (readonly Record<string, string>[])[] = body.reply_markup?.inline_keyboard ?? [];
    const own = rows.flat().flatMap(({ text = '', callback_data: data }) => (data ? [[text, data] as const] : []));
    return { text: String(body.text), buttons: new Map(own) };
  }

  const methods: Readonly<Record<string, (body: ReturnType<typeof Object>) => object>> = {
    getMe: () => ok({ id: 1, is_bot: true }),
    getChat: () => ok({ id: -100 }),
    sendMessage(body) {
      const id = messages.length + 1;
      messages.push({ id, ...shown(body), edits: 0 });
      return ok({ message_id: id, chat: { id: -100 } });
    },
    editMessageText(body) {
      const message = messages.find(({ id }) => id === body.message_id);
      if (!message) return refusal(400, 'Bad Request: message to edit not found');
      Object.assign(message, shown(body));
      message.edits += 1;
      return ok({ message_id: message.id, chat: { id: -100 } });
    },
    answerCallbackQuery(body) {
      answered.push({ query: body.callback_query_id, text: body.text, alert: body.show_alert === true });
      return ok(true);
    },
  };

  async function getUpdates(body: ReturnType<typeof Object>, response: ServerResponse): Promise<object> {
    if (failures > 0) {
      failures -= 1;
      return refusal(502, 'Bad Gateway');
    }
    if (hasCompetitor || open.size > 0) {
      polls.refused += 1;
      return refusal(
        409,
        'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
      );
    }
    if (!body.allowed_updates?.includes('callback_query')) return refusal(400, 'Bad Request: nothing to ask for');
    if (body.offset !== undefined) updates = updates.filter(({ update_id: id }) => id >= body.offset);
    open.add(response);
    polls.mostAtOnce = Math.max(polls.mostAtOnce, open.size);
    try {
      if (updates.length === 0) await hold(Math.min(body.timeout, 2) * 1_000);
      polls.answered += 1;
      return ok(updates.slice(0, body.limit ?? 100));
    } finally {
      open.delete(response);
    }
  }

  async function hold(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, milliseconds);
    held.add(resolve);
    await promise;
    clearTimeout(timer);
    held.delete(resolve);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<object> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const [, bot, method = ''] = (request.url ?? '').split('/');
    if (bot !== `bot${token}`) return refusal(401, 'Unauthorized');
    const body = Object(JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}'));
    if (method === 'getUpdates') return getUpdates(body, response);
    return methods[method]?.(body) ?? refusal(404, 'Not Found');
  }

  const pair = authority.sign({ commonName: 'api.telegram.org', names: ['api.telegram.org'] });
  const server = createServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
    void answer(request, response).then((body) => {
      const { error_code: status = 200 } = Object(body);
      if (!response.destroyed)
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  const port = await listen(server);
  const { proxy, proxyURL } = await tunnelTo(port, ['api.telegram.org']);
  return {
    ...{ proxyURL, messages, answered, polls },
    press({ id, name }, carries) {
      const query = `q${next}`;
      const from = { id, is_bot: false, first_name: name };
      const pressed = {
        id: query,
        from,
        message: { message_id: 1, chat: { id: -100 } },
        chat_instance: '1',
        data: carries,
      };
      told.push(pressed);
      add(pressed);
      return query;
    },
    again() {
      for (const query of told) add(query);
    },
    breakOff(more) {
      failures = more;
      for (const response of open) response.destroy();
      open.clear();
    },
    compete(does) {
      hasCompetitor = does;
    },
    async stop() {
      for (const wake of held) wake();
      server.closeAllConnections();
      proxy.closeAllConnections();
      await Promise.all([server, proxy].map((each) => new Promise((done) => each.close(done))));
    },
  };
}

const ok = (result: unknown): object => ({ ok: true, result });
const refusal = (status: number, description: string): object => ({ ok: false, error_code: status, description });
