function shown(value: unknown): string {
  return typeof value === 'string' && !/\s/.test(value) ? value : JSON.stringify(value);
}

/** What went wrong, below the line. */
function cause(failure: unknown): string {
  if (failure === undefined) return '';
  if (typeof failure === 'object' && failure !== null && 'message' in failure) return `\n  ${String(failure.message)}`;
  return `\n  ${shown(failure)}`;
}

/** One JSON log line as people read it: `08:59:04 warn  message  key=value`; an error's message below. */
export function prettyLine(line: string): string {
  let entry: Readonly<Record<string, unknown>>;
  try {
    entry = JSON.parse(line);
  } catch {
    return line;
  }
  const { time, level, msg, err, error, ...others } = entry;
  const fields = Object.entries(others).map(([key, value]) => `  ${key}=${shown(value)}`);
  const clock = String(time).slice(11, 19);
  return `${clock} ${String(level).padEnd(5)} ${String(msg ?? '')}${fields.join('')}${cause(err ?? error)}\n`;
}
