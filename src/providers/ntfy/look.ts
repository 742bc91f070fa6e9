import { webLinks } from '../../message/render/kit/clip.ts';
import { oneLine } from '../../message/render/kit/headline.ts';
import type { State } from '../../message/render/kit/state.ts';
import { truncate } from '../../message/render/kit/truncate.ts';
import type { Notification } from '../../model/notification.ts';

/** 1 least, 5 most: from 4 on it pops up, 5 vibrates long. By severity around that of high problems. */
export function prioritiesAround(high: number): Readonly<Record<State, number>> {
  const quiet = Math.max(1, Math.min(2, high - 1));
  return { critical: Math.min(5, high + 1), high, medium: Math.max(1, high - 1), low: quiet, resolved: quiet };
}
/** Buttons of a message, and bytes of the address of each. */
const maxButtons = 3;
const maxUrlBytes = 500;

/** A button of a message. */
type Button = { readonly action: 'view'; readonly label: string; readonly url: string };

/** Buttons for what the message links to. A tap on the message itself shows it whole. */
export function buttonsOf({ links }: Notification): readonly Button[] {
  return webLinks(links, maxButtons)
    .map(({ title, url }) => ({
      ...({ action: 'view', label: truncate(oneLine(title), 40, 'characters') } as const),
      url: new URL(url).href,
    }))
    .filter(({ url }) => Buffer.byteLength(url) <= maxUrlBytes);
}
