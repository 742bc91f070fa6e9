import { classes, type Robot, robotCode, robotReading } from '../kit.ts';
import type { Answer } from '../provider.ts';

/** The robot or its token is not there. */
const noRobot = ['300001', '300005', '400101', '400106'];
/** A signature that does not match; the same number is for keywords and addresses. */
const security = '310000';
const anew = 'the robot was removed, or its token changed: copy the address of the robot again';

/** Numbers of custom robots. Source: open.dingtalk.com, custom robot access and global error codes. */
const robot: Robot = {
  product: 'DingTalk',
  said(answer) {
    const { errcode, errmsg } = Object(answer.json());
    return { code: errcode, words: errmsg };
  },
  known: classes({
    credential: [...noRobot, security, '88'],
    refused: [
      ...['400102', '400013', '40035', '43004', '400105', '34016', '460101'],
      ...['430101', '430102', '430103', '430104'],
    ],
    rateLimited: ['130101', '410100', '90030', '90018'],
    retryable: ['-1'],
  }),
  unknown: () => 'refused',
  advice: {
    ...Object.fromEntries(noRobot.map((code) => [code, anew])),
    [security]:
      'correct `secret` or the clock of this cluster, put the keyword of the robot into `title`, or let it take messages from this address',
    400102: 'the robot is switched off: switch it on',
    400013: 'the group is gone: choose another',
  },
  // What the documentation says of a robot that was too fast; the answer itself names seconds at most.
  waitMs: () => 600_000,
};

/** Success is the number 0. */
export const reading = robotReading(robot);

/** What is wrong with the robot; keywords are not looked for in a message without a text. */
const unfit: ReadonlySet<string> = new Set([...noRobot, '400102', '400013', '88']);
/** Whether the robot takes our messages, by its answer to one of a kind that does not exist. */
export function takesMessages(answer: Answer): boolean {
  const code = robotCode(robot, answer);
  if (code === security) return /keyword|关键词/i.test(String(robot.said(answer).words));
  const known = robot.known.get(code);
  return code !== '' && known !== 'rateLimited' && known !== 'retryable' && !unfit.has(code);
}
