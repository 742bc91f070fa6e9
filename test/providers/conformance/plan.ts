/** The cases of one type in one mode: the tests are these, and so is the table. */
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { Outcome } from '../../../src/model/delivery.ts';
import type { Act, Notification } from '../../../src/model/notification.ts';
import type { Family } from '../../../src/model/traits.ts';
import { editingFields, type Support } from '../../../src/providers/kit/supports.ts';
import { MemoryStore } from '../../../src/state/memory.ts';
import { outsideCode } from '../../message/render/outside-code.ts';
import { deliveryOf, notifications } from '../notifications.ts';
import type { ToldName } from '../told/told.ts';
import { attempt, type Bench, check, deliver } from './bench.ts';
import type { AnswerCase, CaseFile, Group, Mode } from './case-file.ts';
import { assertOutcome, assertWhole, assertWithin, compare, lookUp, partsOf, shortened, textsOf } from './expect.ts';
import { hostile, materials, oversize, scripts, spoken } from './hostile.ts';
import { proveKeys } from './keys.ts';
import { proofsOf, silentProofs } from './supports.ts';
import { faults } from './wire.ts';

/** One test. */
export type Case = { readonly group: Group; readonly title: string; run(bench: Bench): Promise<void> };

type Subject = {
  readonly type: string;
  readonly wire: CaseFile['wire'];
  readonly name: string;
  readonly mode: Mode;
  readonly plain: 'native' | 'alert' | 'none';
  readonly supports: readonly Support[];
  readonly family: Family;
};

/** Everything a type in one mode must stand. */
export function planOf(subject: Subject): readonly Case[] {
  const all = [golden, statuses, answers, misbehaviour, size, injection, secrets, order, abilities, credentials];
  return all.flatMap((make) => make(subject)).filter(({ group }) => subject.mode.without[group] === undefined);
}

const incidentActs = ['open', 'update', 'resolve', 'reopen'] as const;
const plainActs = { native: ['digest', 'startup', 'overview'], alert: ['startup'], none: [] } as const;
const actsOf = ({ plain }: Pick<Subject, 'plain'>): readonly Act[] => [...incidentActs, ...plainActs[plain], 'test'];
/** Acts that follow an opening, and get what it returned. */
export const laterActs: ReadonlySet<Act> = new Set(['update', 'resolve', 'reopen']);
/** What is told of no incident to products that show it as it is, and to those that make an alert of it. */
const plainNames = { native: ['overview-over', 'startup-well'], alert: ['startup-over'], none: [] } as const;

/** What a type is told, by name: every act, to one team alone, and how what is no incident ends. */
export function toldTo(subject: Pick<Subject, 'plain'>): readonly (readonly [name: ToldName, Notification])[] {
  const names = [...actsOf(subject), 'tenant' as const, ...plainNames[subject.plain]];
  return names.map((name) => [name, notifications[name]]);
}

function golden(subject: Subject): readonly Case[] {
  return toldTo(subject).map(([name, notification]) => ({
    group: 'golden',
    title: `${name} is exactly the recorded request`,
    async run(bench) {
      bench.wire.script([]);
      const { ref } = bench.mode;
      const known = ref && laterActs.has(notification.act) ? { ref } : {};
      const { ref: _kept, ...outcome } = await attempt(bench, notification, known);
      assert.deepEqual(outcome, { is: 'delivered' });
      compare(
        subject,
        name,
        bench.wire.arrived().map((each) => each.golden),
      );
    },
  }));
}

/** Status → class by the shared table (RFC 9110), and replies of SMTP (RFC 5321 §4.2). */
const statusClasses: Readonly<Record<number, Outcome['is']>> = {
  ...{ 301: 'permanent', 302: 'permanent', 307: 'permanent', 308: 'permanent', 400: 'permanent', 401: 'permanent' },
  ...{ 403: 'permanent', 404: 'permanent', 405: 'permanent', 408: 'retryable', 409: 'permanent', 410: 'permanent' },
  ...{ 415: 'permanent', 422: 'permanent', 425: 'retryable', 429: 'rateLimited', 431: 'permanent' },
  ...{ 500: 'retryable', 501: 'retryable', 502: 'retryable', 503: 'retryable', 504: 'retryable', 505: 'retryable' },
};
const replyClasses: readonly AnswerCase[] = [
  ...(['CONNECT', 'MAIL', 'RCPT', 'DATA'] as const).flatMap((at): readonly AnswerCase[] => [
    { name: `450 at ${at}`, answer: { at, reply: '450 4.2.0 busy' }, is: 'retryable', code: 'ServerError' },
    {
      name: `554 at ${at}`,
      answer: { at, reply: '554 5.7.1 no' },
      is: 'permanent',
      code: 'Rejected',
      credential: false,
    },
  ]),
  { name: '421 at CONNECT', answer: { at: 'CONNECT', reply: '421 4.3.2 shutting down' }, is: 'retryable' },
  {
    name: '421 at RCPT',
    answer: { at: 'RCPT', reply: '421 4.7.0 try again later' },
    is: 'rateLimited',
    afterMs: 60_000,
  },
  { name: '503 at MAIL', answer: { at: 'MAIL', reply: '503 5.5.1 out of step' }, is: 'retryable' },
];

function statuses(subject: Subject): readonly Case[] {
  if (subject.wire === 'smtp') return answerCases('statuses', replyClasses);
  const classes: Readonly<Record<string, Outcome['is']>> = { ...statusClasses, ...subject.mode.statuses };
  return answerCases(
    'statuses',
    Object.entries(classes).map(([status, is]): AnswerCase => {
      const headers = { location: 'https://elsewhere.example/login?token=abc', 'retry-after': '7' };
      const waits = is === 'rateLimited' ? { afterMs: 7_000 } : {};
      // A second request gets the same: types that ask again must not be lucky.
      const answer = { status: Number(status), headers };
      return { name: status, answers: [answer, answer, answer], is, ...waits };
    }),
  );
}

function answers({ mode }: Subject): readonly Case[] {
  return answerCases('answers', mode.answers);
}

function answerCases(group: Group, rows: readonly AnswerCase[]): readonly Case[] {
  return rows.map((row) => ({
    group,
    title: `${row.name}: ${row.is}`,
    async run(bench) {
      bench.wire.script(row.answers ?? (row.answer ? [row.answer] : []));
      const { act = 'open', ref, lost = false, quiet } = row;
      const outcome = await attempt(bench, notifications[act], { lost, ...(ref && { ref }), ...(quiet && { quiet }) });
      assertOutcome(outcome, row);
      const asked = bench.wire.arrived().map(({ brief }) => brief);
      assert.ok(!asked.some((address) => address.includes('elsewhere.example')), 'a redirect was followed');
      if (!row.requests) return;
      assert.equal(asked.length, row.requests.length, asked.join(' '));
      for (const [index, end] of row.requests.entries()) assert.ok(asked[index]?.endsWith(end), asked.join(' '));
    },
  }));
}

const faultWords = {
  silence: 'no answer at all is a time-out',
  reset: 'a connection that breaks after the request is tried again, and may have arrived',
  half: 'half an answer is tried again',
  drip: 'an answer that drips for ever is a time-out',
} as const;

function misbehaviour(): readonly Case[] {
  return faults.map((fault) => ({
    group: 'faults',
    title: faultWords[fault],
    async run(bench) {
      bench.wire.script(fault);
      const outcome = await attempt(bench, notifications.open, { hasty: fault === 'silence' || fault === 'drip' });
      assert.ok(outcome.is === 'retryable', inspect(outcome));
      assert.equal(outcome.code, fault === 'silence' || fault === 'drip' ? 'Timeout' : 'Unreachable', outcome.reason);
      if (fault === 'reset' || fault === 'drip') assert.equal(outcome.mayHaveArrived, true);
    },
  }));
}

function size({ plain }: Subject): readonly Case[] {
  const acts = plain === 'native' ? (['open', 'digest'] as const) : (['open'] as const);
  return Object.entries(materials).flatMap(([name, unit]) =>
    acts.map((act) => ({
      group: 'size' as const,
      title: `an oversize ${act} of ${name} is cut to the limits, between graphemes`,
      async run(bench: Bench) {
        bench.wire.script([]);
        const outcome = await attempt(bench, oversize(unit, act));
        assert.equal(outcome.is, 'delivered', inspect(outcome));
        for (const { body, parsed } of bench.wire.arrived()) {
          for (const limit of bench.mode.limits) assertWithin(limit, body, parsed);
          for (const text of textsOf(parsed)) assertWhole(text, unit);
        }
      },
    })),
  );
}

function injection(subject: Subject): readonly Case[] {
  return [
    {
      group: 'injection',
      title: 'texts of the cluster mention nobody, link nowhere and add nothing to the request',
      async run(bench) {
        bench.wire.script([]);
        await attempt(bench, notifications.open);
        const usual = bench.wire.arrived().map((each) => shapeOf(each, notifications.open));
        bench.wire.script([]);
        assert.equal((await attempt(bench, hostile())).is, 'delivered');
        const arrived = bench.wire.arrived();
        assert.deepEqual(
          arrived.map((each) => shapeOf(each, hostile())),
          usual,
        );
        const { markupAt, inertCode, forbidden: all } = subject.mode;
        const places = [markupAt].flat().map((place) => place.split('.'));
        const found = arrived.flatMap(({ parsed }) => places.flatMap((place) => textsOf(lookUp(parsed, place))));
        const texts = inertCode ? found.map(outsideCode) : found;
        for (const forbidden of all)
          for (const text of texts) assert.ok(!text.includes(forbidden), `${forbidden} in ${text}`);
        compare(
          subject,
          'hostile',
          arrived.map(({ golden: whole }) => whole),
        );
      },
    },
    ...Object.entries(scripts).map(([script, words]) => ({
      group: 'injection' as const,
      title: `${script} arrives as it is, in a sentence and in a log`,
      async run(bench: Bench) {
        const showsLog = (await shownOf(bench, spoken('words'))).includes('words 333');
        const shown = await shownOf(bench, spoken(words));
        assert.ok(shown.includes(`: ${words} 111`), shown);
        assert.equal(shown.includes(`${words} 333`), showsLog, shown);
      },
    })),
  ];
}

/** Everything that arrives of a notification, as text. */
async function shownOf(bench: Bench, notification: Notification): Promise<string> {
  bench.wire.script([]);
  assert.equal((await attempt(bench, notification)).is, 'delivered');
  const texts = bench.wire.arrived().flatMap(({ parsed }) => textsOf(parsed));
  return texts.join('\n');
}

/** What no text may change: where it went, but for the key of the delivery, and which headers it had. */
function shapeOf(
  { brief, golden: { headers } }: ReturnType<Bench['wire']['arrived']>[number],
  notification: Notification,
): unknown {
  const address = brief.replaceAll(deliveryOf(notification).attemptKey, '{attemptKey}');
  return { address, headers: Object.keys(Object(headers)) };
}

function secrets({ mode }: Subject): readonly Case[] {
  const entries = Object.entries(mode.secrets);
  const unknown = mode.inBody.filter((path) => mode.secrets[path] === undefined);
  assert.deepEqual(unknown, [], '`inBody` names what `secrets` does not');
  const values = entries.flatMap(([, value]) => [value, ...partsOf(value)]);
  const never = entries.flatMap(([path, value]) => (mode.inBody.includes(path) ? [] : [value, ...partsOf(value)]));
  const assertNone = (text: string, where: string, some = values): void => {
    for (const value of some) assert.ok(!text.includes(value), `the secret is in ${where}`);
  };
  return [
    {
      group: 'secrets',
      title: 'a product that quotes everything gets no secret into outcome, report, outbox, log or metric',
      async run(bench) {
        bench.wire.script('echo');
        assertNone(inspect(await attempt(bench, notifications.open), { depth: 9, showHidden: true }), 'the outcome');
        const { report, traces } = await deliver(bench, new MemoryStore(), notifications.open);
        assert.equal(report.ended === 'delivered', values.length === 0);
        assertNone(traces, 'the traces');
      },
    },
    {
      group: 'secrets',
      title: 'no secret is in the payload, nor in what a broken connection leaves',
      async run(bench) {
        bench.wire.script([]);
        await attempt(bench, notifications.open);
        for (const { body } of bench.wire.arrived()) assertNone(body, 'the payload', never);
        bench.wire.script('reset');
        assertNone(inspect(await attempt(bench, notifications.open), { depth: 9 }), 'the outcome');
      },
    },
  ];
}

function order(subject: Subject): readonly Case[] {
  const keys: Case = {
    group: 'order',
    title: 'a key that ends in #2 reaches the product whole, in a form that it takes',
    run: proveKeys,
  };
  const orders = (['kept', 'lost'] as const).map(
    (references): Case => ({
      group: 'order',
      title: `open, update, resolve, reopen with references ${references}`,
      async run(bench) {
        bench.wire.script([]);
        let store = new MemoryStore();
        for (const act of incidentActs) {
          if (references === 'lost') store = new MemoryStore();
          const { report } = await deliver(bench, store, notifications[act]);
          assert.equal(report.ended, 'delivered', inspect(report));
        }
        compare(
          subject,
          `order-${references}`,
          bench.wire.arrived().map(({ golden: whole }) => shortened(whole)),
        );
      },
    }),
  );
  return [...orders, keys];
}

function abilities({ supports, mode, family }: Subject): readonly Case[] {
  const edits = editingFields(family, supports)?.every((field) => mode.block[field] !== undefined) === true;
  const proofs = [...proofsOf(supports, mode), ...(edits ? silentProofs(mode) : [])];
  return proofs.map((proof) => ({ group: 'supports', ...proof }));
}

function credentials(subject: Subject): readonly Case[] {
  const { mode } = subject;
  const bad = mode.check?.bad ?? [];
  return [
    {
      group: 'check',
      title: 'good credentials are found good, and nobody is told anything',
      async run(bench) {
        assert.ok(mode.check, 'the case file says nothing of `check`, and gives no reason in `without`');
        bench.wire.script(mode.check.good);
        assert.deepEqual(await check(bench), { is: 'delivered' });
        if (subject.wire === 'http')
          compare(
            subject,
            'check',
            bench.wire.arrived().map((each) => each.golden),
          );
        else assert.deepEqual(bench.wire.arrived(), []);
      },
    },
    ...bad.map(
      (row): Case => ({
        group: 'check',
        title: `${row.name}: ${row.is}`,
        async run(bench) {
          bench.wire.script(row.answers ?? (row.answer ? [row.answer] : []));
          assertOutcome(await check(bench), row);
        },
      }),
    ),
  ];
}
