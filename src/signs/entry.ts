import { cleanText } from '../model/redact.ts';
import { type Level, levelIn } from './level.ts';
import { structured } from './structured.ts';

/** One sentence of a log, with what its place in the log says about it. */
export interface Entry {
  readonly text: string;
  readonly level?: Level;
  /** Lines that belong together (a trace with its causes, one object in JSON) have one number. */
  readonly block: number;
  /** The number of its line among those that are read. */
  readonly line: number;
}

/** Characters of a line that are read. */
const maxLine = 2_000;
/** Lines that are read, the last ones; and sentences, since an object in JSON may hold many. */
export const maxLines = 400;
const maxEntries = 1_000;

/** A place in the program: says where, never why. */
const frame =
  /^\s{0,20}(?:at \S|File "|from \S{1,300}:\d|#\d{1,3} |\d{1,3}: (?:0x|[\w:<]{1,200}::)|goroutine \d|\[signal |created by |\.{3} \d+ (?:more|common)|\S{1,300}\.(?:go|rb|py|rs|js|ts|php|c|cc|cpp):\d+(?::\d+)?(?: \+0x|:in [`'][^']{1,200}'$|$))/;
/** A place that reads what a visitor sent: what fails there is his. */
const ofVisitor = /\/node_modules\/(?:body-parser|raw-body|co-body|multer|busboy|formidable|csurf)\//;
/** How Tornado begins a line: its module and line look like a host and a port. */
const tornado = /^\[[DIWEC] [\d-]{6,10} [\d:.]{8,12} \w{1,40} \w{1,40}:\d{1,5}\] /;
/** A quotation mark as loggers write it that quote what was quoted. */
const escaped = /\\{1,4}"/g;
/** Goes on with what the line before began. */
const continuation = /^(?:\s|Caused by:|Suppressed:|\.{3} \d|During handling of|The above exception|Wrapped by)/;
/** An exception by its name, as Java and Python begin a line with it. */
const exception =
  /^(?:[A-Za-z_$][\w$]{0,80}[.:]{1,2}){0,12}[A-Z][\w$]{0,80}(?:Error|Exception|Failure|Fault|Throwable)\b/;
/** What runs on purpose: results of tests with the name of a fault. */
const testResult = /^\s{0,20}(?:---? (?:PASS|FAIL|SKIP)|=== |ok\b|not ok\b|PASS(?:ED)?\b|[✓✔√✗✘] )/;
/** Said in the information of a healthy start as well, unless the sentence itself says that something failed. */
const failing =
  /\b(?:fail(?:ed|ure|ing)?|error|exception|could not|couldn't|can(?:no|')t|unable|refused to|giving up|unreachable|denied|waiting for changelog lock|HTTP Request: [a-z]{3,7} [^ ]{1,300} "HTTP\/[\d.]{1,3} [45]\d\d)\b/i;

/** Python's, which says of a line before it how that came about. */
const isTrace = (text: string): boolean => text.startsWith('Traceback (');

/** The sentences of a log that may say why its program fails, in order: without frames, debug output and results of tests. */
export function entriesOf(lines: readonly string[]): readonly Entry[] {
  const entries: Entry[] = [];
  let block = 0;
  let level: Level | undefined;
  let inTrace = false;
  let fails = false;
  const blocksOfVisitors = new Set<number>();
  for (const [at, line] of lines.slice(-maxLines).entries()) {
    const json = structured(line);
    if (json) {
      block += 1;
      level = undefined;
      inTrace = false;
      for (const each of json.texts) push(entries, each, json.level, block, at);
      continue;
    }
    const text = plain(line);
    if (text.trim() === '' || testResult.test(text)) continue;
    if (frame.test(text)) {
      inTrace = true;
      if (ofVisitor.test(text)) blocksOfVisitors.add(block);
      continue;
    }
    const own = continuation.test(text) ? undefined : levelIn(text);
    const belongs =
      continuation.test(text) ||
      (own === undefined && (inTrace || (level === 'info' ? fails : level !== undefined)) && exception.test(text)) ||
      (isTrace(text) && (level === 'error' || level === 'fatal'));
    if (!belongs) {
      block += 1;
      level = own;
      fails = failing.test(text);
    }
    inTrace = isTrace(text);
    push(entries, text, level, block, at);
  }
  return entries.filter((entry) => !blocksOfVisitors.has(entry.block)).slice(-maxEntries);
}

function push(entries: Entry[], raw: string, level: Level | undefined, block: number, line: number): void {
  const text = plain(raw).trim().replace(tornado, '').replaceAll(escaped, '"');
  if (
    text === '' ||
    frame.test(text) ||
    level === 'debug' ||
    (level === 'info' && !failing.test(text) && !exception.test(text))
  )
    return;
  entries.push({ text, ...(level && { level }), block, line });
}

/** The line without colours and control characters, cut to what is read: long lines say why at their beginning or end. */
function plain(line: string): string {
  const half = maxLine / 2;
  const bounded = line.length > maxLine ? `${line.slice(0, half)} … ${line.slice(-half)}` : line;
  return cleanText(bounded);
}
