import { type AuditEntry, auditVersion, maxSteps } from '../../model/audit.ts';
import type { DeliveryReport } from '../../model/delivery.ts';
import type { Step } from '../../model/explanation.ts';
import type { Decision } from '../../model/incident.ts';
import { cleanText, redact } from '../../model/redact.ts';

/** Longest sentence of a line, in characters. */
const maxSentence = 1_000;

/** A text of the cluster or of a product as it may be kept for good: no secret, no control character, of bounded length. */
const kept = (text: string): string => cleanText(redact(cleanText(text)), maxSentence);

/** What the audit log says of a decision. */
export function decisionEntry({ from, to, trace, by, ...decision }: Decision): AuditEntry {
  return {
    kind: 'decision',
    ...decision,
    ...(from !== null && { from }),
    ...(to !== null && { to }),
    ...(by !== undefined && { by }),
    trace: trace.slice(0, maxSteps).map(stepOf),
  };
}

function stepOf({ rule, about, says, score }: Step): Extract<AuditEntry, { kind: 'decision' }>['trace'][number] {
  return { rule, about, says: kept(says), ...(score !== undefined && { scorePercent: Math.round(score * 100) }) };
}

/** What it says of a delivery; `undefined` of one that has not ended. */
export function deliveryEntry(report: DeliveryReport): AuditEntry | undefined {
  const { delivery, stream, provider, providerUid, act, ended, attempts, mayHaveArrived, failure, at } = report;
  if (ended === 'pending') return undefined;
  return {
    kind: 'delivery',
    time: new Date(at).toISOString(),
    delivery,
    stream,
    provider,
    providerUid,
    act,
    ended,
    attempts,
    mayHaveArrived,
    ...(failure && { failure: { class: failure.class, code: failure.code, message: kept(failure.message) } }),
  };
}

/** A line as it is queued: its text, with the newline, and what orders it. */
export type AuditLine = { readonly run: string; readonly sequence: number; readonly text: string };

/** The line of an entry. What tells it from log lines comes first. */
export function lineOf(run: string, sequence: number, entry: AuditEntry): AuditLine {
  const { kind, time, ...fields } = entry;
  const text = JSON.stringify({ log: 'audit', version: auditVersion, run, sequence, time, kind, ...fields });
  return { run, sequence, text: `${text}\n` };
}

/** How every line begins. */
export const lineBegin = '{"log":"audit",';

/** The fields that `lineOf` writes first. */
const head = /^\{"log":"audit","version":\d+,"run":"([^"]+)","sequence":(\d+),/;

/** A line that was written before, without its newline; `undefined` when it is none. */
export function readLine(text: string): AuditLine | undefined {
  const [, run, sequence] = head.exec(text) ?? [];
  return run === undefined ? undefined : { run, sequence: Number(sequence), text: `${text}\n` };
}
