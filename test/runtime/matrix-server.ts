import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from './tunnel.ts';

/** An event of the room, as members get it. */
export type RoomEvent = {
  readonly event_id: string;
  readonly sender: string;
  readonly type: string;
  readonly content: ReturnType<typeof Object>;
};

/**
 * A home server with one room and one bot, by what spec.matrix.org says of the Client-Server API: `/sync` holds the question until something
 * happens that its filter lets through, and gives everything after `since`; transactions are carried out once; an event can be asked for.
 */
export type MatrixServer = {
  readonly url: string;
  readonly bot: string;
  readonly room: string;
  readonly events: readonly RoomEvent[];
  /** Questions that were answered with 200, that were refused, and which filters they had. */
  readonly syncs: { answered: number; refused: number; readonly filters: Set<string> };
  /** What the room shows of a message now. */
  shown(event: string): ReturnType<typeof Object>;
  /** Somebody sends an event. Returns its ID. */
  send(sender: string, type: string, content: object): string;
  /** Gives all events once more, to those who ask the next few times: a proxy answers from its cache. */
  again(): void;
  /** Breaks off every question that is held, and answers so many more with 502. */
  breakOff(failures: number): void;
  /** The server is made anew: it knows none of its cursors. */
  forget(): void;
  /** Lets everything through from now on, or no more. */
  ignoreFilters(does: boolean): void;
  stop(): Promise<void>;
};

type Filter = { readonly timeline?: { readonly types?: readonly string[]; readonly senders?: readonly string[] } };

/** Starts it. `token` is the bot's. */
export async function startMatrixServer(token: string): Promise<MatrixServer> {
  const bot = '@tocsin:matrix.example';
  const room = '!ops:matrix.example';
  const events: RoomEvent[] = [];
  const transactions = new Map<string, string>();
  const syncs = { answered: 0, refused: 0, filters: new Set<string>() };
  const held = new Set<() => void>();
  const open = new Set<ServerResponse>();
  let life = 0;
  let failures = 0;
  let isDeafToFilters = false;
  let repeats = 0;

  function send(sender: string, type: string, content: object): string {
    const event_id = `$e${events.length + 1}`;
    events.push({ event_id, sender, type, content });
    for (const wake of held) wake();
    return event_id;
  }

  async function hold(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, milliseconds);
    held.add(resolve);
    await promise;
    clearTimeout(timer);
    held.delete(resolve);
  }

  async function sync(query: URLSearchParams, response: ServerResponse): Promise<Reply> {
    if (failures > 0) {
      failures -= 1;
      syncs.refused += 1;
      return [502, {}];
    }
    const filter = String(query.get('filter'));
    syncs.filters.add(filter);
    const { room: { rooms = [room], timeline = {} } = {} }: { room?: Filter & { rooms?: readonly string[] } } =
      JSON.parse(filter);
    const passes = ({ type, sender }: RoomEvent): boolean =>
      rooms.includes(room) &&
      (isDeafToFilters || ((timeline.types?.includes(type) ?? true) && (timeline.senders?.includes(sender) ?? true)));
    const [, of, at] = /^s(\d+)_(\d+)$/.exec(query.get('since') ?? `s${life}_${events.length}`) ?? [];
    if (Number(of) !== life) {
      syncs.refused += 1;
      return [400, { errcode: 'M_UNKNOWN', error: 'Unknown since token' }];
    }
    const since = repeats > 0 || !query.has('since') ? 0 : Number(at);
    repeats = Math.max(0, repeats - 1);
    open.add(response);
    try {
      const timeout = Math.min(Number(query.get('timeout')), 1_000);
      const found = (): readonly RoomEvent[] => events.slice(since).filter(passes);
      if (found().length === 0 && timeout > 0) await hold(timeout);
      syncs.answered += 1;
      const joined =
        found().length === 0 ? {} : { join: { [room]: { timeline: { events: found(), limited: false } } } };
      return [200, { next_batch: `s${life}_${events.length}`, rooms: joined }];
    } finally {
      open.delete(response);
    }
  }

  function put(path: string, content: object): Reply {
    const [, type = '', transaction = ''] = /\/send\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
    const id = transactions.get(transaction) ?? send(bot, type, content);
    transactions.set(transaction, id);
    return [200, { event_id: id }];
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<Reply> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://server');
    const path = pathname.replace('/_matrix/client/v3/', '');
    if (request.headers.authorization !== `Bearer ${token}`) return [401, { errcode: 'M_UNKNOWN_TOKEN' }];
    if (request.method === 'PUT') return put(path, JSON.parse(Buffer.concat(chunks).toString('utf8')));
    if (path === 'sync') return sync(searchParams, response);
    if (path === 'account/whoami') return [200, { user_id: bot }];
    if (path === 'joined_rooms') return [200, { joined_rooms: [room] }];
    const wanted = decodeURIComponent(/\/event\/([^/]+)$/.exec(path)?.[1] ?? '');
    const event = events.find(({ event_id: id }) => id === wanted);
    return event ? [200, event] : [404, { errcode: 'M_NOT_FOUND' }];
  }

  const server = createServer((request, response) => {
    void answer(request, response).then(([status, body]) => {
      if (!response.destroyed)
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  const port = await listen(server);
  return {
    ...{ url: `http://127.0.0.1:${port}`, bot, room, events, syncs, send },
    shown(event) {
      const edits = events.filter(({ content }) => {
        const { rel_type: kind, event_id: of } = Object(content['m.relates_to']);
        return kind === 'm.replace' && of === event;
      });
      return edits.at(-1)?.content['m.new_content'] ?? events.find(({ event_id: id }) => id === event)?.content ?? {};
    },
    again() {
      repeats = 4;
      for (const wake of held) wake();
    },
    breakOff(more) {
      failures = more;
      for (const response of open) response.destroy();
      open.clear();
    },
    forget() {
      life += 1;
      for (const wake of held) wake();
    },
    ignoreFilters(does) {
      isDeafToFilters = does;
    },
    async stop() {
      for (const wake of held) wake();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Status and body. */
type Reply = readonly [number, object];
