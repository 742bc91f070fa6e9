import type { Acknowledgement } from './acknowledgement.ts';
import type { Ref } from './ref.ts';
import type { Selector } from './selector.ts';
import type { ProviderSettings } from './settings.ts';

/** What a button of a message does. */
const pressActs = ['acknowledge', 'silence'] as const;
/** One of them. */
export type PressAct = (typeof pressActs)[number];

/** How long a button silences, unless who presses says (seconds). */
export const pressedSilenceSeconds = 3_600;
/** Whether anybody may silence for so long (seconds): a minute to a week. */
export const isSayable = (seconds: number): boolean => seconds >= 60 && seconds <= 7 * 86_400;

/** A button: what stands on it, and what a press of it carries back. */
export type Button = { readonly text: string; readonly carries: string };

/** That somebody has pressed a button, as a product tells it: perhaps more than once, and perhaps of a stranger. */
export type Press = {
  /** The product's own, the same however often it is told. */
  readonly id: string;
  /** Who: the product's ID of the account, and what it is called, bounded and on one line. */
  readonly user: { readonly id: string; readonly name: string };
  /** What the button carries; whoever speaks the protocol may send anything. */
  readonly carries: string;
};

/** What one listener has heard. `cursor`: where it goes on from. */
export type HeardPresses = {
  /** Where it was heard: what is remembered of presses is of this. */
  readonly channel: string;
  readonly provider: Ref;
  /** The name of the product. */
  readonly product: string;
  readonly cursor?: string;
  readonly presses: readonly Press[];
};

/** What a press does in the cluster. */
export type PressDeed =
  | { readonly is: 'acknowledge'; readonly incident: string; readonly acknowledgement: Acknowledgement }
  | {
      readonly is: 'silence';
      readonly incident: string;
      /** The same for the same press: it is made once. */
      readonly name: string;
      readonly selector: Selector;
      readonly createdBy: string;
      readonly seconds: number;
    };

/** What is to be done about a press: something in the cluster, or nothing, and what who pressed is told. */
export type PressedRequest = {
  /** Whose listener heard it: it answers. */
  readonly provider: Ref;
  readonly press: Press;
  readonly says: string;
  /** Who pressed may not. */
  readonly isRefused?: true;
  readonly deed?: PressDeed;
};

const short: Readonly<Record<PressAct, string>> = { acknowledge: 'ack', silence: 'sil' };
const labels: Readonly<Record<PressAct, string>> = { acknowledge: 'Acknowledge', silence: 'Silence 1 h' };

/** Who may press buttons of a provider's messages: IDs of accounts of its product. Nobody unless the spec names them. */
export function whoMayPress({ config }: Pick<ProviderSettings, 'config'>): readonly string[] {
  const { users } = Object(config.actions);
  return Array.isArray(users) ? users.filter((user) => typeof user === 'string') : [];
}

/** The buttons of a message of an open incident. At most 64 bytes are carried: more Telegram does not take. */
export function buttonsOf(
  incident: string,
  { uid }: Pick<ProviderSettings, 'uid'>,
  isAcknowledged: boolean,
): readonly Button[] {
  const acts = isAcknowledged ? (['silence'] as const) : pressActs;
  return acts.map((act) => ({ text: labels[act], carries: [short[act], incident, uid].join(':') }));
}

/** What a button asks for, about which incident, and whose message it was on. `seconds`: for how long, where who pressed says so. */
export type Asked = {
  readonly act: PressAct;
  readonly incident: string;
  readonly uid: string;
  readonly seconds?: number;
};

/** What is carried where who presses says for how long (seconds) as well. */
export const lasting = ({ carries }: Pick<Button, 'carries'>, seconds: number): string => `${carries}:${seconds}`;

/** What a button asks for; `undefined`: it is none of ours, or for a time that nobody may ask for. */
export function askedBy({ carries }: Pick<Press, 'carries'>): Asked | undefined {
  const [word, incident = '', uid = '', length, ...rest] = carries.split(':');
  const act = pressActs.find((each) => short[each] === word);
  if (act === undefined || incident === '' || uid === '' || rest.length > 0) return undefined;
  if (length === undefined) return { act, incident, uid };
  const seconds = act === 'silence' && /^[0-9]{1,9}$/.test(length) ? Number(length) : 0;
  return isSayable(seconds) ? { act, incident, uid, seconds } : undefined;
}
