import type { Sign, SignKind } from '../model/sign.ts';
import { addressIn, addressOf, nameBeside, target } from './address.ts';
import { pathBeside } from './path.ts';
import { signRows } from './table.ts';

/** Characters behind a row's pattern in which its second one is looked for. */
const reach = 900;
/** Characters of the line that a sign keeps. */
const maxLine = 300;

/** Whom a sentence could not reach is in it or near it, whatever the order of its words. */
export const reaching: ReadonlySet<SignKind> = new Set<SignKind>([
  'NameNotResolved',
  'ConnectionRefused',
  'ConnectionTimedOut',
  'ConnectionReset',
  'HostUnreachable',
  'ServiceUnavailable',
  'RequestRefused',
  'CertificateInvalid',
  'CredentialsRejected',
  'TooManyConnections',
  'RateLimited',
]);
/** Who turns the call away is the proxy on the way, and not the host behind it that is named: that was not asked. */
export const byProxy =
  /\bproxyconnect\b|\bProxyError\b|\btunnel connection failed\b|\btunnell?ing socket could not\b|\bthrough (?:the )?proxy\b/i;
/** What they are about is a path beside the reason. */
export const pathed: ReadonlySet<SignKind> = new Set<SignKind>([
  'PermissionDenied',
  'ReadOnlyFileSystem',
  'NoSpaceLeft',
  'FileSystemFailing',
  'FileMissing',
]);

/** The sign of one sentence: the first row of the table that reads it. `'none'`: it is said on normal days as well. */
export function signOf(text: string): Sign | 'none' | undefined {
  const lower = text.toLowerCase();
  for (const row of signRows) {
    if (!row.needs.some((part) => lower.includes(part))) continue;
    const match = row.pattern.exec(text);
    if (!match) continue;
    const end = match.index + match[0].length;
    const rest = row.behind?.exec(text.slice(end, end + reach));
    if (row.behind && !rest) continue;
    if (row.kind === 'none') return 'none';
    const groups = { ...match.groups, ...rest?.groups };
    const whom = groups.at === undefined ? target(groups.host ?? row.whom, groups.port) : addressOf(groups.at);
    const beside = reaching.has(row.kind) && !byProxy.test(text) ? addressIn(text) : undefined;
    // The same host with its port says more, but of a name that is only looked up.
    const isMore = row.kind !== 'NameNotResolved' && whom?.port === undefined && beside?.host === whom?.host;
    const found = (isMore ? undefined : whom) ?? beside ?? target(groups.peer);
    const named = found && nameBeside(found, text);
    const about = groups.name ?? (pathed.has(row.kind) ? pathBeside(text, match.index, end) : undefined);
    const name = about?.trim().replace(/[:,;]+$|(?<=\w)\.$/, '');
    return {
      kind: row.kind,
      ...(named && { target: named }),
      // What redaction took away is no name.
      ...(name && !name.includes('***') && { name }),
      line: excerpt(text, end),
    };
  }
  return undefined;
}

/** The line up to `end`, where what was read ends, in at most 300 characters; what follows as far as there is room. */
export function excerpt(text: string, end: number): string {
  if (text.length <= maxLine) return text;
  if (end < maxLine) return `${text.slice(0, maxLine - 1).toWellFormed()}…`;
  const start = end - maxLine + 2;
  return `…${text.slice(start, end).toWellFormed()}${end < text.length ? '…' : ''}`;
}
