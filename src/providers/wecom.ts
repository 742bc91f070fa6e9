import { headline } from '../message/render/kit/headline.ts';
import { signs, stateOf } from '../message/render/kit/state.ts';
import { lengthIn } from '../message/render/kit/truncate.ts';
import { type Dialect, githubMarkdown, markdown, prose } from '../message/render/markdown.ts';
import type { Notification } from '../model/notification.ts';
import {
  callOf,
  classes,
  defineProvider,
  mention,
  type Robot,
  readDestination,
  robotCode,
  robotReading,
  secret,
} from './kit.ts';

/** No lists, and code within a line only. Nothing is documented to take a meaning away: what has one is written otherwise. */
const dialect: Dialect = {
  ...githubMarkdown,
  max: 4_096,
  unit: 'bytes',
  bullet: '• ',
  fence: 'none',
  escapes: { '<': '＜', '*': '∗', '`': "'" },
  // What it makes of code is not documented either: signs that look alike mean nothing anywhere.
  escapesInCode: { '<': '＜', '*': '∗' },
  silenceInCode: /\](?=\()/g,
};

/** The three colours there are: orange, grey, green. */
const colours = { critical: 'warning', high: 'warning', medium: 'warning', low: 'comment', resolved: 'info' } as const;
const maxTitleBytes = 300;

/** The title in the colour of its state, then the rest. `call`: whom it rings, as tags of ours. */
function contentOf(notification: Notification, call: string): string {
  const state = stateOf(notification);
  const title = prose(headline(notification, maxTitleBytes, 'bytes'), maxTitleBytes, dialect);
  const head = `### ${signs[state]} <font color="${colours[state]}">${title}</font>\n\n${call === '' ? '' : `${call}\n\n`}`;
  const max = dialect.max - lengthIn(dialect.unit, head);
  return `${head}${markdown(notification, { ...dialect, max }, ['title'])}`;
}

/** Numbers of group robots. Source: developer.work.weixin.qq.com, global error codes. */
const robot: Robot = {
  product: 'WeCom',
  said(answer) {
    const { errcode, errmsg } = Object(answer.json());
    return { code: errcode, words: errmsg };
  },
  known: classes({
    credential: ['93000'],
    refused: ['93004', '93008', '93017', '60020', '40008', '40035', '40054', '40055', '40058', '44004', '47001'],
    rateLimited: ['45009', '45033'],
    retryable: ['-1', '6000'],
  }),
  unknown: () => 'retryable',
  advice: {
    93000: 'the robot was removed, or its address is wrong: copy the address again',
    93004: 'the robot is switched off: turn it on in the settings of the group',
    60020: 'the robot takes messages from listed addresses only: add the one that this cluster sends from',
    93008: 'add the robot to the group again',
    93017: 'the robot is switched off',
  },
  waitMs: () => 60_000,
};
const reading = robotReading(robot);

/** The robot is not in the group, switched off, or takes nothing from here. */
const unfit: ReadonlySet<string> = new Set(['93004', '93008', '93017', '60020']);

/** WeCom: a robot of a group. Source: developer.work.weixin.qq.com/document/path/91770. */
export const wecom = defineProvider({
  type: 'wecom',
  product: 'WeCom',
  family: 'chat',
  description: 'Posts to a WeCom (WeChat Work) group through a robot.',
  behaviour: 'every act is a new message',
  credentials: [
    'Add a robot to the group and put its address (`https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=…`) into a Secret.',
  ],
  notes: [
    'A message holds 4,096 bytes, of which a Chinese character takes three: long ones lose log lines first.',
    'Texts of the cluster mention nobody and make no links. The WeChat app shows messages of this kind in WeCom groups only.',
  ],
  sample: { webhook: { secretKeyRef: { name: 'wecom', key: 'webhook' } } },
  fields: {
    webhook: secret({ required: true, holds: 'url', description: 'Address of the group robot.' }),
  },
  reaches: { mentions: mention.wecom },
  limits: { content: { bytes: dialect.max } },
  hosts: ['qyapi.weixin.qq.com'],
  pacing: { perSecond: 0.25, burst: 4 }, // 20 messages a minute

  async deliver({ notification, config, send, people }) {
    const destination = readDestination('webhook', config.webhook);
    const json = { msgtype: 'markdown', markdown: { content: contentOf(notification, callOf(people, mention.wecom)) } };
    return (await send({ method: 'POST', ...destination, headers: utf8, json })).outcome(reading);
  },

  async check({ config, send }) {
    const destination = readDestination('webhook', config.webhook);
    // A kind of message that does not exist is refused, after the key was looked at.
    const answer = await send({ method: 'POST', ...destination, headers: utf8, json: { msgtype: 'tocsin_check' } });
    const code = robotCode(robot, answer);
    const well = robot.known.get(code) === 'refused' && !unfit.has(code);
    return well ? { is: 'delivered' } : answer.outcome(reading);
  },
});

const utf8 = { 'content-type': 'application/json; charset=utf-8' };
