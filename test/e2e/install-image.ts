import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';

/** What a container engine would make of the Dockerfile: the files of the last stage and how they are started. */
export type Image = {
  /** Holds only what the Dockerfile puts there; the base image's own files are not here. */
  readonly root: string;
  readonly user: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly base: string;
};

type Stage = {
  readonly root: string;
  readonly base: string;
  workdir: string;
  user: string;
  entrypoint: readonly string[];
  command: readonly string[];
  readonly environment: Record<string, string>;
  readonly labels: Record<string, string>;
};

const project = join(import.meta.dirname, '../..');
/** The one step that is not run: the packages are those of this checkout, which came from the same lock file. */
const install = 'npm ci';

/**
 * Runs the steps of the Dockerfile in `folder`. It knows the instructions that are used, and refuses all others. `replaced`: files
 * of the checkout with the content that is copied instead, as its owner would change them before building.
 */
export function buildImage(folder: string, replaced: Readonly<Record<string, string>> = {}): Image {
  const stages = new Map<string, Stage>();
  const shipped = allowed(readFileSync(join(project, '.dockerignore'), 'utf8'));
  let stage: Stage | undefined;
  for (const [instruction, rest] of instructions(readFileSync(join(project, 'Dockerfile'), 'utf8'))) {
    if (instruction === 'FROM') {
      const [base = '', , name = `stage-${stages.size}`] = rest.split(/\s+/).filter((word) => !word.startsWith('--'));
      const root = join(folder, name);
      mkdirSync(root, { recursive: true });
      stage = { root, base, workdir: '/', user: '0', entrypoint: [], command: [], environment: {}, labels: {} };
      stages.set(name, stage);
      continue;
    }
    if (!stage) throw new Error(`Dockerfile: ${instruction} before FROM`);
    const step = steps[instruction];
    if (!step) throw new Error(`Dockerfile: ${instruction} is not known to this test; say here what it does`);
    step(
      stage,
      rest,
      (from) => {
        const other = stages.get(from);
        if (!other) throw new Error(`Dockerfile: no stage ${from}`);
        return other.root;
      },
      { shipped, replaced },
    );
  }
  if (!stage) throw new Error('Dockerfile: no stage');
  return stage;
}

/** The checkout as the build sees it: what `.dockerignore` lets through, and what stands in place of its own files. */
type Context = { readonly shipped: ReadonlySet<string>; readonly replaced: Readonly<Record<string, string>> };

type Step = (stage: Stage, rest: string, rootOf: (stage: string) => string, context: Context) => void;

const steps: Readonly<Record<string, Step>> = {
  WORKDIR(stage, rest) {
    stage.workdir = rest;
    mkdirSync(join(stage.root, rest), { recursive: true });
  },
  COPY(stage, rest, rootOf, { shipped, replaced }) {
    const words = rest.split(/\s+/);
    const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
    const paths = words.filter((word) => !word.startsWith('--'));
    const target = join(stage.root, stage.workdir, paths.at(-1) ?? '');
    for (const path of paths.slice(0, -1)) {
      if (from === undefined && !shipped.has(normalize(path))) throw new Error(`.dockerignore hides ${path}`);
      const source = join(from === undefined ? project : rootOf(from), path);
      const into = paths.at(-1)?.endsWith('/') ? join(target, basename(path)) : target;
      mkdirSync(dirname(into), { recursive: true });
      cpSync(source, into, { recursive: true });
      const content = from === undefined ? replaced[normalize(path)] : undefined;
      if (content !== undefined) writeFileSync(into, content);
    }
  },
  RUN(stage, rest) {
    const cwd = join(stage.root, stage.workdir);
    if (rest === install) {
      symlinkSync(join(project, 'node_modules'), join(cwd, 'node_modules'));
      return;
    }
    const path = `${dirname(process.execPath)}:/usr/bin:/bin`;
    const { status, stderr } = spawnSync('sh', ['-c', rest], { cwd, env: { PATH: path }, encoding: 'utf8' });
    if (status !== 0) throw new Error(`Dockerfile: RUN ${rest} failed:\n${stderr}`);
  },
  USER(stage, rest) {
    stage.user = rest;
  },
  ENV: (stage, rest) => assign(stage.environment, rest),
  LABEL: (stage, rest) => assign(stage.labels, rest),
  ENTRYPOINT(stage, rest) {
    stage.entrypoint = JSON.parse(rest) as string[];
  },
  CMD(stage, rest) {
    stage.command = JSON.parse(rest) as string[];
  },
  // Says something to people only.
  EXPOSE() {},
};

/** One pair per line: `NAME=value` or `name="some value"`. */
function assign(into: Record<string, string>, rest: string): void {
  const [, name = '', value = ''] = /^([^=\s]+)="?(.*?)"?$/.exec(rest) ?? [];
  into[name] = value;
}

/** Instructions with their arguments; none of them spans lines. */
function instructions(dockerfile: string): readonly (readonly [string, string])[] {
  return dockerfile
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [instruction = '', ...rest] = line.split(' ');
      return [instruction, rest.join(' ').trim()];
    });
}

/** What a `.dockerignore` that ignores everything lets through. */
function allowed(dockerignore: string): ReadonlySet<string> {
  const lines = dockerignore.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  if (lines[0] !== '*') throw new Error('.dockerignore: the first line must be *');
  return new Set(lines.slice(1).map((line) => line.replace(/^!/, '')));
}
