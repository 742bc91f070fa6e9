/** How loudly a program says something: the order in which lines are believed. */
export type Level = 'fatal' | 'error' | 'warning' | 'info' | 'debug';

/** What loggers call their levels, in lower case. */
const names: Readonly<Record<string, Level>> = {
  fatal: 'fatal',
  critical: 'fatal',
  crit: 'fatal',
  crt: 'fatal',
  c: 'fatal',
  panic: 'fatal',
  dpanic: 'fatal',
  emerg: 'fatal',
  emergency: 'fatal',
  alert: 'fatal',
  ftl: 'fatal',
  f: 'fatal',
  severe: 'error',
  error: 'error',
  err: 'error',
  eror: 'error',
  fail: 'error',
  failure: 'error',
  e: 'error',
  warning: 'warning',
  warn: 'warning',
  wrn: 'warning',
  w: 'warning',
  notice: 'info',
  note: 'info',
  information: 'info',
  informational: 'info',
  info: 'info',
  inf: 'info',
  i: 'info',
  debug: 'debug',
  dbug: 'debug',
  dbg: 'debug',
  d: 'debug',
  d1: 'debug',
  d2: 'debug',
  fine: 'debug',
  trace: 'debug',
  trce: 'debug',
  verbose: 'debug',
  vrb: 'debug',
};

/** The level that a field says: a word, or a number of Bunyan and pino (50 is an error). */
export function levelOf(value: unknown): Level | undefined {
  if (typeof value === 'string') return names[value.trim().toLowerCase()];
  if (typeof value !== 'number') return undefined;
  if (value >= 60) return 'fatal';
  if (value >= 50) return 'error';
  if (value >= 40) return 'warning';
  return value >= 30 ? 'info' : value >= 10 ? 'debug' : undefined;
}

const words =
  'TRACE|DEBUG|FINE|INFO|INFORMATION|NOTICE|NOTE|WARN|WARNING|WRN|ERROR|ERR|ERRO|FATAL|CRITICAL|CRIT|SEVERE|EMERG|ALERT|FTL|INF|DBG|VRB';
/** How lines of text show their level near their beginning. */
const shapes: readonly RegExp[] = [
  // logfmt: level=error, lvl=eror, severity=ERROR
  /(?:^|\s)(?:level|lvl|severity|loglevel)="?([A-Za-z]{1,13})/i,
  // Tornado: [E 2026-01-02; Ruby: E, [2026-01-02; Telegraf: 2026-01-02T12:00:00Z E! [agent]
  /^\[?([DIWECF]),? \[?\d{4}-|\s([DIWE])! \[/,
  // zap's console encoder: between tabs
  /\t(debug|info|warn|error|dpanic|panic|fatal)\t/i,
  // klog: E0102 12:34:56.789012
  /^([IWEF])\d{4} \d\d:\d\d/,
  // [error], [ERROR], <error>, (error), |ERROR|: nginx, Envoy, Spring, Elasticsearch, MySQL, Serilog's [12:00:00 ERR]
  new RegExp(`[[<(|](?:[\\d:.]{5,15} )?(${words})[ \\]>)|]`, 'i'),
  // Microsoft.Extensions.Logging: fail: Microsoft.Hosting[0]
  /^(fail|crit|warn|info|dbug|trce): [A-Z]/,
  // A word in capitals: log4j, logback, Python, PostgreSQL, Rust
  new RegExp(`(?:^|[\\s\\]:|-])(${words})(?=[\\s:\\]|[,/-]|$)`),
  // A word in small letters in front of a colon: entry scripts, git, clap, Postfix
  /(?:^|: )(fatal|error|warning|warn|notice|info|debug): /,
];

/** The level that a line of text shows; nothing if it shows none. PostgreSQL's `LOG:` is none: it says faults with it as well. */
export function levelIn(line: string): Level | undefined {
  const start = line.slice(0, 120);
  for (const shape of shapes) {
    const word = shape
      .exec(start)
      ?.slice(1)
      .find((group) => group !== undefined);
    const level = word === undefined ? undefined : levelOf(word === 'ERRO' ? 'ERROR' : word);
    if (level) return level;
  }
  return undefined;
}
