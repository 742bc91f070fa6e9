/** GitLab obeys lines that begin with a slash (`/close`, `/confidential`, `/move`), some of them even within code. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markdown } from '../../src/message/render/markdown.ts';
import type { Command } from '../../src/model/command.ts';
import { dialect } from '../../src/providers/gitlab/issues.ts';
import { notifications } from './notifications.ts';

test('no line of a text begins with a command, within code or without', () => {
  for (const command of [
    '/close',
    ' /close',
    '\t/label ~bug',
    '```\n/close\n```',
    '~~~\n/close',
    '<!--\n/close',
    '>>>\n/close',
  ]) {
    const told = {
      ...notifications.open,
      title: command,
      lead: command,
      note: command,
      evidence: [command, `text\n${command}`],
      impact: command,
      inTitle: {},
      excerpt: { source: command, lines: [command, '```', '````', ...command.split('\n'), command] },
      nextStep: { command: command as Command, changesCluster: true },
      facts: [{ name: command, value: command }],
      links: [{ title: command, url: 'https://x.example/close' }],
      cluster: command,
    };
    const text = markdown(told, dialect);
    assert.doesNotMatch(text, /^\s*\//m, text);
    assert.equal(text.match(/```/g)?.length, 2, `one block of code, closed by three backticks: ${text}`);
  }
});
