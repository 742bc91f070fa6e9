/** What a type's fixtures say: `fixtures/<type>/conformance.yaml`. Everything else of the suite is the same for all types. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Unit } from '../../../src/message/render/kit/truncate.ts';
import type { Outcome, Reference } from '../../../src/model/delivery.ts';
import type { Act } from '../../../src/model/notification.ts';
import type { Ability } from '../../../src/providers/kit/supports.ts';

/** The columns of the table. */
export const groups = [
  'golden',
  'statuses',
  'answers',
  'faults',
  'size',
  'injection',
  'secrets',
  'order',
  'supports',
  'check',
] as const;
/** One column. */
export type Group = (typeof groups)[number];

/** What an HTTP product answers. `match`: only to requests whose method and address hold this (`POST api.x.example/items`). */
export type HttpAnswer = {
  readonly match?: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
};
/** What an SMTP server answers to a step, instead of accepting it. `to`: to this recipient only. */
export type SmtpAnswer = {
  readonly at: 'CONNECT' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA';
  readonly reply: string;
  readonly to?: string;
};
/** An answer of either. */
export type Answer = HttpAnswer | SmtpAnswer;

/** An answer of the sheet and its class. */
export type AnswerCase = {
  readonly name: string;
  readonly answer?: Answer;
  /** To one request after the other; `null`: as a well product. One with `match` goes for every such request instead. */
  readonly answers?: readonly (Answer | null)[];
  readonly is: Outcome['is'];
  readonly code?: string;
  readonly credential?: boolean;
  readonly afterMs?: number;
  readonly says?: string;
  /** Whether somebody may have the message although it failed. */
  readonly mayHaveArrived?: boolean;
  /** The act it answers, `open` unless said; `ref`: what the opening returned; `lost`: the product is asked for it. */
  readonly act?: Act;
  readonly ref?: Reference;
  readonly lost?: boolean;
  /** It is to ring nobody. */
  readonly quiet?: true;
  /** The reference afterwards; `null`: none. */
  readonly keeps?: Reference | null;
  /** What is asked in all, by the end of method and address. */
  readonly requests?: readonly string[];
};

/** A text or the whole of a request, and the most it may be. `at`: `body`, or a path into JSON with `*` for any key. */
export type Limit = { readonly at: string; readonly max: number; readonly unit: Unit };

/** The product's own validation of a key or name of ours: what stands `at` a place, as in `supports`, matches. */
export type Taken = { readonly at: string; readonly matches: string };

/** Where it shows in what arrives that a type does what it claims in `supports`. */
export type Evidence = {
  /** The act that shows it, unless it is the usual one. `quiet`: an update that is no worse. */
  readonly act?: 'open' | 'update' | 'quiet' | 'resolve' | 'reopen';
  /** Which of its requests: those whose method and address hold this. */
  readonly request?: string;
  /**
   * Where in them: `address` (parts of the path, values of the query), or a path such as `body.dedup_key` or `headers.references`,
   * with `*` for any key. Absent for `dedup` where the item is looked for.
   */
  readonly at?: string;
  /** What stands there, alone or as the first word, and in no opening and no update: the state that the act sets. */
  readonly is?: string | number;
  /** What the product answers to that act; `null`: as a well one. */
  readonly answers?: readonly (Answer | null)[];
  /** What the opening returned, where it is not what a well product returns. */
  readonly ref?: Reference;
};

/** One way of configuring a type. */
export type Mode = {
  readonly block: Readonly<Record<string, unknown>>;
  /** Field path → value. Every value is searched for afterwards. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Those of `secrets` that the product wants in the body of a request, by field path. */
  readonly inBody: readonly string[];
  /** What a well product answers; the first that matches. */
  readonly well: readonly HttpAnswer[];
  /** What an opening returns, for the golden requests of the acts that follow it. */
  readonly ref?: Reference;
  readonly answers: readonly AnswerCase[];
  /** Status → class, where the sheet differs from the shared table. */
  readonly statuses: Readonly<Record<string, Outcome['is']>>;
  readonly limits: readonly Limit[];
  /** What the product checks before it takes a request: keys and names that are of another form cost the message. */
  readonly takes: readonly Taken[];
  /** What must not arrive as it is: mentions, links and markup of this product. */
  readonly forbidden: readonly string[];
  /** Nothing is interpreted within code: what is forbidden may be there. */
  readonly inertCode: boolean;
  /** Where there is markup: a path as in `limits`. */
  readonly markupAt: string | readonly string[];
  /**
   * Where people read the message of an opening, in the order they do (`body.title`, `body.text`), for the reference page. None: the
   * page shows the whole body, as for programs.
   */
  readonly shown: readonly string[];
  /** Ability → where it shows. */
  readonly supports: Readonly<Partial<Record<Ability, Evidence>>>;
  /** Paths where the reference of an item is only named for people, as in a link to the issue before. */
  readonly mentions: readonly string[];
  readonly check?: { readonly good: readonly Answer[]; readonly bad: readonly AnswerCase[] };
  /** Why a column is empty, for those that are. */
  readonly without: Readonly<Partial<Record<Group, string>>>;
};

/** The fixtures of one type. */
export type CaseFile = {
  readonly wire: 'http' | 'smtp';
  readonly modes: ReadonlyMap<string, Mode>;
  /** Where in an opening stands what a phone, a voice or a list shows first (`body.title`): the first of `shown` unless it says another. */
  readonly lockScreen: string | undefined;
  /** Addresses of the product that are a credential, each with its secret parts between « and ». */
  readonly addresses: readonly string[];
  /** Why nothing of the vendor's judges what is sent (`test/providers/oracles`), and what there is instead. */
  readonly unjudged: string | undefined;
};

const fixtures = join(import.meta.dirname, '../fixtures');
/** The folder of a type, and within it of a mode where there are several. */
export function folderOf(type: string, mode?: string): string {
  return mode === undefined || mode === 'default' ? join(fixtures, type) : join(fixtures, type, mode);
}

const empty = {
  block: {},
  secrets: {},
  inBody: [],
  well: [],
  answers: [],
  statuses: {},
  limits: [],
  takes: [],
  forbidden: [],
  inertCode: false,
  markupAt: '*',
  shown: [],
  supports: {},
  mentions: [],
  without: {},
};

const known = new Map<string, CaseFile>();
/** A type's file, read once; modes take what they do not say themselves from the top. */
export function readCaseFile(type: string): CaseFile {
  const file = known.get(type) ?? parseCaseFile(type);
  known.set(type, file);
  return file;
}

function parseCaseFile(type: string): CaseFile {
  const file = join(folderOf(type), 'conformance.yaml');
  if (!existsSync(file)) throw new Error(`${file} is missing: see docs/contributing/extending.md, "A provider"`);
  const content = parse(readFileSync(file, 'utf8'), { merge: true });
  const { wire = 'http', modes = { default: {} }, lockScreen, addresses = [], unjudged, ...shared } = content;
  const unknown = [shared, ...Object.values(modes)].flatMap((part) =>
    Object.keys(part ?? {}).filter((key) => !(key in empty) && key !== 'check' && key !== 'ref'),
  );
  if (unknown.length > 0) throw new Error(`${file}: unknown keys ${unknown.join(', ')}`);
  const ways = Object.entries<Partial<Mode>>(modes).map(([name, own]): [string, Mode] => [
    name,
    { ...empty, ...shared, ...own },
  ]);
  const [shown] = ways.flatMap(([, mode]) => mode.shown);
  return { wire, modes: new Map(ways), lockScreen: lockScreen ?? shown, addresses, unjudged };
}
