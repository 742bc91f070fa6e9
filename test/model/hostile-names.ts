/** Names by which somebody tries to have a command run that is pasted, and every command that they come into. */
import { silenceCommand } from '../../src/message/parts/silence.ts';
import { asCertificate, type Command, kubectl, listOf, tocsin } from '../../src/model/command.ts';
import { refOf } from '../../src/model/ref.ts';
import { fc } from '../fast-check.ts';

/** Pieces of which names are made that somebody chose for a shell, a page or a terminal. */
const piece = fc.oneof(
  fc.constantFrom(
    ...[
      ';',
      '|',
      '&',
      '$(id)',
      '`id`',
      '\n',
      '\r',
      "'",
      '"',
      "'\\''",
      '\\',
      '$IFS',
      '>x',
      '<x',
      '#',
      '*',
      '?',
      '~',
      '!',
      '{a,b}',
    ],
    ...[
      '--server=http://evil.example',
      '-o',
      ' ',
      '  ',
      '\t',
      '\u2019',
      '\u200b',
      '\u202e',
      '\ud800',
      '\0',
      '@here',
      '://',
      '](',
    ],
  ),
  fc.constantFrom('a', 'api-7d9c', 'x.y', 'shop', 'UPPER', '0', 'system:node', 'a_b'),
  fc.string({ maxLength: 6, unit: 'binary' }),
);
/** Names that somebody chose for a shell, a page or a terminal. */
export const hostileName = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''));

/** Every way that a text of the cluster comes into a command. */
export function linesWith(name: string): readonly (Command | undefined)[] {
  return [
    kubectl('describe', refOf('Pod', 'shop', name)),
    kubectl('describe', refOf('Pod', name, 'api')),
    kubectl('get', refOf(name, 'shop', 'api'), '-o', 'yaml'),
    kubectl('logs', refOf('Pod', 'shop', 'api'), '-c', name),
    kubectl('get', listOf(name, 'shop')),
    kubectl('get', listOf('pods', name), '-l', name, '-o', 'wide'),
    kubectl('get', undefined, '--raw', `/apis/${name}`),
    asCertificate(kubectl('get', refOf('Secret', name, name))),
    tocsin('silence', 'add', '--names', name),
    silenceCommand(refOf('Pod', 'shop', name)),
  ];
}
