/** Fields of a line that have a place of their own. */
const own = new Set(['time', 'level', 'msg', 'err', 'error']);

function shown(value: unknown): string {
  return typeof value === 'string' && !/\s/.test(value) ? value : JSON.stringify(value);
}

/** One JSON log line as people read it: `08:59:04 warn  message  key=value`; an error's message below. */
export function prettyLine(line: string): string {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(line);
  } catch {
    return line;
  }
  const time = String(entry['time']).slice(11, 19);
  const fields = Object.entries(entry)
    .filter(([key]) => !own.has(key))
    .map(([key, value]) => ` ${key}=${shown(value)}`)
    .join('');
  const failure = entry['err'] ?? entry['error'];
  const cause =
    typeof failure === 'object' && failure !== null && 'message' in failure
      ? `\n  ${String(failure.message)}`
      : failure === undefined
        ? ''
        : `\n  ${shown(failure)}`;
  return `${time} ${String(entry['level']).padEnd(5)} ${String(entry['msg'] ?? '')}${fields === '' ? '' : ` ${fields}`}${cause}\n`;
}
