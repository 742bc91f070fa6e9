/** What exit codes mean (POSIX shells, 128 + n for signal n; `signal(7)`); the runtime's own are 126 to 128 and 255. */
const exitCodes: Readonly<Record<number, string>> = {
  0: 'it ended without an error',
  1: 'application error',
  2: 'wrong usage',
  126: 'not executable',
  127: 'command not found',
  129: 'SIGHUP',
  130: 'SIGINT',
  131: 'SIGQUIT',
  132: 'SIGILL, illegal instruction',
  134: 'SIGABRT, aborted itself',
  135: 'SIGBUS, bad memory access',
  136: 'SIGFPE, arithmetic error',
  // Out of memory only when the reason says so: a failed liveness probe ends in the same signal.
  137: 'SIGKILL',
  139: 'SIGSEGV, invalid memory access',
  141: 'SIGPIPE',
  143: 'SIGTERM, asked to stop',
  255: 'unknown error',
};

/** `137 (SIGKILL)`; the bare number where it means nothing in general. */
export function describeExitCode(code: number): string {
  const words = exitCodes[code] ?? (code > 128 && code < 160 ? `signal ${code - 128}` : undefined);
  return words === undefined ? String(code) : `${code} (${words})`;
}
