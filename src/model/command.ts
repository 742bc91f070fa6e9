import { kindOf, nameOf, namespaceOf, type Ref } from './ref.ts';

declare const built: unique symbol;

/**
 * A line to be pasted into a shell, of words that no shell splits or expands. Only this file makes one; whoever shows it shows it as it
 * is or not at all.
 */
export type Command = string & { readonly [built]: true };

/** What kubectl is asked to do. */
export type Verb = 'get' | 'describe' | 'logs' | 'top' | 'rollout history' | 'rollout undo' | 'auth can-i' | 'patch';

/** Objects of a kind, by its name for kubectl; in a namespace, where it has one. */
export type Listing = { readonly resource: string; readonly namespace: string };

/** All of a kind: in one namespace, or of a kind that has none. */
export const listOf = (resource: string, namespace = ''): Listing => ({ resource, namespace });

/** The name of an object, a kind or a namespace. Who names one otherwise gets no command. */
const kubernetesName = /^\w[\w.:-]{0,252}$/;
/** Several kinds of objects: `configmaps,secrets`. */
const resources = /^[a-z][a-z0-9.,-]{0,252}$/;
/** A word that means itself to every shell. */
const plainWord = /^[\w.:/,+-][\w.:/=,+-]*$/;
/**
 * A word that means itself between single quotes: what selectors and paths into objects are written with. A backslash stands only where
 * no shell (fish) takes it for one of its own, and spaces stand alone, since pages show several as one.
 */
const quotedWord = /^(?:[\w.:/=,+{}[\]()*?"!-]|@(?=\.)|\\(?=[.nt])| (?! ))+$/;
/** What products make links of, in words of any kind. */
const linked = /:\/\/|\]\(/;
/** No line of ours is longer, and whoever shows commands has room for as much. */
const maxLength = 500;

/** Whether a text may be a word of a command where an object is named. */
export const isKubernetesName = (text: string): boolean => kubernetesName.test(text);

function quoted(word: string): string | undefined {
  if (linked.test(word)) return undefined;
  if (plainWord.test(word)) return word;
  return quotedWord.test(word) ? `'${word}'` : undefined;
}

/** The words as a line; none where one of them cannot be quoted. */
function lineOf(words: readonly string[]): Command | undefined {
  const written = words.map(quoted);
  if (written.includes(undefined)) return undefined;
  const line = written.join(' ');
  return line.length <= maxLength ? (line as Command) : undefined;
}

/** The words that name what a command is about; none where one of them is no name. */
function wordsOf(verb: Verb, about: Ref | Listing): readonly string[] | undefined {
  const isObject = typeof about === 'string';
  const namespace = isObject ? namespaceOf(about) : about.namespace;
  const names = isObject ? [kindOf(about).toLowerCase(), nameOf(about)] : [];
  const isNamed = isObject ? names.every(isKubernetesName) : resources.test(about.resource);
  if (!isNamed || (namespace !== '' && !isKubernetesName(namespace))) return undefined;
  const what = isObject ? names.slice(verb === 'logs' ? 1 : 0) : [about.resource];
  return [...what, ...(namespace === '' ? [] : ['-n', namespace])];
}

/**
 * `kubectl describe deployment api -n shop`, with further words behind it. None where the object, its kind or its namespace has a name
 * that Kubernetes would not take, or a word cannot be quoted. `about` absent: the words alone say what it is about.
 */
export function kubectl(
  verb: Verb,
  about: Ref | Listing | undefined,
  ...words: readonly string[]
): Command | undefined {
  const what = about === undefined ? [] : wordsOf(verb, about);
  return what && lineOf(['kubectl', ...verb.split(' '), ...what, ...words]);
}

/** A command of Tocsin's own: `tocsin silence add --kinds Deployment`. */
export function tocsin(...words: readonly string[]): Command | undefined {
  return lineOf(['tocsin', ...words]);
}

/** What reads a certificate that a command prints in base64. */
const reading = ' | base64 -d | openssl x509 -noout -subject -issuer -dates';

/** The certificate that the command prints in base64, in words. */
export function asCertificate(command: Command | undefined): Command | undefined {
  return command && (`${command}${reading}` as Command);
}
