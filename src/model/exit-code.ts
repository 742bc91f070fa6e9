/** How a process ended, as far as its exit code tells. Source: POSIX shells (126, 127), signal(7) (128 + signal). */
const meanings: Readonly<Record<number, string>> = {
  0: 'it exited by itself',
  1: 'an application error',
  2: 'an application error, often wrong arguments',
  126: 'the command cannot be executed',
  127: 'the command was not found',
  128: 'it could not be started',
  255: 'unknown, or an application error',
};

/** Signals as people know them; 128 + number is the exit code. */
const signals: Readonly<Record<number, string>> = {
  1: 'SIGHUP, hang-up',
  2: 'SIGINT, interrupted',
  3: 'SIGQUIT',
  4: 'SIGILL, illegal instruction',
  5: 'SIGTRAP',
  6: 'SIGABRT, aborted itself',
  7: 'SIGBUS, bus error',
  8: 'SIGFPE, arithmetic error',
  9: 'SIGKILL, killed',
  11: 'SIGSEGV, segmentation fault',
  13: 'SIGPIPE, broken pipe',
  15: 'SIGTERM, asked to stop',
  31: 'SIGSYS, forbidden system call',
};

/** A process was told or forced to end (SIGTERM, SIGKILL), and not for its memory: as a kubelet does it. */
export function endedFromOutside(exitCode: number, reason = ''): boolean {
  return (exitCode === 137 || exitCode === 143) && reason !== 'OOMKilled';
}

/**
 * An exit code in words: `exit code 139 (SIGSEGV, segmentation fault)`. 137 alone is any SIGKILL; it means memory only where
 * the runtime's `reason` is `OOMKilled`. `probe`: the probe for which a kubelet may have ended it, or has where that is `certain`.
 */
export function exitInWords(exitCode: number, reason = '', probe?: string, certain = false): string {
  if (reason === 'OOMKilled') return `exit code ${exitCode} (OOMKilled, out of memory)`;
  const signal = exitCode > 128 ? signals[exitCode - 128] : undefined;
  const known = signal ?? meanings[exitCode];
  const maybe = certain ? '' : 'possibly ';
  const killer = probe !== undefined && endedFromOutside(exitCode, reason) ? `, ${maybe}for its ${probe} probe` : '';
  const meaning = known === undefined ? undefined : `${known}${killer}`;
  return meaning === undefined ? `exit code ${exitCode}` : `exit code ${exitCode} (${meaning})`;
}
