import { basename } from 'node:path';
import { Command, CommanderError } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { errorMessage } from '../model/error-message.ts';
import { type AddCommand, UsageError } from './command.ts';

/** Exit codes: 0 all is well, 1 it failed and said why, 2 it was called wrongly. */
const usageError = 2;

/** Command → where it is. Only the one that is asked for is loaded: lint needs nothing of what the operator does. */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  install: async () => (await import('./install.ts')).installCommand,
  upgrade: async () => (await import('./install.ts')).upgradeCommand,
  uninstall: async () => (await import('./install.ts')).uninstallCommand,
  run: async () => (await import('./run.ts')).runCommand,
  diagnose: async () => (await import('./diagnose.ts')).diagnoseCommand,
  mcp: async () => (await import('./mcp.ts')).mcpCommand,
  demo: async () => (await import('./demo.ts')).demoCommand,
  lint: async () => (await import('./lint.ts')).lintCommand,
  import: async () => (await import('./import.ts')).importCommand,
  license: async () => (await import('./license.ts')).licenseCommand,
  replay: async () => (await import('./replay.ts')).replayCommand,
  diff: async () => (await import('./diff.ts')).diffCommand,
  report: async () => (await import('./report.ts')).reportCommand,
  incidents: async () => (await import('./incidents.ts')).incidentsCommand,
  why: async () => (await import('./why.ts')).whyCommand,
  status: async () => (await import('./status.ts')).statusCommand,
  send: async () => (await import('./send.ts')).sendCommand,
  ack: async () => (await import('./ack.ts')).ackCommand,
  silence: async () => (await import('./silence.ts')).silenceCommand,
  redeliver: async () => (await import('./redeliver.ts')).redeliverCommand,
  completion: async () => (await import('./completion.ts')).completionCommand,
  version: async () => (await import('./version.ts')).versionCommand,
};

/** How the program is called: as a plugin of kubectl, its file is `kubectl-tocsin`. */
function calledAs(file: string): string {
  return basename(file).startsWith('kubectl-') ? 'kubectl tocsin' : 'tocsin';
}

/** The program with these commands, all of them by default. `exit` gets the exit code of a command that found something wrong. */
export async function programOf(
  name: string,
  names: readonly string[] = Object.keys(commands),
  exit: (code: number) => void = () => {},
): Promise<Command> {
  const program = new Command(name)
    .description('Works out what broke in a Kubernetes cluster and why, and tells the people who can fix it.')
    .version(packageJson.version)
    .exitOverride()
    .showHelpAfterError(`(run \`${name} --help\` for the commands)`);
  for (const command of names) {
    const add = await commands[command]?.();
    add?.(program, exit);
  }
  for (const command of program.commands) hintAt(command, name);
  return program;
}

/** Whoever calls a command wrongly is sent to the help of that command. */
function hintAt(command: Command, above: string): void {
  const called = `${above} ${command.name()}`;
  command.showHelpAfterError(`(run \`${called} --help\` for what it takes)`);
  for (const inner of command.commands) hintAt(inner, called);
}

/**
 * Runs one command of `tocsin` and resolves with the exit code. Arguments are without the program's own name; `file` is what was
 * started, by which help says how to start it.
 */
export async function main(args: readonly string[], file = ''): Promise<number> {
  let exitCode = 0;
  const [asked = ''] = args;
  const alone = Object.hasOwn(commands, asked) && asked !== 'completion';
  const program = await programOf(calledAs(file), alone ? [asked] : Object.keys(commands), (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usageError;
    process.stderr.write(`tocsin: ${errorMessage(error)}\n`);
    return error instanceof UsageError ? usageError : 1;
  }
  return exitCode;
}
