import type { ServerResponse } from 'node:http';
import { type FakeApi, type Handler, type Seen, sendJson, sendStatus, startFakeApi } from './fake-api.ts';

/** An object of the enemy: `edit` tells one state of it from another, whatever versions it claims. */
type Thing = { readonly name: string; readonly uid: string; readonly edit: number; readonly version: number };
type Told = { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly thing: Thing };
type Open = { readonly response: ServerResponse; from: number; held?: string };

/** What the enemy does while a fault lasts; what is not named is done as a good server does it. */
export type Fault = {
  readonly name: string;
  /** Instead of a list, or of a watch (a streaming list is one). */
  readonly onList?: Handler;
  readonly onWatch?: Handler;
  /** What is written of an event: another line, several, or none. */
  readonly line?: (told: Told, line: string, open: Open) => string;
  /** Whether bookmarks come. */
  readonly mute?: boolean;
  /** Objects are only made while it lasts: what else it does cannot be found out by counting. */
  readonly onlyMakes?: boolean;
  /** Every watch is cut when it begins. */
  readonly cuts?: boolean;
  /** What happens to the server when it begins. */
  readonly begins?: (enemy: Enemy) => void | Promise<void>;
  readonly ends?: (enemy: Enemy) => void | Promise<void>;
};

const status =
  (code: number, reason: string, headers: Record<string, string> = {}): Handler =>
  (_, response) =>
    sendStatus(response, code, reason, reason, headers);
const accept = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
};
const sendPart = (response: ServerResponse, then: (response: ServerResponse) => void): void => {
  accept(response);
  then(response);
};
const withVersion = (line: string, version: string): string =>
  line.replace(/"resourceVersion":"[^"]*"/, `"resourceVersion":"${version}"`);

/** Every way to refuse. */
const refusals: readonly Fault[] = [400, 401, 403, 404, 405, 409, 410, 418, 422, 429, 500, 501, 503, 504].flatMap(
  (code) => {
    const answer = status(code, `Enemy${code}`, code === 429 ? { 'retry-after': '315360000' } : {});
    return [
      { name: `watches: ${code}`, onWatch: answer, cuts: true },
      { name: `lists and watches: ${code}`, onWatch: answer, onList: answer, cuts: true },
    ];
  },
);

/** What the enemy can do; the cases of the attacks by which watches were made deaf. */
export const faults: readonly Fault[] = [
  ...refusals,
  {
    name: 'lists: 500, and every watch has expired',
    onList: status(500, 'X'),
    onWatch: status(410, 'Expired'),
    cuts: true,
  },
  {
    name: 'lists are no JSON',
    onList: (_, response) => void response.end('<html>'),
    onWatch: status(410, 'Expired'),
    cuts: true,
  },
  {
    name: 'watches are accepted and ended',
    onWatch: (_, response) => sendPart(response, (r) => r.end()),
    cuts: true,
  },
  {
    name: 'watches are accepted and cut',
    onWatch: (_, response) => sendPart(response, (r) => r.destroy()),
    cuts: true,
  },
  { name: 'watches are never answered', onWatch: () => undefined, cuts: true },
  {
    name: 'watches end with an error',
    onWatch: (_, response) => sendPart(response, (r) => r.end('{"type":"ERROR","object":{"code":500}}\n')),
    cuts: true,
  },
  { name: 'watches are accepted and mute', mute: true, line: () => '', onlyMakes: true },
  { name: 'events are swallowed, bookmarks come', line: () => '', onlyMakes: true },
  { name: 'versions that are no numbers', line: (_, line) => withVersion(line, 'abc') },
  { name: 'versions that go back to 1', line: (_, line) => withVersion(line, '1'), ends: (enemy) => enemy.cut() },
  { name: 'every event twice', line: (_, line) => line + line },
  { name: 'garbage before every event', line: (_, line) => `\u0001garbage\n${line}` },
  { name: 'half a line, then on', line: (_, line) => `${line.slice(0, 20)}\n` },
  { name: 'nonsense between events', line: (_, line) => `null\n[]\n7\n{"type":"ADDED"}\n${line}` },
  {
    name: 'events in the wrong order',
    line: (_, line, open) => {
      const out = open.held === undefined ? '' : line + open.held;
      if (open.held === undefined) open.held = line;
      else delete open.held;
      return out;
    },
    ends: (enemy) => enemy.cut(),
  },
  { name: 'away', begins: (enemy) => enemy.api.kill(), ends: (enemy) => enemy.api.revive() },
  { name: 'compacted and cut', begins: (enemy) => enemy.compact(), cuts: true },
  { name: 'restored from a backup', begins: (enemy) => enemy.setBack(), cuts: true },
];

/** One kind of objects on an API server that does what a fault says, and else what a good one does. */
export class Enemy {
  readonly api: FakeApi;
  readonly #streams: boolean;
  readonly #things = new Map<string, Thing>();
  #log: Told[] = [];
  readonly #open = new Set<Open>();
  #version = 1_000;
  #oldest = 1_000;
  #serial = 0;
  fault: Fault | undefined;

  /** `streams`: it knows streaming lists. */
  static async start(streams: boolean): Promise<Enemy> {
    const api = await startFakeApi((request, response) => enemy.#answer(request, response));
    const enemy = new Enemy(api, streams);
    return enemy;
  }

  private constructor(api: FakeApi, streams: boolean) {
    this.api = api;
    this.#streams = streams;
  }

  /** What there is: name → UID and state. */
  truth(): Map<string, string> {
    return new Map([...this.#things].map(([name, { uid, edit }]) => [name, `${uid}/${edit}`]));
  }

  /** Makes, edits or deletes something. */
  change(random: () => number): void {
    const name = `thing-${Math.floor(random() * 12)}`;
    const before = this.#things.get(name);
    if (before !== undefined && this.fault?.onlyMakes) return;
    const version = ++this.#version;
    const type = before === undefined ? 'ADDED' : random() < 0.4 ? 'DELETED' : 'MODIFIED';
    const thing = { name, uid: before?.uid ?? `uid-${++this.#serial}`, edit: ++this.#serial, version };
    if (type === 'DELETED') this.#things.delete(name);
    else this.#things.set(name, thing);
    const told = { type, thing } as const;
    this.#log.push(told);
    for (const open of this.#open) this.#tell(open, told);
  }

  /** A bookmark in every watch. */
  bookmark(): void {
    if (this.fault?.mute) return;
    for (const open of this.#open) if (open.held === undefined) open.response.write(bookmark(this.#version));
  }

  cut(): void {
    for (const { response } of this.#open) response.destroy();
    this.#open.clear();
  }

  compact(): void {
    this.#log = [];
    this.#oldest = this.#version;
  }

  /** Storage of an earlier day: versions begin lower, and objects are of another time. */
  setBack(): void {
    this.#version -= 500;
    this.#log = [];
    this.#oldest = this.#version;
    for (const [name, thing] of [...this.#things].slice(0, 3))
      this.#things.set(name, { ...thing, edit: ++this.#serial });
    for (const [name, thing] of this.#things) this.#things.set(name, { ...thing, version: this.#version });
  }

  #answer(request: Seen, response: ServerResponse): void {
    if (request.path === '/readyz') response.end('ok');
    else if (request.query.get('watch') !== 'true') (this.fault?.onList ?? this.#list)(request, response);
    else (this.fault?.onWatch ?? this.#watch)(request, response);
  }

  readonly #list: Handler = (request, response) => {
    const version = request.query.get('resourceVersion') ?? '';
    if (version !== '' && !/^\d+$/.test(version)) return sendStatus(response, 400, 'BadRequest', 'invalid version');
    if (Number(version) > this.#version) return sendStatus(response, 504, 'Timeout', 'Too large resource version');
    const from = Number(request.query.get('continue') ?? 0);
    const limit = Number(request.query.get('limit') ?? 1_000);
    const items = [...this.#things.values()].slice(from, from + limit).map(objectOf);
    const left = this.#things.size - from - items.length;
    const more = left > 0 ? { continue: String(from + items.length), remainingItemCount: left } : {};
    sendJson(response, 200, { kind: 'List', metadata: { resourceVersion: String(this.#version), ...more }, items });
  };

  readonly #watch: Handler = (request, response) => {
    const version = request.query.get('resourceVersion') ?? '';
    const streamed = request.query.has('sendInitialEvents');
    if (streamed && !this.#streams) return sendStatus(response, 422, 'Invalid', 'sendInitialEvents is forbidden');
    if (version !== '' && !/^\d+$/.test(version)) return sendStatus(response, 400, 'BadRequest', 'invalid version');
    if (Number(version) > this.#version) return sendStatus(response, 504, 'Timeout', 'Too large resource version');
    if (!streamed && Number(version) < this.#oldest) return sendStatus(response, 410, 'Expired');
    accept(response);
    const open: Open = { response, from: streamed ? this.#version : Number(version) };
    this.#open.add(open);
    response.on('close', () => this.#open.delete(open));
    if (streamed) {
      for (const thing of this.#things.values()) response.write(lineOf({ type: 'ADDED', thing }));
      response.write(bookmark(this.#version, true));
    } else for (const told of this.#log) this.#tell(open, told);
  };

  #tell(open: Open, told: Told): void {
    if (told.thing.version <= open.from) return;
    const line = lineOf(told);
    open.response.write(this.fault?.line?.(told, line, open) ?? line);
  }
}

function objectOf({ name, uid, edit, version }: Thing): unknown {
  return {
    metadata: { namespace: 'shop', name, uid, resourceVersion: String(version), labels: { edit: String(edit) } },
  };
}
const lineOf = ({ type, thing }: Told): string => `${JSON.stringify({ type, object: objectOf(thing) })}\n`;
const bookmark = (version: number, isEnd = false): string => {
  const annotations = isEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};
  return `${JSON.stringify({ type: 'BOOKMARK', object: { metadata: { resourceVersion: String(version), ...annotations } } })}\n`;
};
