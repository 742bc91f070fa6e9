// SPDX-License-Identifier: Apache-2.0
/** The entry of the single executable, which is CommonJS and cannot wait at its top. */
import { main } from './program.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
void main(process.argv.slice(2), process.argv0).then((exitCode) => {
  process.stdout.write('', () => process.exit(exitCode));
});
