// SPDX-License-Identifier: Apache-2.0
import { main } from './cli/program.ts';

// A reader that has seen enough (`| head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
const exitCode = await main(process.argv.slice(2), process.argv[1]);
// A command that is over is over: nothing that still hangs (a connection, a look-up of a name) keeps the process alive.
process.stdout.write('', () => process.exit(exitCode));
