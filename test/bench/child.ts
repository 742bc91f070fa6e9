import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** Another process of the benchmark, that answers questions. */
export type Child = {
  readonly pid: number;
  /** Resolves with its answer; rejects with its error, or when it ends before. */
  ask<T>(question: string, given?: unknown): Promise<T>;
  end(): Promise<void>;
};

type Question = { readonly id: number; readonly question: string; readonly given: unknown };
type Reply = { readonly id: number; readonly answer?: unknown; readonly error?: string };

/** Starts a script with Node's flags; whatever it prints is shown. */
export function startChild(
  script: string,
  args: readonly string[],
  flags: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Child {
  const child: ChildProcess = fork(script, args, {
    execArgv: [...flags],
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const killNow = (): void => void child.kill('SIGKILL');
  process.once('exit', killNow);
  child.on('message', ({ id, answer, error }: Reply) => {
    const asker = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asker?.resolve(answer);
    else asker?.reject(new Error(`${script}: ${error}`));
  });
  const exited = once(child, 'exit').finally(() => {
    process.off('exit', killNow);
    for (const asker of waiting.values()) asker.reject(new Error(`${script} ended`));
  });
  let asked = 0;
  return {
    pid: child.pid ?? 0,
    ask<T>(question: string, given?: unknown) {
      const asker = Promise.withResolvers<unknown>();
      const id = ++asked;
      waiting.set(id, asker);
      child.send({ id, question, given } satisfies Question);
      // What a child answers is as its script says.
      return asker.promise as Promise<T>;
    },
    async end() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** The other side: answers what the parent asks, by name. */
export function answerParent(answers: Readonly<Record<string, (given: never) => unknown>>): void {
  process.on('message', ({ id, question, given }: Question) => {
    const work = async (): Promise<unknown> => answers[question]?.(given as never);
    work().then(
      (answer) => process.send?.({ id, answer } satisfies Reply),
      (error: unknown) =>
        process.send?.({ id, error: String(error instanceof Error ? error.stack : error) } satisfies Reply),
    );
  });
}

/** Runs a script to its end; resolves with the figures it sends. */
export async function runScript<T>(script: string, flags: readonly string[]): Promise<T> {
  const child = fork(script, { execArgv: [...flags], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  let figures: T | undefined;
  child.once('message', (message) => {
    // What a script sends is as it says.
    figures = message as T;
  });
  await once(child, 'exit');
  if (figures === undefined) throw new Error(`${script} sent no figures`);
  return figures;
}
