import { classes, isTooMuch, type Robot, robotCode, robotReading } from '../kit.ts';
import type { Answer } from '../provider.ts';

/** Numbers of custom bots. Source: open.feishu.cn, custom bot guide and frequency control. */
const robot: Robot = {
  product: 'Feishu',
  said(answer) {
    const { code, StatusCode, msg, StatusMessage } = Object(answer.json());
    return { code: code ?? StatusCode, words: msg ?? StatusMessage };
  },
  known: classes({
    credential: ['19001', '19021'],
    refused: ['19007', '19022', '19024', '9499', '19002'],
    rateLimited: ['11232', '99991400'],
    retryable: ['1500'],
  }),
  unknown: (code) => (isContent(code) ? 'refused' : 'retryable'),
  // 9499 is a bad request on its page, and `too many request` when it is called too fast.
  tooMuch: /too many request|frequency limit/i,
  advice: {
    19007: 'the bot is switched off: turn it on in the settings of the group',
    19001: 'the bot was removed, or its address changed: copy the address again',
    19021: 'correct `secret`, or the clock of this cluster, which must be right within an hour',
    19022: 'the bot takes messages from listed addresses only: add the one that this cluster sends from',
    19024: 'the bot wants a keyword in every message: put it into `title`, or secure the bot by a signature instead',
  },
  waitMs(answer) {
    const seconds = Number(answer.headers['x-ogw-ratelimit-reset']);
    if (Number.isFinite(seconds) && seconds > 0) return Math.min(seconds, 900) * 1000;
    return robotCode(robot, answer) === badRequest ? hastyWaitMs : 60_000;
  },
};

/** What is refused, or came too soon. */
const badRequest = '9499';
/** Milliseconds: it counts by the second. */
const hastyWaitMs = 5_000;

/** Success is the number 0, whatever the status. */
export const reading = robotReading(robot);

/** Errors in the card itself. */
const isContent = (code: string): boolean => code === '11246' || code === '230099' || /^200\d{3}$/.test(code);

/** Whether the message is refused, which its card may be the reason of: a plain text may still go. */
export function isRefusedCard(answer: Answer): boolean {
  const code = robotCode(robot, answer);
  return (isContent(code) || code === badRequest || code === '19002') && !isTooMuch(robot, answer);
}

/** What is wrong with bot, signature or sender. Anything else says that those were not looked at, or are well. */
const unfit: ReadonlySet<string> = new Set(['19001', '19007', '19021', '19022']);
/** Whether the bot takes our messages, by its answer to one of a kind that does not exist. */
export function takesMessages(answer: Answer): boolean {
  const code = robotCode(robot, answer);
  if (isTooMuch(robot, answer)) return false;
  return (
    code !== '' && robot.known.get(code) !== 'rateLimited' && robot.known.get(code) !== 'retryable' && !unfit.has(code)
  );
}
