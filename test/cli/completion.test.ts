import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { Argument, Command, Option } from 'commander';
import { bashCompletion } from '../../src/cli/completion/bash.ts';
import { fishCompletion } from '../../src/cli/completion/fish.ts';
import { wordsOf } from '../../src/cli/completion/words.ts';
import { zshCompletion } from '../../src/cli/completion/zsh.ts';

const program = new Command('tocsin');
program.command('lint').description('check manifests').argument('[files...]').option('--strict', 'mind warnings');
const silence = program.command('silence').description("mute what's [known]");
silence
  .command('add')
  .addOption(new Option('-o, --output <format>', 'how').choices(['text', 'json']))
  .option('--kubeconfig <file>', 'which');
silence.command('expire').argument('<name>');
program.command('completion').addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']));
const words = wordsOf(program);

/** What bash offers for the last word, in a folder of its own. */
function offered(...typed: readonly string[]): string[] {
  const script = `${bashCompletion('tocsin', words)}
    COMP_WORDS=(${typed.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _tocsin
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync('bash', ['-c', script], { cwd: import.meta.dirname, encoding: 'utf8' });
  return out.split('\n').filter((line) => line !== '');
}

test('bash completes commands, commands below them, options, their values, and files', () => {
  assert.deepEqual(offered('tocsin', 's'), ['silence']);
  assert.deepEqual(offered('tocsin', 'silence', ''), ['add', 'expire', '--help']);
  assert.deepEqual(offered('tocsin', 'silence', 'add', '--o'), ['--output']);
  assert.deepEqual(offered('tocsin', 'silence', 'add', '-o', ''), ['text', 'json']);
  assert.deepEqual(offered('tocsin', 'silence', 'add', '--kubeconfig', 'completion.'), ['completion.test.ts']);
  assert.deepEqual(offered('tocsin', 'lint', '--strict', 'completion.'), ['completion.test.ts']);
  assert.deepEqual(offered('tocsin', 'completion', 'z'), ['zsh']);
});

test('every command and every option stands in the scripts of zsh and fish, with what they say in quotes', () => {
  for (const script of [zshCompletion('tocsin', words), fishCompletion('tocsin', words)])
    for (const word of ['lint', 'silence', 'add', 'expire', 'output', 'kubeconfig', 'strict'])
      assert.match(script, new RegExp(`\\b${word}\\b`));
  assert.ok(zshCompletion('tocsin', words).includes("'silence:mute what'\\''s \\[known\\]'"));
  assert.ok(fishCompletion('tocsin', words).includes("-a silence -d 'mute what\\'s [known]'"));
});
