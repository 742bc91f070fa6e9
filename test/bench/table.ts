/** One figure with its goal, if it has one: the largest value that meets it. */
export type Figure = {
  readonly what: string;
  readonly value: number;
  readonly unit: 'KB' | 'MiB' | 's' | 'ms' | 'times' | 'perSecond' | 'percent';
  readonly atMost?: number;
};

/** What one reader of the cluster took, beside others. Seconds and MiB; absent where it says nothing. */
export type Side = {
  readonly who: string;
  readonly syncSeconds: number;
  readonly cpuSeconds: number;
  readonly steady?: number;
  readonly peak?: number;
};

const unitWords = { KB: ' KB', MiB: ' MiB', s: ' s', ms: ' ms', times: '×', perSecond: '/s', percent: ' %' } as const;
const digits = { KB: 2, MiB: 0, s: 2, ms: 1, times: 2, perSecond: 0, percent: 1 } as const;

/** A figure with its unit. One that the usual places would round to nothing, or nearly, has as many as show two digits of it. */
function words(value: number, unit: Figure['unit']): string {
  const isSmall = value > 0 && value < 10 ** -digits[unit];
  return `${isSmall ? Number(value.toPrecision(2)) : value.toFixed(digits[unit])}${unitWords[unit]}`;
}

/** A table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The figures, each beside its goal. */
export function figureTable(figures: readonly Figure[]): string {
  return table(
    ['figure', 'measured', 'goal', 'met'],
    figures.map(({ what, value, unit, atMost }) => [
      what,
      words(value, unit),
      atMost === undefined ? '' : `≤ ${atMost}${unitWords[unit]}`,
      atMost === undefined ? '' : value <= atMost ? 'yes' : '**no**',
    ]),
  );
}

/** The sides of one cluster size. */
export function sideTable(size: string, sides: readonly Side[]): string {
  const cell = (value: number | undefined, places: number): string => value?.toFixed(places) ?? '';
  return table(
    [size, 'first sync, s', 'processor time for it, s', 'resident, steady, MiB', 'resident, peak, MiB'],
    sides.map(({ who, syncSeconds, cpuSeconds, steady, peak }) => [
      who,
      cell(syncSeconds, 2),
      cell(cpuSeconds, 2),
      cell(steady, 0),
      cell(peak, 0),
    ]),
  );
}

/** A page with the figures of this run between the two marks of whoever writes them. Throws when a mark is missing. */
export function withFigures(
  page: string,
  figures: string,
  mark: string,
  target: 'bench' | 'chaos' | 'fleet' | 'release-rehearsal',
): string {
  const begin = `<!-- ${mark}: begin, written by \`make ${target}\` -->`;
  const end = `<!-- ${mark}: end -->`;
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`the page has lost "${begin}" or "${end}"`);
  return `${before}${begin}\n\n${figures.trim()}\n\n${end}${after}`;
}
