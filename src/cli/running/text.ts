import { styleText } from 'node:util';
import { humanDuration } from '../../model/duration.ts';
import type { Streams } from '../command.ts';
import type { NamedObject } from './answers.ts';

/** Colours a text, or leaves it as it is. */
export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string;

/** Colours where a terminal shows them. */
export function paintFor({ stdout }: Pick<Streams, 'stdout'>): Paint {
  const colour = stdout.isTTY === true && stdout.hasColors?.() === true;
  return (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text);
}

/** The colour of a severity. */
export const severityColours: Readonly<Record<string, Parameters<typeof styleText>[0]>> = {
  critical: ['red', 'bold'],
  high: 'red',
  medium: 'yellow',
  low: 'dim',
};

/** `Deployment shop/api`, `Node n1`. */
export function objectName({ kind, namespace, name }: NamedObject): string {
  return namespace === '' ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

/** `deployment/shop/api`, `node/n1`: as one asks for it. */
export function objectPath({ kind, namespace, name }: NamedObject): string {
  return [kind.toLowerCase(), ...(namespace === '' ? [] : [namespace]), name].join('/');
}

/** `12m`: how long ago a time of RFC 3339 was. */
export function age(time: string, now: number): string {
  return humanDuration(Math.max(0, now - Date.parse(time)));
}

/** Columns as wide as their widest cell; the first row is the heading. `cell` may colour one once it is padded. */
export function table(
  rows: readonly (readonly string[])[],
  cell: (text: string, row: number, column: number) => string = (text) => text,
): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0),
  );
  return rows
    .map((row, index) =>
      row
        .map((text, column) => cell(column === row.length - 1 ? text : text.padEnd(widths[column] ?? 0), index, column))
        .join('  '),
    )
    .join('\n');
}
