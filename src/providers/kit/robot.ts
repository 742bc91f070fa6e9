import type { Outcome } from '../../model/delivery.ts';
import { cleanText, redact } from '../../model/redact.ts';
import type { Answer, Reading } from '../provider.ts';
import { type CodeClass, notOf, wrongCredential } from './codes.ts';

/** How a chat robot answers: status 200 for nearly everything, and what it means in a number, 0 for success. */
export type Robot = {
  /** Name of the product in a reason. */
  readonly product: string;
  /** The number and the words of an answer. */
  readonly said: (answer: Answer) => { readonly code: unknown; readonly words: unknown };
  readonly known: ReadonlyMap<string, CodeClass>;
  /** What a number means that is not among them. */
  readonly unknown: (code: string) => CodeClass;
  /** Words that say that it is told too much, whatever the number: some numbers mean that besides what their page says. */
  readonly tooMuch?: RegExp;
  /** Number → what to do about it. */
  readonly advice: Readonly<Record<string, string>>;
  /** Milliseconds to wait where it is told too much; no robot names the wait in `Retry-After`. */
  readonly waitMs: (answer: Answer) => number;
};

/** The number of an answer as a table has it, `''` when there is none. */
export function robotCode({ said }: Robot, answer: Answer): string {
  const { code } = said(answer);
  return typeof code === 'number' && Number.isInteger(code) ? String(code) : '';
}

/** Whether an answer says that it is told too much. */
export function isTooMuch({ said, tooMuch }: Robot, answer: Answer): boolean {
  const { words } = said(answer);
  return typeof words === 'string' && tooMuch?.test(words) === true;
}

/** Reads answers by the robot's numbers; an answer without one by its status. */
export function robotReading(robot: Robot): Reading {
  return {
    failure(answer) {
      const code = robotCode(robot, answer);
      if (code === '0') return undefined;
      if (code !== '') return failureOf(robot, answer, code);
      if (answer.status === 404 || answer.status === 410)
        return wrongCredential(answer, `there is no robot of ${robot.product} at this address; copy it again`);
      if (answer.status >= 300) return undefined;
      return notOf(answer, robot.product);
    },
  };
}

function failureOf(robot: Robot, answer: Answer, code: string): Exclude<Outcome, { is: 'delivered' }> {
  const is = isTooMuch(robot, answer) ? 'rateLimited' : (robot.known.get(code) ?? robot.unknown(code));
  if (is === 'rateLimited') return { is, afterMs: robot.waitMs(answer) };
  const { words } = robot.said(answer);
  const said = typeof words === 'string' ? ` ${cleanText(redact(words).replace(/\s+/g, ' ').trim(), 200)}` : '';
  const remedy = Object.hasOwn(robot.advice, code) ? ` (${robot.advice[code]})` : '';
  const reason = `error ${code}${said}${remedy}`;
  if (is === 'retryable') return { is, reason, code: 'ServerError', mayHaveArrived: false };
  const credential = is === 'credential';
  return { is: 'permanent', reason, credential, code: credential ? 'AuthFailed' : 'Rejected' };
}
