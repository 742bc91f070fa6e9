/** What a judge is. The tables of judges are one file a family; `judges.ts` has them all. */
import type { Call } from './calls.ts';
import type { SdkTypes } from './sdk-types.ts';

type About = {
  /** Which requests, by method and address without query. */
  readonly of: RegExp;
  /** Which of them it is not about, by what they were sent for. */
  readonly except?: RegExp;
  /** The npm package whose word it is. */
  readonly by: string;
  /** What it says of them, for docs/contributing/oracles.md. */
  readonly says: string;
};

/** The vendor's type, which the payload must have as a literal: misspelt and unknown names do not compile. */
export type TypeJudge = About & {
  readonly type: keyof SdkTypes;
  /** The part that has the type; the payload unless said. */
  part?(call: Call): unknown;
};

/** The vendor's own code, or code that reads the vendor's schema. */
export type RunJudge = About & {
  /** Throws or rejects where the request is not as it should be. */
  judge(call: Call): unknown;
  /** A request as it must not be, to see that the judge can say no. */
  spoil(call: Call): Call;
};

/** Either. */
export type Judge = TypeJudge | RunJudge;

/** Requests with a payload that nobody judges, and why. */
export type Unjudged = { readonly of: RegExp; readonly why: string };

/** The same request with another payload. */
export function withPayload(call: Call, parsed: unknown): Call {
  return { ...call, parsed, body: JSON.stringify(parsed) };
}

/** The same request with more in its payload, or something else there. */
export function withMore(call: Call, more: Readonly<Record<string, unknown>>): Call {
  return withPayload(call, { ...Object(call.parsed), ...more });
}

/** The query, with whole numbers and truth values as such: they are typed in SDKs and texts on the wire. */
export function queryOf({ url }: Call): unknown {
  const typed = (text: string): unknown => (/^(?:\d{1,15}|true|false)$/.test(text) ? JSON.parse(text) : text);
  return Object.fromEntries([...url.searchParams].map(([name, value]) => [name, typed(value)]));
}
