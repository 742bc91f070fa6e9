/** What an expression could cost at most, read off its form before it runs: nothing can stop one that runs. */
import type { ASTNode } from '@marcbachmann/cel-js';

/** The most that a value can be: characters in all, entries of a list or map. `isTold`: it is a part of the event as it is. */
type Size = { readonly characters: number; readonly entries: number; readonly isTold?: true };
/** The most that an expression can come to, and the steps until it is there. */
type Bound = Size & { readonly steps: number };
type Scope = ReadonlyMap<string, Size>;

/** Characters and steps: a body holds 64 KiB, and a step takes about 100 ns. Both are far from what a process feels. */
export const most = { characters: 4 * 1024 * 1024, steps: 200_000 } as const;

/** Our own body at its largest: 64 KiB, and lists of 50 objects, 64 labels, 20 entries. */
const whole: Size = { characters: 65_536, entries: 64, isTold: true };
/** Fields that hold more than one sentence; all others are cut at 2 KiB where the body is made. */
const large: ReadonlySet<string> = new Set([
  'incident',
  'incidents',
  'message',
  'logs',
  'evidence',
  'affected',
  'sample',
  'pods',
  'labels',
]);
const small: Size = { characters: 2_048, entries: 64, isTold: true };
/** A number, a truth value, a time. */
const scalar: Size = { characters: 40, entries: 1 };

/** The expression is not one that may run; says why. */
export class TooCostly extends Error {}

/** Throws `TooCostly` for an expression that could take too long or grow too large, or that uses what cannot be bounded. */
export function checkCost(ast: ASTNode): void {
  const { characters, steps } = boundOf(ast, new Map([['event', whole]]));
  if (characters > most.characters || steps > most.steps)
    throw new TooCostly(
      `it could come to ${characters > most.characters ? `${characters} characters, of at most ${most.characters}` : `${steps} steps, of at most ${most.steps}`}: nest fewer lists, or repeat less`,
    );
}

function within(bound: Bound): Bound {
  // What is over the limit stays over it, and numbers stay numbers.
  const cap = (value: number): number => Math.min(value, Number.MAX_SAFE_INTEGER);
  return { ...bound, characters: cap(bound.characters), entries: cap(bound.entries), steps: cap(bound.steps) };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const reading = (characters: number): number => Math.ceil(characters / 64);

/** All parts together, side by side. */
function together(parts: readonly Bound[]): Bound {
  return {
    characters: sum(parts.map(({ characters }) => characters + 4)),
    entries: Math.max(parts.length, ...parts.map(({ entries }) => entries)),
    steps: 1 + sum(parts.map(({ steps }) => steps)),
  };
}

/** A value of a size that is found by looking at all of some parts. */
function from(size: Size, parts: readonly Bound[]): Bound {
  return { ...size, steps: 1 + sum(parts.map(({ steps, characters }) => steps + reading(characters))) };
}

function boundOf(node: ASTNode, scope: Scope): Bound {
  const of = (other: ASTNode): Bound => boundOf(other, scope);
  switch (node.op) {
    case 'value':
      return { characters: typeof node.args === 'string' ? node.args.length : 40, entries: 1, steps: 1 };
    case 'id': {
      const known = scope.get(node.args);
      if (known === undefined) throw new TooCostly(`there is no \`${node.args}\`: what is told is \`event\``);
      return { ...known, steps: 1 };
    }
    case '.': {
      const [object, name] = node.args;
      const { steps, ...size } = of(object);
      // What an expression has made may hold anything under any name.
      return { ...(size.isTold ? (large.has(name) ? whole : small) : size), steps: steps + 1 };
    }
    case '[]': {
      const [object, index] = node.args.map(of);
      return { ...(object ?? within({ ...whole, steps: 0 })), steps: 1 + (object?.steps ?? 0) + (index?.steps ?? 0) };
    }
    case 'list':
      return within(together(node.args.map(of)));
    case 'map':
      return within(together(node.args.flatMap((entry) => entry.map(of))));
    case '?:': {
      const [condition, ...branches] = node.args.map(of);
      const characters = Math.max(...branches.map((branch) => branch.characters));
      const entries = Math.max(...branches.map((branch) => branch.entries));
      return within({ characters, entries, steps: 1 + sum([condition, ...branches].map((part) => part?.steps ?? 0)) });
    }
    case '!_':
    case '-_':
      return from(scalar, [of(node.args)]);
    case '+': {
      const parts = node.args.map(of);
      const entries = sum(parts.map((part) => part.entries));
      return within({ ...from({ characters: sum(parts.map(({ characters }) => characters)), entries }, parts) });
    }
    case 'call':
      return called(node.args[0], node.args[1].map(of));
    case 'rcall':
      return calledOn(node.args, scope);
    case '.?':
    case '[?]':
      throw new TooCostly('optional values are not available: compare with null');
    default:
      return from(scalar, node.args.map(of));
  }
}

/** Functions whose result is a number, a truth value or a time. */
const scalars: ReadonlySet<string> = new Set([
  ...[
    'has',
    'size',
    'int',
    'double',
    'bool',
    'timestamp',
    'duration',
    'startsWith',
    'endsWith',
    'contains',
    'indexOf',
    'lastIndexOf',
  ],
  ...[
    'getFullYear',
    'getMonth',
    'getDate',
    'getDayOfMonth',
    'getDayOfWeek',
    'getDayOfYear',
    'getHours',
    'getMinutes',
    'getSeconds',
  ],
  'getMilliseconds',
]);
/** Functions whose result is no larger than what they are given. */
const same: ReadonlySet<string> = new Set(['string', 'dyn', 'lowerAscii', 'upperAscii', 'trim', 'substring']);

function called(name: string, parts: readonly Bound[]): Bound {
  if (scalars.has(name)) return from(scalar, parts);
  if (name === 'json')
    return within(from({ characters: 6 * sum(parts.map((part) => part.characters)), entries: 1 }, parts));
  if (same.has(name)) {
    const characters = Math.max(scalar.characters, sum(parts.map((part) => part.characters)));
    return within(from({ characters, entries: Math.max(1, ...parts.map(({ entries }) => entries)) }, parts));
  }
  throw new TooCostly(`the function \`${name}\` is not available`);
}

/** Macros over lists, with how large what they give is, from the list and the body. */
const macros: Readonly<Record<string, (list: Bound, body: Bound) => Size>> = {
  map: (list, body) => ({
    characters: list.entries * (body.characters + 4),
    entries: Math.max(list.entries, body.entries),
  }),
  filter: (list) => list,
  exists: () => scalar,
  exists_one: () => scalar,
  all: () => scalar,
};

function calledOn([name, receiver, parameters]: readonly [string, ASTNode, ASTNode[]], scope: Scope): Bound {
  const on = boundOf(receiver, scope);
  const macro = Object.hasOwn(macros, name) ? macros[name] : undefined;
  const [variable, ...bodies] = parameters;
  if (macro && variable?.op === 'id' && bodies.length > 0) {
    const inner = new Map([...scope, [variable.args, on]]);
    const parts = bodies.map((body) => boundOf(body, inner));
    const last = parts.at(-1) ?? on;
    return within({ ...macro(on, last), steps: 1 + on.steps + on.entries * sum(parts.map(({ steps }) => 1 + steps)) });
  }
  const given = parameters.map((parameter) => boundOf(parameter, scope));
  const characters = sum(given.map((each) => each.characters));
  if (name === 'split')
    return within(from({ characters: on.characters * 4 + 4, entries: on.characters + 1 }, [on, ...given]));
  if (name === 'join')
    return within(from({ characters: on.characters + on.entries * characters, entries: 1 }, [on, ...given]));
  return called(name, [on, ...given]);
}
