import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge } from './kit/oracle.ts';
import type { Answer, Fact, Family, Message, Reader, Request, Severity, Transcript } from './kit/transcript.ts';

const second = 1_000;
const hour = 3_600 * second;
const root = 'Pod/shop/api';

/** A request that `family` has taken, seconds after the start. */
function asked(at: number, act: Message['act'], more: Partial<Request> & { readonly answer?: Answer } = {}): Request {
  const { family = 'pager', stream = 'i1', answer = 'taken' } = more;
  return {
    ...{ provider: family, uid: family, family, act, stream, key: 'k', severity: 'high', title: root, note: '' },
    ...{ decidedAt: at * second, at: at * second, reason: 'CrashLoopBackOff', thing: 'k', cut: false },
    ...more,
    ...{ answer, taken: more.taken ?? answer === 'taken' },
  };
}

/** What is so of the incident since then. */
function so(at: number, state: Fact['state'], more: Partial<Fact> = {}): Fact {
  return {
    ...{ at: at * second, incident: 'i1', key: 'k', root, reason: 'CrashLoopBackOff', severity: 'high', state },
    ...{ folded: false, baseline: false },
    ...more,
  };
}

const reader = (family: Family, more: Partial<Reader> = {}): Reader => ({
  ...{ provider: family, uid: family, family, active: true, suspended: false },
  ...more,
});

const low: Partial<Fact> = { severity: 'low' };

const listed = (at: number, severity: Severity, more: Partial<Request> = {}): Request =>
  asked(at, 'digest', {
    ...{ family: 'chat', stream: 'list', list: { entries: [{ root, severity, over: false }], total: 1 } },
    ...more,
  });

/** An incident that begins, is open in the calm, and is over in the end; read by one pager. */
function history(more: Partial<Transcript>): Transcript {
  return {
    requests: [],
    facts: [so(20, 'Open'), so(20_000, 'Recovering'), so(20_200, 'Resolved')],
    rosters: [{ at: 0, readers: [reader('pager')] }],
    ...{ mutings: [], kills: [], broken: [root], settledAt: 4 * hour, clearedAt: 50 * hour },
    ...more,
  };
}

const told = [asked(21, 'open'), asked(20_201, 'resolve')];
const chat = { rosters: [{ at: 0, readers: [reader('chat')] }] };

/** A history for which a rule must or must not speak. */
type Row = { readonly says: string; readonly is: Partial<Transcript>; readonly breaks?: string };

const rows: readonly Row[] = [
  { says: 'what was told and closed is right', is: { requests: told } },

  // O1
  { says: 'a pager that was never told', is: {}, breaks: 'O1' },
  {
    says: 'a pager that was told and closed in the midst',
    is: { requests: [...told.slice(0, 1), asked(900, 'resolve')] },
    breaks: 'O1',
  },
  {
    says: 'a pager that answered 503 and took nothing',
    is: { requests: [asked(21, 'open', { answer: 'unavailable' })] },
    breaks: 'O1',
  },
  {
    says: 'a pager that only a fallback stood in for',
    is: {
      requests: [
        asked(60, 'open', { family: 'chat', note: 'via chat because pager failed' }),
        asked(20_201, 'resolve', { family: 'chat' }),
      ],
      rosters: [{ at: 0, readers: [reader('pager', { fallback: 'chat' }), reader('chat', { active: false })] }],
    },
    breaks: 'O1',
  },
  {
    says: 'a pager that only a list told, which makes nothing of it there',
    is: { requests: [listed(900, 'high', { family: 'pager' })] },
    breaks: 'O1',
  },
  {
    says: 'a list that named it before this incident of the same object began',
    is: { ...chat, requests: [listed(10, 'high')] },
    breaks: 'O1',
  },
  {
    says: 'something broken without an incident',
    is: { requests: told, broken: [root, 'Pod/shop/other'] },
    breaks: 'O1',
  },
  { says: 'a chat that read of it in a list', is: { ...chat, requests: [listed(900, 'high')] } },
  {
    says: 'a chat that reads of it in a list that was made before it came back',
    is: {
      ...chat,
      facts: [so(20, 'Open'), so(900, 'Resolved'), so(1_000, 'Open')],
      requests: [listed(1_100, 'high', { decidedAt: 800_000 })],
    },
  },
  {
    says: 'a chat that read of it in a list before it came back',
    is: {
      ...chat,
      facts: [so(20, 'Open'), so(900, 'Resolved'), so(1_000, 'Open')],
      requests: [listed(800, 'high', { act: 'overview' })],
    },
    breaks: 'O1',
  },
  {
    says: 'a chat that read of it in a digest, whose entries have no end, before it came back',
    is: {
      ...chat,
      facts: [so(20, 'Open', low), so(900, 'Resolved', low), so(1_000, 'Open', low)],
      requests: [listed(800, 'low')],
    },
  },
  {
    says: 'a chat that read of it in a digest, and of its end, before it came back',
    is: {
      ...chat,
      facts: [so(20, 'Open', low), so(900, 'Resolved', low), so(1_000, 'Open', low)],
      requests: [listed(800, 'low'), asked(900, 'resolve', { family: 'chat' })],
    },
    breaks: 'O1',
  },
  {
    says: 'a chat of whose opening nobody knows whether it arrived, since a repeat would be a second message',
    is: {
      ...chat,
      requests: [
        asked(21, 'open', { family: 'chat', answer: 'timeout' }),
        asked(40, 'open', { family: 'chat', answer: 'refused' }),
      ],
    },
  },
  {
    says: 'a chat of whose list nobody knows whether it arrived, though one of an earlier incident of the object did',
    is: {
      ...chat,
      requests: [
        listed(10, 'high', { act: 'overview' }),
        listed(900, 'high', { act: 'overview', answer: 'timeout', taken: false }),
      ],
    },
  },
  {
    says: 'a pager of whose opening nobody knows whether it arrived, since its key makes a repeat harmless',
    is: { requests: [asked(21, 'open', { answer: 'timeout' }), asked(40, 'open', { answer: 'refused' })] },
    breaks: 'O1',
  },
  { says: 'a pager of something low', is: { facts: [so(20, 'Open', { severity: 'low' })] } },
  { says: 'a pager of what was there before', is: { facts: [so(0, 'Open', { baseline: true })] } },
  {
    says: 'a pager whose route wants only what is critical',
    is: { rosters: [{ at: 0, readers: [reader('pager', { severities: ['critical'] })] }] },
  },
  { says: 'a pager that is not active', is: { rosters: [{ at: 0, readers: [reader('pager', { active: false })] }] } },
  { says: 'what is silenced still', is: { mutings: [{ name: 'api', from: 0, to: 5 * hour }] } },
  {
    says: 'what came back and was told before only',
    is: { requests: told, facts: [so(20, 'Open'), so(900, 'Resolved'), so(1_000, 'Open')] },
  },

  // O2
  { says: 'a page that nobody closed', is: { requests: [asked(21, 'open')] }, breaks: 'O2' },
  {
    says: 'a page whose end was refused',
    is: { requests: [asked(21, 'open'), asked(20_201, 'resolve', { answer: 'revoked' })] },
    breaks: 'O2',
  },
  {
    says: 'an opening that was taken though it timed out',
    is: { requests: [asked(21, 'open', { answer: 'timeout', taken: true })] },
    breaks: 'O2',
  },
  {
    says: 'a page at who is not chosen any more',
    is: { requests: [asked(21, 'open')], rosters: [{ at: 0, readers: [reader('pager', { active: false })] }] },
    breaks: 'O2',
  },
  {
    says: 'an opening that a fallback read, and no end',
    is: {
      requests: [...told, asked(60, 'open', { family: 'chat', note: 'via chat because pager failed' })],
      rosters: [{ at: 0, readers: [reader('pager', { fallback: 'chat' }), reader('chat', { active: false })] }],
    },
    breaks: 'O2',
  },
  {
    says: 'an alert of the startup summary that stays',
    is: { requests: [...told, asked(1, 'startup', { stream: 'start', thing: 'start', key: 'start' })] },
    breaks: 'O2',
  },
  {
    says: 'an alert of the startup summary that is closed',
    is: {
      requests: [
        asked(1, 'startup', { stream: 'start', key: 'start', thing: 'start' }),
        ...told,
        asked(20_300, 'resolve', { stream: 'start', key: 'start', thing: 'start' }),
      ],
    },
  },
  {
    says: 'a page at a pager that was deleted',
    is: {
      requests: [asked(21, 'open')],
      rosters: [
        { at: 0, readers: [reader('pager')] },
        { at: 5 * hour, readers: [] },
      ],
    },
  },
  {
    says: 'a page of a process on Community that was restarted',
    is: { requests: [asked(21, 'open')], kills: [{ at: 5 * hour, forgets: true }] },
  },
  {
    says: 'a startup summary in a chat, which needs no end',
    is: { ...chat, facts: [so(0, 'Open', { baseline: true })], requests: [listed(1, 'high', { act: 'startup' })] },
  },

  {
    says: 'a page that another incident took over under its key, and that was closed with that one',
    is: { requests: [asked(10, 'open', { stream: 'i0' }), ...told] },
  },
  {
    says: 'an issue that nobody closed since the next incident has one of its own',
    is: {
      rosters: [{ at: 0, readers: [reader('tracker')] }],
      requests: [
        asked(10, 'open', { family: 'tracker', stream: 'i0', thing: '6' }),
        asked(21, 'open', { family: 'tracker', thing: '7' }),
        asked(20_201, 'resolve', { family: 'tracker', thing: '7' }),
      ],
    },
    breaks: 'O2',
  },

  // O3
  {
    says: 'a page closed by the end of the incident before it',
    is: {
      requests: [
        asked(21, 'open', { stream: 'i0' }),
        asked(300, 'open'),
        asked(301, 'resolve', { stream: 'i0' }),
        asked(20_201, 'resolve'),
      ],
    },
    breaks: 'O3',
  },
  {
    says: 'a page closed so for an instant only',
    is: {
      requests: [
        asked(21, 'open', { stream: 'i0' }),
        asked(300, 'open'),
        asked(301, 'resolve', { stream: 'i0' }),
        asked(302, 'open', { answer: 'taken' }),
        asked(20_201, 'resolve'),
      ],
    },
    breaks: 'O3',
  },
  {
    says: "an issue that is closed by another's end",
    is: {
      rosters: [{ at: 0, readers: [reader('tracker')] }],
      requests: [
        asked(300, 'open', { family: 'tracker', thing: '7' }),
        asked(301, 'resolve', { family: 'tracker', stream: 'i0', thing: '7' }),
        asked(20_201, 'resolve', { family: 'tracker', thing: '7' }),
      ],
    },
    breaks: 'O3',
  },
  {
    says: 'two issues of one key, each closed by its own end',
    is: {
      rosters: [{ at: 0, readers: [reader('tracker')] }],
      requests: [
        asked(21, 'open', { family: 'tracker', stream: 'i0', thing: '6' }),
        asked(300, 'open', { family: 'tracker', thing: '7' }),
        asked(301, 'resolve', { family: 'tracker', stream: 'i0', thing: '6' }),
        asked(20_201, 'resolve', { family: 'tracker', thing: '7' }),
      ],
    },
  },
  {
    says: 'a page closed before the next is made',
    is: {
      requests: [
        asked(21, 'open', { stream: 'i0' }),
        asked(300, 'resolve', { stream: 'i0' }),
        asked(301, 'open'),
        asked(20_201, 'resolve'),
      ],
    },
  },

  // O4, O8
  {
    says: 'a rise that nobody told',
    is: { requests: told, facts: [so(20, 'Open'), so(60, 'Open', { severity: 'critical' })] },
    breaks: 'O4',
  },
  {
    says: 'a rise whose update was refused',
    is: {
      requests: [
        asked(21, 'open'),
        asked(60, 'update', { severity: 'critical', answer: 'revoked' }),
        asked(20_201, 'resolve'),
      ],
      facts: [so(20, 'Open'), so(60, 'Open', { severity: 'critical' })],
    },
    breaks: 'O4',
  },
  {
    says: 'a rise of what was only listed',
    is: {
      ...chat,
      requests: [listed(900, 'low')],
      facts: [so(20, 'Open', { severity: 'low' }), so(1_000, 'Open', { severity: 'critical' })],
    },
    breaks: 'O4',
  },
  {
    says: 'a rise of what a list only counts since',
    is: {
      ...chat,
      requests: [
        listed(900, 'high'),
        listed(1_100, 'critical', {
          list: { entries: [{ root: 'Pod/shop/x', severity: 'critical', over: false }], total: 2 },
        }),
      ],
      facts: [so(20, 'Open'), so(1_000, 'Open', { severity: 'critical' })],
    },
  },
  {
    says: 'a rise of what a list counted before it',
    is: {
      ...chat,
      requests: [
        listed(900, 'high'),
        listed(950, 'high', { list: { entries: [{ root: 'Pod/shop/x', severity: 'high', over: false }], total: 2 } }),
      ],
      facts: [so(20, 'Open'), so(1_000, 'Open', { severity: 'critical' })],
    },
    breaks: 'O4',
  },
  {
    says: 'a rise by an opening that perhaps arrived in a chat that read of it in a list',
    is: {
      ...chat,
      requests: [
        listed(900, 'medium'),
        asked(1_000, 'open', { family: 'chat', answer: 'reset' }),
        asked(1_020, 'open', { family: 'chat', answer: 'refused' }),
      ],
    },
  },
  {
    says: 'a rise by an opening that certainly did not arrive in a chat that read of it in a list',
    is: { ...chat, requests: [listed(900, 'medium'), asked(1_020, 'open', { family: 'chat', answer: 'refused' })] },
    breaks: 'O4',
  },
  {
    says: 'a rise that was told',
    is: {
      requests: [asked(21, 'open'), asked(60, 'update', { severity: 'critical' }), asked(20_201, 'resolve')],
      facts: [so(20, 'Open'), so(60, 'Open', { severity: 'critical' })],
    },
  },
  {
    says: 'a fall that nobody told',
    is: { requests: [asked(21, 'open', { severity: 'critical' }), asked(20_201, 'resolve')] },
  },
  {
    says: 'another reason that nobody told',
    is: { requests: told, facts: [so(20, 'Open'), so(900, 'Open', { reason: 'ImagePullBackOff' })] },
    breaks: 'O8',
  },
  {
    says: 'another reason that was told',
    is: {
      requests: [asked(21, 'open'), asked(900, 'update', { reason: 'ImagePullBackOff' }), asked(20_201, 'resolve')],
      facts: [so(20, 'Open'), so(900, 'Open', { reason: 'ImagePullBackOff' })],
    },
  },
  {
    says: 'another reason of what is told once a day',
    is: {
      requests: [asked(21, 'open', { note: 'From now on you get one summary a day' }), asked(20_201, 'resolve')],
      facts: [so(20, 'Open'), so(900, 'Open', { reason: 'ImagePullBackOff' })],
    },
  },

  // O5
  { says: 'an end before its opening', is: { requests: [asked(15, 'resolve'), ...told] }, breaks: 'O5' },
  { says: 'an update before the opening', is: { requests: [asked(15, 'update'), ...told] }, breaks: 'O5' },
  { says: 'an update after the end', is: { requests: [...told, asked(20_300, 'update')] }, breaks: 'O5' },
  {
    says: 'an opening that was decided before the end that came first',
    is: { requests: [...told, asked(20_300, 'open', { decidedAt: 21_000 }), asked(20_400, 'resolve')] },
    breaks: 'O5',
  },
  {
    says: 'an end without an opening, which perhaps arrived',
    is: {
      facts: [so(20, 'Open'), so(300, 'Resolved')],
      broken: [],
      requests: [asked(21, 'open', { answer: 'timeout' }), asked(301, 'resolve')],
    },
  },
  {
    says: 'an end without an opening, which certainly did not arrive',
    is: {
      facts: [so(20, 'Open'), so(300, 'Resolved')],
      broken: [],
      requests: [asked(21, 'open', { answer: 'unavailable' }), asked(301, 'resolve')],
    },
    breaks: 'O5',
  },
  {
    says: 'a remark after the end in a chat',
    is: {
      ...chat,
      requests: [
        asked(21, 'open', { family: 'chat' }),
        asked(20_201, 'resolve', { family: 'chat' }),
        asked(20_300, 'update', { family: 'chat', note: 'via chat because pager failed' }),
      ],
    },
  },
  {
    says: 'a remark after the end at a pager, which opens the alert anew',
    is: { requests: [...told, asked(20_300, 'update', { note: 'via pager because chat failed' })] },
    breaks: 'O2',
  },
  {
    says: 'a return after the end',
    is: { requests: [asked(21, 'open'), asked(300, 'resolve'), asked(900, 'reopen'), asked(20_201, 'resolve')] },
  },

  // O6
  {
    says: 'an opening twice',
    is: { requests: [asked(21, 'open'), asked(60, 'open'), asked(20_201, 'resolve')] },
    breaks: 'O6',
  },
  {
    says: 'an opening again in place of somebody else',
    is: {
      requests: [
        asked(21, 'open'),
        asked(60, 'open', { note: 'via pager because chat failed' }),
        asked(20_201, 'resolve'),
      ],
    },
    breaks: 'O6',
  },
  { says: 'an end twice', is: { requests: [...told, asked(20_300, 'resolve')] }, breaks: 'O6' },
  {
    says: 'the same update twice',
    is: {
      requests: [
        asked(21, 'open'),
        asked(60, 'update'),
        asked(90, 'update', { decidedAt: 60_000 }),
        asked(20_201, 'resolve'),
      ],
    },
    breaks: 'O6',
  },
  {
    says: 'the same remark after whom it is about was told in between',
    is: {
      rosters: [{ at: 0, readers: [reader('pager'), reader('chat')] }],
      requests: [
        ...told,
        asked(21, 'open', { family: 'chat' }),
        asked(22, 'update', { family: 'chat', note: 'pager could not be told (Timeout)' }),
        asked(60, 'update'),
        asked(90, 'update', { family: 'chat', note: 'pager could not be told (Timeout)' }),
        asked(20_201, 'resolve', { family: 'chat' }),
      ].toSorted((a, b) => a.at - b.at),
    },
  },
  {
    says: 'the same remark about another one of that name',
    is: {
      rosters: [
        { at: 0, readers: [reader('chat'), reader('pager', { active: false })] },
        { at: 60_000, readers: [reader('chat'), reader('pager', { uid: 'pager2', active: false })] },
      ],
      requests: [
        asked(21, 'open', { family: 'chat' }),
        asked(22, 'update', { family: 'chat', note: 'pager could not be told (Timeout)' }),
        asked(90, 'update', { family: 'chat', note: 'pager could not be told (Timeout)' }),
        asked(20_201, 'resolve', { family: 'chat' }),
      ],
    },
  },
  {
    says: 'the same remark about somebody who was silent all the time',
    is: {
      rosters: [{ at: 0, readers: [reader('chat'), reader('pager', { active: false })] }],
      requests: [
        asked(21, 'open', { family: 'chat' }),
        asked(22, 'update', { family: 'chat', note: 'pager could not be told (Timeout)' }),
        asked(90, 'update', { family: 'chat', note: 'pager could not be told (Timeout)' }),
        asked(20_201, 'resolve', { family: 'chat' }),
      ],
    },
    breaks: 'O6',
  },
  {
    says: 'an end again after a list that names it as open',
    is: {
      ...chat,
      facts: [so(20, 'Open'), so(300, 'Resolved'), so(400, 'Open'), so(20_000, 'Resolved')],
      requests: [
        asked(21, 'open', { family: 'chat' }),
        asked(301, 'resolve', { family: 'chat' }),
        listed(900, 'high'),
        asked(20_201, 'resolve', { family: 'chat' }),
      ],
    },
  },
  {
    says: 'the same remark twice',
    is: {
      ...chat,
      requests: [
        asked(21, 'open', { family: 'chat' }),
        asked(60, 'update', { family: 'chat', note: 'via chat because pager failed' }),
        asked(90, 'update', { family: 'chat', note: 'via chat because pager failed' }),
        asked(20_201, 'resolve', { family: 'chat' }),
      ],
    },
    breaks: 'O6',
  },
  {
    says: 'an opening again after one that was taken and timed out',
    is: {
      requests: [asked(21, 'open', { answer: 'timeout', taken: true }), asked(60, 'open'), asked(20_201, 'resolve')],
    },
  },
  {
    says: 'an opening again after a kill that cut the first',
    is: { requests: [asked(21, 'open', { cut: true }), asked(60, 'open'), asked(20_201, 'resolve')] },
  },
  {
    says: 'an opening again after an end that perhaps arrived',
    is: {
      requests: [
        asked(21, 'open'),
        asked(300, 'resolve', { answer: 'hangs' }),
        asked(900, 'reopen'),
        asked(20_201, 'resolve'),
      ],
    },
  },
  {
    says: 'an opening again after an end that certainly did not arrive',
    is: {
      requests: [
        asked(21, 'open'),
        asked(300, 'resolve', { answer: 'refused' }),
        asked(900, 'reopen'),
        asked(20_201, 'resolve'),
      ],
    },
    breaks: 'O6',
  },
  {
    says: 'an end again after doubt about the opening only',
    is: {
      requests: [
        asked(21, 'open', { answer: 'timeout', taken: true }),
        asked(20_201, 'resolve'),
        asked(20_300, 'resolve'),
      ],
    },
    breaks: 'O6',
  },

  // O7
  {
    says: 'a digest that is refused every minute',
    is: {
      ...chat,
      broken: [],
      facts: [],
      requests: Array.from({ length: 60 }, (_, minute) =>
        listed(60 * minute, 'low', { answer: 'refused', stream: `d${minute}` }),
      ),
    },
    breaks: 'O7',
  },
  {
    says: 'a digest that is refused every half hour',
    is: {
      ...chat,
      broken: [],
      facts: [],
      requests: Array.from({ length: 8 }, (_, half) =>
        listed(1_800 * half, 'low', { answer: 'refused', stream: `d${half}` }),
      ),
    },
  },
  {
    says: 'a page that is tried every second',
    is: {
      requests: [
        ...Array.from({ length: 600 }, (_, at) => asked(21 + at, 'open', { answer: 'unavailable' })),
        asked(900, 'open'),
        asked(20_201, 'resolve'),
      ],
    },
    breaks: 'O7',
  },

  // O9
  {
    says: 'an opening under a Silence',
    is: { requests: told, mutings: [{ name: 'api', from: 0, to: 100_000 }] },
    breaks: 'O9',
  },
  {
    says: 'a list that names what is silenced',
    is: { ...chat, requests: [listed(900, 'high')], mutings: [{ name: 'api', from: 600_000, to: 1_000_000 }] },
    breaks: 'O9',
  },
  {
    says: 'an end under a Silence',
    is: { requests: told, mutings: [{ name: 'api', from: 20_000_000, to: 20_300_000 }] },
  },

  // O10
  {
    says: 'something sent to who is suspended',
    is: {
      requests: [...told, asked(20_300, 'resolve', { family: 'chat' })],
      rosters: [{ at: 0, readers: [reader('pager'), reader('chat', { suspended: true, active: false })] }],
    },
    breaks: 'O10',
  },
  {
    says: 'something sent to who is deleted',
    is: {
      requests: [asked(21, 'open'), asked(30_000, 'resolve')],
      rosters: [
        { at: 0, readers: [reader('pager')] },
        { at: 25_000_000, readers: [] },
      ],
    },
    breaks: 'O10',
  },
  {
    says: 'something sent to whom no route picks',
    is: { requests: told, rosters: [{ at: 0, readers: [reader('pager', { namespaces: ['pay'] })] }] },
    breaks: 'O10',
  },
  {
    says: 'something sent in place of somebody else to whom no route picks',
    is: {
      requests: told,
      rosters: [
        {
          at: 0,
          readers: [reader('pager', { namespaces: ['pay'] }), reader('chat', { active: false, fallback: 'pager' })],
        },
      ],
    },
  },

  // O11
  {
    says: 'an opening that is tried until after the end',
    is: { requests: [asked(21, 'open', { answer: 'timeout' }), asked(20_300, 'open'), asked(20_300, 'resolve')] },
    breaks: 'O11',
  },
  {
    says: 'the end alone of an opening that may have arrived',
    is: { requests: [asked(21, 'open', { answer: 'timeout', taken: true }), asked(20_300, 'resolve')] },
  },
];

for (const { says, is, breaks } of rows)
  test(`${breaks === undefined ? 'the judge lets pass' : `the judge finds by ${breaks}`}: ${says}`, () => {
    const rules = new Set(judge(history(is)).map(({ rule }) => rule.split(' ')[0]));
    if (breaks === undefined) assert.deepEqual([...rules], []);
    else assert.ok(rules.has(breaks), `it found ${[...rules].join(', ') || 'nothing'}`);
  });
