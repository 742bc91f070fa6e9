import type { Notification } from '../../../model/notification.ts';
import type { Severity } from '../../../model/severity.ts';

/** What a message's colour and sign show: how bad it is, or that it is over. */
export type State = Severity | 'resolved';

/** The state a notification tells of. */
export function stateOf({ act, incident, over, severity }: Stated): State {
  return act === 'resolve' || over || incident?.status === 'resolved' ? 'resolved' : severity;
}
type Stated = Pick<Notification, 'act' | 'incident' | 'over' | 'severity'>;

/** What a product's own palette shows: grey for what needs nobody. */
export type Tone = State | 'plain';

/** The tone of a notification: messages that nobody has to act on are plain. */
export function toneOf(notification: Stated): Tone {
  const { act } = notification;
  return act === 'digest' || act === 'test' ? 'plain' : stateOf(notification);
}

/** State → a colour that reads on light and dark grounds. */
export const colours: Readonly<Record<State, string>> = {
  critical: '#DC2626',
  high: '#EA580C',
  medium: '#D97706',
  low: '#2563EB',
  resolved: '#16A34A',
};

/** State → a sign that every product shows, of the same hue as its colour. */
export const signs: Readonly<Record<State, string>> = {
  critical: '🚨',
  high: '🟠',
  medium: '🟡',
  low: '🔵',
  resolved: '✅',
};
