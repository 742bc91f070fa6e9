import { instantIn } from './instants.ts';
import type { Reason } from './reason.ts';
import type { Severity } from './severity.ts';

/**
 * Who takes an incident on, by what they said so (`Telegram`, `tocsin ack`), and when (epoch milliseconds). Without `via` and `since`, by the
 * annotation itself.
 */
export type Acknowledgement = { readonly by: string; readonly via?: string; readonly since?: number };

/** The same of an incident: since when, and how it stood then. `at`: epoch milliseconds. */
export type Acknowledged = Acknowledgement & {
  readonly at: number;
  readonly severity: Severity;
  readonly reason: Reason;
};

/** What becomes of an acknowledgement: it holds, no open incident has its ID, or that one ended since and failed again. */
export const acknowledgementOutcomes = ['Acknowledged', 'NotOpen', 'Lapsed'] as const;
/** One of the outcomes above. */
export type AcknowledgementOutcome = (typeof acknowledgementOutcomes)[number];

/** What an annotation of the AlertConfig begins with that acknowledges an incident; its ID follows. */
export const acknowledgedPrefix = 'acknowledged.tocsin.dev/';

/** The annotation that acknowledges an incident. */
export const acknowledgedAnnotation = (incident: string): string => `${acknowledgedPrefix}${incident}`;

/** Characters that are kept of a name. */
const longest = 100;

/** Who, and by what: `ada via Telegram`. */
export const whoAcknowledged = ({ by, via }: Acknowledgement): string => (via === undefined ? by : `${by} via ${via}`);

/** The value of the annotation. */
export function acknowledgementText(said: Acknowledgement): string {
  const at = said.since === undefined ? '' : ` at ${new Date(said.since).toISOString()}`;
  return `${whoAcknowledged(said)}${at}`;
}

/**
 * What the value of the annotation says: a name, or `NAME via PRODUCT at TIME`, of which anything but the name may be absent. An empty one says
 * no name.
 */
export function acknowledgementIn(text: string): Acknowledgement {
  const said = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  const [, start, time] = /^(.*?) ?\bat (\S+)$/.exec(said) ?? [];
  const since = time === undefined ? undefined : instantIn(time);
  const who = since === undefined ? said : (start ?? '');
  const [, by = who, via] = /^(.+) via (.+)$/.exec(who) ?? [];
  return {
    by: by === '' ? 'somebody' : by.slice(0, longest),
    ...(via !== undefined && { via: via.slice(0, longest) }),
    ...(since !== undefined && { since }),
  };
}

/** What annotations acknowledge: ID of an incident → who. `undefined`: nothing. */
export function acknowledgementsIn(
  annotations: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, Acknowledgement>> | undefined {
  const found = Object.entries(annotations).flatMap(([key, value]) =>
    key.startsWith(acknowledgedPrefix) && typeof value === 'string'
      ? [[key.slice(acknowledgedPrefix.length), acknowledgementIn(value)] as const]
      : [],
  );
  return found.length === 0 ? undefined : Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Of an acknowledged incident: what acknowledged it. */
export const acknowledgementOf = ({ by, via, since }: Acknowledgement): Acknowledgement => ({
  by,
  ...(via !== undefined && { via }),
  ...(since !== undefined && { since }),
});

/** Whether two say the same. */
export const isSameAcknowledgement = (one: Acknowledgement | undefined, other: Acknowledgement | undefined): boolean =>
  one?.by === other?.by && one?.via === other?.via && one?.since === other?.since;
