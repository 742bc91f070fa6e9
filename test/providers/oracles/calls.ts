/** Everything a type sends to its product: what the judges judge. */
import type { Reference } from '../../../src/model/delivery.ts';
import type { Notification } from '../../../src/model/notification.ts';
import type { AnyProvider } from '../../../src/providers/kit/define.ts';
import { attempt, check } from '../conformance/bench.ts';
import { readCaseFile } from '../conformance/case-file.ts';
import { hostile, materials, oversize } from '../conformance/hostile.ts';
import { startHttpProduct } from '../conformance/http-product.ts';
import { laterActs, toldTo } from '../conformance/plan.ts';
import { startSmtpProduct } from '../conformance/smtp-product.ts';
import type { Arrived } from '../conformance/wire.ts';

/** One request or mail as it arrived. */
export type Call = {
  /** What it was sent for, to name it in a failure: `token, oversize open of emoji`. */
  readonly title: string;
  readonly method: string;
  readonly url: URL;
  /** Names in lower case; without those of the connection. */
  readonly headers: Readonly<Record<string, string>>;
  /** As it was sent, and read as JSON or as a form where it is one. */
  readonly body: string;
  readonly parsed: unknown;
};

/**
 * What a type sends in all its modes: every act, once with the reference that the opening returned and once with it lost; hostile
 * texts; far too much of everything; and the check of its credentials.
 */
export async function callsOf(definition: AnyProvider): Promise<readonly Call[]> {
  const { type, plain } = definition;
  const { wire: speaks, modes } = readCaseFile(type);
  const calls: Call[] = [];
  for (const [name, mode] of modes) {
    await using wire = speaks === 'smtp' ? await startSmtpProduct() : await startHttpProduct(mode.well);
    const bench = { definition, mode, wire };
    let opened: Reference | undefined;
    const keep = (title: string): void => {
      const whole = name === 'default' ? title : `${name}, ${title}`;
      calls.push(...wire.arrived().map((each) => (speaks === 'smtp' ? mailOf(whole, each) : callOf(whole, each))));
      wire.script([]);
    };
    for (const { title, notification, lost } of trialsOf(plain)) {
      const ref = laterActs.has(notification.act) ? (mode.ref ?? opened) : undefined;
      const outcome = await attempt(bench, notification, { ...(lost ? { lost } : ref && { ref }) });
      opened ??= outcome.ref;
      keep(title);
    }
    if (!mode.check) continue;
    wire.script(mode.check.good);
    await check(bench);
    keep('check');
  }
  return calls;
}

type Trial = { readonly title: string; readonly notification: Notification; readonly lost?: boolean };

/** Those that differ in form; the conformance suite holds all of them against the limits. */
const someMaterials = ['ASCII', 'characters that markup escapes', 'emoji of several code points'] as const;

function trialsOf(plain: AnyProvider['plain']): readonly Trial[] {
  const told = toldTo({ plain }).flatMap(([title, notification]): readonly Trial[] => [
    { title, notification },
    ...(laterActs.has(notification.act) ? [{ title: `${title}, reference lost`, notification, lost: true }] : []),
  ]);
  const acts = plain === 'native' ? (['open', 'digest'] as const) : (['open'] as const);
  const sizes = someMaterials.flatMap((material) =>
    acts.map((act) => ({ title: `oversize ${act} of ${material}`, notification: oversize(materials[material], act) })),
  );
  return [...told, { title: 'hostile', notification: hostile() }, ...sizes];
}

function callOf(title: string, { golden, brief, body, parsed }: Arrived): Call {
  const [method = '', address = ''] = brief.split(' ');
  const headers = Object.entries(Object(golden.headers)).map(([name, value]) => [name, String(value)] as const);
  return { title, method, url: new URL(address), headers: Object.fromEntries(headers), body, parsed };
}

/** A mail is sent to no address of its own. */
function mailOf(title: string, { body, parsed }: Arrived): Call {
  return { title, method: 'MAIL', url: new URL('smtp://smtp.example.com/'), headers: {}, body, parsed };
}

/** Method and address without its query: `POST api.example.com/items`. */
export function lineOf({ method, url }: Pick<Call, 'method' | 'url'>): string {
  return `${method} ${url.host}${url.pathname}`;
}
