import { exitInWords } from '../../model/exit-code.ts';
import type { Facts } from '../../model/finding.ts';

/** `exit code 137 (SIGKILL, killed, possibly for its liveness probe)`, as far as the facts tell; `undefined` where they do not. */
export function ending({ exitCode, exitReason = '', killingProbe, killedFor }: Facts): string | undefined {
  if (typeof exitCode !== 'number') return undefined;
  const probe = killedFor ?? killingProbe;
  const certain = killedFor !== undefined;
  return exitInWords(exitCode, String(exitReason), typeof probe === 'string' ? probe : undefined, certain);
}
