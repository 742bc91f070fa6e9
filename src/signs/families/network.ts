import type { SignRow } from '../row.ts';

/** Connections that do not come about or break. */
export const networkRows: readonly SignRow[] = [
  {
    kind: 'ConnectionRefused',
    needs: ['connect: connection refused'],
    pattern: /\bdial \w{2,5} (?<at>\[?[\w.:%-]{2,253}\]?:\d{1,5}): connect: connection refused/,
    source: 'Go net.OpError',
  },
  {
    kind: 'ConnectionRefused',
    needs: ['econnrefused'],
    pattern: /\bconnect ECONNREFUSED (?<at>\[?[\w.:%-]{2,253}:\d{1,5})/,
    source: 'Node net',
  },
  {
    kind: 'ConnectionRefused',
    needs: ['connection refused'],
    pattern: /(?:[:(.'"-] {0,2}|^|\d\] |\bis )connection refused(?=$|["'.,;:)\]]| \(|\n)/i,
    source: 'strerror(ECONNREFUSED): libpq, Java, Python, Rust, Ruby, PHP, nginx, curl',
  },
  {
    kind: 'ConnectionTimedOut',
    needs: ['i/o timeout'],
    pattern: /\bdial \w{2,5} (?<at>\[?[\w.:%-]{2,253}\]?:\d{1,5}): i\/o timeout/,
    source: 'Go net.OpError',
  },
];
