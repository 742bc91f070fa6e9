import { addressIn, nameBeside } from '../../src/signs/address.ts';
import { calleeOf, complaintIn } from '../../src/signs/complaint.ts';
import { entriesOf } from '../../src/signs/entry.ts';
import { levelIn } from '../../src/signs/level.ts';
import { overcomeIn } from '../../src/signs/overcome.ts';
import { pathBeside } from '../../src/signs/path.ts';
import { structured } from '../../src/signs/structured.ts';
import { subjectOf } from '../../src/signs/subject.ts';
import { fillers, lineLength } from './hostile.ts';

const traceOf = (lines: readonly string[]) => lines.map((text, at) => [at, { text, block: 1, line: at }] as const);

/** What reads the lines of a log besides the rows of the table, each by itself. */
export const readers: Readonly<Record<string, (lines: readonly string[]) => unknown>> = {
  complaintIn: (lines) => complaintIn(traceOf(lines)),
  calleeOf: (lines) => calleeOf(traceOf(lines)),
  addressIn: (lines) => lines.map((line) => addressIn(line)),
  nameBeside: (lines) => lines.map((line) => nameBeside({ host: '10.0.0.1', port: 80 }, line)),
  pathBeside: (lines) => lines.map((line) => pathBeside(line, line.length / 2, line.length / 2 + 10)),
  levelIn: (lines) => lines.map((line) => levelIn(line)),
  structured: (lines) => lines.map((line) => structured(line)),
  entriesOf: (lines) => entriesOf(lines),
  subjectOf: (lines) => lines.map((line) => subjectOf(line)),
  overcomeIn: (lines) => overcomeIn(lines),
};

/** What these patterns begin with, again and again: addresses, names of fields, nested objects, invitations, names as long as they may be. */
const beginnings = [
  ...['http://a', 'https:', 'https://user:pw@', 'see ', 'see http:', 'docs ', 'a:1 ', 'a.b:80', '10.0.0.1:', '1:'],
  ...['error ', 'Error', 'status', 'timed out ', 'invalid ', 'host=', 'host a port ', '->a:', "('a", '%3A', 'tcp('],
  ...['{"a":', '{"msg":{', '[', `${'a'.repeat(252)} `, `${'a'.repeat(253)}:`, 'A'.repeat(80), 'a-', '-a', '"a', 'x/1.'],
];

/** Hostile logs of so many characters: lines of the length that is read, of one thing each, with and without what is looked for. */
export function hostileLogs(size: number): readonly (readonly string[])[] {
  const count = Math.ceil(size / lineLength);
  return [...fillers, ...beginnings].flatMap((filler) =>
    [
      ['', ''],
      ['error: ', ''],
      ['', ' failed'],
      ['connection failed ', ' 10.0.0.1:80'],
    ].map(([prefix = '', suffix = '']) => {
      const run = (prefix + filler.repeat(Math.ceil(lineLength / filler.length))).slice(0, lineLength - suffix.length);
      return Array.from({ length: count }, () => run + suffix);
    }),
  );
}
