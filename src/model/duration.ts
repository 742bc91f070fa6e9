const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads a duration such as `5s`, `1m30s`, `2h` or `250ms` as milliseconds; `undefined` when it is not one. */
export function parseDurationMs(text: string): number | undefined {
  if (!/^(?:\d+(?:ms|s|m|h|d))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+)(ms|s|m|h|d)/g))
    total += Number(amount) * (unitMs[unit ?? ''] ?? 0);
  return Number.isSafeInteger(total) ? total : undefined;
}

/** For people: the two largest units, `45 s`, `3 min 20 s`, `2 h`, `4 d 6 h`. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ];
  const first = parts.findIndex(([amount]) => amount > 0);
  if (first < 0) return '0 s';
  return parts
    .slice(first, first + 2)
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount} ${unit}`)
    .join(' ');
}
