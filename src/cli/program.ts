import { Command, CommanderError } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { demoCommand } from './demo.ts';
import { runCommand } from './run.ts';

/** Exit codes: 0 all is well, 1 it failed and said why, 2 it was called wrongly. */
const usageError = 2;

/** Runs one command of `tocsin` and resolves with the exit code. Arguments are without the program's own name. */
export async function main(args: readonly string[]): Promise<number> {
  let exitCode = 0;
  const program = new Command('tocsin')
    .description('Works out what broke in a Kubernetes cluster and why, and tells the people who can fix it.')
    .version(packageJson.version)
    .exitOverride()
    .showHelpAfterError('(run `tocsin --help` for the commands)');
  for (const command of [runCommand, demoCommand])
    command(program, (code) => {
      exitCode = code;
    });
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usageError;
    process.stderr.write(`tocsin: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
  return exitCode;
}
